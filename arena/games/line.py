"""A line of play that comes from outside: moves to play, the positions that they lead to, and plain values for JSON."""

from collections.abc import Iterable

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.rules import IllegalMove, Position, RulesError
from arena.games.variants import resolve


class Unplayable(RulesError):
    """A line of play that the rules refuse. The message begins with the place: `start`, or the ply, from 1."""


def play_line(game: Game, moves: Iterable[str]) -> list[Position]:
    """Play the moves on from where the game is, and return the position after each. Raises Unplayable."""
    positions = []
    for ply, word in enumerate(moves, 1):
        if game.outcome is not None:
            over = f"the game was over before it, {game.outcome.winner} by {game.outcome.reason}"
            raise Unplayable(f"ply {ply}: {word!r} cannot be played: {over}")
        try:
            game.play(word)
        except IllegalMove as error:
            raise Unplayable(f"ply {ply}: {error}") from error
        positions.append(game.position)
    return positions


def played(variant: str, fen: str | None = None, moves: Iterable[str] = ()) -> Game:
    """A game with its moves played; `fen` None is the variant's start. Raises RulesError."""
    game = Game(*resolve(variant, fen=fen))
    for word in moves:
        game.play(word)
    return game


def replay(variant: str, fen: str, moves: Iterable[str]) -> tuple[Game, list[Position]]:
    """A recorded game played again: the game, and its positions from the start on. Raises Unplayable."""
    try:
        game = Game(*resolve(variant, fen=fen))
    except RulesError as error:
        raise Unplayable(f"start: {error}") from error
    return game, [game.start, *play_line(game, moves)]


def position_json(game: Game) -> dict[str, object]:
    """Where the game is, as plain values."""
    return {
        "variant": game.rules.name,
        "fen": game.position.fen(),
        "to_move": game.position.side,
        "legal": legal_words(game),
        "winner": None if game.outcome is None else game.outcome.winner,
        "reason": None if game.outcome is None else game.outcome.reason,
    }
