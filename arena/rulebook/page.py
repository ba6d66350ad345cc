"""The rules of one variant as a page: a title, a summary and sections of sentences, in one language.

The facts come from `facts`, the sentences from `sentences`. Printing is left to the caller.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.games.rules import Rules, Side
from arena.rulebook import sentences
from arena.rulebook.board_drawing import Lang
from arena.rulebook.facts import TaflFacts, facts


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
    known = facts(rules)
    say = sentences.Texts(known, lang)
    if isinstance(known, TaflFacts):
        game, summary = sentences.tafl_title(say, known), sentences.tafl_summary(say, known)
        board, sections = f"{known.size}x{known.size}", sentences.tafl(say, known)
    else:
        game, summary = say("callanish title"), sentences.callanish_summary(say, known)
        board = say("any board") if known.any_board else f"{known.width}x{known.height}"
        sections = sentences.callanish(say, known)
    if rules.own is not None:
        game = say("own title", title=title or rules.own.name, name=rules.own.name, game=game)
    first = side_name(rules, known.first, lang)
    return Page(game, summary, board, first, tuple(Section(*part) for part in sections.items()))


def side_name(rules: Rules, side: Side, lang: Lang = "en") -> str:
    """The name that players give a side: White or Black, attackers or defenders."""
    known = facts(rules)
    names = ("attackers", "defenders") if isinstance(known, TaflFacts) else ("white", "black")
    return sentences.Texts(known, lang)(names[0] if side == "p1" else names[1])
