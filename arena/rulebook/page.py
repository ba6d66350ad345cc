"""The rules of one variant as a page: a title, a summary and sections of sentences, in one language.

The facts come from `facts`, the sentences from `english` and `japanese`. Printing is left to the caller.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arena.games.rules import Rules, Side
from arena.rulebook import english, japanese
from arena.rulebook.board_drawing import Lang
from arena.rulebook.facts import CallanishFacts, TaflFacts, facts


class _Language(Protocol):
    """What a module of sentences must have."""

    CALLANISH_SIDES: tuple[str, str]
    TAFL_SIDES: tuple[str, str]
    ANY_BOARD: str

    def own_title(self, title: str, name: str, game: str) -> str: ...
    def callanish_title(self, facts: CallanishFacts) -> str: ...
    def callanish_summary(self, facts: CallanishFacts) -> str: ...
    def callanish(self, facts: CallanishFacts) -> dict[str, list[str]]: ...
    def tafl_title(self, facts: TaflFacts) -> str: ...
    def tafl_summary(self, facts: TaflFacts) -> str: ...
    def tafl(self, facts: TaflFacts) -> dict[str, list[str]]: ...


_LANGUAGES: dict[Lang, _Language] = {"en": english, "ja": japanese}


class Section(NamedTuple):
    """A heading and the sentences under it."""

    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Page:
    """The rules of one variant as text."""

    title: str
    summary: str
    board: str
    """The size of the board in words."""
    first: str
    """The side that moves first."""
    sections: tuple[Section, ...]


def page(rules: Rules, lang: Lang, title: str = "") -> Page:
    """The rules of a variant with its rule options, in a language. `title` is that of a user's own variant."""
    words = _LANGUAGES[lang]
    known = facts(rules)
    if isinstance(known, TaflFacts):
        game, summary, sections = words.tafl_title(known), words.tafl_summary(known), words.tafl(known)
        board = f"{known.size}x{known.size}"
    else:
        game, summary, sections = words.callanish_title(known), words.callanish_summary(known), words.callanish(known)
        board = words.ANY_BOARD if known.any_board else f"{known.width}x{known.height}"
    if rules.own is not None:
        game = words.own_title(title or rules.own.name, rules.own.name, game)
    first = side_name(rules, known.first, lang)
    return Page(game, summary, board, first, tuple(Section(*part) for part in sections.items()))


def side_name(rules: Rules, side: Side, lang: Lang = "en") -> str:
    """The name that players give a side: White or Black, attackers or defenders."""
    words = _LANGUAGES[lang]
    names = words.TAFL_SIDES if isinstance(facts(rules), TaflFacts) else words.CALLANISH_SIDES
    return names[0] if side == "p1" else names[1]
