"""Questions put to many games: which openings are even, what a side is worth.

Beside it, it may import: formats, games, openings, planning, play, run, timing.
"""
