"""The rules oracle of the conformance checks: the rules of `arena.games` behind the interface that `protocol` asks for.

It only translates positions, results and moves into the words of SPEC.md. The interface documents its methods.
"""

from collections.abc import Iterator

from arena.conformance.judge.interface import FuzzCase, NamedRule
from arena.games import perft
from arena.games.game import Game
from arena.games.game_words import legal_words, result_word
from arena.games.rules import UnknownVariant
from arena.games.variants import ANY_BOARD, CALLANISH, find, resolve


class GameLine:
    """A game as the checks follow it: a `Line` of the interface."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(self._game.moves)

    @property
    def side(self) -> str:
        return self._game.position.side

    @property
    def fen(self) -> str:
        return self._game.position.fen()

    @property
    def result(self) -> str:
        return result_word(self._game)

    def legal(self) -> tuple[str, ...]:
        return tuple(legal_words(self._game))

    def canonical(self, word: str) -> str | None:
        move = None if self._game.outcome is not None else self._game.position.find(word)
        return None if move is None else move.text

    def play(self, word: str) -> None:
        self._game.play(word)

    def perft(self, depth: int) -> int:
        return perft.perft(self._game.position, depth)


class RulesJudge:
    """The `RulesOracle` that asks `arena.games`."""

    def knows(self, variant: str) -> bool:
        """Is there a variant of this name, and has it the rule options that the name has?"""
        try:
            find(variant)
        except UnknownVariant:
            return False
        return True

    def is_callanish(self, variant: str) -> bool:
        return find(variant).base in CALLANISH

    def wire(self, variant: str) -> tuple[str, str]:
        rules = find(variant)
        return rules.base, rules.changed_options

    def drawn(self, announced: tuple[str, ...], variant: str) -> str | None:
        """The announced variant under which an engine plays a board of Callanish, if it plays drawn boards."""
        return ANY_BOARD if ANY_BOARD in announced and find(variant).base in CALLANISH else None

    def line(self, variant: str, fen: str | None = None, moves: tuple[str, ...] = ()) -> GameLine:
        """A game with its moves played. Raises RulesError."""
        game = Game(*resolve(variant, "", fen))
        for word in moves:
            game.play(word)
        return GameLine(game)

    def wellformed(self, variant: str, word: str) -> bool:
        return find(variant).wellformed(word)

    def fuzz_cases(self, variant: str, seed: int, change_options: bool) -> Iterator[FuzzCase]:
        from arena.conformance.judge.fuzz_cases import fuzz_cases

        return fuzz_cases(variant, seed, change_options)

    def rule(self, case: FuzzCase, query: str, said: str) -> NamedRule:
        from arena.conformance.judge.rule_names import rule

        return rule(case, query, said)

    def book(self, variant: str) -> dict[str, object]:
        """The golden positions of the variant, made when they are asked for."""
        from arena.conformance.judge.golden import golden_positions

        return golden_positions(variant)
