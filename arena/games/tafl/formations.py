"""Random positions of tafl for the rules about many pieces: shieldwalls, forts, encirclements, camps, the centre."""

import random
from collections.abc import Callable

from arena.games.squares import EMPTY
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.sketch import WAYS, MadeStart, Sketch, Square, Theme
from arena.games.tafl.variants import RuleOptions

HELD = "the king held"


def formations(options: RuleOptions) -> dict[str, Theme]:
    """The themes that these tafl options ask for; none for the rules of SPEC.md 1.1."""
    always = options.centre_hostile == "always"
    held = options.king_captured_by in ("four-two", "all-sides")
    held = held or (options.king_captured_by != "two" and (always or options.camps == "yes"))
    themes: dict[str, tuple[bool, Theme]] = {
        "a shieldwall": (options.shieldwall != "no", _shieldwall),
        "an encirclement": (options.encirclement == "wins", _encirclement),
        "a fort": (options.fort == "wins", _fort),
        "a camp": (options.camps == "yes", _camp),
        "the centre": (options.centre_pass != "any" or always, _centre),
        HELD: (held, _held),
    }
    return {name: theme for name, (wanted, theme) in themes.items() if wanted}


def _turned(sketch: Sketch, chance: random.Random) -> Callable[[int, int], Square]:
    """Names squares by the distance from some edge and the place along it, from either side."""
    last, swap, flip, mirror = sketch.size - 1, *(chance.random() < 0.5 for _ in range(3))

    def turned(depth: int, along: int) -> Square:
        row, file = last - depth if flip else depth, last - along if mirror else along
        return (file, row) if swap else (row, file)

    return turned


def _grown(sketch: Sketch, start: Square, count: int) -> list[Square]:
    """Some squares that hang together, the start among them."""
    grown = [start]
    while len(grown) < count:
        row, file = sketch.chance.choice(grown)
        down, right = sketch.chance.choice(WAYS)
        if sketch.inside((row + down, file + right)) and (row + down, file + right) not in grown:
            grown.append((row + down, file + right))
    return grown


def _around(sketch: Sketch, squares: list[Square]) -> list[Square]:
    """The squares beside some others."""
    near = dict.fromkeys((row + down, file + right) for row, file in squares for down, right in WAYS)
    return [square for square in near if sketch.inside(square) and square not in squares]


def _shieldwall(rules: TaflRules, chance: random.Random) -> MadeStart:
    """A piece comes to the end of one or two rows of enemies on an edge, or closes the front of one."""
    sketch = Sketch(rules, chance)
    turned, mover = _turned(sketch, chance), chance.choice("aadddk")
    own, enemy = ("a", "d") if mover == "a" else ("d", "a")
    length = chance.choice((1, 2, 2, 2, 3, 4))
    end = chance.choice((length, length + 1, length + 1, length + 1, *chance.choices(range(sketch.size), k=4)))
    row: list[Square] = []
    around: list[Square] = []
    for way in (-1, 1) if chance.random() < 0.3 else (-1,):
        row += [(0, end + way * step) for step in range(1, length + 1)]
        around += [(1, end + way * step) for step in range(1, length + 1)] + [(0, end + way * (length + 1))]
    pieces = dict.fromkeys(row, enemy) | dict.fromkeys(around, own)
    if mover != "k" and chance.random() < 0.6:
        behind = [square for square in around if square[0] == 0]
        pieces[chance.choice(row if mover == "a" else chance.choice((around, behind)))] = "k"
    for square in around:
        if square[0] == 0 and square[1] in (0, sketch.size - 1):
            pieces[square] = chance.choice((EMPTY, EMPTY, EMPTY, pieces[square]))
        elif chance.random() < 0.08:
            pieces[square] = chance.choice((EMPTY, enemy))
    target = (0, end)
    if chance.random() < 0.12:
        # A move to the front captures nothing.
        target = chance.choice([square for square in around if square[0]])
        pieces = {(0, end): own} | pieces
    sketch.kept.add(turned(*target))
    for square, letter in pieces.items():
        sketch.put(letter, turned(*square))
    return sketch.start("p1" if mover == "a" else "p2", sketch.comes_to(mover, turned(*target)))


def _encirclement(rules: TaflRules, chance: random.Random) -> MadeStart:
    """Attackers around the king and some defenders; the last one comes, or a square stays open."""
    sketch = Sketch(rules, chance)
    last = sketch.size - 1
    king = (chance.randrange(1, last), chance.randrange(1, last))
    inside = _grown(sketch, king, chance.randint(2, 9))
    sketch.put("k", king)
    for square in inside:
        sketch.put(chance.choice("d..."), square)
    wall = _around(sketch, inside)
    end = chance.choice(wall)
    sketch.kept.add(end)
    for square in wall:
        sketch.put("a" if chance.random() < 0.98 else EMPTY, square)
    if chance.random() < 0.1:
        sketch.pieces[end] = "a"  # the position is over before any move
        return sketch.written(chance.choice(("p1", "p2", "p2")))
    move = sketch.comes_to("a", end)
    return sketch.start("p1", move) if chance.random() < 0.3 else sketch.written("p1", move)


