"""The games that the benchmarks' engines replay: legal, of a known length, the same on every machine."""

import random
from pathlib import Path

from arena.games import variants

CHESS = Path(__file__).parent / "chess.txt"
"""Of random moves, 150 plies, the last of them mate; no position occurs twice and no draw could be claimed."""


def legal_game(variant: str, plies: int, seed: int = 1) -> tuple[str, ...]:
    """The words of a game of so many random moves that does not end by itself and repeats no position.

    Fewer words where the moves run into an end that cannot be avoided.
    """
    position, chance = variants.find(variant).start(), random.Random(seed)
    words: list[str] = []
    seen = {position.key}
    while len(words) < plies:
        moves = list(position.legal_moves())
        chance.shuffle(moves)
        for move in moves:
            after = position.play(move)
            if after.outcome is None and after.key not in seen:
                break
        else:
            break
        position = after
        seen.add(position.key)
        words.append(move.text)
    return tuple(words)


def written(folder: Path, variant: str, plies: int) -> tuple[Path, int]:
    """The game of `legal_game` as a file in `folder` for the engine to read, and how many plies it has."""
    words = legal_game(variant, plies)
    file = folder / f"{variant}-{plies}.txt"
    file.write_text(" ".join(words) + "\n", encoding="ascii")
    return file, len(words)
