"""How fast the rules are: `python -m benchmarks.rules [--quick] [--json]`.

Measures what a referee does for each move (find, play, outcome), games played on at random to their end, and counting
move sequences. Times are CPU time of this process. Every round does the same work and the best one counts, since
other work on the machine only adds.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.games.perft import perft
from arena.games.rules import Move, Position
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
GAMES = 200
ROUNDS = 10
QUICK_ROUNDS = 2
PLIES = 2000
"""The plies at which a random game is cut. No game of Callanish is longer, and hardly one of tafl."""
PERFT_DEPTH = 3
PERFT_NODES = 300_000
"""Where depth 3 has many more sequences than this, depth 2 is counted."""


class Speed(NamedTuple):
    """One variant's figures."""

    variant: str
    move_ns: int
    """CPU time of find, play and outcome of one move, in ns."""
    playouts_per_s: int
    """Random games from the start to their end, or for `PLIES` plies. Repetition is not counted."""
    plies_per_s: int
    """Plies of those games."""
    perft_nodes_per_s: int


def measure(variant: str, rounds: int = ROUNDS) -> Speed:
    """Play, replay and count one variant in `rounds` rounds."""
    start = find(variant).start()
    games = playouts(start)
    words = [[move.text for move in game] for game in games]
    plies = sum(map(len, games))
    moves = len(start.moves())
    depth = PERFT_DEPTH if moves**PERFT_DEPTH < 30 * PERFT_NODES else PERFT_DEPTH - 1
    nodes = perft(start, depth)
    move_ns = best_ns(lambda: referee(start, words), rounds)
    playouts_ns = best_ns(lambda: playouts(start), rounds)
    perft_ns = best_ns(lambda: perft(start, depth), rounds)
    return Speed(
        variant,
        move_ns // plies,
        GAMES * 10**9 // playouts_ns,
        plies * 10**9 // playouts_ns,
        nodes * 10**9 // perft_ns,
    )


def playouts(start: Position) -> list[Sequence[Move]]:
    """The moves of some games, the same ones every time."""
    chance = random.Random(1)
    return [start.playout(chance, PLIES).moves for _ in range(GAMES)]


def referee(start: Position, games: Sequence[Sequence[str]]) -> None:
    """Do what a referee does with every move, and nothing else."""
    for words in games:
        position = start
        for word in words:
            move = position.find(word)
            assert move is not None
            position = position.play(move)
            if position.outcome is not None:
                break


def best_ns(work: Callable[[], object], rounds: int) -> int:
    """CPU time of the best of some rounds."""
    times = []
    for _ in range(rounds):
        began = time.process_time_ns()
        work()
        times.append(time.process_time_ns() - began)
    return min(times)


def main() -> None:
    """Print a table, or one JSON object with the same figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description="How fast the rules are.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds instead of {ROUNDS}")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    options = parser.parse_args()
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    if options.json:
        print(json.dumps({"rules": [measure(variant, rounds)._asdict() for variant in VARIANTS]}))
        return
    print(f"{'variant':<18} {'ns/move':>8} {'games/s':>8} {'plies/s':>9} {'perft nodes/s':>14}")
    for variant in VARIANTS:
        name, *figures = measure(variant, rounds)
        print(f"{name:<18} {figures[0]:>8} {figures[1]:>8} {figures[2]:>9} {figures[3]:>14}", flush=True)


if __name__ == "__main__":
    main()
