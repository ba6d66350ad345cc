"""Makes HTML of pages: the templates, their helpers, and the frame around each page."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar, Protocol

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.rulebook.board_drawing import Lang
from arena.web import board, words
from arena.web.links import Key, PageLinks
from arena.web.pages.games import result_of
from arena.web.pages.site import Site
from arena.web.pages.standings import score_text
from results.plots.drawing import SHEET
from results.safe_text import harmless
from results.shares import percent
from results.tally import pairs_note
from results.variant_name import shown

SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""The content security policy that a server sends with each page."""
FILE_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'"
)
"""That of a page in a file. A browser takes a file for an origin of its own, so `self` alone would allow nothing."""
STYLE = "style.css"
NOTHING = Markup("")


class ShownPage(Protocol):
    """A page value: it knows its template."""

    template: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Assets:
    """How a page gets its style and its script."""

    policy: str = FILE_POLICY
    """The content security policy within the page; empty where a server sends it."""
    style: str = ""
    """The text of the style sheet, if it stands in the page itself."""
    script: str = ""
    live: bool = False
    """Does a server send news for this page?"""
    refresh_s: int = 0
    """The browser should ask for the page again after so many seconds; 0: never."""


DEFAULT_ASSETS = Assets()
"""Those of a page in a folder of files."""


@cache
def environment() -> Environment:
    """The templates. A name that a template does not know is an error, and every text is escaped."""
    found = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters["plain"] = harmless
    found.filters["variant"] = shown
    found.filters["json"] = script_json
    found.globals.update(result_of=result_of, score_text=score_text, percent=percent, pairs_text=pairs_note)
    found.globals.update(symbols=board.SYMBOLS, language_names=words.NAMES)
    return found


def content(
    page: ShownPage, site: Site, link: PageLinks, prefix: str = "", level: int = 1, filters: Markup = NOTHING
) -> Markup:
    """A page without its frame. `prefix` begins all ids, and `level` is that of the page's heading.

    `filters` stand behind that heading: a server's form by which games are chosen.
    """
    template = environment().get_template(page.template)
    return Markup(
        template.render(
            page=page,
            site=site,
            link=link,
            lang=link.lang,
            t=words.translator(link.lang),
            prefix=prefix,
            level=level,
            filters=filters,
        )
    )


def document(
    page: ShownPage, site: Site, link: PageLinks, here: tuple[Key, ...], assets: Assets = DEFAULT_ASSETS
) -> str:
    """A whole page. `here` is the kind of the page, and its key, as the navigation has them."""
    return frame(content(page, site, link), title_of(page, link.lang), site, link, here, assets)


def frame(body: Markup, title: str, site: Site, link: PageLinks, here: tuple[Key, ...], assets: Assets) -> str:
    """The frame around the content of a page."""
    return (
        environment()
        .get_template(Site.template)
        .render(
            body=body,
            title=title,
            site=site,
            link=link,
            lang=link.lang,
            t=words.translator(link.lang),
            here=here,
            assets=assets,
            languages=[(lang, link.other(lang)) for lang in words.LANGUAGES],
        )
    )


def title_of(page: ShownPage, lang: Lang) -> str:
    """What the window is called."""
    t = words.translator(lang)
    match page.template:
        case "standings.html":
            return t("Standings")
        case "engine.html":
            return f"{t('Engine')} {getattr(page, 'name', '')}"
        case "game.html":
            record = getattr(page, "record", None)
            return "" if record is None else f"{t('Game')} {record.number}: {record.p1} - {record.p2}"
        case "check.html":
            return f"{t('Checks')}: {getattr(getattr(page, 'row', None), 'name', '')}"
        case "run.html":
            return t("Configuration")
        case "sprt.html":
            return t("Sequential test")
        case other:
            return t(other.removesuffix(".html").capitalize())


def script_json(value: object) -> Markup:
    """A value as JSON within a script element, which no text in it can end."""
    text = json.dumps(value, separators=(",", ":"))
    for sign, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, code)
    return Markup(text)


def static(name: str) -> str:
    """The text of a file of the style or the script. The style includes that of the pictures."""
    text = (resources.files("arena.web") / "static" / name).read_text(encoding="utf-8")
    return SHEET + text if name == STYLE else text
