"""Games of the engines in C against themselves, without processes: the games of docs/studies/BALANCE_STUDY.md.

`arena balance` plays such games through the referee, where processes and pipes take most of the time of a short search.
Here the search itself plays. A game ends by the rules, at a proven score, or as a draw after too many plies.
"""

from collections import Counter
from functools import cache
from random import Random
from typing import NamedTuple
from zlib import crc32

from arena.games import variants
from arena.games.game import Game
from arena.games.rules import Rules, Side
from arena.play.random_opening import draw
from engines.native.kernel import Kernel
from engines.scores import DECIDED
from engines.tuning.selfplay import Table, Words, table_of

PLIES, MOST_PLIES, SEED = 4, 200, 20261123
PROVEN, RULES, REPEATED, LONG = "proven", "rules", "repetition", "long"


class Played(NamedTuple):
    """One game of the study."""

    variant: str
    evaluation: str
    nodes: int
    number: int
    winner: str
    """p1, p2 or draw."""
    end: str
    plies: int
    """Without those of the opening."""
    announced: str
    """The side for which the first search after the opening has proven a win, or empty."""
    line: str
    """The same for identical games."""


def play(variant: str, evaluation: str, nodes: int, number: int) -> Played:
    """Play one game. The number decides the opening, which is the same for all rungs and evaluations."""
    table, chance = _table(variant), Random(f"{SEED} {variant} {number}")
    opening = draw(_rules(variant), table.start, PLIES, f"{SEED} {variant} {number}")
    kernel = _kernel(variant, evaluation)
    kernel.resize(2 if nodes <= 10_000 else 16)
    game = Game(_rules(variant), table.start)
    before: list[Words] = []
    for move in opening:
        before.append(table.player.words(game.position))
        game.play(move)
    words: Words = table.player.words(game.position)
    positions, announced = list(before), ""
    moves: list[int] = []
    seen: Counter[tuple[int, ...]] = Counter(map(table.place, before))
    for ply in range(MOST_PLIES - PLIES):
        side, outcome = table.side(words), kernel.outcome(words)
        seen[table.place(words)] += 1
        if outcome:
            winner = "draw" if outcome == 3 else _name(side if outcome == 1 else 1 - side)
            return _played(variant, evaluation, nodes, number, winner, RULES, ply, announced, moves, opening)
        result = table.repetition and table.repetition.result(seen[table.place(words)] - 1, _name(side))
        if result is not None:
            winner = {1: _name(side), -1: _name(1 - side)}.get(result, "draw")
            return _played(variant, evaluation, nodes, number, winner, REPEATED, ply, announced, moves, opening)
        report = kernel.think(words, positions, table.limits(nodes, chance.randrange(1 << 30)))
        if abs(report.score) >= DECIDED:
            winner = _name(side if report.score > 0 else 1 - side)
            announced = winner if ply == 0 else ""
            return _played(variant, evaluation, nodes, number, winner, PROVEN, ply, announced, moves, opening)
        positions.append(words)
        moves.append(report.line[0])
        after = kernel.play(words, report.line[0])
        assert after is not None
        words = after
    return _played(variant, evaluation, nodes, number, "draw", LONG, MOST_PLIES, announced, moves, opening)


def _played(
    variant: str, evaluation: str, nodes: int, number: int, winner: str, end: str, plies: int, announced: str,
    moves: list[int], opening: tuple[str, ...],
) -> Played:  # fmt: skip
    line = f"{crc32(' '.join(map(str, (*opening, *moves))).encode()):08x}"
    return Played(variant, evaluation, nodes, number, winner, end, plies, announced, line)


def _name(side: int) -> Side:
    return "p2" if side else "p1"


@cache
def _table(variant: str) -> Table:
    return table_of(variant)


@cache
def _rules(variant: str) -> Rules:
    return variants.resolve(variant)[0]


@cache
def _kernel(variant: str, evaluation: str) -> Kernel:
    kernel = _table(variant).kernel()
    if evaluation == "plain":
        kernel.evaluate_plainly()
    return kernel
