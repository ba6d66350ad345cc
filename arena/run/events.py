"""What happens in a run: the events of its one stream. A game is told only after it is stored."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.play.jobs import GameJob
from arena.play.snapshots import GameSnapshot
from results.record import GameRecord


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
