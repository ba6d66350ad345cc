"""How fast the strong engines search, beside alphabeta: `python -m benchmarks.engine_speed [VARIANT ...] [--json]`.

One definition for both: a node is a move that was made on a board, after which the new position was judged. Both
engines search the same positions of the same games with a limit of nodes, in turn, in one thread of this process, and
times are CPU time. Moves of alphabeta are counted in a second run that does the same, so that counting costs no time.

Alphabeta's own `info nodes` counts otherwise: in Callanish it scores all turns of a position to sort them, most of them
from sums without a move. The counted figures are those, and for the strong engines the moves made and the moves scored
to sort them. What buckquoy makes only to see whether the king stays capturable is in neither.

`--ready` measures instead how long an engine takes from its start to `readyok`, with and without compiled Python files.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple
from unittest.mock import patch

from arena.games import variants
from arena.games.rules import Move, Position
from arena.games.squares import MAX_SIDE
from arena.games.tafl.variants import TAFL
from engines.alphabeta import AlphaBetaPlayer
from engines.buckquoy import BuckquoyPlayer
from engines.native.build import library
from engines.native.kernel import Kernel, Limits
from engines.native.player import NativePlayer, repetition_of
from engines.stornoway import LARGEST_SIDE, StornowayPlayer
from protocol.engine import Limits as GoLimits
from protocol.engine import Root, Search

ENGINES = ("stornoway", "buckquoy")
TABLE_MB = 16
_DEADLINE_S = 120
_MOST_PLIES = 30


class Speed(NamedTuple):
    """What one engine did in all positions of a round."""

    made: int
    counted: int
    """What alphabeta calls nodes: moves that are searched, and moves that are scored to sort them."""
    cpu_s: float

    @property
    def made_per_s(self) -> float:
        return self.made / self.cpu_s

    @property
    def counted_per_s(self) -> float:
        return self.counted / self.cpu_s


class Compared(NamedTuple):
    """Both engines on one variant: the round with the least CPU time of each."""

    variant: str
    engine: str
    strong: Speed
    alphabeta: Speed

    def as_json(self) -> dict[str, object]:
        strong, plain = self.strong, self.alphabeta
        return {
            "variant": self.variant,
            "engine": self.engine,
            "made_per_s": round(strong.made_per_s),
            "alphabeta_made_per_s": round(plain.made_per_s),
            "factor": round(strong.made_per_s / plain.made_per_s, 1),
            "counted_per_s": round(strong.counted_per_s),
            "alphabeta_counted_per_s": round(plain.counted_per_s),
            "counted_factor": round(strong.counted_per_s / plain.counted_per_s, 1),
        }


class _Heard(Search):
    """A search without a referee. It keeps the nodes that were told."""

    def __init__(self, nodes: int) -> None:
        super().__init__(GoLimits(nodes=nodes), None)  # type: ignore[arg-type]
        self.nodes = 0

    def stopped(self) -> bool:
        return False

    def info(self, **told: object) -> None:
        nodes = told.get("nodes")
        self.nodes = nodes if isinstance(nodes, int) else self.nodes


def names() -> list[str]:
    """The variants that the libraries play."""
    found = []
    for name in variants.names():
        if name in TAFL or max(_side(name), 0) <= LARGEST_SIDE:
            found.append(name)
    return found


def _side(name: str) -> int:
    player: NativePlayer = StornowayPlayer()
    board = player.board(variants.resolve(name)[1])
    return MAX_SIDE if board is None else max(board[1][:2])


def positions_of(variant: str, games: int) -> list[tuple[str, ...]]:
    """The moves to every third position of so many random games, as far as thirty plies."""
    found = []
    for number in range(games):
        chance = Random(f"{variant} {number}")
        position, words = variants.resolve(variant)[1], list[str]()
        while len(words) < _MOST_PLIES:
            move = chance.choice(position.legal_moves())
            position = position.play(move)
            words.append(move.text)
            if position.outcome is not None:
                break
            if len(words) % 3 == 0:
                found.append(tuple(words))
    return found


def compare(variant: str, games: int, nodes: int, strong_nodes: int, rounds: int) -> Compared:
    """Measure both engines on one variant."""
    player: NativePlayer = BuckquoyPlayer() if variant in TAFL else StornowayPlayer()
    roots = [Root(variant, "", None, words) for words in positions_of(variant, games)]
    plain, strong = [], []
    for _ in range(rounds):
        kernel = _kernel(player, variant)
        alphabeta = AlphaBetaPlayer()
        told, spent, ours = 0, 0.0, Speed(0, 0, 0.0)
        for root in roots:
            counted, cpu_s = _alphabeta(alphabeta, root, nodes)
            told, spent = told + counted, spent + cpu_s
            found = _strong(kernel, player, root, strong_nodes)
            ours = Speed(ours.made + found.made, ours.counted + found.counted, ours.cpu_s + found.cpu_s)
        kernel.close()
        plain.append((spent, told))
        strong.append(ours)
    made = _made(roots, nodes)
    spent, told = min(plain)
    return Compared(
        variant,
        player.library,
        min(strong, key=lambda speed: speed.cpu_s),
        Speed(made, told, spent),
    )


def _kernel(player: NativePlayer, variant: str) -> Kernel:
    board = player.board(variants.resolve(variant)[1])
    if board is None:
        raise SystemExit(f"{variant} is too large for {player.library}: name a board up to 13x13")
    return Kernel(library(player.library), *board, TABLE_MB)


def _alphabeta(player: AlphaBetaPlayer, root: Root, nodes: int) -> tuple[int, float]:
    """The nodes that alphabeta tells, and its CPU time."""
    player.check(root)
    search = _Heard(nodes)
    started = time.process_time()
    player.search(root, search)
    return search.nodes, time.process_time() - started


def _strong(kernel: Kernel, player: NativePlayer, root: Root, nodes: int) -> Speed:
    line = player.line(root)
    words, before = player.words(line.position), [player.words(position) for position in line.before]
    started = time.process_time()
    repetition, occurrences = repetition_of(line.repetition)
    report = kernel.think(words, before, Limits(nodes=nodes, repetition=repetition, occurrences=occurrences))
    return Speed(report.nodes, report.nodes + report.judged, time.process_time() - started)


def _made(roots: Sequence[Root], nodes: int) -> int:
    """The moves that alphabeta makes in its searches of these positions."""
    made = 0
    kind = type(variants.resolve(roots[0].variant)[1])
    plain = kind.play

    def counted(position: Position, move: Move) -> Position:
        nonlocal made
        made += 1
        after: Position = plain(position, move)
        return after

    player = AlphaBetaPlayer()
    for root in roots:
        player.check(root)
        with patch.object(kind, "play", counted):
            player.search(root, _Heard(nodes))
    return made


def ready(engine: str, cold: bool) -> float:
    """The seconds from the start of an engine to its end, after `readyok` to the first question."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | ({"PYTHONPYCACHEPREFIX": folder} if cold else {})
        started = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", f"engines.{engine}"],
            input="ugi\nisready\nquit\n",
            env=environment,
            capture_output=True,
            text=True,
            timeout=_DEADLINE_S,
            check=False,
        )
        took = time.monotonic() - started
    if "readyok" not in done.stdout:
        raise SystemExit(f"{engine} did not say readyok: {done.stderr.strip() or done.stdout.strip()}")
    return took


