"""Random lines of play: moves that tell, moves to and fro, and circles that lead back after many plies."""

import itertools
import random
from collections.abc import Sequence

from arena.games.game import Game
from arena.games.rules import Move, Position, RulesError

_SHORT, _LONG, _LONGEST = 5, 16, 90
"""The plies of a walk, of a walk that repeats positions, and of one that does so after many plies."""


def walk(game: Game, chance: random.Random) -> None:
    """A few moves: mostly such as capture, end the game or block the opponent, where there are any."""
    for _ in range(chance.randint(1, _SHORT)):
        moves = game.position.moves()
        if game.outcome is not None or not moves:
            return
        if chance.random() < 0.7:
            moves = _telling(game.position, moves, chance) or moves
        game.advance(chance.choice(moves))


def _telling(position: Position, moves: Sequence[Move], chance: random.Random) -> list[Move]:
    """Those of some moves after which the game is over or the board has fewer letters than before."""
    count = _letters(position.fen())
    some = chance.sample(list(moves), min(len(moves), 40))
    return [m for m in some if (after := position.play(m)).outcome is not None or _letters(after.fen()) < count]


def _letters(fen: str) -> int:
    return sum(letter.isalpha() for letter in fen.split()[0])


def shuttle(game: Game, chance: random.Random) -> None:
    """Pieces that go to and fro. One side may lose a turn first, so that the board comes with either side to move."""
    if chance.random() < 0.6:
        _lose_turn(game, chance)
    last: list[str | None] = [None, None]
    for ply in range(_LONG):
        if game.outcome is not None:
            return
        back = last[ply % 2]
        word = None if back is None else _reversed(back)
        if word is None or chance.random() < 0.08 or game.position.find(word) is None:
            quiet = _quiet(game.position, chance)
            word = None if quiet is None else quiet.text
        if word is None:
            return
        game.play(word)
        last[ply % 2] = word


def circle(game: Game, chance: random.Random) -> None:
    """One piece of each side goes round over some squares, so that a position comes again after many plies."""
    rounds: list[list[str]] = []
    for _ in range(20):
        trial = Game(game.rules, game.start)
        rounds = []
        for _ in range(2):
            start, squares = _free_squares(trial.position, chance)
            if len(squares) < 2:
                break
            others = chance.sample(squares, min(len(squares), chance.choice((2, 2, 3, 4, 5, 6))))
            way = [start, *others, start]
            rounds.append([f"{one}{other}" for one, other in itertools.pairwise(way)])
            trial.play(rounds[-1][0])
            if trial.outcome is not None:
                break
        if len(rounds) == 2 and _play_round(Game(game.rules, game.start), rounds):
            break
    else:
        return
    _play_round(game, rounds)


def _play_round(game: Game, rounds: list[list[str]]) -> bool:
    """Play both rounds over and over until a position has come three times. False where they cannot be played."""
    try:
        for ply in range(_LONGEST):
            if game.outcome is not None:
                return ply > 6
            own = rounds[ply % 2]
            game.play(own[ply // 2 % len(own)])
    except RulesError:
        return False
    return True


def _free_squares(position: Position, chance: random.Random) -> tuple[str, list[str]]:
    """A piece of the side to move, and squares on one line to which it can go, next to which nothing can be taken."""
    count = _letters(position.fen())
    lines: dict[tuple[str, bool], list[Move]] = {}
    for move in position.moves():
        start, to = _squares(move.text)
        lines.setdefault((start, start[0] == to[0]), []).append(move)
    if not lines:
        return "", []
    start, same_file = chance.choice(sorted(lines))
    quiet = [move for move in lines[start, same_file] if _is_quiet(position.play(move), count)]
    return start, [_squares(move.text)[1] for move in quiet]


def _is_quiet(after: Position, letters: int) -> bool:
    """Does the game go on, with as many letters on the board?"""
    return after.outcome is None and _letters(after.fen()) == letters


def _lose_turn(game: Game, chance: random.Random) -> None:
    """Three moves of one piece that lead it back, and two of the other side: the board, with the other side to move."""
    for _ in range(20):
        trial = Game(game.rules, game.start)
        first = _quiet(trial.position, chance)
        if first is None:
            return
        trial.advance(first)
        theirs = _quiet(trial.position, chance)
        if theirs is None:
            continue
        trial.advance(theirs)
        start, there = _squares(first.text)
        onward = [
            move for move in trial.position.moves()
            if _squares(move.text)[0] == there and _squares(move.text)[1] != start
        ]  # fmt: skip
        if trial.outcome is not None or not onward:
            continue
        try:
            second = chance.choice(onward).text
            for word in (second, _reversed(theirs.text), f"{_squares(second)[1]}{start}"):
                trial.play(word)
        except RulesError:
            continue
        if trial.position.fen().split()[0] == game.start.fen().split()[0]:
            for word in trial.moves:
                game.play(word)
            return


def _quiet(position: Position, chance: random.Random) -> Move | None:
    """A move that captures nothing and does not end the game."""
    moves, count = position.moves(), _letters(position.fen())
    some = chance.sample(list(moves), min(len(moves), 8))
    return next((move for move in some if _is_quiet(position.play(move), count)), None)


def _squares(word: str) -> tuple[str, str]:
    cut = next(at for at in range(1, len(word)) if word[at].isalpha())
    return word[:cut], word[cut:]


def _reversed(word: str) -> str:
    start, to = _squares(word)
    return to + start
