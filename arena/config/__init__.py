"""The files that users write: engine registries and tournament files. Reads them and reports what is wrong.

Beside it, it may import: formats, games, openings, play, timing.
"""
