"""Time controls: a clock, or a fixed limit for each move. Reads their text into frozen values, in whole ms."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, cast

Kind = Literal["clock", "movetime", "nodes", "depth"]
TIMED = ("clock", "movetime")
"""The kinds that limit time."""

MAX_MS = 1_000_000_000
"""The longest time in ms, and the highest number of nodes. It is about eleven days: more is a typing error, and
engines read these numbers into 32 bits."""


DEFAULT_TC = "5+0.05"
"""The clock of a run that names no limit."""
MOVE_LIMIT_MS = 60_000
"""The default of the longest time of a move under a nodes or depth limit."""
LAG_MS = 250
"""The default of the lag in games of an engine that plays over a line."""
MAX_LAG_MS = 60_000


class BadLimit(ValueError):
    """A time control that cannot be used. The message is one sentence."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Limit:
    """One time control.

    `clock`: `base_ms`, plus `increment_ms` after each move, plus a new base every `moves` moves where `moves` is set.
    `movetime`, `nodes`, `depth`: `value` (ms, nodes, plies) for each move, no clock.
    `lag_ms` is free in each move and cannot be saved: the time of the line over which a side plays.
    """

    kind: Kind
    base_ms: int = 0
    increment_ms: int = 0
    moves: int | None = None
    value: int = 0
    lag_ms: int = 0

    def __str__(self) -> str:
        """The text form that `parse` reads: `10+0.1`, `40/60+0`, `5+0.2 lag=250`, `movetime=20`, `nodes=1000`."""
        lag = f" lag={self.lag_ms}" if self.lag_ms else ""
        if self.kind != "clock":
            return f"{self.kind}={self.value}{lag}"
        period = "" if self.moves is None else f"{self.moves}/"
        return f"{period}{_seconds(self.base_ms)}+{_seconds(self.increment_ms)}{lag}"


# Not \d, which matches the digits of every script.
_SECONDS = r"[0-9]{1,7}(?:\.[0-9]{1,6})?"
_CLOCK = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,4}})/)?(?:(?P<minutes>[0-9]{{1,5}}):)?(?P<base>{_SECONDS})(?:\+(?P<inc>{_SECONDS}))?"
)
_FIXED = re.compile(r"(?P<kind>movetime|nodes|depth)=(?P<value>[0-9]{1,12})")
_MOVETIME = re.compile(r"movetime=(?P<value>.*)")
_WAIT = re.compile(r"(?P<number>-?[0-9]{1,12}(?:\.[0-9]{1,6})?) *(?P<unit>ms|s|)", re.IGNORECASE)


def parse(text: str) -> Limit:
    """Read `base+increment` or `moves/base+increment` in seconds, or `movetime=MS`, `nodes=N`, `depth=D`.

    The base may be minutes and seconds, `5:00+3`. A clock and a move time may have a lag in ms, `5+0.2 lag=250`.
    Raises BadLimit.
    """
    word, lag, lag_ms = text.strip().partition(" lag=")
    if lag:
        limit = parse(word)
        if limit.kind not in TIMED:
            raise BadLimit(f"time control {text!r} has a lag and no time: leave the lag out")
        return with_lag(limit, milliseconds(lag_ms))
    if match := _FIXED.fullmatch(word):
        return fixed(match["kind"], int(match["value"]))
    if match := _MOVETIME.fullmatch(word):
        return fixed("movetime", milliseconds(match["value"]))
    match = _CLOCK.fullmatch(word)
    if match is None:
        raise BadLimit(
            f"time control {text!r} cannot be read: write seconds, as base+increment (10+0.1) "
            "or moves/base+increment (40/60+0), the base also as minutes:seconds (5:00+3)"
        )
    minutes = int(match["minutes"] or 0)
    if match["minutes"] and Decimal(match["base"]) >= 60:
        raise BadLimit(f"time control {text!r} has {match['base']} seconds after its minutes: write less than 60")
    base_ms = _whole_ms(str(Decimal(match["base"]) + 60 * minutes), text)
    increment_ms = _whole_ms(match["inc"] or "0", text)
    moves = int(match["moves"]) if match["moves"] else None
    if base_ms < 1:
        raise BadLimit(f"time control {text!r} leaves no time for the first move: the base must be at least 0.001 s")
    if moves == 0:
        raise BadLimit(f"time control {text!r} asks for 0 moves in a period: write at least 1, or leave it out")
    return Limit("clock", base_ms, increment_ms, moves)


