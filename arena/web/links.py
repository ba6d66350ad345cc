"""Where pages lie: their addresses on a server, which are also what a report is made of.

A template asks for the address of a page by its kind and key, such as `link("game", run, number)`. In a report it gets
the name of a file, and None for a page that is not there: it then writes the text without a link.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from arena.web.page_table import GAME_FILES, PAGES, Kind
from arena.web.pages.source import Key


def address_of(kind: Kind, *key: Key) -> str:
    """The address of a page. Names are quoted, so that each is one part of it."""
    words = [quote(str(part), safe="") for part in key]
    if kind in ("static", "play", "guests"):
        return "/".join((f"/{kind}", *words))
    if kind in GAME_FILES:
        return f"{address_of('game', *key)}.{kind}"
    if kind == "games":
        return PAGES[kind].address + (f"?page={words[0]}" if key and key[0] != 1 else "")
    return PAGES[kind].address.format_map(dict(zip(PAGES[kind].fields, words, strict=True)))


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of pages as one page writes them."""

    files: Mapping[str, str] | None = None
    """The name of the file of each address, in a report; None on a server."""
    here: str = ""
    """The name of the file that has the links."""

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        """The address of a page; None where a report has no such page."""
        address = address_of(kind, *key)
        if self.files is None:
            return address
        return None if address not in self.files else "../" * self.here.count("/") + self.files[address]


SERVED = Links()
"""Those of a server."""
