"""The table of all pages: the address on a server, the file in a report, the template, and who makes it.

The server, the report, the links and the navigation read it. A new page is a row, its template and its maker.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import unquote

from arena.web.pages.check_reports import check_page, checks_page
from arena.web.pages.engine import engine_page
from arena.web.pages.game import game_page
from arena.web.pages.games import games_page, pair_page
from arena.web.pages.rounds import ladder_page, rounds_page
from arena.web.pages.settings import run_page
from arena.web.pages.source import OF_GAMES, OF_TABLES, Choice, FilterWord, Key, PageSource
from arena.web.pages.sprt import sprt_page
from arena.web.pages.standings import crosstable_page, standings_page
from results.record import Run
from results.store.reader import Reader

Kind = str
"""A row of the table, or one of `GAME_FILES`, or `static`."""
GAME_FILES = ("pgn", "json", "svg")
"""What can be taken of a game: files with the name of its page."""


class PageKind(NamedTuple):
    """A row of the table. In `address` and `file`, words in braces are the parts of the page's key."""

    address: str
    template: str
    make: Callable[..., Any]
    """Makes what the template shows, of a PageSource, a Choice and the key; of a PageSource and the run if it is the
    page of a run. None where there is no such page."""
    title: str
    """The name of the window."""
    word: str = ""
    """The name in the navigation. Empty: it is not there."""
    filters: tuple[FilterWord, ...] = ()
    """The fields of the form by which a viewer of a server chooses games."""
    subject: str = ""
    """What follows the title: a format, which is filled with the `page`."""
    is_there: Callable[[Reader], bool] = lambda store: True
    """Whether this database has such pages."""
    fits: Callable[[Run], bool] = lambda run: True
    """Whether this run has one, if it is a page of a run."""
    other_file: str | None = None
    """The name of its file where that is not the address. Empty: only a server has the page."""

    @property
    def file(self) -> str:
        """Its name in a report, with numbers for names of engines and ids of runs."""
        return f"{self.address[1:]}.html" if self.other_file is None else self.other_file

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the parts of the key."""
        return tuple(re.findall(r"{(\w+)}", self.file))


def _is_sprt(run: Run) -> bool:
    """Whether the run is a sequential test. It is stored as the match that it stops."""
    return run.kind == "sprt" or "sprt" in run.settings


def _has_rounds(run: Run) -> bool:
    """Whether the run has a format that pairs by results."""
    return run.settings.get("format") in ("swiss", "knockout", "contest")


PAGES: dict[Kind, PageKind] = {
    "index": PageKind("/", "standings.html", standings_page, "Standings", "Overview", other_file="index.html"),
    "standings": PageKind(
        *("/standings", "standings.html", standings_page, "Standings", "Standings", (*OF_TABLES, "anchor")),
        other_file="",
    ),
    "crosstable": PageKind(
        "/crosstable", "crosstable.html", crosstable_page, "Crosstable", "Crosstable", (*OF_TABLES, "anchor")
    ),
    "games": PageKind("/games", "games.html", games_page, "Games", "Games", OF_GAMES, other_file="games/{page}.html"),
    "engine": PageKind("/engine/{engine}", "engine.html", engine_page, "Engine", subject=" {page.name}"),
    "pair": PageKind(
        *("/games?engine={engine}&opponent={opponent}", "games.html", pair_page, "Games"),
        other_file="pair/{engine}-{opponent}.html",
    ),
    "sprt": PageKind("/sprt/{run}", "sprt.html", sprt_page, "Sequential test", "Sequential test", fits=_is_sprt),
    "ladder": PageKind(
        "/ladder/{run}", "ladder.html", ladder_page, "Ladder", "Ladder", fits=lambda run: run.kind == "ladder"
    ),
    "rounds": PageKind("/rounds/{run}", "rounds.html", rounds_page, "Rounds", "Rounds", fits=_has_rounds),
    "run": PageKind("/run/{run}", "run.html", run_page, "Configuration", "Configuration"),
    "checks": PageKind(
        *("/checks", "checks.html", checks_page, "Checks", "Checks"),
        is_there=lambda store: store.count_check_reports() > 0,
    ),
    "check": PageKind("/check/{check}", "check.html", check_page, "Checks", subject=": {page.row.name}"),
    "game": PageKind(
        *("/game/{run}-{number}", "game.html", game_page, "Game"),
        subject=" {page.record.number}: {page.record.p1} - {page.record.p2}",
    ),
}
"""By their kinds, in the order of the navigation."""
_PARTS = {"run": "[0-9a-zA-Z]{1,64}", "number": "[0-9]{1,9}", "check": "[1-9][0-9]{0,8}", "engine": "(?s:.*)"}
"""What the parts of a key look like in an address."""


def pages_of(
    store: Reader, runs: Sequence[Run], keys: Mapping[tuple[str, ...], Sequence[tuple[Key, ...]]]
) -> Iterator[tuple[Kind, tuple[Key, ...]]]:
    """The kind and the key of each page that there is, in the order of the table; those of a run stand together.

    `keys` are those of the pages with these fields; pages of other fields are left out. Runs are found by themselves.
    """
    known = {run.id: run for run in runs}
    keys = {**keys, ("run",): [(run.id,) for run in runs]}
    for fields, group in groupby(PAGES, key=lambda kind: PAGES[kind].fields):
        kinds = [kind for kind in group if PAGES[kind].is_there(store)]
        for key in keys.get(fields, ()):
            for kind in kinds:
                if fields != ("run",) or PAGES[kind].fits(known[str(key[0])]):
                    yield kind, key


def make_page(kind: Kind, source: PageSource, choice: Choice, key: Sequence[Key]) -> Any:
    """What the template of this page shows. None where there is no such page. Raises StoreError."""
    row = PAGES[kind]
    if row.fields != ("run",):
        return row.make(source, choice, *key)
    run = source.run(str(key[0]))
    return row.make(source, run) if run is not None and row.fits(run) else None


def page_at(path: str) -> tuple[Kind, tuple[str, ...]] | None:
    """The kind and the key of the page with this address; None where there is none.

    The path has no query, and its signs are encoded as they came.
    """
    segments = [unquote(each) for each in path.split("/")]
    for kind, patterns in _PATHS.items():
        if len(patterns) == len(segments):
            matches = [pattern.fullmatch(each) for pattern, each in zip(patterns, segments, strict=True)]
            if all(matches):
                return kind, tuple(part for match in matches if match is not None for part in match.groups())
    return None


def _patterns(address: str) -> list[re.Pattern[str]]:
    return [re.compile(re.sub(r"{(\w+)}", lambda word: f"({_PARTS[word[1]]})", part)) for part in address.split("/")]


_PATHS = {kind: _patterns(page.address) for kind, page in PAGES.items() if "?" not in page.address}
