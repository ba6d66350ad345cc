"""The conformance checks of `arena check`: does an engine follow SPEC.md? Imports no store, no plan and no screen.

Beside it, it may import: games, play, timing.
"""
