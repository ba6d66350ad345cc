"""What all pages share: the name of the whole, its runs, and which kinds of pages it has."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.web.links import Key, Kind
from arena.web.pages.run_pages import run_pages
from arena.web.privacy import Privacy
from results.record import Run
from results.store.reader import Reader


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A page of the navigation."""

    word: str
    """An English word of the interface."""
    kind: Kind
    key: tuple[Key, ...] = ()
    name: str = ""
    """What stands behind the word, such as the name of a run."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How much of a run has been played."""

    run: Run
    played: int

    @property
    def total(self) -> int | None:
        """The number of scheduled games; None for a run without an end."""
        return self.run.games or None


@dataclass(frozen=True, slots=True)
class Site:
    """The frame of all pages."""

    template: ClassVar[str] = "layout.html"

    title: str
    database: str
    """The name of the file, without its folder."""
    games: int
    runs: tuple[RunProgress, ...]
    entries: tuple[NavEntry, ...]
    privacy: Privacy
    made: str = ""
    """When and by which version it was made; empty on a server."""
    limits: tuple[str, ...] = ()
    """Sentences that say what was left out."""
    live: bool = False
    """Is there a server, so that forms work and pages can change?"""


def read_site(store: Reader, *, hide: bool, title: str | None = None, live: bool = False) -> Site:
    """The frame of the pages of a database. `hide` leaves out what is private. Raises StoreError."""
    runs = store.runs()
    played = store.played()
    progress = tuple(RunProgress(run, played.get(run.id, 0)) for run in runs)
    names = list(dict.fromkeys(run.name for run in runs))
    database = Path(store.name).name
    found = title or (names[0] if len(names) == 1 else database)
    privacy = Privacy(hide, frozenset(run.host for run in runs if run.host))
    return Site(
        found,
        database,
        sum(played.values()),
        progress,
        _entries(runs, live, store.count_check_reports() > 0),
        privacy,
        live=live,
    )


def _entries(runs: list[Run], live: bool, has_reports: bool) -> tuple[NavEntry, ...]:
    found = [NavEntry("Overview", "index")] + [NavEntry("Standings", "standings")] * live
    found += [NavEntry("Crosstable", "crosstable"), NavEntry("Games", "games")]
    several = len(runs) > 1
    for run in runs:
        name = run.name if several else ""
        found += [NavEntry(each.word, each.kind, (run.id,), name) for each in run_pages(run)]
    if has_reports:
        found.append(NavEntry("Checks", "checks"))
    return tuple(found)
