"""Random positions and lines of play for the comparison of an engine's rules with ours, by theme.

One seed gives the same cases for ever. Every position is one that its variant allows, and a man never stands where he
may not stop. What is true of a case is the judge's to say: see `rules_oracle`.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence

from arena.games.callanish import CallanishRules
from arena.games.game import Game
from arena.games.rules import Move, Position, Rules, RulesError
from arena.games.squares import EMPTY, HOLE, write_rows
from arena.games.tafl import TaflRules
from arena.games.tafl_variants import OPTION_VALUES
from arena.games.variants import ANY_BOARD, find
from protocol.conformance.rules_oracle import FuzzCase

_EPOCH = 12
"""So many cases in a row have the same rule options, since it takes time to set them."""
_STEPS = ("1", "2", "3", "any")
_SHORT, _LONG = 5, 16
"""The plies of a walk, and of a walk that repeats positions."""
_TRIES = 60

Rows = list[list[str]]


def fuzz_cases(variant: str, seed: int, change_options: bool) -> Iterator[FuzzCase]:
    """Cases without end. `change_options`: the rule options change, too, for engines that can be told them."""
    chance = random.Random(f"fuzz {variant} {seed}")
    rules = own = find(variant)
    for number in itertools.count():
        if change_options and own.own is None and number % _EPOCH == 0:
            rules = own if number // _EPOCH % 3 == 0 else _changed(own, chance)
        made = _case(rules, number, chance)
        if made is not None:
            yield made


def _changed(rules: Rules, chance: random.Random) -> Rules:
    """The variant with some rule options drawn at random."""
    if isinstance(rules, CallanishRules):
        return find(rules.base, f"supply={chance.choice((2, 3, 4, 6, 9, 12, 20))}")
    names = chance.sample(sorted(OPTION_VALUES), chance.randint(1, 4))
    values = {name: chance.choice(_STEPS if name.endswith("_steps") else OPTION_VALUES[name]) for name in names}
    return find(rules.base, " ".join(f"{name}={value}" for name, value in values.items()))


def _case(rules: Rules, number: int, chance: random.Random) -> FuzzCase | None:
    themes = _TAFL if isinstance(rules, TaflRules) else _CALLANISH
    theme = tuple(themes)[number % len(themes)]
    for _ in range(_TRIES):
        try:
            fen = themes[theme](rules, chance)
            position = rules.parse(fen)
        except RulesError:
            continue
        game = Game(rules, position)
        if "repetition" in theme:
            _shuttle(game, chance)
        else:
            _walk(game, chance)
        if chance.random() < 0.15:
            fen = fen.rpartition(" ")[0]  # a position string may come without its turn number
        elif chance.random() < 0.3:
            fen = f"{fen.rpartition(' ')[0]} {chance.randint(2, 300)}"
        return FuzzCase(rules.name, fen, tuple(game.moves), theme)
    return None


# Lines of play


def _walk(game: Game, chance: random.Random) -> None:
    """A few moves: mostly such as capture, end the game or block the opponent, where there are any."""
    for _ in range(chance.randint(1, _SHORT)):
        moves = game.position.moves()
        if game.outcome is not None or not moves:
            return
        if chance.random() < 0.7:
            moves = _telling(game.position, moves, chance) or moves
        game.advance(chance.choice(moves))


def _telling(position: Position, moves: Sequence[Move], chance: random.Random) -> list[Move]:
    """Those of some moves after which the game is over or the board has fewer letters than before."""
    count = _letters(position.fen())
    some = chance.sample(list(moves), min(len(moves), 40))
    return [m for m in some if (after := position.play(m)).outcome is not None or _letters(after.fen()) < count]


def _letters(fen: str) -> int:
    return sum(letter.isalpha() for letter in fen.split()[0])


def _shuttle(game: Game, chance: random.Random) -> None:
    """Pieces that go to and fro. One side may lose a turn first, so that the board comes with either side to move."""
    if chance.random() < 0.6:
        _lose_turn(game, chance)
    last: list[str | None] = [None, None]
    for ply in range(_LONG):
        if game.outcome is not None:
            return
        back = last[ply % 2]
        word = None if back is None else _reversed(back)
        if word is None or chance.random() < 0.08 or game.position.find(word) is None:
            quiet = _quiet(game.position, chance)
            word = None if quiet is None else quiet.text
        if word is None:
            return
        game.play(word)
        last[ply % 2] = word


def _lose_turn(game: Game, chance: random.Random) -> None:
    """Three moves of one piece that lead it back, and two of the other side: the board, with the other side to move."""
    for _ in range(20):
        trial = Game(game.rules, game.start)
        first, theirs = _quiet(trial.position, chance), None
        if first is None:
            return
        trial.advance(first)
        theirs = _quiet(trial.position, chance)
        if theirs is None:
            continue
        trial.advance(theirs)
        start, there = _squares(first.text)
        onward = [
            move for move in trial.position.moves()
            if _squares(move.text)[0] == there and _squares(move.text)[1] != start
        ]  # fmt: skip
        if trial.outcome is not None or not onward:
            continue
        try:
            second = chance.choice(onward).text
            for word in (second, _reversed(theirs.text), f"{_squares(second)[1]}{start}"):
                trial.play(word)
        except RulesError:
            continue
        if trial.position.fen().split()[0] == game.start.fen().split()[0]:
            for word in trial.moves:
                game.play(word)
            return


def _quiet(position: Position, chance: random.Random) -> Move | None:
    """A move that captures nothing and does not end the game."""
    moves, count = position.moves(), _letters(position.fen())
    for move in chance.sample(list(moves), min(len(moves), 8)):
        after = position.play(move)
        if after.outcome is None and _letters(after.fen()) == count:
            return move
    return None


def _squares(word: str) -> tuple[str, str]:
    cut = next(at for at in range(1, len(word)) if word[at].isalpha())
    return word[:cut], word[cut:]


def _reversed(word: str) -> str:
    start, to = _squares(word)
    return to + start


# Boards of tafl


def _tafl_board(rules: Rules, chance: random.Random, density: float, king: tuple[int, int] | None = None) -> str:
    """Men anywhere that they may stop, and the king; by rank from the top and file."""
    assert isinstance(rules, TaflRules)
    size, options = rules.size, rules.options
    middle = size // 2
    rows: Rows = [[EMPTY] * size for _ in range(size)]
    attackers = chance.uniform(0.3, 0.8)
    for row in range(size):
        for file in range(size):
            corner = row in (0, size - 1) and file in (0, size - 1)
            barred = (row == file == middle and options.centre_stop != "any") or (
                corner and options.corner_stop != "any"
            )
            if not barred and chance.random() < density:
                rows[row][file] = "a" if chance.random() < attackers else "d"
    row, file = king or (chance.randrange(size), chance.randrange(size))
    if king is not None:
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near, beside = row + down, file + right
            inside = 0 <= near < size and 0 <= beside < size
            if inside and (near, beside) != (middle, middle) and chance.random() < 0.6:
                rows[near][beside] = "a"
    rows[row][file] = "k"
    return f"{write_rows([''.join(each) for each in rows])} {chance.choice(('p1', 'p2'))} {chance.randint(1, 60)}"


def _size(rules: Rules) -> int:
    assert isinstance(rules, TaflRules)
    return rules.size


def _beside_corner(rules: Rules, chance: random.Random) -> str:
    last = _size(rules) - 1
    row, file = chance.choice(((0, 1), (1, 0), (0, last - 1), (1, last), (last, 1), (last - 1, 0), (last, last - 1)))
    return _tafl_board(rules, chance, 0.2, (row, file))


def _on_centre(rules: Rules, chance: random.Random) -> str:
    middle = _size(rules) // 2
    return _tafl_board(rules, chance, 0.25, (middle, middle))


def _beside_centre(rules: Rules, chance: random.Random) -> str:
    middle = _size(rules) // 2
    down, right = chance.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
    return _tafl_board(rules, chance, 0.25, (middle + down, middle + right))


_Theme = Callable[[Rules, random.Random], str]
_TAFL: dict[str, _Theme] = {
    "men anywhere": lambda rules, chance: _tafl_board(rules, chance, chance.uniform(0.1, 0.5)),
    "repetition": lambda rules, chance: _tafl_board(rules, chance, chance.uniform(0.08, 0.25)),
    "the king beside a corner": _beside_corner,
    "the king on the centre": _on_centre,
    "repetition of few pieces": lambda rules, chance: _tafl_board(rules, chance, 0.1),
    "the king beside the centre": _beside_centre,
    "hardly a move": lambda rules, chance: _tafl_board(rules, chance, chance.uniform(0.75, 0.97)),
}


# Boards of Callanish


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
    holes = chance.choice((0, 0.1, 0.3))
    return [[HOLE if chance.random() < holes else EMPTY for _ in range(width)] for _ in range(height)]


def _stones(rules: Rules, chance: random.Random, density: float, letters: str) -> str:
    rows = _empty(rules, chance)
    for row in rows:
        for file, letter in enumerate(row):
            if letter != HOLE and chance.random() < density:
                row[file] = chance.choice(letters)
    return _position(rows, chance)


def _position(rows: Rows, chance: random.Random) -> str:
    return f"{write_rows([''.join(each) for each in rows])} {chance.choice(('p1', 'p2'))} {chance.randint(1, 60)}"


def _two_lines(rules: Rules, chance: random.Random) -> str:
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


_CALLANISH: dict[str, _Theme] = {
    "stones anywhere": lambda rules, chance: _stones(rules, chance, chance.uniform(0.05, 0.3), "wwbbWB"),
    "two lines at once": _two_lines,
    "a first stone": lambda rules, chance: _stones(rules, chance, 0.05, chance.choice("wb")),
    "few stones": lambda rules, chance: _stones(rules, chance, 0.06, "wbWB"),
    "no turn left": lambda rules, chance: _stones(
        rules, chance, chance.uniform(0.6, 1), chance.choice(("wB", "bW", "wbWB"))
    ),
}
