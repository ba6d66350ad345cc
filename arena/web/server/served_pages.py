"""The pages of a server: which page a path means, and that page as HTML. They are those of a report, with forms.

All functions run in the thread of the database.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal
from urllib.parse import unquote

from markupsafe import Markup

from arena.games.line import Unplayable, replay
from arena.rulebook import board_drawing
from arena.rulebook.game_boards import boards_of_game
from arena.web import render, words
from arena.web.links import Key
from arena.web.pages import check_reports, engine, game, games, standings
from arena.web.pages.run_pages import RUN_PAGES, RunPageKind
from arena.web.pages.site import Site
from arena.web.render import Assets, ShownPage
from arena.web.server.database import ServedDatabase
from arena.web.server.page_request import OF_GAMES, OF_TABLES, FilterWord, PageRequest
from results.record import GameRecord, Run, Termination
from results.store.parse_filter import engines as engine_names
from results.variant_name import shown

ASSETS = Assets(policy="")
LIVE_ASSETS = Assets(policy="", live=True)
_GAME = re.compile(r"([0-9a-zA-Z]{1,64})-([0-9]{1,9})(?:\.(pgn|json|svg))?")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_MOST_CHOICES = 300
"""A field of a form lists at most so many engines."""


class NotThere(Exception):
    """There is no such page."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form by which games are chosen."""

    name: str
    label: str
    """An English word of the interface."""
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    """What can be chosen, each with its text; none where a text is typed."""
    kind: Literal["text", "date"] = "text"


@dataclass(frozen=True, slots=True)
class FilterForm:
    """A form that chooses games."""

    template: ClassVar[str] = "filters.html"

    fields: tuple[Field, ...]
    is_used: bool


@dataclass(frozen=True, slots=True)
class MessagePage:
    """A page that says why another one cannot be shown."""

    template: ClassVar[str] = "message.html"

    heading: str
    """An English word of the interface."""
    sentence: str


def page(db: ServedDatabase, asked: PageRequest) -> str:
    """The page of this path as HTML. Raises NotThere, BadWord and StoreError."""
    return db.kept("page", asked, lambda: _made(db, asked))


def _made(db: ServedDatabase, asked: PageRequest) -> str:
    kind, *key = map(unquote, asked.path.removeprefix("/").split("/"))
    maker = _MAKERS.get(kind)
    if maker is None or len(key) > 1 or not asked.path.startswith("/"):
        raise NotThere
    return maker(db, asked, *key)


def message(asked: PageRequest, site: Site, heading: str, sentence: str, waiting: bool = False) -> str:
    """A page that says something instead of another one. With `waiting`, it looks again after a while."""
    found = MessagePage(heading, site.privacy.text(sentence))
    body = render.content(found, site, asked.links)
    assets = replace(ASSETS, refresh_s=3 if waiting else 0)
    return render.frame(body, words.translator(asked.lang)(heading), site, asked.links, (), assets)


def _document(
    db: ServedDatabase,
    asked: PageRequest,
    found: ShownPage | None,
    here: tuple[Key, ...],
    filters: Markup = render.NOTHING,
) -> str:
    """The whole page. Raises NotThere where there is none."""
    if found is None:
        raise NotThere
    body = render.content(found, db.site, asked.links, filters=filters)
    return render.frame(body, render.title_of(found, asked.lang), db.site, asked.links, here, ASSETS)


def _standings(db: ServedDatabase, asked: PageRequest) -> str:
    which = asked.which(db.store, OF_TABLES)
    pools = db.pools(which, asked.anchor(db.store, which))
    found = standings.standings_page(db.store, pools, db.site.privacy, which)
    return _document(db, asked, found, ("standings",), _form(db, asked, (*OF_TABLES, "anchor")))


def _crosstable(db: ServedDatabase, asked: PageRequest) -> str:
    found = standings.crosstable_page(db.pools(asked.which(db.store, OF_TABLES)))
    return _document(db, asked, found, ("crosstable",), _form(db, asked, OF_TABLES))


def _games(db: ServedDatabase, asked: PageRequest) -> str:
    which = asked.which(db.store, OF_GAMES)
    after = None
    if text := asked.words.get("after"):
        parts = _GAME.fullmatch(text)
        if parts is None:
            raise NotThere
        after = parts[1], int(parts[2])
    found = games.games_page(db.store, which, after, db.site.privacy)
    one, two = which.engine, which.opponent
    if one is not None and two is not None and asked.given(OF_GAMES).keys() == {"engine", "opponent"}:
        table = db.pools().overall.crosstable
        score = None
        if {one, two} <= set(table.engines):
            score = table.cells[table.engines.index(one)][table.engines.index(two)]
        found = games.GamesPage(found.games, (one, two), score, after=found.after, total=found.total)
    return _document(db, asked, found, ("games",), _form(db, asked, OF_GAMES))


def _engine(db: ServedDatabase, asked: PageRequest, name: str = "") -> str:
    if name not in db.kept("engines", None, lambda: engine_names(db.store)):
        raise NotThere
    found = engine.engine_page(db.store, db.pools(), name, db.site.privacy, db.history())
    return _document(db, asked, found, ("engine", name))


