"""Random lines of Callanish by theme."""

import random
from collections.abc import Callable

from arena.games.callanish.rules import CallanishRules
from arena.games.game import Game
from arena.games.random_line import RandomLine, walk, with_some_turn
from arena.games.squares import EMPTY, HOLE, square_name, write_rows

Rows = list[list[str]]
"""The letters of a board, from the top."""
_SUPPLIES = (1, 2, 3, 4, 6, 9, 12, 20, 100)


def _empty(rules: CallanishRules, chance: random.Random) -> Rows:
    """The board of the variant, or a drawn one with holes."""
    shape = rules.start_shape
    width, height = shape.width, shape.height
    if not rules.any_shape:
        return [
            [HOLE if square_name(file, height - 1 - row) in shape.holes else EMPTY for file in range(width)]
            for row in range(height)
        ]
    width, height = chance.randint(3, 9), chance.randint(3, 9)
    if (wide := chance.random()) < 0.2:
        # Long and narrow boards cost little, and have numbers of two digits.
        width, height = chance.randint(10, 25), chance.randint(1, 4)
        width, height = (width, height) if wide < 0.1 else (height, width)
    holes = chance.choice((0, 0.1, 0.3))
    return [[HOLE if chance.random() < holes else EMPTY for _ in range(width)] for _ in range(height)]


def _stones(rules: CallanishRules, chance: random.Random, density: float, letters: str) -> str:
    rows = _empty(rules, chance)
    for row in rows:
        for file, letter in enumerate(row):
            if letter != HOLE and chance.random() < density:
                row[file] = chance.choice(letters)
    return _position(rows, chance)


def _position(rows: Rows, chance: random.Random) -> str:
    board = write_rows(["".join(each) for each in rows])
    return f"{board} {chance.choice(('p1', 'p2'))} {chance.randint(1, 60)}"


def _two_lines(rules: CallanishRules, chance: random.Random) -> str:
    """A line of each side that nearly or just has what it needs."""
    rows = _empty(rules, chance)
    for letters in chance.sample(["wwW", "bbB"], 2):
        number = chance.randrange(len(rows) + len(rows[0]))
        squares = (
            [(number, file) for file in range(len(rows[0]))]
            if number < len(rows)
            else [(row, number - len(rows)) for row in range(len(rows))]
        )
        squares = [(row, file) for row, file in squares if rows[row][file] != HOLE]
        want = (len(squares) + 1) // 2 + chance.choice((-2, -1, -1, 0))
        for row, file in chance.sample(squares, max(0, min(len(squares), want))):
            rows[row][file] = chance.choice(letters)
    for row_letters in rows:
        for file, letter in enumerate(row_letters):
            if letter == EMPTY and chance.random() < 0.08:
                row_letters[file] = chance.choice("wbWB")
    return _position(rows, chance)


THEMES: dict[str, Callable[[CallanishRules, random.Random], str]] = {
    "stones anywhere": lambda rules, chance: _stones(rules, chance, chance.uniform(0.05, 0.3), "wwbbWB"),
    "two lines at once": _two_lines,
    "a first stone": lambda rules, chance: _stones(rules, chance, 0.05, chance.choice("wb")),
    "few stones": lambda rules, chance: _stones(rules, chance, 0.06, "wbWB"),
    "no turn left": lambda rules, chance: _stones(
        rules, chance, chance.uniform(0.6, 1), chance.choice(("wB", "bW", "wbWB"))
    ),
}


def random_line(rules: CallanishRules, number: int, chance: random.Random) -> RandomLine:
    """The line of this number. Raises RulesError where the rules refuse what was made."""
    theme = tuple(THEMES)[number % len(THEMES)]
    fen = THEMES[theme](rules, chance)
    game = Game(rules, rules.parse(fen))
    walk(game, chance)
    return RandomLine(rules.name, with_some_turn(fen, chance), tuple(game.moves), theme)


def random_supply(number: int, chance: random.Random) -> int | None:
    """A supply of stones for the rules; every fourth time there is no limit."""
    return None if number % 4 == 0 else chance.choice(_SUPPLIES)
