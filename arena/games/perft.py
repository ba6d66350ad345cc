"""Counting: how many sequences of so many moves there are from a position. Rules that count alike are alike.

A game that ends sooner adds nothing, depth 0 is 1, and repetition is not seen, since positions have no history.
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
    """`perft` split by the first move, in the order of `legal_moves`; `depth` is 1 or more."""
    return {move.text: perft(position.play(move), depth - 1) for move in position.legal_moves()}
