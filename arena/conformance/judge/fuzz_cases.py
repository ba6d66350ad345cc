"""Random positions and lines of play for the comparison of an engine's rules with ours, by theme.

One seed gives the same cases for ever. Every position is one that its variant allows, and a man never stands where he
may not stop. What is true of a case is the judge's to say: see `arena.games`.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from arena.games.callanish import CallanishRules
from arena.games.game import Game
from arena.games.rules import Move, Position, Rules, RulesError
from arena.games.squares import EMPTY, HOLE, write_rows
from arena.games.tafl import TaflRules
from arena.games.tafl_variants import OPTION_VALUES
from arena.games.variants import ANY_BOARD, find

_EPOCH = 5
"""So many cases in a row have the same rule options, since it takes time to set them."""
_STEPS = ("1", "2", "3", "5", "10", "any")
_SHORT, _LONG, _LONGEST = 5, 16, 90
"""The plies of a walk, of a walk that repeats positions, and of one that does so after many plies."""
_TRIES = 60

Rows = list[list[str]]
Square = tuple[int, int]
"""Row from the top, and file."""
_WAYS: tuple[Square, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


class FuzzCase(NamedTuple):
    """A random line of play. The variant's name carries the rule options."""

    variant: str
    fen: str
    moves: tuple[str, ...]
    theme: str


class MadeStart(NamedTuple):
    """A position string, and the first moves where the position is made for some."""

    fen: str
    moves: str = ""


def fuzz_cases(variant: str, seed: int, change_options: bool) -> Iterator[FuzzCase]:
    """Cases without end. `change_options`: the rule options change, too, for engines that can be told them."""
    chance = random.Random(f"fuzz {variant} {seed}")
    rules = own = find(variant)
    for number in itertools.count():
        if change_options and own.own is None and number % _EPOCH == 0:
            rules = own if number // _EPOCH % 4 == 0 else _changed(own, chance)
        made = _case(rules, number, chance)
        if made is not None:
            yield made


def _changed(rules: Rules, chance: random.Random) -> Rules:
    """The variant with some rule options drawn at random."""
    if isinstance(rules, CallanishRules):
        return find(rules.base, f"supply={chance.choice((1, 2, 3, 4, 6, 9, 12, 20, 100))}")
    # Half of the time all of them: some rules show only where two or three others are changed as well.
    count = chance.choice((1, 2, 4, *[len(OPTION_VALUES)] * 3))
    names = chance.sample(sorted(OPTION_VALUES), count)
    values = {name: chance.choice(_STEPS if name.endswith("_steps") else OPTION_VALUES[name]) for name in names}
    if "centre_stop" in values and values.get("king_captured_by") == "four-three-two" and chance.random() < 0.5:
        values["centre_stop"] = "any"  # only then can a man on the centre count against the king
    return find(rules.base, " ".join(f"{name}={value}" for name, value in values.items()))


def _case(rules: Rules, number: int, chance: random.Random) -> FuzzCase | None:
    themes = _TAFL if isinstance(rules, TaflRules) else _CALLANISH
    if isinstance(rules, TaflRules) and rules.options.king_captured_by != "two" and number % 3:
        # Few other positions show how many attackers a king needs, and which of the squares beside him count.
        theme = _CLOSED_IN
    else:
        theme = tuple(themes)[number % len(themes)]
    for _ in range(_TRIES):
        try:
            fen, moves = themes[theme](rules, chance)
            game = Game(rules, rules.parse(fen))
            for word in moves.split():
                if game.outcome is None:
                    game.play(word)
        except RulesError:
            continue
        if "circle" in theme:
            _circle(game, chance)
        elif "repetition" in theme:
            _shuttle(game, chance)
        else:
            _walk(game, chance)
        if chance.random() < 0.15:
            fen = fen.rpartition(" ")[0]  # a position string may come without its turn number
        elif chance.random() < 0.3:
            fen = f"{fen.rpartition(' ')[0]} {chance.choice((chance.randint(2, 300), 999, 1000, 70_000))}"
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


def _circle(game: Game, chance: random.Random) -> None:
    """One piece of each side goes round over some squares, so that a position comes again after many plies."""
    rounds: list[list[str]] = []
    for _ in range(20):
        trial = Game(game.rules, game.start)
        rounds = []
        for _ in range(2):
            start, squares = _free_squares(trial.position, chance)
            if len(squares) < 2:
                break
            others = chance.sample(squares, min(len(squares), chance.choice((2, 2, 3, 4, 5, 6))))
            way = [start, *others, start]
            rounds.append([f"{one}{other}" for one, other in itertools.pairwise(way)])
            trial.advance(_found(trial.position, rounds[-1][0]))
            if trial.outcome is not None:
                break
        if len(rounds) == 2 and _play_round(Game(game.rules, game.start), rounds):
            break
    else:
        return
    _play_round(game, rounds)


