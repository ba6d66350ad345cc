"""What happens in a run: the events of its one stream. A game is told only after it is stored.

As JSON they have one form for `--events`, for the file beside the database, and for all who read it.
"""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from arena.play.jobs import GameJob
from arena.play.snapshots import GameSnapshot
from results.record import GameRecord, faulty

PUBLIC: dict[str, tuple[str, ...]] = {
    "run": ("name", "kind", "games", "stored", "seed", "engines"),
    "start": ("game", "number", "round", "variant", "p1", "p2"),
    "game": (
        *("game", "number", "round", "variant", "p1", "p2", "winner", "termination", "detail", "plies", "wall_ms"),
        *("late_plies", "machine"),
    ),
    "lost": ("game", "number"),
    "withdrawn": ("engine", "reason"),
    "end": ("stored", "interrupted"),
}
"""The events of `--events` with their fields, after `event`, `time` and `run`: docs/reference/EVENTS.md."""


class GameStarted(NamedTuple):
    """A game begins in a slot. One that lost its worker begins again."""

    slot: int
    job: GameJob


class Plies(NamedTuple):
    """How the game of a slot goes on."""

    slot: int
    snapshot: GameSnapshot


class GameEnded(NamedTuple):
    """The game of a slot is over. Without a winner it does not count, and it is played again."""

    slot: int
    record: GameRecord


class Withdrawn(NamedTuple):
    """An engine gets no more games."""

    name: str
    reason: str


class Out(NamedTuple):
    """The engines of a ladder that get no games now, each with the reason. They may come back."""

    withdrawn: Mapping[str, str]


News = Withdrawn | Out
Event = GameStarted | Plies | GameEnded | News
Events = Sequence[Event]


def records(events: Events) -> list[GameRecord]:
    """The games among these events that count."""
    return [event.record for event in events if isinstance(event, GameEnded) and event.record.winner]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def values(run_id: str, event: Event) -> dict[str, Any]:
    """The event as JSON has it, with more fields than `--events` has."""
    head = {"time": now(), "run": run_id}
    match event:
        case GameStarted(slot, job):
            own = {"game": job.id, **{name: getattr(job, name) for name in ("number", "round", "variant", "p1", "p2")}}
            return {"event": "start", **head, **own, "slot": slot, "tc": job.terms.tc, "at_ns": time.monotonic_ns()}
        case GameEnded(slot, record):
            names = ("number", "round", "variant", "p1", "p2", "winner", "termination", "detail", "wall_ms")
            own = {"game": record.id, **{name: getattr(record, name) for name in names}}
            own |= {"plies": record.ply_count, "late_plies": record.sums.late, "machine": record.machine}
            more = {"slot": slot, "fault": faulty(record) is not None, "flagged": record.flagged, "host": record.host}
            return {"event": "game", **head, **own, **more}
        case Plies(slot, snapshot):
            thoughts = [{name: getattr(each, name) for name in each.__slots__} for each in snapshot.thoughts]
            return {"event": "plies", **head, "slot": slot, **snapshot._asdict(), "thoughts": thoughts}
        case Out(withdrawn):
            return {"event": "out", **head, "withdrawn": dict(withdrawn)}
        case _:
            return {"event": "withdrawn", **head, "engine": event.name, "reason": event.reason}


def public(event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The event as `--events` has it; None where it has no such event."""
    if (fields := PUBLIC.get(event["event"])) is None:
        return None
    return {name: event[name] for name in ("event", "time", "run", *fields)}
