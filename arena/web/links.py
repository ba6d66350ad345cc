"""Where pages lie: paths of a server, or names of files in a report.

A template asks for the address of a page by its kind and key, such as `link("game", run, number)`. It gets None for a
page that is not there, and then writes the text without a link. File names are made of numbers only, never of names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

from arena.web.page_table import GAME_FILES, PAGES, Kind
from arena.web.pages.source import Key


class PageLinks(Protocol):
    """The addresses of pages, as seen from one page."""

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        """The address of a page; None where there is no such page."""


@dataclass(frozen=True, slots=True)
class ServerLinks:
    """Paths of a server."""

    query: str = ""
    """What a list of games was asked for, for the link to its next page."""

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        words = [quote(str(part), safe="") for part in key]
        if kind == "static":
            return f"/static/{words[0]}"
        if kind in ("play", "guests"):
            return "/".join((f"/{kind}", *words))
        if kind in GAME_FILES:
            return f"{_filled(PAGES['game'].address, 'game', words)}.{kind}"
        address = _filled(PAGES[kind].address, kind, words)
        if kind == "games" and words:
            return f"{address}?{self.query}{'&' if self.query else ''}after={words[0]}"
        return address


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The pages of a report, and the numbers that stand for engines and runs in the names of their files."""

    engines: Mapping[str, int]
    runs: Mapping[str, int]
    files: frozenset[str] = frozenset()
    """The names of all pages and of what can be taken of games."""

    def name(self, kind: Kind, *key: Key) -> str | None:
        """The name of a page's file, whether it is there or not."""
        if kind == "static":
            return f"static/{key[0]}"
        if kind in GAME_FILES:
            page = self.name("game", *key)
            return page and page.removesuffix("html") + kind
        fields = PAGES[kind].fields
        words = [self._word(field, each) for field, each in zip(fields, key or (1,), strict=False)]
        if not all(words):
            return None
        return _filled(PAGES[kind].file, kind, sorted(words, key=int) if kind == "pair" else words) or None

    def _word(self, field: str, key: Key) -> str:
        """What stands for a part of a key in the name of a file; empty where there is no page of it."""
        if field == "run":
            return str(self.runs.get(str(key), ""))
        return str(self.engines.get(str(key), "")) if field in ("engine", "opponent") else str(key)


def _filled(pattern: str, kind: Kind, words: Sequence[str]) -> str:
    """An address or the name of a file with the parts of its key."""
    return pattern.format_map(dict(zip(PAGES[kind].fields, words, strict=False)))


@dataclass(frozen=True, slots=True)
class FileLinks:
    """Relative names of files, as seen from the page `place`."""

    catalogue: Catalogue
    place: str
    """The name of the page that has the links."""

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        name = self.catalogue.name(kind, *key)
        if name is None or (name not in self.catalogue.files and kind != "static"):
            return None
        return "../" * self.place.count("/") + name
