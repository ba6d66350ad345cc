"""Two sets of weights tried against each other by `arena sprt`, from openings that are near even."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from engines.native.kernel import KernelError
from engines.tuning.selfplay import Table, Words, random_line

DRAWN = 8
"""How many random openings are drawn for each one that is used: the one nearest to even."""
_HASH_MB = 4


class TrialRules(NamedTuple):
    """When a test ends, and how its games are played."""

    games: int
    """The most games; then the test ends undecided."""
    nodes: int
    """For each move."""
    plies: int
    """The random plies of an opening."""
    elo1: float
    seed: int


class TrialResult(NamedTuple):
    """How a test ended. Elo is that of the first weights over the second, with its 95 % interval,
    and None if all pairs ended alike."""

    state: str
    """H1: the first are stronger; H0: they are not; running: undecided after all games."""
    games: int
    elo: float | None
    low: float | None
    high: float | None
    pairs: tuple[int, ...]
    """The pairs by the half points of the first weights, from 0 to 4."""


def openings(table: Table, target: Path, source: Path, rules: TrialRules) -> None:
    """Write a book with an opening for each pair of games. The weights of `source` choose it among random ones."""
    kernel, chance = table.kernel(source), Random(f"{rules.seed} openings")
    chosen: set[tuple[int, ...]] = set()
    lines = [f"# openings of {table.variant}, each the one of {DRAWN} that is nearest to even"]
    for _ in range(rules.games // 2):
        best: tuple[int, list[tuple[int, Words]]] | None = None
        for _ in range(DRAWN):
            line = random_line(table, kernel, chance, rules.plies)
            if not line or tuple(line[-1][1]) in chosen:
                continue
            score = abs(kernel.think(line[-1][1], [], table.limits(rules.nodes, 1)).score)
            if best is None or score < best[0]:
                best = score, line
        if best is None:
            raise KernelError(
                f"{table.variant} has too few openings of {rules.plies} plies for {rules.games} games: give more"
                " --trial-plies, or fewer --trial-games"
            )
        chosen.add(tuple(best[1][-1][1]))
        lines.append(_words(table, [move for move, _ in best[1]]))
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _words(table: Table, moves: list[int]) -> str:
    position, words = table.start, []
    for number in moves:
        words.append(table.player.move(position, number))
        move = position.find(words[-1])
        assert move is not None
        position = position.play(move)
    return " ".join(words)


def sprt(table: Table, ours: Path, theirs: Path, book: Path, rules: TrialRules) -> TrialResult:
    """Test whether the weights of a file are stronger than those of another. Raises KernelError."""
    for source in (ours, theirs):
        table.kernel(source)
    command = [
        *(sys.executable, "-m", "arena", "sprt"),
        *(f"{table.engine}:Weights={source.resolve()}" for source in (ours, theirs)),
        *("--variant", table.variant, "--nodes", str(rules.nodes), "--option", f"Hash={_HASH_MB}"),
        *("--elo0", "0", "--elo1", f"{rules.elo1:g}", "--games", str(rules.games), "--concurrency", "1"),
        *("--book", str(book), "--book-order", "sequential", "--seed", str(rules.seed)),
        # In a sandbox an engine could not read the files of weights.
        *("--contain", "none", "--db", "none", "--quiet", "--json"),
    ]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(process.stdout)
        pairs = tuple(answer["pairs"])
        elo = answer["elo"] or dict.fromkeys(("value", "low", "high"))
        return TrialResult(answer["state"], 2 * sum(pairs), elo["value"], elo["low"], elo["high"], pairs)
    except (ValueError, KeyError):
        last = (process.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise KernelError(f"arena sprt ended with {process.returncode}: {last}") from None
