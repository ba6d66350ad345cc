"""People at a board: the game and its clocks, the engines that play against them, the file that keeps the game.

`session` plays a game at a table, where people look and act: `terminal` is that of a terminal, `hosted_game` that of a
browser.

Beside it, it may import: config, games, imports, openings, planning, play, timing.
"""
