"""What one game brings: its variants, the words for its ends, and how its pieces are drawn. A game is one folder.

A kind joins the folder. The two built-in kinds and those of plug-ins are used in the same way: nothing outside of a
folder asks which game it has. `variants`, `endings` and `sides` are what a kind must say. All else has a plain default.
"""

import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from random import Random
from typing import ClassVar, Literal, NamedTuple

from arena.games.game import Game
from arena.games.random_line import RandomLine, random_play
from arena.games.rules import Move, OwnVariant, Position, Rules, Side, UnknownVariant
from arena.games.squares import spread_rows, write_rows

Lang = Literal["en", "ja"]


class Piece(NamedTuple):
    """What a letter of a position string stands for, and how it is drawn."""

    word: str
    """What it is called, such as `attacker`."""
    sign: str = ""
    """Its sign in a terminal, one column wide; the letter itself where it is empty or cannot be written."""
    style: str = ""
    """Its colour in a terminal, as rich writes it."""
    svg: str = ""
    """Its shape around 0 on a square of 40 units, in SVG; a disc with the letter where it is empty."""
    wide: str = ""
    """Its sign where all signs are two columns wide, as kanji are."""


class NamedRule(NamedTuple):
    """The rule that decides whether a move is legal, how a game ends, or what a move does."""

    clause: str
    """Of SPEC.md; empty if it has none."""
    text: str


class Decision(NamedTuple):
    """The squares that decided a game, or what the last move did in a special way. All fields are empty if none did."""

    squares: frozenset[str] = frozenset()
    """The squares by name: they are framed on every board."""
    king: str | None = None
    """Where a king was captured. The square is empty afterwards."""
    taken: frozenset[str] = frozenset()
    """Where the last move captured in a special way. The squares are empty afterwards."""
    what: str = ""
    """What the squares are, for the legend of a board, such as `winning line`."""
    sentence: str = ""
    """The same as a sentence, for readers who do not see the board."""


UNDECIDED = Decision()


class Section(NamedTuple):
    """A heading of a page of rules and the sentences under it."""

    heading: str
    sentences: Sequence[str]


class Page(NamedTuple):
    """The rules of one variant as text."""

    title: str
    summary: str = ""
    board: str = ""
    """The size of the board in words."""
    sections: tuple[Section, ...] = ()


