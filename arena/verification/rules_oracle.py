"""The judge of the conformance checks: the rules of `arena.games` behind the interface that `protocol` asks for.

Owns nothing but the translation: positions, results and moves become the words of SPEC.md.
"""

from arena.games import perft as counting
from arena.games.game import Game
from arena.games.rules import UnknownVariant
from arena.games.variants import ANY_BOARD, CALLANISH, find, resolve


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
        outcome = self._game.outcome
        if outcome is None:
            return "none"
        return "draw" if outcome.winner == "draw" else f"{outcome.winner}win"

    def legal(self) -> tuple[str, ...]:
        """All legal moves; none where repetition has ended the game, though the board has some."""
        if self._game.outcome is not None:
            return ()
        return tuple(move.text for move in self._game.position.legal_moves())

    def canonical(self, word: str) -> str | None:
        """The canonical word of a legal move."""
        move = None if self._game.outcome is not None else self._game.position.find(word)
        return None if move is None else move.text

    def play(self, word: str) -> None:
        """Play a legal move. Raises IllegalMove."""
        self._game.play(word)

    def perft(self, depth: int) -> int:
        """Count sequences, repetition not seen."""
        return counting.perft(self._game.position, depth)


class RulesJudge:
    """Judges by the rules of the project."""

    def knows(self, variant: str) -> bool:
        """Is there a variant of this name, with knobs that it has?"""
        try:
            find(variant)
        except UnknownVariant:
            return False
        return True

    def wire(self, variant: str) -> tuple[str, str]:
        """Variant and knobs apart."""
        rules = find(variant)
        return rules.base, rules.changed_options

    def drawn(self, announced: tuple[str, ...], variant: str) -> str | None:
        """An engine that plays drawn boards plays every board of Callanish."""
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
        """Golden positions made on the spot."""
        from arena.verification.golden import make

        return make(variant)
