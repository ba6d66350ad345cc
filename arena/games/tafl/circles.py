"""Lines of tafl that repeat positions: one piece of each side goes round and round."""

from itertools import pairwise
from random import Random

from arena.games.game import Game
from arena.games.random_line import letters
from arena.games.rules import Move, Position, RulesError
from arena.games.squares import SQUARE

_LONGEST = 90
"""Plies."""
_STOPS = (1, 1, 1, 2, 2, 3, 4)
"""On how many squares a piece stops before it is back. Rounds of different lengths bring the same board with the other
side to move, and a position again after many plies."""


def circle(game: Game, chance: Random) -> None:
    """Play rounds of one piece of each side, until a position has come for the last time; nothing if none is found."""
    for _ in range(20):
        trial = Game(game.rules, game.start)
        rounds: list[list[str]] = []
        for _ in range(2):
            start, squares = _free_squares(trial.position, chance)
            if trial.outcome is not None or not squares:
                break
            stops = chance.sample(squares, min(len(squares), chance.choice(_STOPS)))
            rounds.append([f"{one}{other}" for one, other in pairwise([start, *stops, start])])
            trial.play(rounds[-1][0])
        if len(rounds) == 2 and _play(Game(game.rules, game.start), rounds):
            _play(game, rounds)
            return


def _play(game: Game, rounds: list[list[str]]) -> bool:
    """Play both rounds over and over until the game ends. False where they cannot be played."""
    try:
        for ply in range(_LONGEST):
            if game.outcome is not None:
                return game.outcome.reason == "repetition"
            own = rounds[ply % 2]
            game.play(own[ply // 2 % len(own)])
    except RulesError:
        # Where p2 may not repeat a board, the line ends before the move that would.
        return game.rules.repetition == "forbidden-p2" and len(game.moves) > 2
    return True


def _free_squares(position: Position, chance: Random) -> tuple[str, list[str]]:
    """A piece of the side to move, and squares on one line to which it can go, next to which nothing can be taken."""
    count = letters(position)
    lines: dict[tuple[str, bool], list[Move]] = {}
    for move in position.moves():
        start, to = SQUARE.findall(move.text)
        lines.setdefault((start, start[0] == to[0]), []).append(move)
    if not lines:
        return "", []
    start, same_file = chance.choice(sorted(lines))
    after = ((move, position.play(move)) for move in lines[start, same_file])
    return start, [
        SQUARE.findall(move.text)[1] for move, then in after if then.outcome is None and letters(then) == count
    ]
