"""People at a board: the game and its clocks, the engines that play against them, the file that keeps the game.

`session` is what a terminal or a browser drives; `terminal` is the conversation of a terminal; `hosted_game` is a game
that a server has.

Beside it, it may import: config, games, imports, openings, planning, play, timing.
"""
