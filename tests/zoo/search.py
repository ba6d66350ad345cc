"""A parsed `go` and the search that it starts. Values only, independent of positions and pipes."""

import itertools
from dataclasses import dataclass

_GO_WORDS = frozenset("p1time p2time p1inc p2inc movestogo movetime nodes depth".split())


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of a `go`. None is no such limit."""

    time_ms: int | None = None
    """The clock of the side to move."""
    inc_ms: int = 0
    moves: int | None = None
    """The number of moves until the next time control."""
    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to think: wall time and CPU time, or until `stop`."""

    wall_ms: float = 0
    cpu_ms: float = 0
    endless: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """A running search. CPU time counts from the arrival of the `go`."""

    go: Go
    plan: Plan
    start_ns: int
    cpu_start_ns: int


def read_go(words: list[str], side: str) -> Go:
    """Parse the words of a `go` in any order; `side` is `p1` or `p2`. Unknown and incomplete words are ignored."""
    numbers: dict[str, int] = {}
    for word, value in itertools.pairwise(words):
        digits = value.removeprefix("-")
        if word in _GO_WORDS and digits.isascii() and digits.isdigit() and len(digits) < 16:
            numbers[word] = max(0, int(value))
    return Go(
        numbers.get(f"{side}time"),
        numbers.get(f"{side}inc", 0),
        numbers.get("movestogo"),
        numbers.get("movetime"),
        numbers.get("nodes"),
        numbers.get("depth"),
        "infinite" in words,
    )
