"""The command line: the only place that prints, and the only place that reads configuration.

Beside it, it may import: cluster, config, conformance, formats, games, human, imports, kit, ladder, live, openings,
planning, play, rulebook, solving, sprt, studies, timing, web.
"""
