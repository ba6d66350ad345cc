"""How fast the rules are: `python -m benchmarks.rules [--json]`.

Measures what a referee does for each move (find, play, outcome), random games, and counting move sequences. Times are
CPU time of this process, the best of several rounds for single moves, since anything above the best is noise.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from arena.games.perft import perft
from arena.games.rules import Position
from arena.games.variants import find

VARIANTS = (
    "callanish-7",
    "callanish-9",
    "callanish-corners",
    "callanish-25",
    "scottish",
    "brandub",
    "brandub-nielsen",
    "ard-ri",
    "sea-battle-9",
    "tawlbwrdd",
)
GAMES = 30
ROUNDS = 5
PLIES = 200
PERFT_DEPTH = 3
PERFT_NODES = 300_000
"""Where depth 3 has more sequences than this, depth 2 is counted."""


class Speed(NamedTuple):
    """One variant's figures."""

    variant: str
    move_ns: int
    """Nanoseconds of CPU for find, play and outcome of one move."""
    playouts_per_s: int
    """Random games to their end (or `PLIES` plies), with the choice of moves."""
    plies_per_s: int
    """Plies of those games."""
    perft_nodes_per_s: int


def random_game(start: Position, chance: random.Random) -> list[str]:
    """The words of one random game."""
    position = start
    words: list[str] = []
    while position.outcome is None and len(words) < PLIES:
        move = chance.choice(position.moves())
        words.append(move.text)
        position = position.play(move)
    return words


def referee(start: Position, games: Sequence[Sequence[str]]) -> None:
    """What a referee does with every word, and nothing else."""
    for words in games:
        position = start
        for word in words:
            move = position.find(word)
            assert move is not None
            position = position.play(move)
            if position.outcome is not None:
                break


def measure(variant: str) -> Speed:
    """Play, replay and count one variant."""
    start, chance = find(variant).start(), random.Random(1)
    games = [random_game(start, chance) for _ in range(GAMES)]
    plies = sum(map(len, games))

    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time_ns()
        referee(start, games)
        rounds.append(time.process_time_ns() - began)

    began = time.process_time_ns()
    for _ in range(GAMES):
        random_game(start, chance)
    playouts_ns = time.process_time_ns() - began

    depth = PERFT_DEPTH if len(start.moves()) ** PERFT_DEPTH < 30 * PERFT_NODES else PERFT_DEPTH - 1
    began = time.process_time_ns()
    nodes = perft(start, depth)
    perft_ns = time.process_time_ns() - began
    return Speed(
        variant,
        min(rounds) // plies,
        GAMES * 10**9 // playouts_ns,
        plies * 10**9 // playouts_ns,
        nodes * 10**9 // perft_ns,
    )


def main() -> None:
    """Print a table, or one JSON object a line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description="How fast the rules are.")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")
    as_json = parser.parse_args().json
    if not as_json:
        print(f"{'variant':<18} {'ns/move':>8} {'games/s':>8} {'plies/s':>9} {'perft nodes/s':>14}")
    for variant in VARIANTS:
        speed = measure(variant)
        if as_json:
            print(json.dumps(speed._asdict()))
        else:
            variant, *figures = speed
            print(f"{variant:<18} {figures[0]:>8} {figures[1]:>8} {figures[2]:>9} {figures[3]:>14}")


if __name__ == "__main__":
    main()
