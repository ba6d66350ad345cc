"""A page is a function from an address to bytes. A server answers with it, and a report writes it into a file.

Pages are those of the table, the files of games, what the commands print as JSON, the style and the scripts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from markupsafe import Markup

from arena.games import board_svg
from arena.games.board_drawing import DrawnBoard
from arena.games.game_boards import boards_of_game
from arena.games.kind import GameKind
from arena.games.line import Unplayable, replay
from arena.web import api, render
from arena.web.links import SERVED, Links
from arena.web.page_request import PageRequest
from arena.web.page_table import PAGES, Kind, make_page, page_at
from arena.web.pages.game import game_text
from arena.web.pages.site import Site
from arena.web.pages.source import Choice, FilterWord, PageSource
from arena.web.render import Assets
from results.record import GameRecord, Termination
from results.safe_text import harmless
from results.variant_name import shown

ASSETS = Assets(policy="")
LIVE_ASSETS = Assets(policy="", live=True)
STATIC = {
    "style.css": "text/css; charset=utf-8",
    "game.js": "text/javascript; charset=utf-8",
    "live.js": "text/javascript; charset=utf-8",
    "play.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""The files of the style and the scripts, each with what it is."""
HTML, JSON = "text/html; charset=utf-8", "application/json"
_GAME_FILE = re.compile(r"/game/([0-9a-zA-Z]{1,64})-([0-9]{1,9})[.](pgn|json|svg)")
_MOST_CHOICES = 300
"""A field of a form lists at most so many engines."""


class NotThere(Exception):
    """There is no such page."""


class Answer(NamedTuple):
    """What is at an address."""

    body: bytes
    media: str


def answer(
    source: PageSource, site: Site, request: PageRequest, links: Links = SERVED, assets: Assets = ASSETS
) -> Answer:
    """What is at this address. Raises NotThere, BadWord and StoreError."""
    folder, _, name = request.path[1:].partition("/")
    if folder == "static":
        return static(name)
    if folder == "api":
        if (text := api.json_of(source, request, name)) is None:
            raise NotThere
        return _answer(text, JSON)
    if file := _GAME_FILE.fullmatch(request.path):
        return _game_file(source, request, file[1], int(file[2]), file[3])
    if (place := page_at(request.path)) is None:
        raise NotThere
    return _answer(_page(source, site, request, *place, links, assets))


def static(name: str) -> Answer:
    """A file of the style or a script. Raises NotThere."""
    if name not in STATIC:
        raise NotThere
    return _answer(render.static(name), STATIC[name])


def _answer(text: str, media: str = HTML) -> Answer:
    # A name from a file system may hold bytes that are no text.
    return Answer(text.encode(errors="backslashreplace"), media)


def _page(
    source: PageSource, site: Site, request: PageRequest, kind: Kind, key: tuple[str, ...], links: Links, assets: Assets
) -> str:
    """A page of the table as HTML; the forms of a server's pages choose games."""
    here, names = (kind, *key), PAGES[kind].filters
    if kind == "index" and not site.runs and PAGES["checks"].is_there(source.store):
        kind = "checks"  # nothing was played, so tables would be empty
    page = make_page(kind, source, request.choice(source.store, names) if names else Choice(), key)
    if page is None:
        raise NotThere
    form = _form(source, site, request, names) if names and site.live else render.NOTHING
    return render.document(kind, page, site, links, here, assets, form)


def _game_file(source: PageSource, request: PageRequest, run_id: str, number: int, kind: str) -> Answer:
    run = source.run(run_id)
    if run is None or source.store.id_of(run.id, number) is None:
        raise NotThere
    record = source.store.game(number, run.id)
    if kind == "svg":
        return _answer(_picture(record, request.words.get("ply")), "image/svg+xml")
    media = JSON if kind == "json" else "application/vnd.chess-pgn; charset=utf-8"
    return _answer(game_text(source.privacy.record(record), run.name, kind), media)


def _picture(record: GameRecord, ply: str | None) -> str:
    """The board of a game after a ply, or at its end; an empty one where the game cannot be replayed."""
    try:
        boards = boards_of_game(*replay(record.variant, record.fen, record.moves))
    except Unplayable:
        boards = [DrawnBoard(GameKind(), (".",))]
    if ply is not None and not (ply.isascii() and ply.isdigit() and len(ply) < 6 and int(ply) < len(boards)):
        raise NotThere
    at = len(boards) - 1 if ply is None else int(ply)
    title = f"{record.p1} against {record.p2}, {shown(record.variant)}, {at} of {len(boards) - 1}"
    return board_svg.document(boards[at], harmless(title))


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form by which games are chosen."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    """What can be chosen, each with its text; none where a text is typed."""
    kind: Literal["text", "date"] = "text"


def _form(source: PageSource, site: Site, request: PageRequest, names: Sequence[FilterWord]) -> Markup:
    """The form of a page that can be filtered."""
    fields = [field for name in names if (field := _field(source, site, request, name)) is not None]
    return render.part("filters.html", SERVED, fields=fields)


def _field(source: PageSource, site: Site, request: PageRequest, name: FilterWord) -> Field | None:
    """A field of the form; None where there is nothing to choose."""
    value, label = request.words.get(name, ""), "time control" if name == "tc" else name
    match name:
        case "since" | "until":
            return Field(name, label, value, kind="date")
        case "run":
            choices = [(run.id, run.name) for run, _ in site.runs]
        case "variant" | "tc" | "termination":
            words = source.kept(f"words of {name}", None, lambda: source.store.words(name))
            more = Termination if name == "termination" else ()
            choices = [(word, shown(word) if name == "variant" else word) for word in dict.fromkeys((*words, *more))]
        case "engine" | "opponent" | "anchor" | "winner":
            names = sorted(source.engines())
            first = ("p1", "p2", "draw", "none") if name == "winner" else ()
            choices = [(word, word) for word in (*first, *names)]
    if len(choices) > _MOST_CHOICES:
        return Field(name, label, value)
    few = 2 if name in ("run", "variant", "tc") else 1
    return Field(name, label, value, tuple(choices)) if len(choices) >= few or value else None


def message(site: Site, heading: str, sentence: str, waiting: bool = False) -> bytes:
    """A page that says something instead of another one. With `waiting`, it looks again after a while."""
    values = {"heading": heading, "sentence": site.privacy.text(sentence)}
    return framed("message.html", values, heading, site, (), replace(ASSETS, refresh_s=3 if waiting else 0))


def framed(template: str, page: object, title: str, site: Site, here: tuple[str, ...], assets: Assets) -> bytes:
    """A page of a server that the table does not have."""
    body = render.content(template, page, site, SERVED)
    return _answer(render.frame(body, title, site, SERVED, here, assets)).body
