"""From files and options to games: plans, schedules, introductions, resume.

Beside it, it may import: config, conformance, formats, games, openings, play, run, timing.
"""
