"""OpenTafl's notation (OTN): rules records, position records and moves, to and from our words.

A rules record says in one line what the rule options and the start position say here. Refused is what would make other
moves. What only captures or ends a game in another way is passed over, because OpenTafl's board counts for the adapter.
docs/authors/ADAPTERS.md has both lists.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.games.rules import RulesError
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.variants import TAFL, RuleOptions

_ALL = "tcnkmTCNKM"
"""Every kind of piece: men, commanders, knights, king and mercenaries; upper case are the defenders'."""
_KING = "K"
_DEFAULTS = {
    "dim": "", "start": "", "starti": "", "esc": "c", "surf": "y", "atkf": "y", "tfr": "d", "ka": "y", "ks": "s",
    "kj": "n", "spd": "-1", "cor": "default", "cen": "default", "afor": "", "dfor": "", "corh": _ALL, "cenh": "tcnkm",
    "cenhe": _ALL, "cenp": _ALL, "cors": _KING, "cens": _KING, "corre": _ALL, "cenre": _ALL, "sw": "n", "efe": "n",
    "ber": "n",
}  # fmt: skip
"""The rules of OTN that we have, each with what it is where a record leaves it out."""
_OURS = {"a": "t", "d": "T", "k": "K"}
_THEIRS = {"t": "a", "T": "d", "K": "k"}
_WORDS: dict[str, tuple[str, dict[str, str]]] = {
    "esc": ("escape", {"c": "corner", "e": "edge"}),
    "ka": ("king_armed", {"y": "yes", "n": "no"}),
    "ks": (
        "king_captured_by",
        {"w": "two", "n": "two", "s": "four", "y": "four", "c": "four-three-two", "m": "all-sides"},
    ),
    "surf": ("encirclement", {"y": "wins", "n": "no"}),
    "efe": ("fort", {"y": "wins", "n": "no"}),
    "sw": ("shieldwall", {"s": "corner", "w": "yes", "n": "no"}),
    # OpenTafl's `w` is a win of the side to move after the third occurrence: the side that completes it loses. Its own
    # Copenhagen has that, so it stands for our `p2-loses`, too, which OTN cannot say.
    "tfr": ("repetition", {"d": "draw", "w": "loses"}),
}
"""Rules that are one word in both: ours, and the value of ours for each of theirs."""
_UNTOLD = {"camps": "yes", "king_captured_by": "four-two"}
"""Values of ours that OpenTafl has nothing like."""
_ALWAYS = {"ber": "n", "kj": "n", "afor": "", "dfor": ""}
"""Rules that make other moves legal wherever they say anything else."""
_OUR_MOVE = re.compile(r"([a-y][0-9]{1,2})([a-y][0-9]{1,2})")
_MOVE = re.compile(r"[tkTK]?([a-y][0-9]{1,2})-([a-y][0-9]{1,2})(?:x[^-+]*+)?[-+]*", re.ASCII)
_NO_RULE = "our rules have nothing like the rule"


