"""How far a fit may be trusted: whether the results fit its model, and how thinly games connect its groups.

The model of the ratings knows nothing of this. A chi-square over the pairings tells a misfit, and the pairings that
stick out. A thin bridge is the few games that alone connect two parts of a group.
"""

import math
from typing import NamedTuple

import numpy as np

from results.ratings import Fit
from results.ratings.likelihood import Floats, chances
from results.ratings.scale import for_order, settled

UNLIKELY = 0.01  # a misfit is significant if chance alone gives one as large more rarely than this
THIN = 30  # fewer games are a thin bridge: by them the gap between two groups has a standard deviation above 1.3
SHARE = 4  # and each side played this many times as many games within itself
ALIKE = 1e-9  # eigenvalues closer together than this share of the largest are equal
FEW = 0.5  # it is added to each variance, because one or two upsets in a foregone pairing are no misfit yet


class OddPairing(NamedTuple):
    """Two engines whose results chance alone hardly explains, on both sides together, from the first one's view."""

    a: str
    b: str
    games: float
    score: float
    expected_score: float
    draws: float
    expected_draws: float


class Misfit(NamedTuple):
    """How far the results are from what the fit expects."""

    chi_square: float
    freedom: float
    p: float  # of as large a chi-square, or of one pairing that sticks out as far, by chance alone
    pairings: tuple[OddPairing, ...]  # those that stick out, the farthest first

    @property
    def is_significant(self) -> bool:
        """Whether a reader should know of it."""
        return self.p < UNLIKELY


def misfit(fit: Fit) -> Misfit:
    """Compare the score and the draws of each pairing with those expected at the posterior's mean."""
    field, posterior = fit.field, fit.posterior
    games, d = field.counts.sum(0), field.differences(posterior.bell.mean)
    win, draw, _ = chances(d, posterior.margin)
    share = np.array([win + draw / 2, draw])
    variance = np.array([win + draw / 4, draw]) - share**2
    seen = np.array([field.counts[0] + field.counts[1] / 2, field.counts[1]])
    squares = (seen - games * share) ** 2 / (games * variance + FEW)
    # Ratings follow the results: each pairing loses its share of the degree of freedom of its own difference.
    win, draw, _ = chances(d + 1e-3, posterior.margin)
    slope = (win + draw / 2 - share[0]) / 1e-3
    followed = games * slope**2 / np.maximum(variance[0], 1e-12) * field.variances(posterior.bell.covariance)
    freedom = games * variance / (games * variance + FEW) * np.array([1 - np.minimum(followed, 1), np.ones_like(d)])
    all_freedom = settled(float(freedom.sum())) - (posterior.margin > 0)  # the draw margin follows the draws
    total = settled(float(squares.sum()))
    pairs = _both_sides(fit, games * share, games * variance, seen, followed)
    chances_ = [_p(square, 1.0) for figures in pairs.values() for square in figures[:2]]
    likely = min((len(chances_) * chance for chance in chances_), default=1.0)
    odd = sorted(pairs, key=lambda pair: (-for_order(max(pairs[pair][:2])), pair))
    return Misfit(
        total,
        all_freedom,
        min(1.0, 2 * min(_p(total, all_freedom), likely)),  # twice, for two looks at the same games
        tuple(
            OddPairing(*pair, *pairs[pair][2:])
            for pair in odd
            if len(chances_) * _p(max(pairs[pair][:2]), 1.0) < UNLIKELY
        ),
    )


