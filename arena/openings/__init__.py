"""Openings from a file, and which game gets which.

Beside it, it may import: games, imports, play, timing.
"""