class NoCounterpart(RulesError):
    """What one of the two notations says has no counterpart in the other. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class OurRules:
    """A rules record in our words."""

    variant: str
    rules: str
    """The text of UGI_Rules, empty if no rule option is changed."""
    fen: str


def can_tell(options: RuleOptions) -> bool:
    """Whether OTN can say these rule options, but for how a game ends by repetition or without a move."""
    return not _UNTOLD.items() & set(options.items())


def rules_record(rules: TaflRules, fen: str) -> str:
    """The rules record of our rules, for a game that starts from `fen`. Raises NoCounterpart.

    What ends a game by repetition or without a move is told as well as OTN can.
    """
    options, values = rules.options, dict(rules.options.items())
    board, side = fen.split()[:2]
    for name, value in _UNTOLD.items():
        if values[name] == value:
            raise NoCounterpart(f"OpenTafl has no rule like {name}={value}, which {rules.name} has")
    men, king = (-1 if steps == "any" else int(steps) for steps in (options.men_steps, options.king_steps))
    # Twelve kinds of pieces: attackers' men, commanders, knights, king, mercenaries and guards, then the defenders'.
    speeds = [men] * 9 + [king, men, men]
    kinds = {"king": _KING, "any": _ALL, "nobody": ""}
    words = [
        f"dim:{rules.size}",
        f"name:{rules.base}",
        *(
            f"{name}:{next((theirs for theirs, value in words.items() if value == values[ours]), 'w')}"
            for name, (ours, words) in _WORDS.items()
        ),
        f"atkf:{'y' if side == 'p1' else 'n'}",
        f"spd:{','.join(map(str, speeds))}" if {men, king} != {-1} else "",
        f"cenp:{kinds[options.centre_pass]}",
        f"cens:{kinds[options.centre_stop]}",
        f"cenh:{_ALL if options.centre_hostile == 'always' else ''}",
        f"cenhe:{'' if options.centre_hostile == 'no' else _ALL}",
        f"cors:{kinds[options.corner_stop]} corp:{kinds[options.corner_stop]}",
        f"corh:{_ALL if options.corner_hostile == 'yes' else ''}",
        f"start:{position_record(board)}",
    ]
    return " ".join(word for word in words if word)


def read_rules(record: str, among: Iterable[str] = TAFL) -> OurRules:
    """Our words for a rules record: of the variants `among`, the one that is nearest. Raises NoCounterpart."""
    tags = {name: value for name, _, value in (word.partition(":") for word in record.split())}
    fields = _DEFAULTS | tags
    start = fields["start"] or fields["starti"]
    if not start or not re.fullmatch(r"[1-9][0-9]?", fields["dim"], re.ASCII):
        raise NoCounterpart("the rules have no `dim` or no `start`")
    values: dict[str, Any] = {}
    for name, (ours, words) in _WORDS.items():
        if fields[name] in words:
            values[ours] = words[fields[name]]
        elif name not in ("tfr", "sw"):
            raise NoCounterpart(f"{_NO_RULE} {name}:{fields[name]}")
    for name, value in _ALWAYS.items():
        if fields[name] != value:
            raise NoCounterpart(f"{_NO_RULE} {name}:{fields[name]}")
    values["men_steps"], values["king_steps"] = _speeds(fields["spd"])
    wanted = RuleOptions().changed(values | _centre(fields) | _corners(fields))
    board = read_board(start, inverted=not fields["start"])
    size = board.count("/") + 1
    if str(size) != fields["dim"]:
        raise NoCounterpart(f"the rules say dim:{fields['dim']}, and the start position has {size} ranks")
    variant, changed = _nearest(wanted, board, among)
    return OurRules(variant, changed, f"{board} {'p1' if fields['atkf'] == 'y' else 'p2'} 1")


def _nearest(wanted: RuleOptions, board: str, among: Iterable[str]) -> tuple[str, str]:
    """The variant of this board's size with the fewest options to change, and these options."""
    best: tuple[int, str, str] | None = None
    for name in among:
        variant = TAFL.get(name)
        if variant is not None and variant.start.count("/") == board.count("/"):
            own = dict(variant.options.items())
            changed = [f"{option}={value}" for option, value in wanted.items() if value != own[option]]
            other = 2 * len(changed) + (variant.start.split()[0] != board)
            if best is None or other < best[0]:
                best = other, name, " ".join(changed)
    if best is None:
        sizes = ", ".join(map(str, sorted({TAFL[name].start.count("/") + 1 for name in among if name in TAFL})))
        raise NoCounterpart(f"the board has {board.count('/') + 1} squares a side; known are {sizes or 'none'}")
    return best[1:]


def _centre(fields: Mapping[str, str]) -> dict[str, str]:
    """Who may stop on the centre and pass over it, and to whom it is hostile."""
    if not fields["cen"]:
        return {"centre_stop": "any"} | ({"king_captured_by": "two"} if fields["ks"] == "c" else {})
    if fields["cen"] != "default":
        raise NoCounterpart(f"{_NO_RULE} cen:{fields['cen']}")
    stop, passing = _who(fields, "cens", "cenre"), _who(fields, "cenp", "cenre")
    empty, occupied = _hostile(fields["cenhe"]), _hostile(fields["cenh"])
    hostile = "no" if empty != "tT" else "always" if occupied == "tT" else "yes"
    return {"centre_stop": stop, "centre_pass": passing, "centre_hostile": hostile}