def _game(db: ServedDatabase, asked: PageRequest, name: str = "") -> str:
    parts = _GAME.fullmatch(name)
    if parts is None or parts[3]:
        raise NotThere
    run, record = game_of(db, name)
    near = tuple(
        number if number > 0 and db.store.id_of(run.id, number) is not None else None
        for number in (record.number - 1, record.number + 1)
    )
    found = game.game_page(db.store, record, db.site.privacy, run.name, (near[0], near[1]))
    return _document(db, asked, found, ("game", run.id, record.number))


def _checks(db: ServedDatabase, asked: PageRequest) -> str:
    found = check_reports.checks_page(db.store, db.site.privacy)
    return _document(db, asked, found if found.total else None, ("checks",))


def _check(db: ServedDatabase, asked: PageRequest, number: str = "") -> str:
    if not _NUMBER.fullmatch(number):
        raise NotThere
    return _document(
        db, asked, check_reports.check_page(db.store, int(number), db.site.privacy), ("check", int(number))
    )


def game_of(db: ServedDatabase, name: str) -> tuple[Run, GameRecord]:
    """The game of `RUN-NUMBER`, with or without an ending, and its run. Raises NotThere and StoreError."""
    parts = _GAME.fullmatch(name)
    run = None if parts is None else _run(db, parts[1])
    if parts is None or run is None or db.store.id_of(run.id, int(parts[2])) is None:
        raise NotThere
    return run, db.store.game(int(parts[2]), run.id)


def game_svg(db: ServedDatabase, name: str, ply: str | None) -> str:
    """The board of a game after a ply, or at its end, as a document. Raises NotThere and StoreError."""
    _, record = game_of(db, name)
    try:
        boards = boards_of_game(*replay(record.variant, record.fen, record.moves))
    except Unplayable:
        raise NotThere from None
    if ply is not None and not (ply.isascii() and ply.isdigit() and len(ply) < 6 and int(ply) < len(boards)):
        raise NotThere
    at = len(boards) - 1 if ply is None else int(ply)
    title = f"{record.p1} against {record.p2}, {shown(record.variant)}, {at} of {len(boards) - 1}"
    return board_drawing.svg(boards[at], title)


def _run(db: ServedDatabase, run_id: str) -> Run | None:
    return next((each.run for each in db.site.runs if each.run.id == run_id), None)


def _of_run(kind: RunPageKind) -> Callable[..., str]:
    """The maker of a page that belongs to a run."""

    def made(db: ServedDatabase, asked: PageRequest, run_id: str = "") -> str:
        run = _run(db, run_id)
        if run is None or not kind.fits(run):
            raise NotThere
        return _document(db, asked, kind.make(db.store, run, db.site.privacy), (kind.kind, run.id))

    return made


_MAKERS: dict[str, Callable[..., str]] = {
    "standings": _standings,
    "crosstable": _crosstable,
    "games": _games,
    "engine": _engine,
    "game": _game,
    "checks": _checks,
    "check": _check,
    **{each.kind: _of_run(each) for each in RUN_PAGES},
}


def _form(db: ServedDatabase, asked: PageRequest, names: Sequence[FilterWord]) -> Markup:
    """The form of a page that can be filtered."""
    fields = [field for name in names if (field := _field(db, asked, name)) is not None]
    used = any(asked.words.get(field.name) for field in fields)
    return render.content(FilterForm(tuple(fields), used), db.site, asked.links)


_LABELS: dict[FilterWord, str] = {
    "run": "run",
    "engine": "engine",
    "opponent": "opponent",
    "variant": "variant",
    "tc": "time control",
    "termination": "termination",
    "winner": "winner",
    "since": "since",
    "until": "until",
    "anchor": "anchor",
}


def _field(db: ServedDatabase, asked: PageRequest, name: FilterWord) -> Field | None:
    """A field of the form; None where there is nothing to choose."""
    value, label = asked.words.get(name, ""), _LABELS[name]
    match name:
        case "since" | "until":
            return Field(name, label, value, kind="date")
        case "run":
            choices = [(each.run.id, each.run.name) for each in db.site.runs]
        case "variant":
            choices = [(word, shown(word)) for word in db.kept("variants", None, lambda: db.store.words("variant"))]
        case "tc":
            choices = [(word, word) for word in db.kept("clocks", None, lambda: db.store.words("tc"))]
        case "termination":
            choices = [(word.value, word.value) for word in Termination]
        case "engine" | "opponent" | "anchor" | "winner":
            names = sorted(db.kept("engines", None, lambda: engine_names(db.store)))
            first = ("p1", "p2", "draw", "none") if name == "winner" else ()
            choices = [(word, word) for word in (*first, *names)]
    if len(choices) > _MOST_CHOICES:
        return Field(name, label, value)
    few = 2 if name in ("run", "variant", "tc") else 1
    return Field(name, label, value, tuple(choices)) if len(choices) >= few or value else None


def overview(db: ServedDatabase, asked: PageRequest) -> str:
    """The first page while no run is played. It has the script, which notices when one begins."""

    def make() -> str:
        found = standings.standings_page(db.store, db.pools(), db.site.privacy)
        body = render.content(found, db.site, asked.links)
        return render.frame(body, render.title_of(found, asked.lang), db.site, asked.links, ("index",), LIVE_ASSETS)

    return db.kept("overview", asked.lang, make)


def standings_now(db: ServedDatabase) -> standings.StandingsTable:
    """The standings of all games in short, for the page of the running games."""
    return db.kept("now", None, lambda: standings.standings_table(db.pools().overall, with_picture=False))