def fixed(kind: str, value: int) -> Limit:
    """A limit for each move. `kind` is movetime (ms), nodes or depth. Raises BadLimit."""
    if kind not in ("movetime", "nodes", "depth"):
        raise BadLimit(f"limit {kind!r} is unknown: choose movetime, nodes or depth")
    if not 1 <= value <= MAX_MS:
        raise BadLimit(f"{kind} {value} is out of range: it must be from 1 to {MAX_MS}")
    return Limit(cast(Kind, kind), value=value)


def with_lag(limit: Limit, lag_ms: int) -> Limit:
    """The limit with this lag; nodes and depth stay as they are, since they have no time. Raises BadLimit."""
    if not 0 <= lag_ms <= MAX_LAG_MS:
        raise BadLimit(f"lag {lag_ms} is out of range: it must be from 0 to {MAX_LAG_MS} ms")
    return replace(limit, lag_ms=lag_ms) if limit.kind in TIMED else limit


def lag_warning(limit: Limit, lag_ms: int) -> str | None:
    """A sentence for organisers where most of a long game's time is the lag; None where it is not."""
    if limit.kind != "clock" or limit.moves is not None or limit.increment_ms >= lag_ms:
        return None
    return (
        f"a lag of {lag_ms} ms is free in each move, and the increment of {limit} is only "
        f"{limit.increment_ms} ms: a game takes longer than its clocks say, and the lag decides how long; "
        f"give an increment of {_seconds(lag_ms)} s or more, or less lag"
    )


def milliseconds(text: str) -> int:
    """Read a time in ms: `500`, `500ms` or `0.5s`. Raises BadLimit."""
    match = _WAIT.fullmatch(text.strip())
    if match is None:
        raise BadLimit(f"{text!r} is no time in milliseconds: write 500, 500ms or 0.5s")
    ms = Decimal(match["number"]) * (1000 if match["unit"].lower() == "s" else 1)
    if ms != int(ms):
        raise BadLimit(
            f"{text!r} has a fraction of a millisecond: a number without a unit is in milliseconds; "
            f"write {match['number']}s for seconds"
        )
    return int(ms)


def scaled(limit: Limit, factor: float) -> Limit:
    """The limit with its times multiplied, in whole ms and at least 1; nodes and depth stay. Raises BadLimit."""
    result = limit
    if limit.kind == "clock":
        base_ms, increment_ms = max(1, round(limit.base_ms * factor)), round(limit.increment_ms * factor)
        result = replace(limit, base_ms=base_ms, increment_ms=increment_ms)
    elif limit.kind == "movetime":
        result = replace(limit, value=max(1, round(limit.value * factor)))
    if max(result.base_ms, result.increment_ms, result.value) > MAX_MS:
        raise BadLimit(f"{limit} times {factor:g} is longer than {MAX_MS // 1000} s")
    return result


def _whole_ms(seconds: str, text: str) -> int:
    ms = Decimal(seconds) * 1000
    if ms != int(ms):
        raise BadLimit(f"time control {text!r} has a fraction of a millisecond: engines see whole milliseconds")
    if ms > MAX_MS:
        raise BadLimit(f"time control {text!r} is longer than {MAX_MS // 1000} s")
    return int(ms)


def _seconds(ms: int) -> str:
    return f"{Decimal(ms) / 1000:f}"
