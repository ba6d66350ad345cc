"""Openings drawn at random from a seed: so many legal plies, fit to be played from."""

import random

from arena.games.game import Game
from arena.games.rules import Position, Rules

TRIES = 500
"""A start from which so many draws fail has no fit opening of that length worth waiting for."""


class NoOpening(ValueError):
    """No fit opening of this length was found, said in one sentence."""


def of(rules: Rules, start: Position, given: tuple[str, ...] | None, plies: int, seed: str) -> tuple[str, ...]:
    """The opening of a game: the moves that its job gives, or else `plies` drawn at random. Raises NoOpening."""
    return draw(rules, start, plies, seed) if given is None else given


def draw(rules: Rules, start: Position, plies: int, seed: str) -> tuple[str, ...]:
    """`plies` random moves from `start`, the same for the same seed on every machine.

    Drawn again where the opening ends the game or lets the side to move win at once. Raises NoOpening.
    """
    chance = random.Random(seed)
    for _ in range(TRIES):
        game = Game(rules, start)
        while len(game.moves) < plies and game.outcome is None:
            game.play(chance.choice(game.position.legal_moves()).text)
        if game.outcome is None and (plies == 0 or not wins_at_once(game.position)):
            return tuple(game.moves)
    raise NoOpening(f"no opening of {plies} plies that leaves a game to play was found for {rules.name}: ask for fewer")


def wins_at_once(position: Position) -> bool:
    """Has the side to move a move that wins the game there and then?"""
    side = position.side
    return any(
        after.outcome is not None and after.outcome.winner == side
        for after in (position.play(move) for move in position.legal_moves())
    )
