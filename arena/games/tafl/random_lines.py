"""Random lines of tafl by theme: where the king stands, boards that are made for one move, and rules at random.

Every position is one that its variant allows, and a man never stands where he may not stop.
"""

import contextlib
import random
from collections.abc import Mapping, Sequence

from arena.games.game import Game
from arena.games.random_line import RandomLine, walk, with_some_turn
from arena.games.rules import Rules, RulesError
from arena.games.squares import EMPTY
from arena.games.tafl.circles import circle
from arena.games.tafl.formations import HELD, formations
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.sketch import WAYS, MadeStart, Sketch, Square, Theme
from arena.games.tafl.variants import OPTION_VALUES
from arena.games.variants import find

# The king at a place


def _beside_corner(rules: TaflRules, chance: random.Random) -> MadeStart:
    sketch = Sketch(rules, chance)
    last = sketch.size - 1
    beside = ((0, 1), (1, 0), (0, last - 1), (1, last), (last, 1), (last - 1, 0), (last, last - 1))
    return sketch.scattered(0.2, chance.choice(beside))


def _on_centre(rules: TaflRules, chance: random.Random) -> MadeStart:
    sketch = Sketch(rules, chance)
    return sketch.scattered(0.25, sketch.centre)


def _beside_centre(rules: TaflRules, chance: random.Random) -> MadeStart:
    sketch = Sketch(rules, chance)
    (row, file), (down, right) = sketch.centre, chance.choice(WAYS)
    return sketch.scattered(0.25, (row + down, file + right))


def _few_men(rules: TaflRules, chance: random.Random) -> MadeStart:
    return Sketch(rules, chance).scattered(chance.uniform(0.06, 0.2))


# Positions made for one move


def _capture(rules: TaflRules, chance: random.Random) -> MadeStart:
    """A piece comes beside one to four enemies; something stands behind each of them, or the edge or a corner is."""
    sketch = Sketch(rules, chance)
    mover, several = chance.choice("aadk"), chance.random() < 0.3
    enemies, own = ("ddk", "a") if mover == "a" else ("a", "d" if mover == "k" else "dk")
    end = _end_of_capture(sketch, chance, several)
    sketch.kept.add(end)
    for down, right in chance.sample(WAYS, 3 if several else chance.choice((1, 2, 3))):
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


def _end_of_capture(sketch: Sketch, chance: random.Random, several: bool) -> Square:
    """Any square, or often one that has a corner or the centre behind the next."""
    middle, last = sketch.size // 2, sketch.size - 1
    down, right = chance.choice(WAYS)
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


def _closed_in(rules: TaflRules, chance: random.Random) -> MadeStart:
    """The last attacker comes to a king who has men, attackers or nothing on the other sides."""
    sketch = Sketch(rules, chance)
    middle, last = sketch.size // 2, sketch.size - 1
    down, right = chance.choice(WAYS)
    places = {
        "centre": sketch.centre,
        "beside": (middle + down, middle + right),
        "diagonal": (middle + chance.choice((-1, 1)), middle + chance.choice((-1, 1))),
        "edge": chance.choice(((0, chance.randrange(last + 1)), (chance.randrange(last + 1), last))),
        "anywhere": (chance.randrange(sketch.size), chance.randrange(sketch.size)),
    }
    king = places[chance.choice(("centre", "beside", "beside", "beside", "diagonal", "diagonal", "edge", "anywhere"))]
    sketch.put("k", king)
    around = [(king[0] + d, king[1] + r) for d, r in WAYS if sketch.inside((king[0] + d, king[1] + r))]
    ends = [square for square in around if sketch.may_stop("a", square)]
    if not ends or "k" not in sketch.pieces.values():
        return Sketch(rules, chance).scattered(0.2, king)
    end = chance.choice(ends)
    sketch.kept.add(end)
    if sketch.centre in around and sketch.centre != end:
        sketch.put(chance.choice(".add"), sketch.centre)
    others = chance.choice(("a", "a", "aaaaaa.", "aaad", "aa.d"))
    for square in around:
        sketch.put(chance.choice(others), square)
    return sketch.start("p1", sketch.comes_to("a", end))


def _king_steps_in(rules: TaflRules, chance: random.Random) -> MadeStart:
    """The king or a man comes between two enemies, which harms nobody, or beside them."""
    sketch = Sketch(rules, chance)
    mover = chance.choice("kkda")
    end = (chance.randrange(sketch.size), chance.randrange(sketch.size))
    sketch.kept.add(end)
    for down, right in WAYS:
        sketch.put(chance.choice("aaa." if mover != "a" else "ddd."), (end[0] + down, end[1] + right))
        sketch.kept.discard((end[0] + down, end[1] + right) if chance.random() < 0.3 else (-1, -1))
    for square in [s for s in sketch.pieces if s not in sketch.kept]:
        del sketch.pieces[square]
    return sketch.start("p1" if mover == "a" else "p2", sketch.comes_to(mover, end))


def _way_out(rules: TaflRules, chance: random.Random) -> MadeStart:
    """The king comes to a corner, to the edge or beside it."""
    sketch = Sketch(rules, chance)
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


