"""Two plain estimates to compare with the published ratings: maximum likelihood, and online TrueSkill.

Neither knows roles. Maximum likelihood knows skills, the side's advantage and one draw margin; its intervals come from
the Hessian. Online TrueSkill is `results.ratings.online`, with the games in a random order.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from benchmarks.ratings.field import NOISE, Cell, Floats, Games, chances, names
from results.ratings.online import rate
from results.record import GameResult, Winner

WIDE = 60.0
"""The standard deviation of the prior on skills and on the advantage: it only keeps clean sweeps finite."""
Z95 = 1.959964
TINY = 1e-300
RESULTS: tuple[Winner, ...] = ("p1", "draw", "p2")

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class PlainEstimate:
    """A normal distribution of skills and the advantage, which comes last."""

    mean: Floats
    covariance: Floats
    margin: float
    rating_sigmas: Floats

    @property
    def reference(self) -> list[int]:
        """The engines whose mean is 0: all."""
        return [*range(len(self.mean) - 1)]

    def rating(self, engine: int) -> Interval:
        """The interval of a rating."""
        skills = self.mean[:-1]
        return _interval(float(skills[engine] - skills.mean()), float(self.rating_sigmas[engine]))

    def difference(self, one: int, two: int) -> Interval:
        """How much stronger the first one is."""
        return _interval(*self._sum([one, two], [1.0, -1.0]))

    def score(self, one: int, two: int) -> Interval:
        """What the first one scores as p1."""
        ahead = np.array(_interval(*self._sum([one, two, -1], [1.0, -1.0, 1.0])))
        win, draw, _ = chances(ahead, self.margin)
        lower, upper = (win + draw / 2).tolist()
        return lower, upper

    def _sum(self, at: list[int], signs: list[float]) -> tuple[float, float]:
        weights = np.array(signs)
        variance = float(weights @ self.covariance[np.ix_(at, at)] @ weights)
        return float(weights @ self.mean[at]), math.sqrt(max(variance, 0.0))


def _interval(mean: float, sigma: float) -> Interval:
    return mean - Z95 * sigma, mean + Z95 * sigma


def maximum_likelihood(games: Games) -> PlainEstimate:
    """The most likely skills, advantage and margin, by Newton's method. A step that does not climb is halved."""
    n = len(games.strengths.skills)
    one, two = np.array(games.met).T
    counts = games.counts[:, one, two].astype(float)
    drawn = bool(counts[1].any())
    design = np.zeros((len(one), n + 1))
    at = np.arange(len(one))
    design[at, one], design[at, two], design[:, n] = 1.0, -1.0, 1.0
    prior = np.full(n + 2, WIDE**-2)
    prior[-1] = 0.0
    x = np.zeros(n + 2)
    x[-1] = 1.0 if drawn else 0.0
    step, height = np.zeros_like(x), -math.inf
    used = n + 2 if drawn else n + 1
    for _ in range(200):
        tried = x + step
        if drawn and tried[-1] <= 0:
            step = step / 2
            continue
        value, slope, curve = log_likelihood(counts, design @ tried[:-1], tried[-1])
        now = value - 0.5 * float(prior @ tried**2)
        if now < height - 1e-9 * abs(height):
            step = step / 2
            continue
        x, height = tried, now
        uphill = np.append(slope[0] @ design, slope[1].sum()) - prior * x
        hessian = np.diag(prior)
        hessian[:-1, :-1] -= (design.T * curve[0, 0]) @ design
        hessian[:-1, -1] = hessian[-1, :-1] = -(curve[0, 1] @ design)
        hessian[-1, -1] -= curve[1, 1].sum()
        step = np.zeros_like(x)
        step[:used] = np.linalg.solve(hessian[:used, :used], uphill[:used])
        if step @ uphill < 1e-6:
            break
    covariance = np.linalg.inv(hessian[:used, :used])[: n + 1, : n + 1]
    level = np.eye(n) - 1 / n
    sigmas = np.sqrt((level @ covariance[:n, :n] @ level).diagonal())
    return PlainEstimate(x[:-1], covariance, float(x[-1]), sigmas)


def log_likelihood(counts: Floats, d: Floats, margin: float) -> tuple[float, Floats, Floats]:
    """The log-likelihood, and each pairing's first and second derivatives by its difference and by the margin."""
    side = np.where(d < 0, -1.0, 1.0)
    # Each probability is a sum of normal distributions at (x d + y margin) / NOISE, with the signs x and y.
    ones = np.ones_like(d)
    terms = (((1, ones, -ones),), ((1, -side, ones), (-1, -side, -ones)), ((1, -ones, -ones),))
    value, slope, curve = 0.0, np.zeros((2, len(d))), np.zeros((2, 2, len(d)))
    for count, chance, parts in zip(counts, np.maximum(chances(d, margin), TINY), terms, strict=True):
        if not count.any():
            continue
        first, second = np.zeros_like(slope), np.zeros_like(curve)
        for sign, x, y in parts:
            at = (x * d + y * margin) / NOISE
            density = sign * np.exp(-at * at / 2) / math.sqrt(2 * math.pi)
            ways = np.array([x, y]) / NOISE
            first += density * ways
            second -= at * density * ways[:, None] * ways
        first, second = first / chance, second / chance
        value += float(count @ np.log(chance))
        slope += count * first
        curve += count * (second - first[:, None] * first)
    return value, slope, curve


def online_trueskill(games: Games, rng: Generator) -> PlainEstimate:
    """TrueSkill's ratings after all games, played in a random order."""
    name = names(len(games.strengths.skills))
    played = [
        GameResult("", name[one], name[two], winner, "no-move")
        for winner, counts in zip(RESULTS, games.counts, strict=True)
        for one, two in games.met
        for _ in range(counts[one, two])
    ]
    found = rate([played[k] for k in rng.permutation(len(played))], name)
    mean = np.array([*(found[each].mu for each in name), 0.0])
    sigmas = np.array([*(found[each].sigma for each in name), 0.0])
    drawn = games.counts[1].sum() / games.counts.sum()
    margin = Cell(2, 0, 0.0, draws=float(drawn)).margin
    return PlainEstimate(mean, np.diag(sigmas**2), margin, sigmas[:-1])
