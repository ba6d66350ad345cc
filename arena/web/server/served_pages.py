"""The pages of a server: those of the table as HTML, with forms, and pages that say why another one is not shown.

All functions run in the thread of the database.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup

from arena.games import board_svg
from arena.games.game_boards import boards_of_game
from arena.games.line import Unplayable, replay
from arena.web import render
from arena.web.page_table import PAGES, make_page, page_at
from arena.web.pages.games import GAME
from arena.web.pages.site import Site
from arena.web.pages.source import Choice, FilterWord
from arena.web.render import Assets
from arena.web.server.database import ServedDatabase
from arena.web.server.page_request import PageRequest
from results.record import GameRecord, Run, Termination
from results.safe_text import harmless
from results.variant_name import shown

ASSETS = Assets(policy="")
LIVE_ASSETS = Assets(policy="", live=True)
_MOST_CHOICES = 300
"""A field of a form lists at most so many engines."""


class NotThere(Exception):
    """There is no such page."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form by which games are chosen."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    """What can be chosen, each with its text; none where a text is typed."""
    kind: Literal["text", "date"] = "text"


def page(db: ServedDatabase, request: PageRequest) -> str:
    """The page of this path as HTML. Raises NotThere, BadWord and StoreError."""
    return db.kept("page", request, lambda: _made(db, request))


def _made(db: ServedDatabase, request: PageRequest) -> str:
    place = page_at(request.path)
    if place is None:
        raise NotThere
    kind, key = place
    names = PAGES[kind].filters
    shown_page = make_page(kind, db.source, request.choice(db.store, names) if names else Choice(), key)
    if shown_page is None:
        raise NotThere
    form = _form(db, request, names) if names else render.NOTHING
    return render.document(kind, shown_page, db.site, request.links, (kind, *key), ASSETS, form)


def message(request: PageRequest, site: Site, heading: str, sentence: str, waiting: bool = False) -> str:
    """A page that says something instead of another one. With `waiting`, it looks again after a while."""
    values = {"heading": heading, "sentence": site.privacy.text(sentence)}
    body = render.content("message.html", values, site, request.links)
    assets = replace(ASSETS, refresh_s=3 if waiting else 0)
    return render.frame(body, heading, site, request.links, (), assets)


def game_of(db: ServedDatabase, name: str) -> tuple[Run, GameRecord]:
    """The game of `RUN-NUMBER`, with or without an ending, and its run. Raises NotThere and StoreError."""
    parts = GAME.fullmatch(name)
    run = None if parts is None else db.source.run(parts[1])
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
    return board_svg.document(boards[at], harmless(title))


def _form(db: ServedDatabase, request: PageRequest, names: Sequence[FilterWord]) -> Markup:
    """The form of a page that can be filtered."""
    fields = [field for name in names if (field := _field(db, request, name)) is not None]
    return render.part("filters.html", request.links, fields=fields)


def _field(db: ServedDatabase, request: PageRequest, name: FilterWord) -> Field | None:
    """A field of the form; None where there is nothing to choose."""
    value, label = request.words.get(name, ""), "time control" if name == "tc" else name
    match name:
        case "since" | "until":
            return Field(name, label, value, kind="date")
        case "run":
            choices = [(run.id, run.name) for run, _ in db.site.runs]
        case "variant":
            choices = [(word, shown(word)) for word in db.kept("variants", None, lambda: db.store.words("variant"))]
        case "tc":
            choices = [(word, word) for word in db.kept("clocks", None, lambda: db.store.words("tc"))]
        case "termination":
            words = db.kept("endings", None, lambda: db.store.words("termination"))
            choices = [(word, word) for word in dict.fromkeys((*words, *Termination))]
        case "engine" | "opponent" | "anchor" | "winner":
            names = sorted(db.source.engines())
            first = ("p1", "p2", "draw", "none") if name == "winner" else ()
            choices = [(word, word) for word in (*first, *names)]
    if len(choices) > _MOST_CHOICES:
        return Field(name, label, value)
    few = 2 if name in ("run", "variant", "tc") else 1
    return Field(name, label, value, tuple(choices)) if len(choices) >= few or value else None


def overview(db: ServedDatabase, request: PageRequest) -> str:
    """The first page while no run is played. It has the script, which notices when one begins."""

    def make() -> str:
        overview_page = make_page("index", db.source, Choice(), ())
        return render.document("index", overview_page, db.site, request.links, ("index",), LIVE_ASSETS)

    return db.kept("overview", None, make)
