"""Simulated fields that results.ratings.matchmaking pairs, and newcomers that it places, against true strengths."""

import random
from collections import Counter
from typing import NamedTuple

import numpy as np

from benchmarks.ratings_field import Cell, Floats, Replicate, judged, meeting, names, relative, round_robin
from results.ratings.fit import Fit, PairResult, fit
from results.ratings.matchmaking import AT_RANDOM, Belief, Counts, Pair, assign_sides, next_pair, placing

FIELD = Cell(24, 1200, 25 / 3, 0.0, 0.0)
ROUND = 24
"""The number of games between two fits. Until the next fit these games count as running."""
RATED = Cell(50, 10_000, 25 / 3, 0.0, 0.0)
PLACED, NEW, FINAL = 10, 40, 400
"""A newcomer's games: in placement, at its first interval, and until its strength is nearly known."""


class Newcomer(NamedTuple):
    """The figures of one newcomer."""

    truth_within: bool
    """True where the interval after NEW games covers its strength."""
    final_within: bool
    """True where it covers the rating after FINAL games."""
    sigma: float
    """The deviation after NEW games."""
    final_sigma: float


class _Games:
    """The games that were played, added up by pair."""

    def __init__(self, strengths: Floats, cell: Cell, rng: np.random.Generator) -> None:
        self._strengths, self._cell, self._rng = strengths, cell, rng
        self._number = {name: k for k, name in enumerate(names(len(strengths)))}
        self.counts: Counter[tuple[str, str]] = Counter()
        self.meetings: dict[tuple[str, str], PairResult] = {}

    def add(self, more: PairResult) -> None:
        """Add results."""
        old = self.meetings.get((more.p1, more.p2), PairResult(more.p1, more.p2, 0, 0, 0))
        self.meetings[more.p1, more.p2] = PairResult(
            more.p1, more.p2, old.wins + more.wins, old.draws + more.draws, old.losses + more.losses
        )
        self.counts[more.p1, more.p2] += more.wins + more.draws + more.losses

    def play(self, pair: Pair) -> None:
        """Play one game."""
        one, two = self._number[pair.p1], self._number[pair.p2]
        self.add(meeting(one, two, 1, self._strengths, self._cell, self._rng))


def paired(number: int) -> Replicate:
    """Play FIELD, with each round of games chosen by the ratings before it."""
    rng, chance = np.random.default_rng([number, 24]), random.Random(number)
    strengths = FIELD.spread * rng.standard_normal(FIELD.engines)
    games = _Games(strengths, FIELD, rng)
    found = fit([], names(FIELD.engines))
    for _ in range(FIELD.games // ROUND):
        belief, pairs = Belief.of(found), []
        for _ in range(ROUND):
            pair = next_pair(belief, games.counts, chance)
            pairs.append(pair)
            belief = belief.after(pair)
        for pair in pairs:
            games.play(pair)
        found = fit(games.meetings.values(), names(FIELD.engines), start=found)
    return judged(found, strengths, FIELD.side, list(games.meetings.values()))


def next_for(newcomer: str, belief: Belief, counts: Counts, chance: random.Random) -> Pair:
    """The next game of one engine: as `next_pair`, but of pairs with it."""
    at = belief.names.index(newcomer)
    others = [name for name in belief.names if name != newcomer]
    if chance.random() < AT_RANDOM:
        return assign_sides(newcomer, chance.choice(others), counts, chance)
    gains = belief.gains()[at]
    gains[at] = -np.inf
    return assign_sides(newcomer, belief.names[int(np.argmax(gains))], counts, chance)


def newcomer(number: int) -> Newcomer:
    """The last engine of the field joins the others, whose ratings are settled."""
    rng, chance = np.random.default_rng([number, 50]), random.Random(number)
    strengths = RATED.spread * rng.standard_normal(RATED.engines + 1)
    games = _Games(strengths, RATED, rng)
    for met in round_robin(strengths[:-1], RATED, rng):
        games.add(met)
    name = names(len(strengths))[-1]
    found = fit(games.meetings.values(), [name])
    ranked = [rating.name for rating in found.ratings if rating.name != name]
    opponents: Counter[str] = Counter()
    for _ in range(PLACED):
        other = placing(ranked, opponents, PLACED, {}, chance)
        opponents[other] += 1
        games.play(assign_sides(name, other, games.counts, chance))
    early: Fit | None = None
    for played in range(PLACED, FINAL, 10):
        found = fit(games.meetings.values(), start=found)
        if played == NEW:
            early = found
        belief = Belief.of(found)
        for _ in range(10):
            pair = next_for(name, belief, games.counts, chance)
            belief = belief.after(pair)
            games.play(pair)
    assert early is not None
    final = fit(games.meetings.values(), start=found)
    first, last = early[name], final[name]
    truth = float(relative(strengths, early)[-1])
    return Newcomer(
        first.lower <= truth <= first.upper, first.lower <= last.mean <= first.upper, first.sigma, last.sigma
    )
