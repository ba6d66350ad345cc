"""The text protocol between referee and engine: SPEC.md, grammar, session, engine process, author's side.

`deadlines` has how long each answer may take, `stopwatch` how a move is timed, `run_delay` how long it had no CPU.

Packages that it may import: none of ours.
"""
