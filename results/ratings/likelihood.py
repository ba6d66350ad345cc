"""How likely each meeting's result is, and how that changes: the probit with a margin for draws.

A performance difference is the expected one, d, plus noise of standard deviation NOISE. Beyond `margin` p1 has won,
below -`margin` p2 has; between them the game is drawn. The logarithm is concave in d and `margin` together, so that a
fit has one answer. Knows counts and differences; refuses to know whose they are.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy import intp
from numpy.typing import NDArray

from results.ratings.normal import CHUNK, LOG_ROOT, ORDERS, Floats, log_phi
from results.ratings.scale import NOISE


class Counts(NamedTuple):
    """Distinct pairings, p1 against p2: how often p1 won, how often it was a draw, how often p1 lost."""

    wins: Floats
    draws: Floats
    losses: Floats
    games: Floats
    decided: Floats
    """Wins and losses."""
    drawn: bool
    """Was any game a draw? Without one the margin is 0."""
    with_draws: NDArray[intp] | slice
    """The pairings with draws, or all where those without are fewer: no copy need be made of them."""
    parts: "tuple[tuple[slice, Counts], ...]"
    """The pairings by parts that stay in the processor's cache; none where all do."""

    @classmethod
    def of(cls, table: Floats) -> "Counts":
        """Those of a row of wins, one of draws and one of losses."""
        wins, draws, losses = table
        (at,) = draws.nonzero()
        rows, parts = CHUNK // 2, []
        if len(wins) > rows:
            for start in range(0, len(wins), rows):
                part = slice(start, start + rows)
                parts.append((part, cls.of(table[:, part])))
        most = slice(None) if 2 * len(at) >= len(wins) else at
        return cls(wins, draws, losses, wins + draws + losses, table[::2], len(at) > 0, most, tuple(parts))


class Slopes(NamedTuple):
    """The log-likelihood, and its derivatives by the difference d and the margin e, for each pairing."""

    total: float
    d: Floats
    e: Floats
    dd: Floats
    """The second derivatives, negated: information."""
    de: Floats
    ee: Floats
    ddd: Floats
    """The third derivatives, not negated,"""
    dde: Floats
    dee: Floats
    eee: Floats
    dddd: Floats
    """and a fourth."""


def slopes(counts: Counts, d: Floats, margin: float) -> Slopes:
    """All derivatives at one difference for each pairing."""
    if not counts.parts:
        total, table = _slopes(counts, d, margin)
        return Slopes(total, *table)
    totals, all_ = [], np.empty((len(Slopes._fields) - 1, len(d)))
    for part, games in counts.parts:
        total, all_[:, part] = _slopes(games, d[part], margin)
        totals.append(total)
    return Slopes(math.fsum(totals), *all_)


def _slopes(counts: Counts, d: Floats, margin: float) -> tuple[float, Floats]:
    signs = _signs()
    ahead, edge = d * (1 / NOISE), margin / NOISE
    x = np.empty((3 if counts.drawn else 2, len(d)))
    np.subtract(ahead, edge, x[0])
    np.subtract(-edge, ahead, x[1])
    if counts.drawn:  # a draw is seen from its nearer border
        np.subtract(edge, np.abs(ahead), x[2])
    found = log_phi(x)
    decided = found[:, :2] * counts.decided
    total = float(np.add.reduce(decided[0], None))
    table = signs.decided.dot(decided.reshape(2 * ORDERS, -1))
    if counts.drawn:
        at = counts.with_draws
        log_draw, of_draws = _of_draws(x[:2, at], found[0][:, at])
        drawn = counts.draws[at]
        total += float(drawn.dot(log_draw))
        of_draws *= drawn
        table[:, at] += of_draws
    return total, table


