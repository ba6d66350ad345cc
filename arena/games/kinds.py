"""Finds the games: the built-in kinds by their folders, and those of plug-ins by their entry points.

A plug-in runs in the process of the arena, as those of pytest do: it is code that the user installed. Its entry point
is in the group `callanish_arena.games`, and leads to an instance of `GameKind`. Entry points are read for lists and
for names that no built-in kind knows, since that takes 28 ms.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from arena.games.game import RAISED
from arena.games.kind import GameKind
from arena.games.rules import Rules

GROUP = "callanish_arena.games"
BUILT_IN = ("callanish", "tafl")
"""The folders of this package that are games."""
REFEREE = frozenset(
    "resignation draw-agreed adjudication time illegal-move malformed-move crash stall unfinished".split()
)
"""How the referee ends games: no kind may use these words."""
_VARIANT = re.compile(r"[a-z0-9]+(?:[-_.+][a-z0-9]+)*")
_ENDING = re.compile(r"[a-z]+(?:-[a-z0-9]+)*")


class BrokenKind(NamedTuple):
    """A plug-in whose kind cannot be used."""

    name: str
    """The name of its entry point."""
    package: str
    reason: str
    """A clause that says what is wrong and what to do."""

    @property
    def sentence(self) -> str:
        """What is wrong with which package, and the remedy."""
        return (
            f"the game {self.name} of the package {self.package} cannot be used: {self.reason}; "
            f"correct the package, or remove it with 'pip uninstall {self.package}'"
        )


class Kinds(NamedTuple):
    """All kinds that are installed."""

    usable: tuple[GameKind, ...]
    broken: tuple[BrokenKind, ...]

    def of(self, variant: str) -> GameKind | None:
        """The kind that has this variant."""
        return next((kind for kind in self.usable if variant in kind.variants()), None)


@cache
def built_in() -> tuple[GameKind, ...]:
    """The kinds of this package."""
    return tuple(_built_in())


@cache
def installed() -> Kinds:
    """The built-in kinds and those of plug-ins, which are loaded here."""
    from importlib import metadata  # late: it takes as long to load as all games

    usable, broken = list(built_in()), list[BrokenKind]()
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        package = point.dist.name if point.dist else "an unknown package"
        try:
            kind = point.load()
            wrong = fault(kind, usable)
        except RAISED as error:
            wrong = f"loading {point.value} raised {type(error).__name__}: {error}"
        if wrong:
            broken.append(BrokenKind(point.name, package, wrong))
        else:
            usable.append(kind)
    return Kinds(tuple(usable), tuple(broken))


def kind_of_variant(variant: str) -> GameKind | None:
    """The kind that has the variant of this name, without rule options; None if there is none."""
    for kind in _built_in():
        if variant in kind.variants():
            return kind
    return installed().of(variant)


def fault(kind: object, others: Sequence[GameKind] = ()) -> str:
    """What hinders the use of a kind beside the others; empty if nothing does."""
    if not isinstance(kind, GameKind):
        return (
            f"it is {type(kind).__name__}, and not an instance of a class that derives from arena.games.kind.GameKind"
        )
    if kind.name in (other.name for other in others):
        return f"there is a game with its name, {kind.name}, already: name it differently"
    if len(kind.sides) != 2:
        return f"its sides are {kind.sides!r}: name both, that of p1 first"
    taken = {name: other.name for other in others for name in other.variants()}
    variants = kind.variants()
    if not variants:
        return "it has no variant"
    for name, rules in variants.items():
        if not _VARIANT.fullmatch(name):
            return f"the variant {name!r} is no word of small letters, digits and hyphens"
        if name in taken:
            return f"its variant {name} is one of {taken[name]}, too: name it differently"
        if (wrong := _other_name(name, rules)) is not None:
            return f"the rules of its variant {name} say that their name is {wrong!r}"
    for word in kind.endings:
        if word in REFEREE:
            return f"its ending {word!r} is a word of the referee: take another word"
        if not _ENDING.fullmatch(word):
            return f"its ending {word!r} is no word of small letters, digits and hyphens"
    return ""


def _other_name(name: str, rules: Rules) -> str | None:
    return next((each for each in (rules.name, rules.base) if each != name), None)


def _built_in() -> Iterator[GameKind]:
    for name in BUILT_IN:
        kind = import_module(f"arena.games.{name}").KIND
        assert isinstance(kind, GameKind)
        yield kind
