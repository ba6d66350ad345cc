"""Do the machines of a database agree on the engines? A test that compares like games only.

The games of one pairing in a run, with the same sides, variant and time control, are a stratum. Within a stratum it
should not matter which machine played a game. For each engine and machine, the points above those expected from the
whole stratum are summed over all strata. Their sum of squares, weighted by their covariance, is the statistic of
Cochran, Mantel and Haenszel for mean scores (Mantel 1963; Landis, Heyman and Koch 1978), here for several engines at
once.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import results.ratings.one_thread  # noqa: F401 - before numpy is loaded

# isort: split
import numpy as np

from results.ratings.likelihood import Floats
from results.ratings.scale import settled
from results.tally import HostCount

FEW = 1_000
"""So many games that can be compared, or fewer, are shuffled; a chi-square is exact enough for more."""
SHUFFLES = 4_999
MOST = 1_500
"""Engines times machines: the covariance of more is not inverted."""
POINTS = {"p1": 1.0, "draw": 0.5, "p2": 0.0}
"""The points of p1."""


class MachineScore(NamedTuple):
    """An engine on a machine, against the same opponents on the same sides elsewhere."""

    host: str
    engine: str
    games: int
    """Its decided games there."""
    compared: int
    """Those of them that were also played elsewhere. The figures below are None where there are none."""
    score: float | None
    """The share of the points there, from 0 to 1; each stratum weighs as much as it can tell."""
    elsewhere: float | None
    """The share of the points in the same strata on all other machines."""
    plus_minus: float | None
    """By so much the two shares differ at most in 95 % of cases if machines agree."""

    @property
    def difference(self) -> float | None:
        return None if self.score is None or self.elsewhere is None else self.score - self.elsewhere


class HomogeneityTest(NamedTuple):
    method: str
    """`permutation` or `chi-square`."""
    games: int
    """How many games were compared."""
    statistic: float
    freedom: int
    p: float
    """How often chance alone gives a statistic at least so large."""


class Agreement(NamedTuple):
    """What games tell of whether machines agree."""

    games: dict[str, int]
    """The decided games of each machine."""
    scores: list[MachineScore]
    """By machine, then by engine."""
    test: HomogeneityTest | None
    """None where no two machines played like games, where all such games had one result, or where there are too many
    engines and machines."""


Strata = Sequence[tuple[int, int, dict[int, Floats]]]
"""Of like games: p1, p2, and for each machine how many games had each number of points."""
_P1 = np.array([0.0, 0.5, 1.0])


def agreement(counts: Iterable[HostCount]) -> Agreement:
    """Compare the machines of these games."""
    strata: dict[tuple[str, ...], dict[str, Floats]] = defaultdict(lambda: defaultdict(lambda: np.zeros(3)))
    games: dict[str, int] = defaultdict(int)
    played: dict[tuple[str, str], int] = defaultdict(int)
    for each in counts:
        strata[each.run, each.variant, each.tc, each.p1, each.p2][each.host][round(2 * POINTS[each.winner])] += (
            each.games
        )
        games[each.host] += each.games
        for engine in {each.p1, each.p2}:
            played[each.host, engine] += each.games
    hosts = {host: at for at, host in enumerate(sorted(games))}
    engines = {engine: at for at, engine in enumerate(sorted({engine for _, engine in played}))}
    like = [
        (engines[p1], engines[p2], {hosts[host]: table for host, table in by_host.items()})
        for (*_, p1, p2), by_host in strata.items()
        if len(by_host) > 1 and p1 != p2
    ]
    return Agreement(
        dict(sorted(games.items())),
        _scores(like, list(hosts), list(engines), played),
        _test(like, len(hosts), len(engines)),
    )


def _scores(
    like: Strata, hosts: list[str], engines: list[str], played: dict[tuple[str, str], int]
) -> list[MachineScore]:
    """Sums over strata, each weighted by n m / (n + m) for n games here and m elsewhere (Mantel and Haenszel 1959)."""
    # weight, points here, points elsewhere, variance of their difference; games
    sums: dict[tuple[int, int], Floats] = defaultdict(lambda: np.zeros(5))
    for p1, p2, by_host in like:
        whole = np.sum(list(by_host.values()), axis=0)
        total = whole.sum()
        variance = _variance(whole)
        for host, table in by_host.items():
            n = table.sum()
            weight = n * (total - n) / total
            here, there = table @ _P1 / n, (whole - table) @ _P1 / (total - n)
            sums[host, p1] += (weight, weight * here, weight * there, weight * variance, n)
            sums[host, p2] += (weight, weight * (1 - here), weight * (1 - there), weight * variance, n)
    scores = []
    for name, engine in sorted(played):
        weight, here, there, variance, n = sums[hosts.index(name), engines.index(engine)].tolist()
        figures = (here / weight, there / weight, 1.96 * math.sqrt(variance) / weight) if weight else (None, None, None)
        scores.append(MachineScore(name, engine, played[name, engine], int(n), *figures))
    return scores


def _variance(table: Floats) -> float:
    """Of the points of one game of a stratum, as the results that it has are dealt to its games."""
    total = table.sum()
    mean = table @ _P1 / total
    return float((table * (_P1 - mean) ** 2).sum() / (total - 1))


def _test(like: Strata, hosts: int, engines: int) -> HomogeneityTest | None:
    if not like or hosts * engines > MOST:
        return None
    covariance = np.zeros((engines, hosts, engines, hosts))
    for p1, p2, by_host in like:
        whole = np.sum(list(by_host.values()), axis=0)
        at = list(by_host)
        n = np.array([by_host[host].sum() for host in at])
        block = _variance(whole) * (np.diag(n) - np.outer(n, n) / n.sum())
        for one, sign in ((p1, 1), (p2, -1)):
            for other, another in ((p1, 1), (p2, -1)):
                covariance[np.ix_([one], at, [other], at)] += sign * another * block[None, :, None, :]
    size = engines * hosts
    values, vectors = np.linalg.eigh(covariance.reshape(size, size))
    kept = values > 1e-9 * max(values[-1], 1e-9)
    if not kept.any():
        return None
    # The statistic is the squared length of these.
    roots = vectors[:, kept] / np.sqrt(values[kept])
    # The games that can be compared, one by one, in the order of their strata.
    games = np.array(
        [
            (number, p1 * hosts + host, p2 * hosts + host, points)
            for number, (p1, p2, by_host) in enumerate(like)
            for host, table in by_host.items()
            for points, count in zip(_P1, table, strict=True)
            for _ in range(int(count))
        ]
    )
    stratum, one, two = games[:, :3].astype(int).T
    above: Floats = games[:, 3] - (np.bincount(stratum, games[:, 3]) / np.bincount(stratum))[stratum]

    def statistic_of(above: Floats) -> float:
        """From the points of p1 above expectation in each game."""
        sums = np.bincount(one, above, size) - np.bincount(two, above, size)
        return float(np.sum((sums @ roots) ** 2))

    statistic, freedom = settled(statistic_of(above)), int(kept.sum())
    if len(above) > FEW:
        return HomogeneityTest("chi-square", len(above), statistic, freedom, chi_square_tail(statistic, freedom))
    chance = np.random.default_rng(1)  # the same p for the same games
    as_large = 0
    for _ in range(SHUFFLES):
        order = np.lexsort((chance.random(len(stratum)), stratum))
        as_large += statistic_of(above[order]) >= statistic - 1e-9
    return HomogeneityTest("permutation", len(above), statistic, freedom, (1 + as_large) / (1 + SHUFFLES))


def chi_square_tail(value: float, freedom: float) -> float:
    """How often a chi-square with these degrees of freedom is larger: the upper incomplete gamma function.

    A series below the mean, a continued fraction above it (Abramowitz and Stegun 6.5.29 and 6.5.31).
    """
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > 1e-15 * total:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - scale * total)
    # Lentz's method.
    b = x + 1 - a
    c, d = 1e300, 1 / b
    result = d
    for n in range(1, 10_000):
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        result *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return scale * result