def table(rows: Sequence[Compared]) -> Iterator[str]:
    """The lines that people read."""
    yield f"{'variant':18} {'engine':10} {'made/s':>10} {'alphabeta':>10} {'factor':>7} {'as counted':>11}"
    for row in rows:
        told = row.as_json()
        yield (
            f"{row.variant:18} {row.engine:10} {told['made_per_s']:>10,} {told['alphabeta_made_per_s']:>10,}"
            f" {told['factor']:>7} {told['counted_factor']:>11}"
        )


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.engine_speed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="every board up to 13x13 if left out")
    parser.add_argument(
        "--games", type=int, default=3, help="random games of each variant whose positions are searched"
    )
    parser.add_argument("--nodes", type=int, default=3_000, help="alphabeta's nodes for each position")
    parser.add_argument("--strong-nodes", type=int, default=30_000, help="the strong engine's nodes for each position")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of which the fastest counts")
    parser.add_argument("--ready", action="store_true", help="measure the time to readyok instead")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args(words)
    for engine in ENGINES:
        if not library(engine).exists():
            raise SystemExit(f"the library of {engine} is missing: run `make venv` first")
    if told.ready:
        times = {
            engine: {
                "cold_s": round(min(ready(engine, True) for _ in range(told.rounds)), 2),
                "warm_s": round(min(ready(engine, False) for _ in range(told.rounds)), 2),
            }
            for engine in ENGINES
        }
        print(json.dumps(times) if told.json else "\n".join(f"{name}: {found}" for name, found in times.items()))
        return 0
    rows = [
        compare(variant, told.games, told.nodes, told.strong_nodes, told.rounds) for variant in told.variants or names()
    ]
    if told.json:
        print(json.dumps([row.as_json() for row in rows]))
    else:
        print("\n".join(table(rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
