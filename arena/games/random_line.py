"""Random lines of play: what the random positions of all games have in common."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from arena.games.game import Game
from arena.games.rules import Move, Position, Rules

_SHORT, _PLIES, _SOME = 5, 150, 40


class RandomLine(NamedTuple):
    """A random line of play, with which the checks compare an engine's rules with ours."""

    variant: str
    """Its name carries the rule options."""
    fen: str
    moves: tuple[str, ...]
    theme: str
    """What the line is about, such as `a capture`."""


def random_play(rules: Rules, chance: Random) -> RandomLine:
    """A short walk from a position that random play led to."""
    game, start = Game(rules, rules.start()), rules.start()
    for _ in range(chance.randint(0, _PLIES)):
        if game.outcome is not None:
            break
        start = game.position
        game.advance(chance.choice(start.moves()))
    line = Game(rules, start)
    walk(line, chance)
    return RandomLine(rules.name, start.fen(), tuple(line.moves), "random play")


def walk(game: Game, chance: Random) -> None:
    """A few moves: mostly such as capture, end the game or block the opponent, where there are any."""
    for _ in range(chance.randint(1, _SHORT)):
        moves = game.choices()
        if not moves:
            return
        if chance.random() < 0.7:
            moves = _telling(game.position, moves, chance) or moves
        game.advance(chance.choice(moves))


def _telling(position: Position, moves: Sequence[Move], chance: Random) -> list[Move]:
    """Those of some moves after which the game is over or the board has fewer letters than before."""
    count, some = letters(position), chance.sample(list(moves), min(len(moves), _SOME))
    return [move for move in some if (after := position.play(move)).outcome is not None or letters(after) < count]


def letters(position: Position) -> int:
    """How many letters the board of a position string has."""
    return sum(letter.isalpha() for letter in position.fen().split()[0])


def with_some_turn(fen: str, chance: Random) -> str:
    """A position string that ends with its turn number, now and then without it or with another one."""
    if (kind := chance.random()) > 0.4:
        return fen
    board = fen.rpartition(" ")[0]
    return board if kind < 0.15 else f"{board} {chance.choice((chance.randint(2, 300), 999, 1000, 70_000))}"
