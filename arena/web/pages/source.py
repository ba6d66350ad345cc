"""What pages are made of. A report and a server each have it, so one maker makes a page for both."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from arena.web.pages.games import GamesPage
from arena.web.privacy import Privacy
from results.plots.history import Checkpoint
from results.record import Run
from results.store.filter import EVERYTHING, Filter
from results.store.reader import Reader
from results.tables.pools import Pools

FilterWord = Literal["run", "engine", "opponent", "variant", "tc", "termination", "winner", "since", "until", "anchor"]
OF_TABLES: tuple[FilterWord, ...] = ("run", "variant", "tc", "since", "until")
OF_GAMES: tuple[FilterWord, ...] = (*OF_TABLES, "engine", "opponent", "termination", "winner")
Key = str | int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which games a page is of. A report has all."""

    which: Filter = EVERYTHING
    anchor: str | None = None
    """The engine to which ratings are relative."""
    after: str = ""
    """A list of games goes on after this one, a run and a number."""


class PageSource(Protocol):
    """A database, and what several pages have in common."""

    @property
    def store(self) -> Reader: ...
    @property
    def privacy(self) -> Privacy: ...
    def run(self, run_id: str) -> Run | None:
        """The run with this id."""

    def engines(self) -> Collection[str]:
        """The names of all engines."""

    def pools(self, which: Filter = EVERYTHING, anchor: str | None = None) -> Pools:
        """The pools of these games."""

    def history(self) -> Sequence[Checkpoint]:
        """The ratings over time; none of a database that is too large for that."""

    def games(self, choice: Choice, page: int) -> GamesPage | None:
        """A page of the list of games; None where the choice names no game to go on after."""

    def neighbours(self, run_id: str, number: int) -> tuple[int | None, int | None]:
        """The numbers of the games before and after this one, as far as they have pages."""
