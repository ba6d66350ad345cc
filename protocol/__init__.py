"""The text protocol between referee and engine: SPEC.md, grammar, session, engine process, author's side.

Packages that it may import: none of ours.
"""