def _play_round(game: Game, rounds: list[list[str]]) -> bool:
    """Play both rounds over and over until a position has come three times. False where they cannot be played."""
    try:
        for ply in range(_LONGEST):
            if game.outcome is not None:
                return ply > 6
            own = rounds[ply % 2]
            game.play(own[ply // 2 % len(own)])
    except RulesError:
        return False
    return True


def _free_squares(position: Position, chance: random.Random) -> tuple[str, list[str]]:
    """A piece of the side to move, and squares on one line to which it can go, next to which nothing can be taken."""
    count = _letters(position.fen())
    lines: dict[tuple[str, bool], list[str]] = {}
    for move in position.moves():
        start, to = _squares(move.text)
        lines.setdefault((start, start[0] == to[0]), []).append(to)
    if not lines:
        return "", []
    (start, _), squares = chance.choice(sorted(lines.items()))
    quiet = []
    for to in squares:
        after = position.play(_found(position, f"{start}{to}"))
        if after.outcome is None and _letters(after.fen()) == count:
            quiet.append(to)
    return start, quiet


def _found(position: Position, word: str) -> Move:
    move = position.find(word)
    assert move is not None
    return move


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


def _beside_corner(rules: Rules, chance: random.Random) -> MadeStart:
    last = _size(rules) - 1
    row, file = chance.choice(((0, 1), (1, 0), (0, last - 1), (1, last), (last, 1), (last - 1, 0), (last, last - 1)))
    return MadeStart(_tafl_board(rules, chance, 0.2, (row, file)))


def _on_centre(rules: Rules, chance: random.Random) -> MadeStart:
    middle = _size(rules) // 2
    return MadeStart(_tafl_board(rules, chance, 0.25, (middle, middle)))


def _beside_centre(rules: Rules, chance: random.Random) -> MadeStart:
    middle = _size(rules) // 2
    down, right = chance.choice(_WAYS)
    return MadeStart(_tafl_board(rules, chance, 0.25, (middle + down, middle + right)))


# Positions made for one move


class _Sketch:
    """An empty board of tafl that is filled piece by piece."""

    def __init__(self, rules: Rules, chance: random.Random) -> None:
        assert isinstance(rules, TaflRules)
        self.size, self.options, self.chance = rules.size, rules.options, chance
        self.pieces: dict[Square, str] = {}
        self.kept: set[Square] = set()
        """The squares that stay as they are."""

    @property
    def centre(self) -> Square:
        return self.size // 2, self.size // 2

    @property
    def corners(self) -> list[Square]:
        last = self.size - 1
        return [(0, 0), (0, last), (last, 0), (last, last)]

    def inside(self, square: Square) -> bool:
        return 0 <= square[0] < self.size and 0 <= square[1] < self.size

    def may_stop(self, letter: str, square: Square) -> bool:
        if square == self.centre:
            stop = self.options.centre_stop
            return stop == "any" or (stop == "king" and letter == "k")
        return square not in self.corners or letter == "k" or self.options.corner_stop == "any"

    def put(self, letter: str, square: Square) -> None:
        """Put a piece there, or nothing for `.`, where it may stand and nothing is settled yet."""
        if self.inside(square) and square not in self.kept:
            self.kept.add(square)
            if letter != EMPTY and self.may_stop(letter, square):
                self.pieces[square] = letter

    def comes_to(self, letter: str, square: Square) -> str:
        """Put a piece from which a free way leads to the square; the move, empty where there is no such place."""
        steps = self.options.king_steps if letter == "k" else self.options.men_steps
        most = self.size if steps == "any" else int(steps)
        ways = list(_WAYS)
        self.chance.shuffle(ways)
        for down, right in ways:
            path: list[Square] = []
            for far in range(1, 1 + min(most, self.chance.choice((1, 2, 3, 10)))):
                there = (square[0] + far * down, square[1] + far * right)
                if not self.inside(there) or there in self.kept:
                    break
                path.append(there)
            while path and not self.may_stop(letter, path[-1]):
                path.pop()
            if path:
                self.kept |= {square, *path}
                self.pieces.pop(square, None)
                self.pieces[path[-1]] = letter
                return f"{self.name(path[-1])}{self.name(square)}"
        return ""

    def name(self, square: Square) -> str:
        return f"{chr(97 + square[1])}{self.size - square[0]}"

    def start(self, side: str, moves: str) -> MadeStart:
        """The position with some more men, and a king where there is none."""
        squares = [(row, file) for row in range(self.size) for file in range(self.size)]
        density = self.chance.choice((0, 0.05, 0.15))
        for square in squares:
            if square not in self.kept and self.chance.random() < density:
                self.put(self.chance.choice("ad"), square)
        if "k" not in self.pieces.values():
            free = [square for square in squares if square not in self.kept]
            if free:
                self.put("k", self.chance.choice(free))
        rows = ["".join(self.pieces.get((row, file), EMPTY) for file in range(self.size)) for row in range(self.size)]
        return MadeStart(f"{write_rows(rows)} {side} {self.chance.randint(1, 60)}", moves)


def _capture(rules: Rules, chance: random.Random) -> MadeStart:
    """A piece comes beside one to four enemies; something stands behind each of them, or the edge or a corner is."""
    sketch = _Sketch(rules, chance)
    mover, several = chance.choice("aadk"), chance.random() < 0.3
    enemies, own = ("ddk", "a") if mover == "a" else ("a", "d" if mover == "k" else "dk")
    end = _end_of_capture(sketch, chance, several)
    sketch.kept.add(end)
    for down, right in chance.sample(_WAYS, 3 if several else chance.choice((1, 2, 3))):
        near, behind = (end[0] + down, end[1] + right), (end[0] + 2 * down, end[1] + 2 * right)
        enemy = chance.choice(enemies)
        if sketch.inside(near) and not (enemy == "k" and "k" in sketch.pieces.values()):
            sketch.put(enemy, near)
            if behind in (*sketch.corners, sketch.centre):
                # It may be hostile by itself: empty, or with a piece of the captured one's own side on it.
                support = chance.choice((EMPTY, EMPTY, own[0], enemies[0]))
            else:
                support = chance.choice(own if several else f"{own}{own}{own}..{enemies[0]}")
            if support != "k" or "k" not in {*sketch.pieces.values(), mover}:
                sketch.put(support, behind)
    return sketch.start("p1" if mover == "a" else "p2", sketch.comes_to(mover, end))


def _end_of_capture(sketch: _Sketch, chance: random.Random, several: bool) -> Square:
    """Any square, or often one that has a corner or the centre behind the next."""
    middle, last = sketch.size // 2, sketch.size - 1
    down, right = chance.choice(_WAYS)
    special = chance.random() * (1.4 if several else 1)
    if special < 0.3:
        return middle + 2 * down, middle + 2 * right
    if special < 0.6:
        row, file = chance.choice(sketch.corners)
        step = 2 if chance.random() < 0.8 else 1
        if right:
            return row, step if file == 0 else last - step
        return step if row == 0 else last - step, file
    return chance.randrange(sketch.size), chance.randrange(sketch.size)


def _closed_in(rules: Rules, chance: random.Random) -> MadeStart:
    """The last attacker comes to a king who has men, attackers or nothing on the other sides."""
    sketch = _Sketch(rules, chance)
    middle, last = sketch.size // 2, sketch.size - 1
    down, right = chance.choice(_WAYS)
    places = {
        "centre": sketch.centre,
        "beside": (middle + down, middle + right),
        "diagonal": (middle + chance.choice((-1, 1)), middle + chance.choice((-1, 1))),
        "edge": chance.choice(((0, chance.randrange(last + 1)), (chance.randrange(last + 1), last))),
        "anywhere": (chance.randrange(sketch.size), chance.randrange(sketch.size)),
    }
    king = places[chance.choice(("centre", "beside", "beside", "beside", "diagonal", "diagonal", "edge", "anywhere"))]
    sketch.put("k", king)
    around = [(king[0] + d, king[1] + r) for d, r in _WAYS if sketch.inside((king[0] + d, king[1] + r))]
    ends = [square for square in around if sketch.may_stop("a", square)]
    if not ends or "k" not in sketch.pieces.values():
        return MadeStart(_tafl_board(rules, chance, 0.2, king))
    end = chance.choice(ends)
    sketch.kept.add(end)
    if sketch.centre in around and sketch.centre != end:
        sketch.put(chance.choice(".add"), sketch.centre)
    others = chance.choice(("a", "a", "aaaaaa.", "aaad", "aa.d"))
    for square in around:
        sketch.put(chance.choice(others), square)
    return sketch.start("p1", sketch.comes_to("a", end))


def _king_steps_in(rules: Rules, chance: random.Random) -> MadeStart:
    """The king or a man comes between two enemies, which harms nobody, or beside them."""
    sketch = _Sketch(rules, chance)
    mover = chance.choice("kkda")
    end = (chance.randrange(sketch.size), chance.randrange(sketch.size))
    sketch.kept.add(end)
    for down, right in _WAYS:
        sketch.put(chance.choice("aaa." if mover != "a" else "ddd."), (end[0] + down, end[1] + right))
        sketch.kept.discard((end[0] + down, end[1] + right) if chance.random() < 0.3 else (-1, -1))
    for square in [s for s in sketch.pieces if s not in sketch.kept]:
        del sketch.pieces[square]
    return sketch.start("p1" if mover == "a" else "p2", sketch.comes_to(mover, end))


def _way_out(rules: Rules, chance: random.Random) -> MadeStart:
    """The king comes to a corner, to the edge or beside it."""
    sketch = _Sketch(rules, chance)
    last = sketch.size - 1
    end = chance.choice(
        (
            chance.choice(sketch.corners),
            (chance.choice((0, last)), chance.choice((1, last - 1, last // 2))),
            (chance.choice((1, last - 1, last // 2)), chance.choice((0, last))),
            (chance.choice((1, last - 1)), chance.choice((1, last - 1))),
        )
    )
    sketch.kept.add(end)
    return sketch.start("p2", sketch.comes_to("k", end))


def _exchange(rules: Rules, chance: random.Random) -> MadeStart:
    """The king and a defender change places, and again, while an attacker goes to and fro."""
    sketch = _Sketch(rules, chance)
    last = sketch.size - 1
    row, other_row = chance.sample(range(1, last), 2)
    file, other_file = chance.sample(range(1, last), 2)
    sketch.put("k", (row, file))
    sketch.put("d", (row, other_file))
    square = {name: sketch.name(where) for name, where in (
        ("K", (row, file)), ("D", (row, other_file)), ("k", (other_row, file)), ("d", (other_row, other_file)),
    )}  # fmt: skip
    sketch.put("a", (0, 0 if chance.random() < 0.5 else 1))
    there = sketch.name(next(iter(s for s, piece in sketch.pieces.items() if piece == "a"), (0, 0)))
    away = sketch.name((0, 2))
    sketch.kept |= {(r, f) for r in range(sketch.size) for f in range(sketch.size)}
    theirs = [
        square["K"] + square["k"],
        square["D"] + square["K"],
        square["k"] + square["d"],
        square["d"] + square["D"],
    ]
    back = [square["D"] + square["d"], square["K"] + square["D"], square["d"] + square["k"], square["k"] + square["K"]]
    words = []
    for number, word in enumerate([*theirs, *back]):
        words += [f"{there}{away}" if number % 2 == 0 else f"{away}{there}", word]
    return sketch.start("p1", " ".join(words))


_CLOSED_IN = "the king closed in"
_Theme = Callable[[Rules, random.Random], MadeStart]
_TAFL: dict[str, _Theme] = {
    "men anywhere": lambda rules, chance: MadeStart(_tafl_board(rules, chance, chance.uniform(0.1, 0.5))),
    "a capture": _capture,
    _CLOSED_IN: _closed_in,
    "repetition": lambda rules, chance: MadeStart(_tafl_board(rules, chance, chance.uniform(0.08, 0.25))),
    "the king beside a corner": _beside_corner,
    "another capture": _capture,
    "the king on the centre": _on_centre,
    "the king goes out": _way_out,
    "repetition of few pieces": lambda rules, chance: MadeStart(_tafl_board(rules, chance, 0.1)),
    "repetition after a wide circle": lambda rules, chance: MadeStart(_tafl_board(rules, chance, 0.06)),
    "between two enemies": _king_steps_in,
    "places exchanged": _exchange,
    "a third capture": _capture,
    "the king beside the centre": _beside_centre,
    "hardly a move": lambda rules, chance: MadeStart(_tafl_board(rules, chance, chance.uniform(0.75, 0.97))),
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


_CALLANISH: dict[str, _Theme] = {
    "stones anywhere": lambda rules, chance: _stones(rules, chance, chance.uniform(0.05, 0.3), "wwbbWB"),
    "two lines at once": _two_lines,
    "a first stone": lambda rules, chance: _stones(rules, chance, 0.05, chance.choice("wb")),
    "few stones": lambda rules, chance: _stones(rules, chance, 0.06, "wbWB"),
    "no turn left": lambda rules, chance: _stones(
        rules, chance, chance.uniform(0.6, 1), chance.choice(("wB", "bW", "wbWB"))
    ),
}
