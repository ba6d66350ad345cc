"""What a side may spend on a move: a clock, or one fixed limit a move. Text in, frozen value out; ms at this border."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

Kind = Literal["clock", "movetime", "nodes", "depth"]

MAX_MS = 1_000_000_000
"""About eleven days: more is a typing error, and engines read these figures into 32 bits."""


class BadLimit(ValueError):
    """A time control that cannot be read, said in one sentence."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One time control.

    `clock`: `base_ms`, `increment_ms` after each move, and a new base every `moves` moves where `moves` is set.
    `movetime`, `nodes`, `depth`: `value` (ms, nodes, plies) for each move, no clock.
    """

    kind: Kind
    base_ms: int = 0
    increment_ms: int = 0
    moves: int | None = None
    value: int = 0

    def __str__(self) -> str:
        """The text form that `parse` reads: `10+0.1`, `40/60+0`, `movetime=20`, `nodes=1000`, `depth=3`."""
        if self.kind != "clock":
            return f"{self.kind}={self.value}"
        text = f"{_seconds(self.base_ms)}+{_seconds(self.increment_ms)}"
        return text if self.moves is None else f"{self.moves}/{text}"


# Not \d, which takes the digits of every script.
_SECONDS = r"[0-9]{1,7}(?:\.[0-9]{1,6})?"
_CLOCK = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,4}})/)?(?:(?P<minutes>[0-9]{{1,5}}):)?(?P<base>{_SECONDS})(?:\+(?P<inc>{_SECONDS}))?"
)
_FIXED = re.compile(r"(?P<kind>movetime|nodes|depth)=(?P<value>[0-9]{1,12})")


def parse(text: str) -> Limit:
    """Read `base+increment` or `moves/base+increment` in seconds, or `movetime=MS`, `nodes=N`, `depth=D`.

    The base may be minutes and seconds, `5:00+3`. Raises BadLimit.
    """
    word = text.strip()
    if found := _FIXED.fullmatch(word):
        return fixed(found["kind"], int(found["value"]))
    found = _CLOCK.fullmatch(word)
    if found is None:
        raise BadLimit(
            f"time control {text!r} cannot be read: write seconds, as base+increment (10+0.1) "
            "or moves/base+increment (40/60+0), the base also as minutes:seconds (5:00+3)"
        )
    minutes = int(found["minutes"] or 0)
    if found["minutes"] and Decimal(found["base"]) >= 60:
        raise BadLimit(f"time control {text!r} has {found['base']} seconds behind its minutes: write less than 60")
    base_ms = _whole_ms(str(Decimal(found["base"]) + 60 * minutes), text)
    increment_ms = _whole_ms(found["inc"] or "0", text)
    moves = int(found["moves"]) if found["moves"] else None
    if base_ms < 1:
        raise BadLimit(f"time control {text!r} leaves no time for the first move: the base must be at least 0.001 s")
    if moves == 0:
        raise BadLimit(f"time control {text!r} asks for 0 moves in a period: write at least 1, or leave it out")
    return Limit("clock", base_ms, increment_ms, moves)


def fixed(kind: str, value: int) -> Limit:
    """A limit of its own for each move; `kind` is movetime (ms), nodes or depth. Raises BadLimit."""
    if kind == "movetime":
        limit = Limit("movetime", value=value)
    elif kind == "nodes":
        limit = Limit("nodes", value=value)
    elif kind == "depth":
        limit = Limit("depth", value=value)
    else:
        raise BadLimit(f"limit {kind!r} is unknown: choose movetime, nodes or depth")
    if not 1 <= value <= MAX_MS:
        raise BadLimit(f"{kind} {value} is out of range: it must be from 1 to {MAX_MS}")
    return limit


def scaled(limit: Limit, factor: float) -> Limit:
    """The same limit with its times multiplied, whole ms and at least 1; nodes and depth stay. Raises BadLimit."""

    def times(ms: int) -> int:
        return round(ms * factor)

    if limit.kind == "clock":
        found = replace(limit, base_ms=max(1, times(limit.base_ms)), increment_ms=times(limit.increment_ms))
    elif limit.kind == "movetime":
        found = replace(limit, value=max(1, times(limit.value)))
    else:
        found = limit
    if max(found.base_ms, found.increment_ms) > MAX_MS or found.value > MAX_MS:
        raise BadLimit(f"{limit} times {factor:g} is longer than {MAX_MS // 1000} s")
    return found


def _whole_ms(seconds: str, text: str) -> int:
    ms = Decimal(seconds) * 1000
    if ms != int(ms):
        raise BadLimit(f"time control {text!r} has a fraction of a millisecond: engines see whole milliseconds")
    if ms > MAX_MS:
        raise BadLimit(f"time control {text!r} is longer than {MAX_MS // 1000} s")
    return int(ms)


def _seconds(ms: int) -> str:
    return f"{Decimal(ms) / 1000:f}"
