"""The rules oracle of the conformance checks: the rules of `arena.games` behind the interface that `protocol` asks for.

It only translates positions, results and moves into the words of SPEC.md.
"""

from arena.games import perft
from arena.games.game import Game
from arena.games.rules import UnknownVariant
from arena.games.variants import ANY_BOARD, CALLANISH, find, resolve
from arena.verification.game_words import legal_words, result_word


class GameLine:
    """A game as the checks follow it."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def moves(self) -> tuple[str, ...]:
        """The canonical words played so far."""
        return tuple(self._game.moves)

    @property
    def side(self) -> str:
        """The side to move."""
        return self._game.position.side

    @property
    def fen(self) -> str:
        """The position string."""
        return self._game.position.fen()

    @property
    def result(self) -> str:
        """The result as `query result` has it."""
        return result_word(self._game)

    def legal(self) -> tuple[str, ...]:
        """All legal moves; none where the game is over."""
        return tuple(legal_words(self._game))

    def canonical(self, word: str) -> str | None:
        """The canonical word of a legal move."""
        move = None if self._game.outcome is not None else self._game.position.find(word)
        return None if move is None else move.text

    def play(self, word: str) -> None:
        """Play a legal move. Raises IllegalMove."""
        self._game.play(word)

    def perft(self, depth: int) -> int:
        """The number of move sequences of this length. Repetition is not looked at."""
        return perft.perft(self._game.position, depth)


class RulesJudge:
    """The judge that asks `arena.games`."""

    def knows(self, variant: str) -> bool:
        """Is there a variant of this name, and has it the rule options that the name has?"""
        try:
            find(variant)
        except UnknownVariant:
            return False
        return True

    def wire(self, variant: str) -> tuple[str, str]:
        """The variant and its rule options, apart."""
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
        """Is it in the variant's move grammar?"""
        return find(variant).wellformed(word)

    def book(self, variant: str) -> dict[str, object]:
        """The golden positions of the variant, made when they are asked for."""
        from arena.verification.golden import golden_positions

        return golden_positions(variant)
