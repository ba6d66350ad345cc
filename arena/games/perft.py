"""Perft: the number of move sequences of a given length. Equal counts show that two programs play the same game.

A game that ends sooner adds nothing. Depth 0 counts 1. Repetition is not seen, since positions have no history.
"""

from arena.games.rules import Position


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    moves = position.moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The counts of `perft` by first move, in the order of `legal_moves`. `depth` is at least 1."""
    return {move.text: perft(position.play(move), depth - 1) for move in position.legal_moves()}
