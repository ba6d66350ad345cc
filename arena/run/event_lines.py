"""The events of a run as JSON: one form for `--events`, for the file beside the database, and for all who read it."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from arena.play.snapshots import Thought
from arena.run.events import Event, GameEnded, GameStarted, Out, Plies
from results.record import FORFEITS

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

Values = dict[str, Any]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def values(run_id: str, event: Event) -> Values:
    """The event as JSON has it, with more fields than `--events` has."""
    head = {"time": now(), "run": run_id}
    match event:
        case GameStarted(slot, job):
            names = ("number", "round", "variant", "p1", "p2")
            own = {"game": job.id, **{name: getattr(job, name) for name in names}}
            return {"event": "start", **head, **own, "slot": slot, "tc": job.terms.tc, "at_ns": time.monotonic_ns()}
        case GameEnded(slot, record):
            is_fault = record.winner in ("p1", "p2") and record.termination in FORFEITS
            return {
                "event": "game",
                **head,
                "game": record.id,
                "number": record.number,
                "round": record.round,
                "variant": record.variant,
                "p1": record.p1,
                "p2": record.p2,
                "winner": record.winner,
                "termination": record.termination,
                "detail": record.detail,
                "plies": record.ply_count,
                "wall_ms": record.wall_ms,
                "late_plies": record.sums.late,
                "machine": record.machine,
                "slot": slot,
                "fault": is_fault,
                "flagged": record.flagged,
                "host": record.host,
            }
        case Plies(slot, snapshot):
            told = {**snapshot._asdict(), "thoughts": list(map(_thought, snapshot.thoughts))}
            return {"event": "plies", **head, "slot": slot, **told}
        case Out(withdrawn):
            return {"event": "out", **head, "withdrawn": dict(withdrawn)}
        case _:
            return {"event": "withdrawn", **head, "engine": event.name, "reason": event.reason}


def _thought(thought: Thought) -> Values:
    return {"score": thought.score, "depth": thought.depth, "nodes": thought.nodes, "line": thought.line}


def public(event: Mapping[str, Any]) -> Values | None:
    """The event as `--events` has it; None where it has no such event."""
    if (fields := PUBLIC.get(event["event"])) is None:
        return None
    return {name: event[name] for name in ("event", "time", "run", *fields)}
