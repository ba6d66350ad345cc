"""What the commands print with `--json`, by the same functions."""

import json
import sys
from collections.abc import Callable

from arena.web.page_request import PageRequest
from arena.web.pages.source import MOST_HISTORY, OF_GAMES, OF_TABLES, PageSource
from arena.web.pages.standings import public_standings
from results.store.filter import Filter, Selection
from results.store.lookup import BadWord, find_run, run_config
from results.tables.statistics import statistics, statistics_json
from results.tables.to_json import crosstables_json, json_text

MOST_GAMES = 1_000
"""An answer lists at most so many games."""


def json_of(source: PageSource, request: PageRequest, name: str) -> str | None:
    """The text of `/api/NAME`; None where there is no such. Raises BadWord and StoreError."""
    make = _MAKERS.get(name)
    return None if make is None else make(source, request)


def _text(source: PageSource, value: object) -> str:
    return json_text(source.privacy.config(value)) + "\n"


def _standings(source: PageSource, request: PageRequest) -> str:
    which = request.which(source.store, OF_TABLES)
    lists = source.rating_lists(which, request.anchor(source.store, which), sys.maxsize)
    return json_text(public_standings(lists, source.privacy)) + "\n"


def _crosstable(source: PageSource, request: PageRequest) -> str:
    which = request.which(source.store, OF_TABLES)
    return _text(source, crosstables_json(source.rating_lists(which, request.anchor(source.store, which))))


def _games(source: PageSource, request: PageRequest) -> str:
    """A line for each game: the first ones, or the last ones with `last`."""
    which = request.which(source.store, OF_GAMES)
    last = request.number("last", 0, MOST_GAMES)
    selection = Selection(which, request.order(), last or request.number("limit", MOST_GAMES, MOST_GAMES), bool(last))
    privacy = source.privacy
    return "".join(json.dumps(privacy.config(game._asdict())) + "\n" for game in source.store.briefs(selection))


def _stats(source: PageSource, request: PageRequest) -> str:
    which = request.which(source.store, (*OF_TABLES, "engine", "opponent"))
    _refuse_many(source, which)
    return _text(source, statistics_json(statistics(source.store, which)))


def _config(source: PageSource, request: PageRequest) -> str | None:
    runs = source.store.runs()
    if not runs:
        return None
    run = find_run(source.store, request.words["run"]) if "run" in request.words else runs[-1]
    return json.dumps(source.privacy.config(run_config(run))) + "\n"


def _refuse_many(source: PageSource, which: Filter) -> None:
    """Raise BadWord where every game must be read and these are too many."""
    games = sum(each.games for each in source.rating_lists(which).overall.counts)
    if games > MOST_HISTORY:
        raise BadWord(f"this reads every game, and {games} are too many for a page: ask for at most {MOST_HISTORY}")


_MAKERS: dict[str, Callable[[PageSource, PageRequest], str | None]] = {
    "standings.json": _standings,
    "crosstable.json": _crosstable,
    "games.json": _games,
    "stats.json": _stats,
    "config.json": _config,
}
NAMES = tuple(_MAKERS)
