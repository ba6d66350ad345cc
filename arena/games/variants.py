"""The variants by name: what a user writes as a name, and the rules that it stands for.

A name is a variant, or a variant with changed rule options, such as `scottish:king_armed=yes,king_steps=2`. A variant
of a user's own has its name and its board there, too: `callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7`. Its file
is read by `arena.games.variant_file`. The variants themselves and their rule options belong to the kinds of games.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from arena.games.game import beginning
from arena.games.kind import GameKind, near
from arena.games.kinds import built_in, installed, kind_of_variant
from arena.games.rules import OwnVariant, Position, Rules, UnknownVariant

DEFAULT = "callanish-9"
"""The variant that is played where a user names none."""

_OWN_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_OWN_NAME = 40
"""The most characters of the name of a user's own variant."""


def names() -> tuple[str, ...]:
    """All variants that have a name of their own, the built-in ones first."""
    return tuple(name for kind in installed().usable for name in kind.variants())


def find(name: str, options: str = "") -> Rules:
    """The rules of a variant.

    `name` is `variant` or `variant:option=value,...`. `options` are more such pairs, separated by blanks or commas.
    Raises UnknownVariant, with the nearest names if some are near.
    """
    base, _, more = name.strip().partition(":")
    wanted: dict[str, str] = {}
    _read_options(base, more, wanted)
    own = _own(base, wanted)
    if own is not None and options.strip():
        raise UnknownVariant(
            f"{own.name} has rules of its own, so {options.strip()} cannot change them: write a file with another name"
        )
    _read_options(base, options, wanted)
    kind = _kind(base)
    rules = kind.variants()[base]
    return kind.changed(rules, wanted, own) if wanted or own is not None else rules


def kind_of(rules: Rules) -> GameKind:
    """The game that these are the rules of."""
    return _kind(rules.base)


def announced_as(rules: Rules, choices: Sequence[str]) -> str | None:
    """The announced variant under which an engine plays these rules, None if there is none.

    An engine that plays drawn boards plays every board of their game from its position string.
    """
    if rules.base in choices:
        return rules.base
    any_board = kind_of(rules).any_board
    return any_board if any_board in choices else None


def is_variant(name: str) -> bool:
    """Whether there is a variant of this name, with the rule options that the name has."""
    try:
        find(name)
    except UnknownVariant:
        return False
    return True


def resolve(name: str, options: str = "", fen: str | None = None) -> tuple[Rules, Position]:
    """The rules that a game is played and recorded under, and the position it starts from.

    Without a position string the variant `callanish` is `callanish-9`. Raises UnknownVariant, BadPosition, GameFailed.
    """
    rules = find(name, options)
    if fen is None:
        rules = kind_of(rules).without_board(rules)
    with beginning(rules):
        return rules, rules.start() if fen is None else rules.parse(fen)


@lru_cache(maxsize=256)
def _kind(base: str) -> GameKind:
    kind = kind_of_variant(base)
    if kind is None:
        broken = "".join(f"; {each.sentence}" for each in installed().broken)
        raise UnknownVariant(f"there is no variant {base!r}{broken or near(base, names())}")
    return kind


def _read_options(base: str, text: str, wanted: dict[str, str]) -> None:
    """Add the pairs in `text` to what is wanted."""
    for part in text.replace(",", " ").split():
        option, equals, value = part.partition("=")
        if not (option and equals and value):
            raise UnknownVariant(
                f"{part!r} sets no rule option of {base}: write option=value, without blanks around the equals sign"
            )
        if wanted.setdefault(option, value) != value:
            raise UnknownVariant(
                f"the rule option {option} of {base} is given twice, as {wanted[option]} and as {value}"
            )


def _own(base: str, wanted: dict[str, str]) -> OwnVariant | None:
    """Takes out of `wanted` what makes a variant of a user's own. None where it is no such variant."""
    if "name" not in wanted:
        return None
    name, board, side = wanted.pop("name"), wanted.pop("board", None), wanted.pop("side", None)
    if reason := own_name_fault(name):
        raise UnknownVariant(f"name={name} of {base} {reason}")
    if board is None and side is not None:
        raise UnknownVariant(f"side={side} of {name} says who moves on a board: also give the board")
    return OwnVariant(name, None if board is None else f"{board} {side or 'p1'} 1")


def own_name_fault(name: str) -> str:
    """Why a variant of a user's own cannot have this name; empty where it can."""
    if not _OWN_NAME.fullmatch(name):
        return "is no name of a variant: take small letters, digits and single hyphens, such as two-lochs"
    if len(name) > MAX_OWN_NAME:
        return f"is too long for a name: take at most {MAX_OWN_NAME} characters"
    if any(name in kind.variants() for kind in built_in()):
        return "is the name of a variant that the arena has: take another name"
    return ""
