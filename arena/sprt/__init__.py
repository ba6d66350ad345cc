"""A match that stops when a sequential test has decided.

Beside it, it may import: formats, planning, play, run.
"""
