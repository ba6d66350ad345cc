"""Runs: which game is next, where it is played, what happens.

A run is a pure `source` of jobs, some `slots` that play them, and one stream of `events`. `run` knows what is missing,
what is played again and who is withdrawn; `play` is the main loop.

Beside it, it may import: formats, games, openings, play, timing.
"""
