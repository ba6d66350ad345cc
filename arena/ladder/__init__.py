"""A rating ladder: a run without end, whose engines come and go with a file.

Beside it, it may import: config, formats, openings, planning, play, run.
"""
