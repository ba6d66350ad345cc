"""Random positions of Callanish by theme."""

import random

from arena.conformance.judge.fuzz_start import MadeStart, Rows, Theme
from arena.games.callanish.kind import ANY_BOARD
from arena.games.callanish.rules import CallanishRules
from arena.games.rules import Rules
from arena.games.squares import EMPTY, HOLE, write_rows


def _empty(rules: Rules, chance: random.Random) -> Rows:
    """The board of the variant, or a drawn one with holes."""
    assert isinstance(rules, CallanishRules)
    shape = rules.start_shape
    width, height = shape.width, shape.height
    if rules.base != ANY_BOARD or rules.own is not None:
        return [
            [HOLE if f"{chr(97 + file)}{height - row}" in shape.holes else EMPTY for file in range(width)]
            for row in range(height)
        ]
    width, height = chance.randint(3, 9), chance.randint(3, 9)
    if (wide := chance.random()) < 0.2:
        # Long and narrow boards cost little, and have numbers of two digits.
        width, height = chance.randint(10, 25), chance.randint(1, 4)
        width, height = (width, height) if wide < 0.1 else (height, width)
    holes = chance.choice((0, 0.1, 0.3))
    return [[HOLE if chance.random() < holes else EMPTY for _ in range(width)] for _ in range(height)]


def _stones(rules: Rules, chance: random.Random, density: float, letters: str) -> MadeStart:
    rows = _empty(rules, chance)
    for row in rows:
        for file, letter in enumerate(row):
            if letter != HOLE and chance.random() < density:
                row[file] = chance.choice(letters)
    return _position(rows, chance)


def _position(rows: Rows, chance: random.Random) -> MadeStart:
    board = write_rows(["".join(each) for each in rows])
    return MadeStart(f"{board} {chance.choice(('p1', 'p2'))} {chance.randint(1, 60)}")


def _two_lines(rules: Rules, chance: random.Random) -> MadeStart:
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


CALLANISH: dict[str, Theme] = {
    "stones anywhere": lambda rules, chance: _stones(rules, chance, chance.uniform(0.05, 0.3), "wwbbWB"),
    "two lines at once": _two_lines,
    "a first stone": lambda rules, chance: _stones(rules, chance, 0.05, chance.choice("wb")),
    "few stones": lambda rules, chance: _stones(rules, chance, 0.06, "wbWB"),
    "no turn left": lambda rules, chance: _stones(
        rules, chance, chance.uniform(0.6, 1), chance.choice(("wB", "bW", "wbWB"))
    ),
}
