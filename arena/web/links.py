"""Where pages lie: paths of a server, names of files in a report, or places in a single file.

A template asks for the address of a page by its kind and key, such as `link("game", run, number)`. It gets None for a
page that is not there, and then writes the text without a link. File names are made of numbers only, never of names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, Self
from urllib.parse import quote

from arena.rulebook.board_drawing import Lang

Kind = Literal[
    "index",
    "standings",
    "crosstable",
    "games",
    "pair",
    "engine",
    "game",
    "pgn",
    "json",
    "svg",
    "run",
    "sprt",
    "ladder",
    "rounds",
    "checks",
    "check",
    "static",
]
"""The kinds of pages and files. `games` has the key of the page, `pair` two engines, `game` a run and a number,
`check` the number of a report."""
Key = str | int


class PageLinks(Protocol):
    """The addresses of pages, as seen from one page in one language."""

    @property
    def lang(self) -> Lang: ...
    def __call__(self, kind: Kind, *key: Key) -> str | None:
        """The address of a page; None where there is no such page."""

    def other(self, lang: Lang) -> str | None:
        """This page in a language; None where it is not there."""


@dataclass(frozen=True, slots=True)
class ServerLinks:
    """Paths of a server. Japanese pages have `/ja` before the path."""

    lang: Lang = "en"
    path: str = "/"
    """The path of the page that has the links, without the language, but with its query."""
    query: str = ""
    """What a list of games was asked for, for the link to its next page."""

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        prefix = "" if self.lang == "en" else f"/{self.lang}"
        words = [quote(str(part), safe="") for part in key]
        match kind:
            case "index":
                return f"{prefix}/"
            case "static":
                return f"/static/{words[0]}"
            case "games":
                query = f"{self.query}&" if self.query else ""
                return f"{prefix}/games?{query}after={words[0]}" if words else f"{prefix}/games"
            case "pair":
                return f"{prefix}/games?engine={words[0]}&opponent={words[1]}"
            case "game" | "pgn" | "json" | "svg":
                name = f"/game/{words[0]}-{words[1]}"
                return f"{prefix}{name}" if kind == "game" else f"{name}.{kind}"
            case _:
                return "/".join([prefix, kind, *words])

    def other(self, lang: Lang) -> str | None:
        return self.path if lang == "en" else f"/{lang}{self.path}"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The pages of a report, and the numbers that stand for engines and runs in the names of their files."""

    engines: Mapping[str, int]
    runs: Mapping[str, int]
    files: frozenset[str] = frozenset()
    """The names of all pages, relative to the folder of a language."""
    languages: tuple[Lang, ...] = ("en",)

    def name(self, kind: Kind, *key: Key) -> str | None:
        """The name of a page's file, relative to the folder of its language, whether it is there or not."""
        match kind:
            case "index" | "standings":
                return "index.html"
            case "crosstable":
                return "crosstable.html"
            case "games":
                return f"games/{key[0] if key else 1}.html"
            case "engine":
                return f"engine/{self.engines[str(key[0])]}.html" if key[0] in self.engines else None
            case "pair":
                numbers = [self.engines.get(str(each), 0) for each in key]
                return "pair/{}-{}.html".format(*sorted(numbers)) if all(numbers) else None
            case "run" | "sprt" | "ladder" | "rounds":
                return f"{kind}/{self.runs[str(key[0])]}.html" if key[0] in self.runs else None
            case "game" | "pgn" | "json" | "svg":
                end = "html" if kind == "game" else kind
                return f"game/{self.runs[str(key[0])]}-{key[1]}.{end}" if key[0] in self.runs else None
            case "checks":
                return "checks.html"
            case "check":
                return f"check/{key[0]}.html"
            case "static":
                return f"static/{key[0]}"

    def folder(self, lang: Lang) -> str:
        """The folder of a language: the first language has none of its own."""
        return "" if lang == self.languages[0] else f"{lang}/"

    def with_files(self, names: frozenset[str]) -> Self:
        """The same, with these pages."""
        return replace(self, files=names)


_SHARED = frozenset({"pgn", "json", "svg", "static"})
"""Files that are the same in each language and lie beside the pages of the first one."""


@dataclass(frozen=True, slots=True)
class FileLinks:
    """Relative names of files, as seen from the page `place`."""

    catalogue: Catalogue
    place: str
    """The name of the page that has the links, relative to the folder of its language."""
    lang: Lang = "en"
    _up: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "_up", "../" * self.place.count("/"))

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        name = self.catalogue.name(kind, *key)
        if name is None or (name not in self.catalogue.files and kind != "static"):
            return None
        return f"{self._up}{self._root if kind in _SHARED else ''}{name}"

    def other(self, lang: Lang) -> str | None:
        if lang not in self.catalogue.languages:
            return None
        return self._up + self._root + self.catalogue.folder(lang) + self.place

    @property
    def _root(self) -> str:
        """From the folder of this language to that of the report."""
        return "../" if self.catalogue.folder(self.lang) else ""


@dataclass(frozen=True, slots=True)
class AnchorLinks:
    """Places in a single file that has all pages, one below the other."""

    catalogue: Catalogue
    lang: Lang = "en"

    def __call__(self, kind: Kind, *key: Key) -> str | None:
        name = self.catalogue.name(kind, *key)
        there = name is not None and name in self.catalogue.files and kind not in _SHARED
        return f"#{anchor(name, self.lang)}" if name is not None and there else None

    def other(self, lang: Lang) -> str | None:
        return f"#{anchor('index.html', lang)}" if lang in self.catalogue.languages else None


def anchor(name: str, lang: Lang) -> str:
    """The id of a page in a single file."""
    return f"{lang}-{name.removesuffix('.html').replace('/', '-')}"
