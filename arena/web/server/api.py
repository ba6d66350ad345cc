"""What the commands print with `--json`, by the same functions."""

import json
import sys
from collections.abc import Callable

from arena.web.pages.source import MOST_HISTORY, OF_GAMES, OF_TABLES
from arena.web.pages.standings import public_standings
from arena.web.server.database import ServedDatabase
from arena.web.server.page_request import PageRequest
from arena.web.server.served_pages import NotThere
from results.plots.draw import Subject, draw
from results.store.filter import Filter, Selection
from results.store.lookup import BadWord, find_run, run_config
from results.tables.statistics import statistics, statistics_json
from results.tables.to_json import crosstables_json, json_text

MOST_GAMES = 1_000
"""An answer lists at most so many games."""


def answer(db: ServedDatabase, request: PageRequest, name: str) -> str:
    """The text of `/api/NAME`. Raises NotThere, BadWord and StoreError."""
    make = _MAKERS.get(name)
    if make is None:
        raise NotThere
    return db.kept("api", (name, request.query), lambda: make(db, request))


def _text(db: ServedDatabase, value: object) -> str:
    return json_text(db.site.privacy.config(value)) + "\n"


def _standings(db: ServedDatabase, request: PageRequest) -> str:
    which = request.which(db.store, OF_TABLES)
    lists = db.source.rating_lists(which, request.anchor(db.store, which), sys.maxsize)
    return json_text(public_standings(lists, db.site.privacy)) + "\n"


def _crosstable(db: ServedDatabase, request: PageRequest) -> str:
    which = request.which(db.store, OF_TABLES)
    return _text(db, crosstables_json(db.source.rating_lists(which, request.anchor(db.store, which))))


def _games(db: ServedDatabase, request: PageRequest) -> str:
    """A line for each game: the first ones, or the last ones with `last`."""
    which = request.which(db.store, OF_GAMES)
    last = request.number("last", 0, MOST_GAMES)
    selection = Selection(which, request.order(), last or request.number("limit", MOST_GAMES, MOST_GAMES), bool(last))
    privacy = db.site.privacy
    return "".join(json.dumps(privacy.config(game._asdict())) + "\n" for game in db.store.briefs(selection))


def _stats(db: ServedDatabase, request: PageRequest) -> str:
    which = request.which(db.store, (*OF_TABLES, "engine", "opponent"))
    _refuse_many(db, which)
    return _text(db, statistics_json(statistics(db.store, which)))


def _config(db: ServedDatabase, request: PageRequest) -> str:
    runs = db.store.runs()
    if not runs:
        raise NotThere
    run = find_run(db.store, request.words["run"]) if "run" in request.words else runs[-1]
    return json.dumps(db.site.privacy.config(run_config(run))) + "\n"


def _plot(subject: Subject) -> Callable[[ServedDatabase, PageRequest], str]:
    def make(db: ServedDatabase, request: PageRequest) -> str:
        which = request.which(db.store, ("run", "variant", "tc"))
        if subject is Subject.HISTORY:
            _refuse_many(db, which)
        return _text(db, draw(subject, db.store, which, request.anchor(db.store, which)).values)

    return make


def _refuse_many(db: ServedDatabase, which: Filter) -> None:
    """Raise BadWord where every game must be read and these are too many."""
    games = sum(each.games for each in db.source.rating_lists(which).overall.counts)
    if games > MOST_HISTORY:
        raise BadWord(f"this reads every game, and {games} are too many for a page: ask for at most {MOST_HISTORY}")


_MAKERS: dict[str, Callable[[ServedDatabase, PageRequest], str]] = {
    "standings.json": _standings,
    "crosstable.json": _crosstable,
    "games.json": _games,
    "stats.json": _stats,
    "config.json": _config,
    **{f"plot-{subject.value}.json": _plot(subject) for subject in Subject},
}
NAMES = tuple(_MAKERS)
