"""OpenTafl's notation: rules records, position records and moves, to and from the words of our protocol.

A rules record says in one line what the rule options and the start position say here. What has no counterpart is
refused where it would make moves illegal, and passed over where it only ends games in another way. ADAPTERS.md
lists both.
"""

import re
from dataclasses import dataclass

from arena.games import variants
from arena.games.tafl import TaflRules
from arena.games.tafl_variants import CentreStop, KingCapturedBy, RuleOptions

BASES = {7: "scottish", 9: "sea-battle-9", 11: "tawlbwrdd"}
"""The variant of each board size that a rules record is told as, with changed rule options."""
_ALL = "tcnkmTCNKM"
"""Every kind of piece: men, commanders, knights, king and mercenaries; upper case are the defenders'."""
_MEN, _KING = frozenset("tT"), "K"
_DEFAULTS = {
    "esc": "c", "ka": "y", "ks": "s", "atkf": "y", "tfr": "d", "spd": "-1", "ber": "n", "cor": "default",
    "cen": "default", "afor": "", "dfor": "", "corh": _ALL, "cenhe": _ALL, "cenp": _ALL, "cors": "K", "cens": "K",
    "cenre": _ALL,
}  # fmt: skip
_OURS = {"a": "t", "d": "T", "k": "K"}
_THEIRS = {"t": "a", "T": "d", "K": "k"}
_CAPTURE: dict[KingCapturedBy, str] = {"two": "w", "four": "s", "four-three-two": "c"}
_CAPTURED_BY: dict[str, KingCapturedBy] = {"w": "two", "n": "two", "s": "four", "y": "four", "c": "four-three-two"}
_OUR_MOVE = re.compile(r"([a-y][0-9]{1,2})([a-y][0-9]{1,2})")
_MOVE = re.compile(r"[tkTK]?([a-y][0-9]{1,2})-([a-y][0-9]{1,2})(?:x.*)?[-+]*")


