"""Where the scheduler gets its games from, one at a time, and to which it reports what became of them."""

from typing import Final, Protocol

from arena.play.jobs import GameJob
from results.record import GameRecord

FAR_AHEAD: Final = 31
"""How many games a slot may have in hand where results do not matter. With these and the one that it plays, a kill of
this program costs 32 games a slot at most."""


class JobSource(Protocol):
    """Gives games on demand. A run is over when no game is being played and `next` gives none."""

    @property
    def ahead(self) -> int:
        """How many games each slot may have in hand besides the one that it plays. It has so many of short games only.

        They are given before the results of the games before them are known.
        """

    def next(self) -> GameJob | None:
        """A game to play now. None: none before another game has ended, or none any more."""

    def record(self, record: GameRecord) -> None:
        """A game that `next` gave has ended, or was stopped."""

    def forfeit(self, job: GameJob) -> None:
        """A game that `next` gave will not be played, because an engine is withdrawn."""
