"""How a run stands while it is played: one value, told to screens and, in a small file, to other processes.

Beside it, it may import: games, play.
"""