def _corners(fields: Mapping[str, str]) -> dict[str, str]:
    """Who may stop on a corner, and whether corners are hostile."""
    if not fields["cor"] and fields["esc"] == "e":
        return {}
    if fields["cor"] != "default":
        raise NoCounterpart(f"{_NO_RULE} cor:{fields['cor']}")
    stop, hostile = _who(fields, "cors", "corre"), _hostile(fields["corh"])
    if stop == "nobody":
        raise NoCounterpart(f"{_NO_RULE} cors:{fields['cors']}")
    return {"corner_stop": stop, "corner_hostile": "yes" if hostile == "tT" else "no"}


def _who(fields: Mapping[str, str], name: str, entering: str) -> str:
    """Which of men and king are in a list of kinds, and in that of those who may come from outside."""
    kinds = "".join(kind for kind in "tTK" if kind in fields[name] and kind in fields[entering])
    if kinds not in ("tTK", "K", ""):
        raise NoCounterpart(f"{_NO_RULE} {name}:{fields[name]}")
    return {"tTK": "any", "K": "king", "": "nobody"}[kinds]


def _hostile(kinds: str) -> str:
    """The men of which sides are in a list of kinds: OpenTafl looks at no other kind."""
    return "".join(man for man in "tT" if man in kinds)


def _speeds(text: str) -> tuple[str, str]:
    """The steps of men and of the king, as our rule options have them."""
    numbers = text.removesuffix(",").split(",")
    if not all(re.fullmatch(r"-1|[1-9][0-9]?", number) for number in numbers):
        raise NoCounterpart(f"{_NO_RULE} spd:{text}")
    # Lists of 8 leave out the mercenaries, lists of 10 the guards.
    kings = {8: 7, 10: 8, 12: 9}
    if len(numbers) <= 2:
        men, king = {*numbers}, numbers[-1]
    elif len(numbers) in kings:
        king = numbers[kings[len(numbers)]]
        men = {numbers[0], numbers[len(numbers) // 2]}
    else:
        raise NoCounterpart(f"{_NO_RULE} spd:{text}")
    if len(men) != 1:
        raise NoCounterpart(f"men of the two sides go different distances in spd:{text}; in our rules they go alike")
    (each,) = men
    return "any" if each == "-1" else each, "any" if king == "-1" else king


def position_record(board: str) -> str:
    """The position record of the board of a position string: its rows from the first rank up."""
    rows = ("".join(_OURS.get(letter, letter) for letter in row) for row in reversed(board.split("/")))
    return f"/{'/'.join(rows)}/"


def read_board(record: str, inverted: bool = False) -> str:
    """The board of a position string from a position record. `inverted`: it begins with the top rank."""
    rows = record.strip("/").split("/")
    if strange := {*re.sub("[0-9/]", "", record)} - {*_THEIRS}:
        raise NoCounterpart(f"the board has pieces that our rules do not have: {' '.join(sorted(strange))}")
    ours = ["".join(_THEIRS.get(letter, letter) for letter in row) for row in rows]
    return "/".join(ours if inverted else reversed(ours))


def move_record(word: str) -> str:
    """Our move as theirs: `d1d3` is `d1-d3`. Raises NoCounterpart for a word that is none, such as `resign`."""
    squares = _OUR_MOVE.fullmatch(word)
    if squares is None:
        raise NoCounterpart(f"OpenTafl has no move like {word!r}")
    return f"{squares[1]}-{squares[2]}"


def read_move(record: str) -> str:
    """Their move as ours, without what it tells of captures. Raises NoCounterpart."""
    squares = _MOVE.fullmatch(record)
    if squares is None:
        raise NoCounterpart(f"{record!r} is no move of our rules, such as d1-d3 or d1-d3xd4")
    return squares[1] + squares[2]