class GameKind:
    """One game with all its variants. A kind of a plug-in derives from this class; it has no state."""

    name: ClassVar[str] = ""
    """The name of the game, a word."""
    endings: ClassVar[Mapping[str, str]] = {}
    """How the rules can end a game: the word that records have, and what it means for the end of a game, such as
    `the king escaped`. A word is lower-case letters and hyphens, and none that the referee uses."""
    sides: ClassVar[tuple[str, str]] = ("first player", "second player")
    """What players call p1 and p2."""
    pieces: ClassVar[Mapping[str, Piece]] = {}
    """What the letters on a board stand for. A letter that is not here is drawn as it is."""
    japanese: ClassVar[Mapping[str, str]] = {}
    """The Japanese of the English words of this class: sides, endings, pieces, what squares are."""
    drawn_letters: ClassVar[str] = ""
    """The letters that a board in a file may have beside `.`; empty if users cannot draw boards of this game."""
    men: ClassVar[tuple[str, str]] = ("", "")
    """The letters of p1's and p2's men, if contests of this game may count those that were captured."""
    blocked: ClassVar[str] = ""
    """The letters of squares that are not in play, such as holes."""
    symmetric: ClassVar[bool] = False
    """Whether every turn and mirror of the board that keeps its blocked squares keeps the rules, too."""
    any_board: ClassVar[str] = ""
    """The variant that takes every board that a user draws; empty if there is none."""

    def variants(self) -> Mapping[str, Rules]:
        """The rules of each variant by its name, in the order of lists. It must be quick: keep the mapping."""
        raise NotImplementedError

    def changed(self, rules: Rules, options: Mapping[str, str], own: OwnVariant | None) -> Rules:
        """The rules of a variant with changed rule options, and as a variant of a user's own. Raises UnknownVariant.

        `options` are the values by name, as a user wrote them; unchecked.
        """
        for option in options:
            raise UnknownVariant(f"{rules.base} has no rule option {option!r}; the game {self.name} has none")
        raise UnknownVariant(
            f"{rules.base} cannot be the base of a variant of your own: {self.name} does not offer that"
        )

    def without_board(self, rules: Rules) -> Rules:
        """The rules that a game is recorded under where no position string says how it starts."""
        return rules

    def position_of(self, rules: Rules, rows: Sequence[str], side: str, turn: int) -> str:
        """The position string of a board that a user drew in `drawn_letters`, with one character for each square."""
        return f"{write_rows(rows)} {side} {turn}"

    # What boards show.

    def rows(self, position: Position) -> tuple[str, ...]:
        """The board from the top rank down, with one letter for each square and `.` for an empty one."""
        return tuple(spread_rows(position.fen().split()[0]))

    def marked(self, rules: Rules) -> frozenset[str]:
        """The squares with rules of their own, such as the centre of a tafl board."""
        return frozenset()

    def deciding(self, before: Position | None, after: Position) -> Decision:
        """The squares that decided the game in `after`, or what the move from `before` did in a special way."""
        return UNDECIDED

    def threats(self, position: Position) -> str:
        """A sentence in English about what the side to move must answer now; usually empty."""
        return ""

    # What engines and other programs need.

    def evaluate(self, position: Position) -> int | None:
        """How good a game that goes on is for the side to move, 100 for a man or a pawn; None if nobody has said how.

        Then greedy, alphabeta and mcts play it out at random.
        """
        return None

    def written(self, start: Position, moves: Sequence[str]) -> Sequence[str]:
        """The moves of a game as PGN of other programs has them."""
        return moves

    def find_written(self, position: Position, word: str) -> Move | None:
        """The legal move that a word in PGN names, ours or another program's."""
        return position.find(word)

    # What the checks of engines need.

    def random_line(self, rules: Rules, number: int, chance: Random) -> RandomLine:
        """The random line of this number. Raises RulesError for one that the rules refuse; then another one is made."""
        return random_play(rules, chance)

    def random_rules(self, rules: Rules, announced: Sequence[Rules], number: int, chance: Random) -> Rules:
        """The variant with rule options at random, such as an engine that announces these variants must know."""
        return rules

    def file(self, name: str) -> Path:
        """A file of data in the folder of the game. It need not be there."""
        return Path(sys.modules[type(self).__module__].__file__ or "").parent / name

    # What people read.

    def rules_text(self, rules: Rules, lang: Lang, title: str = "") -> Page:
        """The rules as a page in a language. `title` is that of a user's own variant."""
        rows = self.rows(rules.start())
        return Page(title or rules.name, f"{self.sides[0]} against {self.sides[1]}", f"{len(rows[0])}x{len(rows)}")

    def short_rules(self, rules: Rules, start: Position) -> tuple[str, ...]:
        """The rules in about five lines of at most 80 columns, in English, for somebody who plays from `start` on."""
        return ()

    def move_rule(self, game: Game, word: str) -> NamedRule:
        """The rule that decides whether a move is legal now, for people and reports. The game goes on."""
        if not game.rules.wellformed(word):
            return NamedRule("5.8", f"{word} is not written as a move of this game")
        if game.position.find(word) is None:
            return NamedRule("5.8", f"{word} is not among the legal moves")
        return NamedRule("5.8", f"{word} is among the legal moves")

    def result_rule(self, game: Game, said: str) -> NamedRule:
        """The rule that decides the result of the game so far, where somebody says that it is `said`: a result in the
        words of SPEC.md 9.6, or `true` or `false` to the question whether it is over."""
        if game.outcome is None:
            return NamedRule("5.8", "the game goes on")
        return NamedRule("5.8", f"the game is over: {self.endings.get(game.outcome.reason, game.outcome.reason)}")

    def position_rule(self, game: Game, said: str) -> NamedRule:
        """The rule that decides the position after the last move, where somebody says that it is `said`."""
        return NamedRule("5.8", "the board, and all else that a position string of this game says")

    def pictures(self, rules: Rules, lang: Lang) -> Sequence[tuple[str, Game]]:
        """For each rule that is hard to tell in words a caption, and a game of one move that shows it."""
        return ()

    # Words in a language.

    def side_name(self, side: Side, lang: Lang = "en") -> str:
        """What players call a side: White or Black, attackers or defenders."""
        return self.say(self.sides[side == "p2"], lang)

    def say(self, text: str, lang: Lang) -> str:
        """The word of a language for an English word of this class."""
        return self.japanese.get(text, text) if lang == "ja" else text


def near(word: str, known: Sequence[str]) -> str:
    """The end of a message about a word that is unknown: the words that are like it, or all that there are."""
    alike = get_close_matches(word, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(alike)}?" if alike else f"; there are {', '.join(known)}"


def disc(colour: str, radius: int, y: int = 0) -> str:
    """A round piece in SVG, for `Piece.svg`; `colour` is `white` or `black`."""
    return f'<circle class="{colour}" cy="{y}" r="{radius}"/>'


CROWN = "M-10 8h20l2-15-7 6-5-10-5 10-7-6z"
"""A crown as a path in SVG, for kings."""
