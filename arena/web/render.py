"""Makes HTML of pages: the templates, their helpers, and the frame around each page."""

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.games.board_svg import symbols
from arena.web.links import Links
from arena.web.page_table import PAGES, Kind
from arena.web.pages.check_reports import AREAS, VERDICTS, report_page
from arena.web.pages.game import score_text
from arena.web.pages.games import result_of
from arena.web.pages.site import Site
from arena.web.pages.source import Key
from arena.web.privacy import Privacy
from results.plots.drawing import SHEET
from results.record import CheckReport
from results.safe_text import harmless
from results.tables.elo import elo_texts
from results.tables.render import duel_rows, shown_columns, standings_notes
from results.tally import pairs_note, percent
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
SCRIPTS = ("game.js", "live.js")
NOTHING = Markup("")
NO_LINKS = Links({})
"""Those of a page without other pages."""


@dataclass(frozen=True, slots=True)
class Assets:
    """How a page gets its style and its script."""

    policy: str = FILE_POLICY
    """The content security policy within the page; empty where a server sends it."""
    live: bool = False
    """Whether a server sends news for this page."""
    play: bool = False
    """Whether this is a page of a game with people."""
    refresh_s: int = 0
    """The browser should ask for the page again after so many seconds; 0: never."""


DEFAULT_ASSETS = Assets()
"""Those of a page in a folder of files."""


@cache
def environment() -> Environment:
    """The templates. A name that a template does not know is an error, and every text is escaped."""
    templates = Environment(
        loader=PackageLoader("arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters["plain"] = harmless
    templates.filters["variant"] = shown
    templates.filters["json"] = script_json
    templates.globals.update(result_of=result_of, percent=percent, pairs_text=pairs_note)
    templates.globals.update(elo_texts=elo_texts, duel_rows=duel_rows)
    templates.globals.update(shown_columns=shown_columns, standings_notes=standings_notes, score_text=score_text)
    templates.globals.update(symbols=Markup(symbols()), areas=AREAS, verdicts=VERDICTS)
    return templates


def part(template: str, link: Links, **values: object) -> Markup:
    """What a template makes of these values."""
    return Markup(environment().get_template(template).render(values, link=link))


def content(template: str, page: object, site: Site, link: Links, filters: Markup = NOTHING) -> Markup:
    """A page without its frame. `filters` come after its heading: a server's form by which games are chosen."""
    return part(template, link, page=page, site=site, level=1, filters=filters)


def document(
    kind: Kind,
    page: object,
    site: Site,
    link: Links,
    here: tuple[Key, ...],
    assets: Assets = DEFAULT_ASSETS,
    filters: Markup = NOTHING,
) -> str:
    """A whole page, as the row `kind` shows it. `here` is its own kind and its key, as the navigation has them."""
    row = PAGES[kind]
    body = content(row.template, page, site, link, filters=filters)
    return frame(body, row.title + row.subject.format(page=page), site, link, here, assets)


def frame(body: Markup, title: str, site: Site, link: Links, here: tuple[Key, ...], assets: Assets) -> str:
    """The frame around the content of a page."""
    return str(part("layout.html", link, body=body, title=title, site=site, here=here, assets=assets))


def lone_check(report: CheckReport) -> str:
    """A report of the checks as one file that can be sent: with its style, without a script or a link."""
    page = report_page(0, report, Privacy(hide=False))
    style = static(STYLE)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'none'; base-uri 'none'"
    title = f"{page.row.name}: {report.grade}"
    return str(part("lone.html", NO_LINKS, page=page, level=1, title=title, style=Markup(style), policy=policy))


def script_json(value: object) -> Markup:
    """A value as JSON within a script element, which no text in it can end."""
    text = json.dumps(value, separators=(",", ":"))
    for sign, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, code)
    return Markup(text)


def static(name: str) -> str:
    """The text of a file of the style or a script. The style begins with that of the pictures, a script with boards."""
    folder = resources.files("arena.web") / "static"
    before = SHEET if name == STYLE else (folder / "board.js").read_text(encoding="utf-8") if name in SCRIPTS else ""
    return before + (folder / name).read_text(encoding="utf-8")
