"""What an address asks for: a path, and words that choose games, as the options of the commands do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args
from urllib.parse import parse_qsl, urlencode

from arena.web.pages.source import Choice, FilterWord
from results.store.filter import EVERYTHING, Filter, Order
from results.store.lookup import BadWord, check_anchor, parse_filter, resolve_filter
from results.store.reader import Reader

_LONGEST_WORD = 300


@dataclass(frozen=True, slots=True)
class PageRequest:
    """An address without its host: all that decides the answer."""

    path: str
    """With its signs encoded as they came."""
    query: tuple[tuple[str, str], ...] = ()
    """The words that are not empty, in their order."""

    @property
    def words(self) -> Mapping[str, str]:
        return dict(self.query)

    @classmethod
    def of(cls, address: str) -> "PageRequest":
        """What this address of ours asks for."""
        path, _, query = address.partition("?")
        return cls(path, tuple(parse_qsl(query)))

    def which(self, store: Reader, names: tuple[FilterWord, ...]) -> Filter:
        """The games that the words with these names choose. Raises BadWord."""
        words = {name: self.words[name] for name in names if name in self.words and name != "anchor"}
        for name, value in words.items():
            if len(value) > _LONGEST_WORD:
                raise BadWord(f"{name}: is longer than {_LONGEST_WORD} characters")
        return resolve_filter(store, parse_filter(**words))[0] if words else EVERYTHING

    def choice(self, store: Reader, names: tuple[FilterWord, ...]) -> Choice:
        """The games that a page is of, if the words with these names may choose them. Raises BadWord."""
        which = self.which(store, names)
        anchor = self.anchor(store, which) if "anchor" in names else None
        query = urlencode([(key, value) for key, value in self.query if key != "after"])
        return Choice(which, anchor, self.words.get("after", ""), query, int(self.words.get("page", 1)))

    def anchor(self, store: Reader, which: Filter) -> str | None:
        """The engine to which ratings are relative. Raises BadWord."""
        anchor = self.words.get("anchor")
        if anchor is not None:
            check_anchor(store, anchor, store.counts(which))
        return anchor

    def order(self) -> Order:
        """The order of a list of games. Raises BadWord."""
        word = self.words.get("sort", "schedule")
        orders: tuple[Order, ...] = get_args(Order)
        for order in orders:
            if order == word:
                return order
        raise BadWord(f"sort {word[:40]}: name one of {', '.join(orders)}")

    def number(self, name: str, default: int, most: int) -> int:
        """A number from 1 to `most`. Raises BadWord."""
        text = self.words.get(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= most):
            raise BadWord(f"{name} {text[:40]}: write a number from 1 to {most}")
        return int(text)
