"""The text protocol between referee and engine: SPEC.md, grammar, session, engine process, author's side.

`search_reply` reads what an engine says in a search, `grammar` every other line. `deadlines` has how long each answer
may take, `stopwatch` how a move is timed, `cpu_meter` what the kernel says of it.

Packages that it may import: none of ours.
"""