def _of_draws(edges: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """The logarithm of each draw's probability, and its derivatives.

    From both borders, and the logarithms of the probabilities beyond them and of all before the nearer one.
    """
    signs = _signs()
    log_draw = np.minimum(logs[0], logs[1])
    log_draw -= logs[2]
    np.expm1(log_draw, log_draw)
    np.log(np.negative(log_draw, log_draw), log_draw)
    log_draw += logs[2]
    # The densities at the borders over the probability between them, and these times the borders' powers.
    borders = np.empty((4, *edges.shape))
    np.multiply(edges, edges, borders[0])
    borders[0] *= -0.5
    borders[0] -= log_draw + LOG_ROOT
    np.exp(borders[0], borders[0])
    for power in range(3):
        np.multiply(borders[power], edges, borders[power + 1])
    # With p1 to p4 the derivatives of the probability by d, over itself, f that by the margin, pf and p2f by both: the
    # rows p1, p4, p2, p3, f, pf, p2f; p1 times the first six; f times p2, p3, f, pf; p1 times p1^2, p1 p2, p1 f; f^2
    # times p1 and f; the squares of p2 and p1^2.
    terms = np.empty((24, edges.shape[-1]))
    np.matmul(signs.borders, borders.reshape(8, -1), terms[:7])
    np.multiply(terms[:6], terms[0], terms[7:13])
    np.multiply(terms[2:6], terms[4], terms[13:17])
    np.multiply(terms[7:12:2], terms[0], terms[17:20])
    np.multiply(terms[:5:4], terms[15], terms[20:22])
    np.multiply(terms[2:8:5], terms[2:8:5], terms[22:])
    return log_draw, signs.drawn.dot(terms)


class _Signs(NamedTuple):
    """How the rows of Slopes add up, by units of mu."""

    decided: Floats
    """From the derivatives of p1's and p2's wins,"""
    borders: Floats
    drawn: Floats
    """from the borders of a draw, by way of the rows that are told there."""


@cache
def _signs() -> _Signs:
    # d, e, dd, de, ee, ddd, dde, dee, eee, dddd: which derivative of the two, and with what signs
    decided = np.zeros((10, ORDERS, 2))
    for row, (order, won, lost) in enumerate(
        [
            *((1, 1, -1), (1, -1, -1)),
            *((2, -1, -1), (2, 1, -1), (2, -1, -1)),
            *((3, 1, -1), (3, -1, -1), (3, 1, -1), (3, -1, -1)),
            (4, 1, 1),
        ]
    ):
        decided[row, order] = won, lost
    borders = np.zeros((7, 4, 2))
    p1, p4, p2, p3, f, pf, p2f = borders
    p1[0], p2[1], f[0], pf[1] = (-1, 1), (1, 1), (1, 1), (-1, 1)
    p3[2], p2f[2], p4[3] = (-1, 1), (1, 1), (1, 1)
    p3 -= p1
    p2f -= f
    p4 -= 3 * p2
    drawn = np.zeros((10, 24))
    for row, terms in enumerate(
        [
            {0: 1},  # p1
            {4: 1},  # f
            {7: 1, 2: -1},  # p1^2 - p2
            {11: 1, 5: -1},  # p1 f - pf
            {15: 1, 2: -1},  # f^2 - p2
            {3: 1, 9: -3, 17: 2},  # p3 - 3 p1 p2 + 2 p1^3
            {6: 1, 13: -1, 12: -2, 19: 2},  # p2f - p2 f - 2 p1 pf + 2 p1^2 f
            {3: 1, 16: -2, 9: -1, 20: 2},  # p3 - 2 f pf - p1 p2 + 2 p1 f^2
            {6: 1, 13: -3, 21: 2},  # p2f - 3 p2 f + 2 f^3
            {1: 1, 10: -4, 22: -3, 18: 12, 23: -6},  # p4 - 4 p1 p3 - 3 p2^2 + 12 p1^2 p2 - 6 p1^4
        ]
    ):
        for term, factor in terms.items():
            drawn[row, term] = factor
    units = NOISE ** -np.repeat([1.0, 2.0, 3.0, 4.0], [2, 3, 4, 1])[:, None]
    return _Signs(units * decided.reshape(10, -1), borders.reshape(7, -1), units * drawn)
