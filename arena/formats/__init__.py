"""Who meets whom, format by format: pure functions of numbers and results. Know no engine, no process, no store.

Beside it, it may import: no room.
"""
