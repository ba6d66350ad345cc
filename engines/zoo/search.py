"""A `go` taken apart, and the search that it starts: values only. Refuses to know positions and pipes."""

import itertools
from dataclasses import dataclass

_GO_WORDS = frozenset("p1time p2time p1inc p2inc movestogo movetime nodes depth".split())


@dataclass(frozen=True, slots=True)
class Go:
    """What a `go` asked for. None where it did not say."""

    time_ms: int | None = None
    """Our own clock, whichever side we are."""
    inc_ms: int = 0
    moves: int | None = None
    """For how many moves our clock has to last."""
    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to think: by the wall, by our CPU clock, or until `stop`."""

    wall_ms: float = 0
    cpu_ms: float = 0
    endless: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """A search that is under way. Times in ns; the CPU counts from the moment that the `go` woke us."""

    go: Go
    plan: Plan
    start_ns: int
    cpu_start_ns: int


def read_go(words: list[str], side: str) -> Go:
    """The words of a `go`, in any order, unknown and half ones passed over; `p1` or `p2` is the side to move."""
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
