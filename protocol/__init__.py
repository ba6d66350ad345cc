"""The text protocol between referee and engine: SPEC.md, grammar, session, engine process, author's side."""
