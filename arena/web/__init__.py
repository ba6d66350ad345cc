"""The run on pages: what they show, their templates, and the report that writes them as files.

Beside it, it may import: conformance, formats, games, human, imports, live, openings, planning, play, run, timing.
"""
