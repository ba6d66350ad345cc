"""The tafl family as a kind of game: its variants by name, its rule options, its words and pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import ClassVar

from arena.games.game import Game
from arena.games.kind import CROWN, Decision, GameKind, Lang, NamedRule, Page, Piece, disc, near
from arena.games.random_line import RandomLine
from arena.games.rules import BadPosition, OwnVariant, Position, Rules, UnknownVariant
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.tafl.variants import OPTION_VALUES, STEPS, TAFL, conflict

_KING = disc("white", 17) + f'<path class="crown" d="{CROWN}"/>'


class Tafl(GameKind):
    """Attackers against a king who wants to escape."""

    name = "tafl"
    endings: ClassVar = {
        "king-escaped": "the king escaped",
        "king-captured": "the king is captured",
        "encircled": "the king and all defenders are surrounded",
        "fort": "the king has a fort",
        "repetition": "the position was repeated",
        "no-move": "the other side has no legal move",
    }
    sides = ("attackers", "defenders")
    pieces: ClassVar = {
        "a": Piece("attacker", "●", "bold bright_red", disc("black", 14), "攻"),
        "d": Piece("defender", "○", "bold bright_white", disc("white", 14), "守"),
        "k": Piece("king", "♔", "bold bright_yellow", _KING, "王"),
    }
    japanese: ClassVar = {
        "attackers": "攻撃側",
        "defenders": "守備側",
        "attacker": "攻撃側の駒",
        "defender": "守備側の駒",
        "king": "王",
        "where the king escaped": "王が逃げたマス",
        "what captured the king": "王を捕らえた駒やマス",
        "the ring around the defenders": "守備側を囲む駒",
        "the fort": "砦",
        "shieldwall": "盾の壁",
        "the king escaped": "王が逃げました",
        "the king is captured": "王が捕らえられました",
        "the king and all defenders are surrounded": "王と守備側の駒がすべて包囲されました",
        "the king has a fort": "王が砦を築きました",
        "the position was repeated": "同じ局面が繰り返されました",
        "the other side has no legal move": "相手に合法な手がありません",
    }
    drawn_letters = "adk"
    men = ("a", "d")
    symmetric = True

    @cache  # noqa: B019 - there is one object
    def variants(self) -> Mapping[str, TaflRules]:
        return {name: TaflRules(name, each.start, each.options, each.options) for name, each in TAFL.items()}

    def changed(self, rules: Rules, options: Mapping[str, str], own: OwnVariant | None) -> TaflRules:
        assert isinstance(rules, TaflRules)
        base = rules.base
        for option, value in options.items():
            values = OPTION_VALUES.get(option)
            if values is None:
                raise UnknownVariant(f"{base} has no rule option {option!r}{near(option, tuple(OPTION_VALUES))}")
            if value not in values:
                allowed = "any or a number from 1 to 24" if values == STEPS else " or ".join(values)
                raise UnknownVariant(f"{option}={value} of {base} is out of range: {option} is {allowed}")
        rules = replace(rules, options=rules.options.changed(options))
        if reason := conflict(rules.options, rules.size):
            raise UnknownVariant(f"{base}: {reason}")
        if own is None or own.start is None:
            return replace(rules, own=own)
        try:
            start = rules.parse(own.start)
        except BadPosition as error:
            raise BadPosition(f"{error}{_of_size(own.start, rules.size)}") from None
        if start == rules.start():
            return replace(rules, own=own._replace(start=None))
        return replace(rules, start_fen=start.fen(), own=own._replace(start=start.fen()))

    def marked(self, rules: Rules) -> frozenset[str]:
        from arena.games.tafl.facts import facts

        assert isinstance(rules, TaflRules)
        return facts(rules).marked

    def deciding(self, before: Position | None, after: Position) -> Decision:
        from arena.games.tafl.decision import decision

        assert isinstance(before, TaflPosition | None) and isinstance(after, TaflPosition)
        return decision(before, after)

    def rules_text(self, rules: Rules, lang: Lang, title: str = "") -> Page:
        from arena.games.tafl.page import page

        assert isinstance(rules, TaflRules)
        return page(rules, lang, title)

    def short_rules(self, rules: Rules, start: Position) -> tuple[str, ...]:
        from arena.games.tafl.page import short_rules

        assert isinstance(rules, TaflRules)
        return short_rules(rules, start)

    def move_rule(self, game: Game, word: str) -> NamedRule:
        from arena.games.tafl.named_rules import move_rule

        return move_rule(game, word)

    def result_rule(self, game: Game, said: str) -> NamedRule:
        from arena.games.tafl.named_rules import result_rule

        return result_rule(game, said)

    def position_rule(self, game: Game, said: str) -> NamedRule:
        from arena.games.tafl.named_rules import position_rule

        return position_rule(game, said)

    def random_line(self, rules: Rules, number: int, chance: Random) -> RandomLine:
        from arena.games.tafl.random_lines import random_line

        assert isinstance(rules, TaflRules)
        return random_line(rules, number, chance)

    def random_rules(self, rules: Rules, announced: Sequence[Rules], number: int, chance: Random) -> Rules:
        from arena.games.tafl.random_lines import random_rules

        assert isinstance(rules, TaflRules)
        return random_rules(rules, announced, number, chance)

    def pictures(self, rules: Rules, lang: Lang) -> Sequence[tuple[str, Game]]:
        from arena.games.tafl.pictures import pictures

        assert isinstance(rules, TaflRules)
        return pictures(rules, lang)


def _of_size(fen: str, size: int) -> str:
    """What to do about a tafl board that has another size than its base; empty where it has the same."""
    ranks = fen.count("/") + 1
    if ranks == size:
        return ""
    fitting = [name for name in TAFL if TAFL[name].start.count("/") + 1 == ranks]
    if fitting:
        return f": take {' or '.join(fitting)} as the base, and change its rule options"
    sizes = sorted({variant.start.count("/") + 1 for variant in TAFL.values()})
    return f"; a tafl board has {', '.join(map(str, sizes[:-1]))} or {sizes[-1]} ranks, and as many files"


KIND = Tafl()
