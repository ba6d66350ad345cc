"""Fields that the ladder pairs, against round robins, and newcomers that join a settled field."""

import random
from collections import Counter
from typing import NamedTuple

import numpy as np

from benchmarks.ratings.coverage import Covered, Published, covered
from benchmarks.ratings.field import Cell, Floats, Games, Strengths, names
from benchmarks.ratings.schedules import field
from results.ratings import Fit, fit
from results.ratings.matchmaking import AT_RANDOM, Belief, Counts, Pair, assign_sides, placing

LADDER = Cell(24, 1_200, 25 / 3, schedule="ladder")
ROBIN = LADDER._replace(schedule="round robin")
RATED = Cell(50, 10_000, 25 / 3)
PLACED, NEW, FINAL = 10, 40, 400
"""A newcomer's games: in placement, at its first interval, and until its strength is nearly known."""
REFIT = 30
"""So many games of the newcomer lie between two fits."""


class Paired(NamedTuple):
    """The figures of one field."""

    tau: float
    """Kendall's tau between skills and ratings."""
    covered: Covered


class Newcomer(NamedTuple):
    """The figures of one newcomer."""

    truth_within: bool
    """True where the interval after NEW games covers its skill."""
    final_within: bool
    """True where it covers the rating after FINAL games."""
    sigma: float
    """The standard deviation after NEW games."""
    final_sigma: float


def kendall(one: Floats, two: Floats) -> float:
    """Kendall's tau of two lists without ties."""
    agree = np.sign(one[:, None] - one) * np.sign(two[:, None] - two)
    return float(agree.sum() / (len(one) * (len(one) - 1)))


def paired(cell: Cell, number: int) -> Paired:
    """One field, which the cell's schedule pairs."""
    games = field(cell, number)
    name = names(cell.engines)
    found = fit(games.results, name)
    means = np.array([found[each].mean for each in name])
    pairs = [(one, two) for one in range(cell.engines) for two in range(cell.engines) if one != two]
    return Paired(kendall(games.strengths.skills, means), covered(Published(found, name), games.strengths, pairs[::3]))


def newcomer(number: int) -> Newcomer:
    """The last engine of the field joins the others, whose ratings are settled."""
    rng, chance = np.random.default_rng([number, 50]), random.Random(number)
    n = RATED.engines
    games = Games(Strengths.of(RATED.spread * rng.standard_normal(n + 1), RATED, rng), rng)
    games.spread([(one, two) for one in range(n) for two in range(n) if one != two], RATED.games)
    everybody = names(n + 1)
    number_of, name = {each: k for k, each in enumerate(everybody)}, everybody[-1]
    counts = Counter({(met.p1, met.p2): met.wins + met.draws + met.losses for met in games.results})

    def play(pair: Pair) -> None:
        counts[pair.p1, pair.p2] += 1
        games.play([(number_of[pair.p1], number_of[pair.p2])], [1])

    ranked = [rating.name for rating in fit(games.results).ratings]
    opponents: Counter[str] = Counter()
    for _ in range(PLACED):
        other = placing(ranked, opponents, PLACED, {}, chance)
        opponents[other] += 1
        play(assign_sides(name, other, counts, chance))
    fits: dict[int, Fit] = {}
    for played in range(PLACED, FINAL, REFIT):
        fits[played] = fit(games.results)
        belief = Belief.of(fits[played])
        for _ in range(REFIT):
            pair = _next_for(name, belief, counts, chance)
            belief = belief.after(pair)
            play(pair)
    early, final = fits[NEW], fit(games.results)
    skills, reference = games.strengths.skills, [number_of[each] for each in early.reference]
    first, last, truth = early[name], final[name], float(skills[-1] - skills[reference].mean())
    return Newcomer(
        first.lower <= truth <= first.upper, first.lower <= last.mean <= first.upper, first.sigma, last.sigma
    )


def _next_for(newcomer: str, belief: Belief, counts: Counts, chance: random.Random) -> Pair:
    """The next game of one engine, by the rule of `results.ratings.matchmaking.next_pair`."""
    others = [name for name in belief.names if name != newcomer]
    if chance.random() < AT_RANDOM:
        return assign_sides(newcomer, chance.choice(others), counts, chance)
    at = belief.names.index(newcomer)
    gains = belief.gains()[at]
    gains[at] = -np.inf
    return assign_sides(newcomer, belief.names[int(np.argmax(gains))], counts, chance)
