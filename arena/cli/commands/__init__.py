"""One file a command: it parses its options and prints its answer.

Beside it, it may import: run, view.
"""