def _both_sides(
    fit: Fit, expected: Floats, variance: Floats, seen: Floats, followed: Floats
) -> dict[tuple[str, str], tuple[float, float, float, float, float, float, float]]:
    """For each two engines: the squares of score and draws, in their variances, and the figures of `OddPairing`.

    A fit follows the difference of two by the games on both sides, so what they share of it is that of one side.
    """
    sums: dict[tuple[int, int], Floats] = {}
    games = fit.field.counts.sum(0)
    for k, (one, two) in enumerate(zip(fit.field.one.tolist(), fit.field.two.tolist(), strict=True)):
        if one == two:
            continue
        pair, turned = (min(one, two), max(one, two)), one > two
        of_score = [games[k] - x if turned else x for x in (seen[0, k], expected[0, k])]
        kept = variance[0, k] * (1 - min(followed[k], 1.0))
        figures = [games[k], *of_score, seen[1, k], expected[1, k], kept, variance[1, k]]
        sums[pair] = sums.get(pair, np.zeros(len(figures))) + figures
    return {
        (fit.names[i], fit.names[j]): (
            settled((score - foreseen) ** 2 / (kept + FEW)),
            settled((draws - drawn) ** 2 / (spread + FEW)),
            *(played, score, settled(foreseen), draws, settled(drawn)),
        )
        for (i, j), (played, score, foreseen, draws, drawn, kept, spread) in ((p, s.tolist()) for p, s in sums.items())
    }


def _p(chi_square: float, freedom: float) -> float:
    """How often a chi-square of these degrees of freedom is larger (Wilson and Hilferty 1931)."""
    if freedom < 0.1:
        return 1.0
    spread = 2 / (9 * freedom)
    return 0.5 * math.erfc(((chi_square / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread))


class Bridge(NamedTuple):
    """The few games that alone connect two parts of a group, each of which played many within itself."""

    smaller: tuple[str, ...]
    larger: tuple[str, ...]
    pairs: tuple[tuple[str, str, int], ...]
    """Each pair across: an engine of the smaller part, one of the larger part, and their games."""


def thin_bridges(fit: Fit) -> list[Bridge]:
    """The thin bridges within the groups of a field, the thinnest first.

    Parts are found by the second eigenvector of the graph's Laplacian (Fiedler, Czechoslovak Mathematical Journal 23,
    1973): of all cuts along it the one with the fewest games across for its inner games. Each part is searched again.
    Of two parts of one size the smaller is that of the first name.
    """
    names, games = fit.names, fit.field.between
    bridges, left = [], [np.array(group) for group in fit.field.groups if len(group) > 3]
    while left:
        part = left.pop()
        weights = np.log1p(games[np.ix_(part, part)])  # thousands of games connect no more firmly than a hundred
        part = part[np.argsort(_second_eigenvector(np.diag(weights.sum(1)) - weights), kind="stable")]
        inner = games[np.ix_(part, part)]
        within = np.cumsum(np.triu(inner).sum(0))  # the first k + 1 engines
        across = np.cumsum(inner.sum(1)) - 2 * within
        least = np.minimum(within, within[-1] - within - across)
        cuts = [k + 1 for k in range(1, len(part) - 2) if across[k] < THIN and SHARE * across[k] <= least[k]]
        if not cuts:
            continue
        cut = min(cuts, key=lambda k: across[k - 1] / least[k - 1])
        small, large = sorted((sorted(side.tolist()) for side in (part[:cut], part[cut:])), key=lambda s: (len(s), s))
        pairs = tuple((names[i], names[j], int(games[i, j])) for i in small for j in large if games[i, j])
        bridges.append(Bridge(tuple(names[i] for i in small), tuple(names[j] for j in large), pairs))
        left += [np.array(side) for side in (small, large) if len(side) > 3]
    return sorted(bridges, key=lambda bridge: (sum(games for _, _, games in bridge.pairs), bridge))


def _second_eigenvector(laplacian: Floats) -> Floats:
    """The eigenvector of the second eigenvalue, the same on every CPU.

    Libraries may turn its sign, or if several eigenvalues are equal, choose any vectors of their space. So a fixed
    vector is projected on that space.
    """
    values, vectors = np.linalg.eigh(laplacian)
    space = vectors[:, 1:][:, values[1:] <= values[1] + ALIKE * values[-1]]
    eigenvector = space @ (np.sqrt(np.arange(1, len(laplacian) + 1)) @ space)
    return np.asarray(np.round(eigenvector / np.abs(eigenvector).max(), 6) + 0.0, float)
