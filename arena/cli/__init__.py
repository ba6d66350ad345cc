"""The command line: the only place that prints, and that parses options. `arena.config` reads the files.

Beside it, it may import: cluster, config, conformance, connect, formats, games, host, human, imports, kit, ladder,
live, openings, planning, play, run, timing, web.
"""
