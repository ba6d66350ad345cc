"""Random openings: legal plies drawn from a seed, after which the game is still open."""

import random

from arena.games.game import Game, beginning
from arena.games.game_words import legal_words
from arena.games.rules import Position, Rules

TRIES = 500
"""After so many failed draws the start is taken to have no usable opening of that length."""


class NoOpening(ValueError):
    """No usable opening of this length was found. The message is one sentence."""

    exit_code = 2


def draw(rules: Rules, start: Position, plies: int, seed: str) -> tuple[str, ...]:
    """`plies` random moves from `start`. The same seed gives the same moves on every machine.

    An opening that ends the game, or lets the side to move win at once, is drawn again. Raises NoOpening, GameFailed.
    """
    chance = random.Random(seed)
    with beginning(rules):
        for _ in range(TRIES):
            game = Game(rules, start)
            while len(game.moves) < plies and game.outcome is None:
                game.play(chance.choice(legal_words(game)))
            if game.outcome is None and (plies == 0 or not wins_at_once(game.position)):
                return tuple(game.moves)
    raise NoOpening(f"no opening of {plies} plies that leaves a game to play was found for {rules.name}: ask for fewer")


def wins_at_once(position: Position) -> bool:
    side = position.side
    return any(
        after.outcome is not None and after.outcome.winner == side
        for after in (position.play(move) for move in position.legal_moves())
    )
