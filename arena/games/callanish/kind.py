"""Callanish as a kind of game: its boards by name, its rule option, its words and pieces."""

# ruff: noqa: RUF001 - Japanese is written with full-width brackets.

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import ClassVar

from arena.games.callanish.board import Shape
from arena.games.callanish.rules import CallanishPosition, CallanishRules
from arena.games.game import Game
from arena.games.kind import Decision, GameKind, Lang, NamedRule, Page, Piece, disc
from arena.games.random_line import RandomLine
from arena.games.rules import OwnVariant, Position, Rules, UnknownVariant
from arena.games.squares import HOLE

ANY_BOARD = "callanish"
"""The variant of every drawn board. Without a position string it is the variant `PLAIN`."""
PLAIN = "callanish-9"
CORNERS = Shape(9, 9, frozenset("a1 a2 b1 h1 i1 i2 a8 a9 b9 h9 i8 i9".split()))
SHAPES: dict[str, Shape] = {
    ANY_BOARD: Shape(9, 9),
    "callanish-corners": CORNERS,
    **{f"callanish-{side}": Shape(side, side) for side in range(5, 26, 2)},
}
_SUPPLY = re.compile(r"[1-9][0-9]{0,3}")
_WHITE, _BLACK = "bold bright_white", "bold bright_blue"


class Callanish(GameKind):
    """Two players stack stones by knight's moves until one holds a line through the other's reply."""

    name = "callanish"
    endings: ClassVar = {"line": "a line held through the reply", "no-turn": "the other side has no complete turn"}
    sides = ("White", "Black")
    pieces: ClassVar = {
        "w": Piece("White", "○", _WHITE, disc("white", 14), "白"),
        "b": Piece("Black", "●", _BLACK, disc("black", 14), "黒"),
        "W": Piece("stack, White on Black", "◒", _WHITE, disc("black", 13, 5) + disc("white", 13, -4)),
        "B": Piece("stack, Black on White", "◓", _BLACK, disc("white", 13, 5) + disc("black", 13, -4)),
        HOLE: Piece("grey stone (hole)", "▒", "bright_black", '<path class="hole" d="M-20-20h40v40h-40z"/>'),
    }
    japanese: ClassVar = {
        "White": "白",
        "Black": "黒",
        "stack, White on Black": "スタック（黒の上に白）",
        "stack, Black on White": "スタック（白の上に黒）",
        "grey stone (hole)": "灰色の石（使えないマス）",
        "winning line": "勝ちを決めた列",
        "a line held through the reply": "相手の手のあともラインが残りました",
        "the other side has no complete turn": "相手は手番を最後まで行えません",
    }
    drawn_letters = "wbWB*"
    blocked = HOLE
    symmetric = True
    any_board = ANY_BOARD

    @cache  # noqa: B019 - there is one object
    def variants(self) -> Mapping[str, CallanishRules]:
        return {name: CallanishRules(name, shape, name == ANY_BOARD) for name, shape in SHAPES.items()}

    def changed(self, rules: Rules, options: Mapping[str, str], own: OwnVariant | None) -> CallanishRules:
        assert isinstance(rules, CallanishRules)
        base, supply = rules.base, options.get("supply")
        for option in options.keys() - {"supply"}:
            raise UnknownVariant(f"{base} has no rule option {option!r}; it has supply")
        if supply is not None and not _SUPPLY.fullmatch(supply):
            raise UnknownVariant(f"supply={supply} of {base} is not a number of stones from 1 to 9999")
        rules = replace(rules, supply=int(supply) if supply else None)
        if own is None:
            return rules
        if own.start is None:
            if rules.any_shape:
                raise UnknownVariant(f"{base} has no board of its own: draw one, or take {PLAIN} as the base")
            return replace(rules, own=own)
        start = rules.parse(own.start)
        starts_alike = not rules.any_shape and start == rules.start()
        own = own._replace(start=None if starts_alike else start.fen())
        return replace(rules, start_shape=start.board.shape, any_shape=False, own=own)

    def without_board(self, rules: Rules) -> Rules:
        assert isinstance(rules, CallanishRules)
        if rules.base != ANY_BOARD or rules.own is not None:
            return rules
        return replace(self.variants()[PLAIN], supply=rules.supply)

    def deciding(self, before: Position | None, after: Position) -> Decision:
        from arena.games.callanish.decision import decision

        assert isinstance(after, CallanishPosition)
        return decision(after)

    def threats(self, position: Position) -> str:
        from arena.games.callanish.decision import lines_to_break

        assert isinstance(position, CallanishPosition)
        lines, holder = " and ".join(lines_to_break(position)), self.sides[position.side == "p1"]
        return f"check: {holder} holds {lines}, and wins unless this turn breaks it" if lines else ""

    def rules_text(self, rules: Rules, lang: Lang, title: str = "") -> Page:
        from arena.games.callanish.page import page

        assert isinstance(rules, CallanishRules)
        return page(rules, lang, title)

    def short_rules(self, rules: Rules, start: Position) -> tuple[str, ...]:
        from arena.games.callanish.page import short_rules

        assert isinstance(rules, CallanishRules)
        return short_rules(rules, start)

    def move_rule(self, game: Game, word: str) -> NamedRule:
        from arena.games.callanish.named_rules import move_rule

        return move_rule(game, word)

    def result_rule(self, game: Game, said: str) -> NamedRule:
        from arena.games.callanish.named_rules import result_rule

        return result_rule(game, said)

    def position_rule(self, game: Game, said: str) -> NamedRule:
        from arena.games.callanish.named_rules import position_rule

        return position_rule(game)

    def random_line(self, rules: Rules, number: int, chance: Random) -> RandomLine:
        from arena.games.callanish.random_lines import random_line

        assert isinstance(rules, CallanishRules)
        return random_line(rules, number, chance)

    def random_rules(self, rules: Rules, announced: Sequence[Rules], number: int, chance: Random) -> Rules:
        from arena.games.callanish.random_lines import random_supply

        assert isinstance(rules, CallanishRules)
        return replace(rules, supply=random_supply(number, chance))


KIND = Callanish()
