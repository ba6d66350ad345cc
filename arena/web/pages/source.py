"""What pages are made of: a database, and what several pages have in common. A report and a server both have it."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal, Protocol, TypeVar

from arena.web.privacy import Privacy
from results.plots.history import Checkpoint, checkpoints_of
from results.record import Run
from results.store.filter import EVERYTHING, Filter
from results.store.lookup import engines
from results.store.reader import Brief, Reader
from results.tables.rating_lists import RatingLists, rating_lists_of_runs

FilterWord = Literal["run", "engine", "opponent", "variant", "tc", "termination", "winner", "since", "until", "anchor"]
OF_TABLES: tuple[FilterWord, ...] = ("run", "variant", "tc", "since", "until")
OF_GAMES: tuple[FilterWord, ...] = (*OF_TABLES, "engine", "opponent", "termination", "winner")
MOST_CLOCKS = 6
"""If there are more time controls than this, they have no tables."""
MOST_HISTORY = 20_000
"""Ratings over time are drawn for at most so many games, because each must be read."""
Key = str | int
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which games a page is of. A report has all."""

    which: Filter = EVERYTHING
    anchor: str | None = None
    """The engine to which ratings are relative."""
    after: str = ""
    """A list of games goes on after this one, a run and a number."""
    query: str = ""
    """How the games were asked for, for the address of the next page of the list."""
    page: int = 1
    """The page of the list, in a report."""


class Page(SimpleNamespace):
    """What a template shows, by the names that it uses."""


def typed(values: Mapping[str, Any], key: str, kind: type[Made]) -> Made:
    """The value of a key in what anybody may have changed; an empty one where it is of another type."""
    value = values.get(key)
    return value if isinstance(value, kind) else kind()


class Kept(Protocol):
    """Gives what `make` makes, or what it made before of this kind and key."""

    def __call__(self, kind: str, key: Hashable, make: Callable[[], Made]) -> Made: ...


class PageSource:
    """A database. All methods raise StoreError."""

    def __init__(
        self, store: Reader, privacy: Privacy, briefs: Sequence[Brief] | None = None, kept: Kept | None = None
    ) -> None:
        """`briefs` are the games that have pages; None: all. Without `kept`, the database does not change."""
        self.store = store
        self.privacy = privacy
        self.briefs = briefs
        self.kept = kept or self._kept_always
        self._values: dict[Hashable, object] = {}

    def _kept_always(self, kind: str, key: Hashable, make: Callable[[], Made]) -> Made:
        if (kind, key) not in self._values:
            self._values[kind, key] = make()
        return self._values[kind, key]  # type: ignore[return-value]  # made by `make` of the same kind

    def run(self, run_id: str) -> Run | None:
        """The run with this id."""
        return next((run for run in self.kept("runs", None, self.store.runs) if run.id == run_id), None)

    def engines(self) -> Collection[str]:
        """The names of all engines."""
        return self.kept("engines", None, lambda: engines(self.store))

    def rating_lists(
        self, which: Filter = EVERYTHING, anchor: str | None = None, most_clocks: int = MOST_CLOCKS
    ) -> RatingLists:
        """The rating lists of the games asked for, as the commands make them. All tables are made of them."""

        def make() -> RatingLists:
            runs = [run.id for run in self.store.runs()] if which.run is None else [which.run]
            return rating_lists_of_runs(self.store, runs, which, anchor=anchor, most_time_controls=most_clocks)

        return self.kept("rating_lists", (which, anchor, most_clocks), make)

    def history(self) -> Sequence[Checkpoint]:
        """The ratings over time; none of a database that is too large for that, or has no decided game."""
        overall = self.rating_lists().overall
        if not 0 < overall.standings.games <= MOST_HISTORY:
            return []
        return self.kept("history", None, lambda: checkpoints_of(self.store, overall.counts))
