"""Where the scheduler gets its games from, one at a time, and where it reports what became of them."""

from typing import Protocol

from arena.play.jobs import GameJob
from results.record import GameRecord


class JobSource(Protocol):
    """Games on demand. A run is over when no game is being played and `next` has none."""

    def next(self) -> GameJob | None:
        """A game to play now; None: none before another has ended, or none any more."""

    def note(self, record: GameRecord) -> None:
        """A game that `next` gave has ended, or was stopped."""

    def miss(self, job: GameJob) -> None:
        """A game that `next` gave will not be played, because an engine is withdrawn."""
