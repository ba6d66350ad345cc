"""Who meets whom in a made-up field: chains of versions, leagues, gauntlets, round robins, Swiss, the ladder."""

import itertools
import random

import numpy as np
from numpy.random import Generator

from arena.ladder.pairing import choose_pairs
from benchmarks.ratings.field import VERSIONS, Cell, Floats, Games, Strengths, names

WINDOW = 3
"""In "last three" each version meets so many versions before it."""
CROSSING = 2
"""The pairs that meet across each two neighbouring leagues."""
SWISS_ROUNDS = 9
LADDER_BATCHES = 10
"""The ladder fits once for each batch of pairs. A real ladder does that far more often, which would take hours here."""


def field(cell: Cell, number: int) -> Games:
    """The games of one field of a cell. They are the same for the same number."""
    rng = np.random.default_rng([number, *cell.seed])
    games = Games(Strengths.of(skills(cell, rng), cell, rng), rng)
    match cell.schedule:
        case "Swiss":
            _swiss(games, cell, rng)
        case "ladder":
            _ladder(games, cell, random.Random(number))
        case _:
            games.spread(_pairings(cell, rng), cell.games)
    return games


def skills(cell: Cell, rng: Generator) -> Floats:
    """The skills of a field. Those of versions rise by random steps."""
    drawn = rng.standard_normal(cell.engines)
    if cell.schedule in VERSIONS:
        return np.asarray(np.cumsum(cell.step * (1 + drawn / 2)), float)
    league = np.arange(cell.engines) // (cell.engines // cell.leagues)
    return np.asarray(cell.step * league + cell.spread * drawn, float)


def _pairings(cell: Cell, rng: Generator) -> list[tuple[int, int]]:
    """The pairings of a schedule that is known beforehand, with both sides."""
    n = cell.engines
    match cell.schedule:
        case "chain":
            pairs = [*itertools.pairwise(range(n))]
        case "last three":
            pairs = [(old, new) for new in range(n) for old in range(max(0, new - WINDOW), new)]
        case "gauntlet":
            pairs = [(0, other) for other in range(1, n)]
        case "leagues":
            size = n // cell.leagues
            leagues = [range(first, first + size) for first in range(0, n, size)]
            pairs = [pair for league in leagues for pair in itertools.combinations(league, 2)]
            for lower, upper in itertools.pairwise(leagues):
                pairs += zip(rng.permutation(lower)[:CROSSING], rng.permutation(upper)[:CROSSING], strict=True)
        case _:
            pairs = [*itertools.combinations(range(n), 2)]
    return [sides for one, two in pairs for sides in ((one, two), (two, one))]


def _swiss(games: Games, cell: Cell, rng: Generator) -> None:
    """In each round engines meet one of a similar score whom they did not meet before, where there is one."""
    each = cell.games // (SWISS_ROUNDS * cell.engines)  # games of a pair on each side
    for _ in range(SWISS_ROUNDS):
        wins, draws, losses = games.counts
        scores = (wins + draws / 2).sum(1) + (losses + draws / 2).sum(0)
        met = games.counts.sum(0) > 0
        left = sorted(rng.permutation(cell.engines).tolist(), key=lambda engine: -scores[engine])
        pairs = []
        while left:
            one = left.pop(0)
            two = next((other for other in left if not met[one, other]), left[0])
            left.remove(two)
            pairs += [(one, two), (two, one)]
        games.play(pairs, [each] * len(pairs))


def _ladder(games: Games, cell: Cell, chance: random.Random) -> None:
    """Batches of pairs that the ladder chooses; both sides of each pair are played."""
    name = names(cell.engines)
    number = {each: k for k, each in enumerate(name)}
    for _ in range(LADDER_BATCHES):
        known = {(met.p1, met.p2): (met.wins, met.draws, met.losses) for met in games.results}
        chosen = choose_pairs(known, name, cell.games // (2 * LADDER_BATCHES), chance)
        pairs = [(number[pair.p1], number[pair.p2]) for pair in chosen]
        both = [*pairs, *((two, one) for one, two in pairs)]
        games.play(both, [1] * len(both))