def _fort(rules: TaflRules, chance: random.Random) -> MadeStart:
    """The king on an edge among his defenders, with free squares; the last of them comes."""
    sketch = Sketch(rules, chance)
    turned = _turned(sketch, chance)
    king = turned(0 if chance.random() < 0.75 else 1, chance.randrange(1, sketch.size - 1))
    inside = _grown(sketch, king, chance.choice((1, 1, 2, 2, 3, 3, 4, 5)))
    sketch.put("k", king)
    sketch.kept.update(inside)
    wall = _around(sketch, inside)
    end = chance.choice(wall)
    sketch.kept.add(end)
    for square in wall:
        sketch.put("d" if chance.random() < 0.96 else chance.choice("a."), square)
    outer, density = chance.choice(("d", "d", "ad", "a")), chance.random()
    if len(inside) == 1:
        outer, density = "d", 1  # nothing is wrong but that he has no room
    for square in _around(sketch, [*inside, *wall]):
        if chance.random() < density:
            sketch.put(chance.choice(outer), square)
    if chance.random() < 0.2:
        sketch.pieces[end] = "d"
        return sketch.written(chance.choice(("p1", "p1", "p2")))
    move = sketch.comes_to("d", end)
    return sketch.start("p2", move) if chance.random() < 0.5 else sketch.written("p2", move)


def _camp(rules: TaflRules, chance: random.Random) -> MadeStart:
    """A piece comes beside an enemy who stands in a camp or before one, or attackers are in and about the camps."""
    sketch = Sketch(rules, chance)
    mover, camp, (down, right) = chance.choice("aadk"), chance.choice(sketch.camps), chance.choice(WAYS)
    row, file = camp if chance.random() < 0.7 else (camp[0] - down, camp[1] - right)
    end = row + 2 * down, file + 2 * right
    sketch.kept.add(end)
    sketch.put(chance.choice("ddk" if mover == "a" else "a"), (row + down, file + right))
    sketch.put(chance.choice("a.d"), (row, file))
    for square in _around(sketch, [(row + down, file + right)]):
        sketch.put(chance.choice("a.."), square)
    move = sketch.comes_to(mover, end) if sketch.inside(end) else ""
    return sketch.start("p1" if mover == "a" else "p2", move)


def _centre(rules: TaflRules, chance: random.Random) -> MadeStart:
    """Pieces in line with an empty centre, or one beside it that is taken against it."""
    sketch = Sketch(rules, chance)
    (row, file), (down, right) = sketch.centre, chance.choice(WAYS)
    if chance.random() < 0.5:
        sketch.put(EMPTY, sketch.centre)
        for down, right in WAYS:
            far = chance.randint(1, 3)
            sketch.put(chance.choice("akd."), (row + far * down, file + far * right))
        return sketch.start(chance.choice(("p1", "p2")), "")
    mover = chance.choice("ad")
    if chance.random() < 0.7:
        sketch.pieces[sketch.centre] = "k"
    sketch.kept |= {sketch.centre, (row + 2 * down, file + 2 * right)}
    sketch.put("d" if mover == "a" else "a", (row + down, file + right))
    return sketch.start("p1" if mover == "a" else "p2", sketch.comes_to(mover, (row + 2 * down, file + 2 * right)))


def _held(rules: TaflRules, chance: random.Random) -> MadeStart:
    """The king on the centre or beside squares that may be hostile, and an attacker who comes to another side."""
    sketch = Sketch(rules, chance)
    special = [*sketch.camps, *sketch.corners, sketch.centre]
    near = [_around(sketch, [sketch.centre]), [sketch.centre]]
    if sketch.camps or sketch.options.king_captured_by != "four-two":
        near.append(_around(sketch, sketch.camps or sketch.corners))
    king = chance.choice(chance.choice(near))
    if sketch.options.king_captured_by == "all-sides" and chance.random() < 0.5:
        king = _turned(sketch, chance)(0, chance.randrange(1, sketch.size - 1))
    if king not in special[:-1]:
        sketch.kept.add(king)
        sketch.pieces[king] = "k"
    around = _around(sketch, [king])
    end = chance.choice(around)
    sketch.kept.add(end)
    others = chance.choice(("aaaaad.", "a.d"))
    for square in around:
        sketch.put(chance.choice("a.d" if square in special else others), square)
    return sketch.start("p1", sketch.comes_to("a", end))
