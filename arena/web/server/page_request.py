"""What a request asks for: a language, a path, and words that choose games, as the options of the commands do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from arena.rulebook.board_drawing import Lang
from arena.web.links import ServerLinks
from results.store.filter import EVERYTHING, Filter, Order
from results.store.lookup import BadWord
from results.store.parse_filter import check_anchor, parse_filter, resolve_filter
from results.store.reader import Reader

FilterWord = Literal["run", "engine", "opponent", "variant", "tc", "termination", "winner", "since", "until", "anchor"]
OF_TABLES: tuple[FilterWord, ...] = ("run", "variant", "tc", "since", "until")
OF_GAMES: tuple[FilterWord, ...] = (*OF_TABLES, "engine", "opponent", "termination", "winner")
_LONGEST_WORD = 300
_ORDERS: dict[str, Order] = {
    "schedule": "schedule",
    "longest": "longest",
    "shortest": "shortest",
    "disputed": "disputed",
}


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request without its host: all that decides the answer."""

    path: str
    """Without the language, with its signs encoded as they came."""
    lang: Lang = "en"
    query: tuple[tuple[str, str], ...] = ()
    """The words that are not empty, in their order."""

    @property
    def words(self) -> Mapping[str, str]:
        return dict(self.query)

    @property
    def links(self) -> ServerLinks:
        """The addresses of pages, as seen from this one."""
        query = urlencode(self.query)
        kept = urlencode([(key, value) for key, value in self.query if key != "after"])
        return ServerLinks(self.lang, f"{self.path}?{query}" if query else self.path, kept)

    def given(self, names: tuple[FilterWord, ...]) -> dict[str, str]:
        """The words with these names that choose games."""
        return {name: self.words[name] for name in names if name in self.words}

    def which(self, store: Reader, names: tuple[FilterWord, ...]) -> Filter:
        """The games that these words choose. Raises BadWord."""
        words = self.given(names)
        for name, value in words.items():
            if len(value) > _LONGEST_WORD:
                raise BadWord(f"{name}: is longer than {_LONGEST_WORD} characters")
        return resolve_filter(store, parse_filter(**words))[0] if words else EVERYTHING

    def anchor(self, store: Reader, which: Filter) -> str | None:
        """The engine to which ratings are relative. Raises BadWord."""
        anchor = self.words.get("anchor")
        if anchor is not None:
            check_anchor(store, anchor, store.counts(which))
        return anchor

    def order(self) -> Order:
        """The order of a list of games. Raises BadWord."""
        word = self.words.get("sort", "schedule")
        if word not in _ORDERS:
            raise BadWord(f"sort {word[:40]}: name one of {', '.join(_ORDERS)}")
        return _ORDERS[word]

    def number(self, name: str, default: int, most: int) -> int:
        """A number from 1 to `most`. Raises BadWord."""
        text = self.words.get(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= most):
            raise BadWord(f"{name} {text[:40]}: write a number from 1 to {most}")
        return int(text)