def _exchange(rules: TaflRules, chance: random.Random) -> MadeStart:
    """The king and a defender change places, and again, while an attacker goes to and fro."""
    sketch = Sketch(rules, chance)
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
    sketch.kept |= {*sketch.squares}
    ways = ("Kk", "DK", "kd", "dD", "Dd", "KD", "dk", "kK")
    words = []
    for number, way in enumerate(ways):
        words += [f"{there}{away}" if number % 2 == 0 else f"{away}{there}", square[way[0]] + square[way[1]]]
    return sketch.start("p1", " ".join(words))


CLOSED_IN = "the king closed in", _closed_in
REPETITION = "repetition"
THEMES: tuple[tuple[str, Theme], ...] = (
    ("men anywhere", lambda rules, chance: Sketch(rules, chance).scattered(chance.uniform(0.1, 0.5))),
    ("a capture", _capture),
    CLOSED_IN,
    (REPETITION, _few_men),
    ("the king beside a corner", _beside_corner),
    ("a capture", _capture),
    ("the king on the centre", _on_centre),
    ("the king goes out", _way_out),
    (REPETITION, _few_men),
    (REPETITION, _few_men),
    ("between two enemies", _king_steps_in),
    ("places exchanged", _exchange),
    ("a capture", _capture),
    ("the king beside the centre", _beside_centre),
    ("hardly a move", lambda rules, chance: Sketch(rules, chance).scattered(chance.uniform(0.75, 0.97))),
)
"""In the order in which they come. Those that show most come more than once."""


def random_line(rules: TaflRules, number: int, chance: random.Random) -> RandomLine:
    """The line of this number. Raises RulesError where the rules refuse what was made."""
    made = [*formations(rules.options).items()]
    # Where several formations are to be seen, that of the king shows in the fewest positions.
    made += [one for one in made if one[0] == HELD] * (len(made) > 2)
    closed_in = chance.random() < 0.4 if made else number % 3 != 0
    if made and number % 3:
        theme, start = chance.choice(made)
    elif closed_in and rules.options.king_captured_by != "two":
        # Few other positions show how many attackers a king needs, and which of the squares beside him count.
        theme, start = CLOSED_IN
    else:
        theme, start = chance.choice(THEMES) if made else THEMES[number % len(THEMES)]
    fen, moves = start(rules, chance)
    game = Game(rules, rules.parse(fen))
    for word in moves.split():
        if game.outcome is None:
            game.play(word)
    (circle if theme == REPETITION else walk)(game, chance)
    return RandomLine(rules.name, with_some_turn(fen, chance), tuple(game.moves), theme)


# Rules at random

_SINCE: Mapping[str, Mapping[str, int]] = {
    "king_captured_by": {"four-two": 2, "all-sides": 2},
    "centre_pass": {"king": 2, "nobody": 2},
    "centre_hostile": {"always": 2},
    "camps": {"yes": 2},
    "shieldwall": {"corner": 2, "yes": 2},
    "encirclement": {"wins": 2},
    "fort": {"wins": 2},
    "repetition": {"p2-loses": 2, "forbidden-p2": 3},
    "occurrences": {"2": 2},
}
"""The minor version of SPEC.md that brought a value of a rule option (E.4), if it was not in 1.1."""
_STEPS = ("1", "2", "3", "5", "10", "any")
_TRIES = 60


def known_values(announced: Sequence[Rules]) -> dict[str, list[str]]:
    """The values of rule options that an engine of these variants must know, where there is a choice.

    An engine knows the values of the version that brought its newest variant.
    """
    options = [rules.options for rules in announced if isinstance(rules, TaflRules)]
    newest = max((_since(*item) for each in options for item in each.items()), default=1)
    return _values(newest)


def _since(name: str, value: str) -> int:
    return _SINCE.get(name, {}).get(value, 1)


def _values(version: int) -> dict[str, list[str]]:
    known = {name: [each for each in values if _since(name, each) <= version] for name, values in OPTION_VALUES.items()}
    return {name: values for name, values in known.items() if len(values) > 1}


def random_rules(rules: TaflRules, announced: Sequence[Rules], number: int, chance: random.Random) -> Rules:
    """The variant with some rule options drawn at random; every fourth time its own rules."""
    if number % 4 == 0:
        return rules
    # Who knows the newer values hears of them every second time, so that the older ones keep a share.
    known = known_values(announced if number % 2 else ())
    for _ in range(_TRIES):
        # Half of the time all of them: some rules show only where two or three others are changed as well.
        count = chance.choice((1, 2, 4, *[len(known)] * 3))
        names = chance.sample(sorted(known), count)
        values = {name: chance.choice(_STEPS if name.endswith("_steps") else known[name]) for name in names}
        if "centre_stop" in values and values.get("king_captured_by") == "four-three-two" and chance.random() < 0.5:
            values["centre_stop"] = "any"  # only then can a man on the centre count against the king
        with contextlib.suppress(RulesError):  # some options do not go together
            return find(rules.base, " ".join(f"{name}={value}" for name, value in values.items()))
    return rules
