"""What all pages share: the name of the whole, its runs, and which kinds of pages it has."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.web.page_table import PAGES, Kind, pages_of
from arena.web.pages.source import Key
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
    """What follows the word, such as the name of a run."""


@dataclass(frozen=True, slots=True)
class Site:
    """The frame of all pages."""

    title: str
    database: str
    """The name of the file, without its folder."""
    games: int
    runs: tuple[tuple[Run, int], ...]
    """Each run, and how many of its games have been played."""
    entries: tuple[NavEntry, ...]
    privacy: Privacy
    made: str = ""
    """When and by which version it was made; empty on a server."""
    limits: tuple[str, ...] = ()
    """Sentences that say what was left out."""
    live: bool = False
    """Is there a server, so that forms work and pages can change?"""
    play: bool = False
    """Has the server games with people?"""
    guests: bool = False
    """Has the server guests of an open ladder?"""


def read_site(store: Reader, *, hide: bool, title: str | None = None, live: bool = False) -> Site:
    """The frame of the pages of a database. `hide` leaves out what is private. Raises StoreError."""
    runs = store.runs()
    played = store.played()
    names = list(dict.fromkeys(run.name for run in runs))
    database = Path(store.name).name
    return Site(
        title or (names[0] if len(names) == 1 else database),
        database,
        sum(played.values()),
        tuple((run, played.get(run.id, 0)) for run in runs),
        tuple(_entries(store, runs, live)),
        Privacy(hide, store.hosts() if hide else ()),
        live=live,
    )


def _entries(store: Reader, runs: list[Run], live: bool) -> Iterator[NavEntry]:
    names = {run.id: run.name for run in runs} if len(runs) > 1 else {}
    for kind, key in pages_of(store, runs, {(): [()], ("page",): [()]}):
        row = PAGES[kind]
        if row.word and (live or row.file):
            yield NavEntry(row.word, kind, key, names.get(str(key[0]), "") if key else "")
