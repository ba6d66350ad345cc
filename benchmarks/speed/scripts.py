"""The games that the benchmarks' engines replay: legal, of a known length, the same on every machine."""

import random
from pathlib import Path

from arena.games import variants
from benchmarks.speed.contenders import Script

CHESS = Path(__file__).parent / "chess.txt"
"""A game of 150 random plies, the last of them mate. No position occurs twice and no draw could be claimed."""

SHORT_CHESS = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 a3a4 a6a5 b3b4 b6b5 c3c4 c6c5 b1a3 b8a6 a3c2 a6c7 f2f3 e7e5 g2g4 d8h4"
"""A game of 20 plies, the last of them mate."""


def legal_game(variant: str, plies: int, seed: int = 1) -> tuple[str, ...]:
    """A game of `plies` random moves that does not end by itself and repeats no position.

    It is shorter where every move would end the game or repeat a position.
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


def ours(folder: Path, variant: str, plies: int) -> Script:
    """The game of `legal_game`, written to a file in `folder` for engines to read."""
    words = legal_game(variant, plies)
    file = folder / f"{variant}-{plies}.txt"
    file.write_text(" ".join(words) + "\n", encoding="ascii")
    return Script(file, len(words), variant)


def chess(folder: Path, plies: int) -> Script:
    """The game of 20 plies, or else the long one: other referees know chess alone, and games to their end."""
    if plies != 20:
        return Script(CHESS, 150)
    file = folder / "chess-20.txt"
    file.write_text(SHORT_CHESS + "\n", encoding="ascii")
    return Script(file, 20)
