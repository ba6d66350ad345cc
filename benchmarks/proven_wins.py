"""Whether the strong engines let a proven win go: `python -m benchmarks.proven_wins [VARIANT ...]`.

An engine plays quick games against itself: a random opening, then a fixed number of nodes for each move. In each
position brute force, which leaves nothing out, looks for a win of a few plies. Where it finds one, the engine's move
must keep it: brute force then asks whether the opponent loses whatever it does. Where that is not proven, the rest of
the game decides: the win is let go if that side does not win the game. Repetition is no part of brute force.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from arena.play.adjudication import SIDES
from engines.native.build import library
from engines.native.kernel import Kernel
from engines.tuning.selfplay import Table, opening, table_of

VARIANTS = (
    "callanish-5",
    "callanish-7",
    "callanish-9",
    "callanish-corners",
    "brandub",
    "ard-ri",
    "scottish",
    "tawlbwrdd",
)
MOST_PLIES = 240
"""A longer game is a draw."""


class Terms(NamedTuple):
    """How the games are played and how far brute force looks."""

    plies: int
    nodes: int
    proof_nodes: int


class Proven(NamedTuple):
    """A position with a proven win, and whether the engine's move was proven to keep it."""

    side: int
    plies: int
    kept: bool
    words: tuple[int, ...]


class Found(NamedTuple):
    """What the games of one variant have shown."""

    variant: str
    games: int
    positions: int
    unknown: int
    """Positions where brute force ran out of nodes."""
    by_plies: dict[int, int]
    """Proven wins by their plies."""
    let_go: list[tuple[int, ...]]
    """The positions, as the library reads them, where a proven win was let go."""

    def as_json(self) -> dict[str, object]:
        return self._asdict() | {"proven": sum(self.by_plies.values())}


def play(variant: str, games: int, seed: int, terms: Terms) -> Found:
    """Play so many games of a variant and judge each move of a side that has a proven win."""
    table = table_of(variant)
    kernel, chance = table.kernel(), Random(f"{variant} {seed}")
    positions = unknown = 0
    by_plies: Counter[int] = Counter()
    let_go: list[tuple[int, ...]] = []
    for _ in range(games):
        proven, winner, asked, unsure = _game(table, kernel, chance, terms)
        positions, unknown = positions + asked, unknown + unsure
        for entry in proven:
            by_plies[entry.plies] += 1
            if not entry.kept and entry.side != winner:
                let_go.append(entry.words)
    kernel.close()
    return Found(variant, games, positions, unknown, dict(sorted(by_plies.items())), let_go)


def _game(table: Table, kernel: Kernel, chance: Random, terms: Terms) -> tuple[list[Proven], int | None, int, int]:
    """The proven wins of one game, who won it, how many positions were asked, and how many were too hard."""
    kernel.resize(2)
    words = tuple(opening(table, kernel, chance, 9))
    before: list[tuple[int, ...]] = []
    proven: list[Proven] = []
    unknown = 0
    while len(before) < MOST_PLIES:
        side, outcome = table.side(words), kernel.outcome(words)
        if outcome:
            return proven, {1: side, 2: 1 - side}.get(outcome), len(before), unknown
        result = table.repetition and table.repetition.result(before.count(words), SIDES[side])
        if result is not None:
            return proven, {1: side, -1: 1 - side}.get(result), len(before), unknown
        wins_in = kernel.prove(words, terms.plies, terms.proof_nodes)
        unknown += wins_in is None
        move = kernel.think(words, before, table.limits(terms.nodes, chance.randrange(1 << 30))).line[0]
        after = kernel.play(words, move)
        assert after is not None
        if wins_in:
            proven.append(Proven(side, wins_in, _keeps(kernel, after, wins_in, terms), words))
        before.append(words)
        words = tuple(after)
    return proven, None, len(before), unknown


def _keeps(kernel: Kernel, after: Sequence[int], wins_in: int, terms: Terms) -> bool:
    """Whether brute force proves that the opponent, to move, loses: as fast as possible, or a little later."""
    nodes = 20 * terms.proof_nodes
    return bool(kernel.loses(after, wins_in - 1, nodes) or kernel.loses(after, terms.plies + 1, nodes))


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.proven_wins", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("variants", nargs="*", default=VARIANTS, metavar="VARIANT")
    parser.add_argument("--games", type=int, default=500, help="games in all, shared among the variants")
    parser.add_argument("--nodes", type=int, default=1_000, help="the engine's nodes for each move")
    parser.add_argument("--plies", type=int, default=7, help="how long a win may take")
    parser.add_argument(
        "--proof-nodes", type=int, default=5_000, help="how many nodes brute force may spend on a position"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="a JSON object for each variant, a line each")
    told = parser.parse_args(words)
    for engine in ("stornoway", "buckquoy"):
        if not library(engine).exists():
            raise SystemExit(f"the library of {engine} is missing: run `make venv` first")
    terms, lost = Terms(told.plies, told.nodes, told.proof_nodes), 0
    for number, variant in enumerate(told.variants):
        games = (told.games + number) // len(told.variants)
        found = play(variant, games, told.seed, terms)
        lost += len(found.let_go)
        if told.json:
            print(json.dumps(found.as_json()), flush=True)
            continue
        by_plies = ", ".join(f"{count} in {plies}" for plies, count in found.by_plies.items())
        print(
            f"{variant}: {found.games} games, {found.positions} positions, {found.unknown} too hard;"
            f" proven wins {sum(found.by_plies.values())} ({by_plies}); let go {len(found.let_go)}",
            flush=True,
        )
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
