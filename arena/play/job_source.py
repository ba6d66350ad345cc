"""Where the scheduler gets its games from, one at a time, and to which it reports what became of them."""

from typing import Protocol

from arena.play.jobs import GameJob
from results.record import GameRecord


class JobSource(Protocol):
    """Gives games on demand. A run is over when no game is being played and `next` gives none."""

    def next(self) -> GameJob | None:
        """A game to play now. None: none before another game has ended, or none any more."""

    def record(self, record: GameRecord) -> None:
        """A game that `next` gave has ended, or was stopped."""

    def forfeit(self, job: GameJob) -> None:
        """A game that `next` gave will not be played, because an engine is withdrawn."""