class NoCounterpart(ValueError):
    """What a record says has no counterpart in our protocol. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class OurRules:
    """A rules record as our protocol has it."""

    variant: str
    rules: str
    """The text of UGI_Rules, empty if no rule option is changed."""
    fen: str


def rules_record(rules: TaflRules, fen: str) -> str:
    """The rules record of our rules, for a game that starts from `fen`."""
    options = rules.options
    board, side = fen.split()[:2]
    men, king = (-1 if steps == "any" else int(steps) for steps in (options.men_steps, options.king_steps))
    # Twelve kinds of pieces: attackers' men, commanders, knights, king, mercenaries and guards, then the defenders'.
    speeds = [men] * 9 + [king, men, men]
    stops = {"king": "K", "any": _ALL, "nobody": "K"}[options.centre_stop]
    words = [
        f"dim:{rules.size}",
        f"name:{rules.base}",
        f"esc:{options.escape[0]}",
        "surf:n",
        f"atkf:{'y' if side == 'p1' else 'n'}",
        f"tfr:{'d' if options.repetition == 'draw' else 'l'}",
        f"ka:{options.king_armed[0]}",
        f"ks:{_CAPTURE[options.king_captured_by]}",
        f"spd:{','.join(map(str, speeds))}" if {men, king} != {-1} else "",
        f"cens:{stops}",
        # The king may leave the centre and not return. Beside `cenre`, OpenTafl needs `corre` as well.
        f"cenre: corre:{_ALL}" if options.centre_stop == "nobody" else "",
        "cenh:",
        f"cenhe:{_ALL if options.centre_hostile == 'yes' else ''}",
        f"cors:{_KING if options.corner_stop == 'king' else _ALL}",
        f"corp:{_KING if options.corner_stop == 'king' else _ALL}",
        f"corh:{_ALL if options.corner_hostile == 'yes' else ''}",
        f"start:{position_record(board)}",
    ]
    return " ".join(word for word in words if word)


def read_rules(record: str) -> OurRules:
    """Our words for a rules record. Raises NoCounterpart where our rules cannot say it."""
    fields = _DEFAULTS | {name: value for name, _, value in (word.partition(":") for word in record.split())}
    start = fields.get("start") or fields.get("starti")
    if not start or not fields.get("dim", "").isdigit():
        raise NoCounterpart("the rules have no `dim` or no `start`")
    size = int(fields["dim"])
    if size not in BASES:
        raise NoCounterpart(f"the board has {size} squares a side; the engine plays boards of 7, 9 and 11")
    for name, values in (("ber", "n"), ("ks", _CAPTURED_BY), ("ka", "yn")):
        if fields[name] not in values:
            raise NoCounterpart(f"the engine cannot play with the rule {name}:{fields[name]}")
    for name in ("afor", "dfor"):
        if fields[name]:
            raise NoCounterpart(f"the engine cannot play with the rule {name}:{fields[name]}")
    if not {*_MEN, _KING} <= {*fields["cenp"]}:
        raise NoCounterpart(f"the engine cannot play with the rule cenp:{fields['cenp']}")
    board = read_board(start, inverted=not fields.get("start"))
    men, king = _speeds(fields["spd"])
    wanted = RuleOptions(
        escape="edge" if fields["esc"] == "e" else "corner",
        king_armed="yes" if fields["ka"] == "y" else "no",
        king_captured_by=_CAPTURED_BY[fields["ks"]],
        centre_stop=_centre_stop(fields),
        centre_hostile="yes" if fields["cen"] and {*_MEN} <= {*fields["cenhe"]} else "no",
        corner_stop="king" if fields["cor"] and not {*_MEN} <= {*fields["cors"]} else "any",
        corner_hostile="yes" if fields["cor"] and {*_MEN} <= {*fields["corh"]} else "no",
        repetition="loses" if fields["tfr"] == "l" else "draw",
    ).changed({"men_steps": men, "king_steps": king})
    base = variants.find(BASES[size])
    assert isinstance(base, TaflRules)
    own = dict(base.options.items())
    rules = " ".join(f"{name}={value}" for name, value in wanted.items() if value != own[name])
    return OurRules(BASES[size], rules, f"{board} {'p1' if fields['atkf'] == 'y' else 'p2'} 1")


def _speeds(text: str) -> tuple[str, str]:
    """The steps of men and of the king, as our rule options have them."""
    numbers = text.removesuffix(",").split(",")
    if not all(re.fullmatch(r"-1|[1-9][0-9]?", number) for number in numbers):
        raise NoCounterpart(f"the engine cannot play with the rule spd:{text}")
    # Lists of 8 leave out the mercenaries, lists of 10 the guards.
    kings = {8: 7, 10: 8, 12: 9}
    if len(numbers) <= 2:
        men, king = {*numbers}, numbers[-1]
    elif len(numbers) in kings:
        king = numbers[kings[len(numbers)]]
        men = {numbers[0], numbers[len(numbers) // 2]}
    else:
        raise NoCounterpart(f"the engine cannot play with the rule spd:{text}")
    if len(men) != 1:
        raise NoCounterpart(f"men of the two sides go different distances in spd:{text}; the engine cannot play so")
    (each,) = men
    return "any" if each == "-1" else each, "any" if king == "-1" else king


def _centre_stop(given: dict[str, str]) -> CentreStop:
    if not given["cen"] or {*_MEN, _KING} <= {*given["cens"]}:
        return "any"
    return "king" if _KING in given["cens"] and _KING in given["cenre"] else "nobody"


def position_record(board: str) -> str:
    """The position record of the board of a position string: its rows from the first rank up."""
    rows = ("".join(_OURS.get(letter, letter) for letter in row) for row in reversed(board.split("/")))
    return f"/{'/'.join(rows)}/"


def read_board(record: str, inverted: bool = False) -> str:
    """The board of a position string from a position record. `inverted`: it begins with the top rank."""
    rows = record.strip("/").split("/")
    if strange := {*re.sub("[0-9/]", "", record)} - {*_THEIRS}:
        raise NoCounterpart(f"the board has pieces that the engine does not know: {' '.join(sorted(strange))}")
    ours = ["".join(_THEIRS.get(letter, letter) for letter in row) for row in rows]
    return "/".join(ours if inverted else reversed(ours))


def move_record(word: str) -> str:
    """Our move as theirs: `d1d3` is `d1-d3`. Raises NoCounterpart for a word that is none, such as `resign`."""
    squares = _OUR_MOVE.fullmatch(word)
    if squares is None:
        raise NoCounterpart(f"the engine said {word!r}, which OTEP has no move for")
    return f"{squares[1]}-{squares[2]}"


def read_move(record: str) -> str:
    """Their move as ours, without what it tells of captures. Raises NoCounterpart."""
    squares = _MOVE.fullmatch(record)
    if squares is None:
        raise NoCounterpart(f"the engine cannot read the move {record!r}")
    return squares[1] + squares[2]
