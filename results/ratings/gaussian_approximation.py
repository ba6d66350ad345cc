"""The posterior as a bell: from its peak, one order farther than curvature.

A score of 30 to 0 says that a difference is large, hardly how large: its posterior leans far to one side, and a bell
with the peak's place and curvature (Laplace) is too low and too narrow. Third and fourth derivatives tell, to first
order, how far the mean lies from the peak and how much wider the posterior is (Lindley, Trabajos de Estadistica 31,
1980). Works at given prior widths; refuses to know how good they are.
"""

from typing import NamedTuple

import numpy as np
from numpy import intp
from numpy.typing import NDArray

from results.ratings.design import Design
from results.ratings.normal import Floats, longest
from results.ratings.posterior import Peak, peak_from

SMALL = 0.1
"""Up to this share of every pairing's variance, first order is as good as any."""
PAIRINGS = 160
"""Of so many pairings, and as many more as there are players, all pairs are sooner summed than engines are."""
MANY = 128
"""With more engines than this, and without roles, those sums of engines take the advantage for known."""
TRUSTED = 0.002
"""Where a bell leans, its width hangs on how third derivatives change, and they are foretold worst. With more of the
lean times the square of the way from the point to the peak, a bell is made from a point closer by."""
TAMED = 0.05
"""Beyond SMALL, growth by a factor of 1 + x is taken for one of 1 + x / (1 + TAMED x)."""


class Bell(NamedTuple):
    """A normal distribution of the unknowns."""

    mean: Floats
    covariance: Floats
    lean: float
    """How far the mean lies from the peak, in the peak's standard deviations, where that is most."""


def around(design: Design, peak: Peak) -> Bell:
    """The bell around a peak."""
    slopes, moved = peak.slopes, peak.moved
    third = slopes.ddd + slopes.dddd * moved
    bent = moved * (slopes.ddd + 0.5 * slopes.dddd * moved)
    covariance = design.covariance(slopes.dd - bent, peak.prior)
    variances = design.variances(covariance)
    shift = covariance.dot(design.gathered(0.5 * third * variances))
    lean = longest(shift / np.sqrt(covariance.diagonal()))
    if lean * peak.far**2 > TRUSTED:
        return around(design, peak_from(design, peak.prior, peak.top, peak.top_margin))
    # What the precision falls by: where the mean is, as the curvature itself bends, and as slopes pull together.
    flatter = third * design.differences(shift) + 0.5 * slopes.dddd * variances
    loss = design.information(flatter) + _together(design, third, covariance)
    return Bell(peak.top + shift, _widened(design, covariance, variances, loss), lean)


def _together(design: Design, third: Floats, covariance: Floats) -> Floats:
    """What pairings take off the precision two by two: half the sum, over all pairs of pairings, of both their third
    derivatives times their covariance squared.
    """
    if design.columns is not None and len(third) <= PAIRINGS + 2 * len(design.field.names):
        bent = design.columns * third
        shared = design.columns.T.dot(covariance.dot(design.columns))
        shared *= shared
        few: Floats = 0.5 * bent.dot(shared).dot(bent.T)
        return few
    n, one, two = len(design.field.names), design.field.one, design.field.two
    if n > MANY and not design.roles:  # the advantage is left out: it hangs on all games
        found = np.zeros_like(covariance)
        found[:n, :n] = _of_players(third, one, two, covariance[:n, :n])
        return found
    # Two players for each engine: as strong as it is on the first side, with its advantage, and on the second.
    sides = np.zeros((2, n, design.size))
    sides[:, :, :n] = np.eye(n)
    sides[0, :, -1] = 1.0
    if design.roles:
        sides[0, :, n:-1], sides[1, :, n:-1] = np.eye(n), -np.eye(n)
    turn = sides.reshape(2 * n, -1)
    return np.asarray(turn.T @ _of_players(third, one, two + n, turn @ covariance @ turn.T) @ turn, float)


def _of_players(third: Floats, one: NDArray[intp], two: NDArray[intp], s: Floats) -> Floats:
    """The same for players, whose covariance is `s`, in a time that does not grow with the number of pairings.

    With X the third derivatives of who met whom, antisymmetric, it is half the sum over all j and q of
    X[i, j] X[p, q] (s[i, p] - s[i, q] - s[j, p] + s[j, q])^2 for each i and p; the square is multiplied out.
    """
    x = np.zeros_like(s)
    x[one, two] = third
    x -= x.T
    rows = x.sum(1)
    xs, half = x @ s, s * s
    xq, bend = x @ half, s * xs
    bend *= 2.0
    # In place, for fetching memory takes as long as the sums: half of rows rows' s^2,
    half *= rows
    half *= (0.5 * rows)[:, None]
    work = -0.5 * xq
    work += bend
    # rows (x s^2 - 2 s xs), (2 s xs - x s^2 / 2) x, -s (xs x) and xs xs'.
    xq -= bend
    xq *= rows
    half += xq
    half += np.matmul(work, x, out=xq)
    np.matmul(xs, x, out=work)
    work *= s
    half -= work
    half += np.multiply(xs, xs.T, out=work)
    np.add(half, half.T, out=work)
    work *= 0.5
    return work


def _widened(design: Design, covariance: Floats, variances: Floats, loss: Floats) -> Floats:
    """The covariance where the precision is less by a loss (more, where that is negative); it stays positive."""
    wider: Floats = covariance.dot(loss).dot(covariance)
    if longest(design.variances(wider) / variances) < SMALL:
        wider += covariance
        return wider
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:  # rounding has made one direction's variance negative
        spread, axes = np.linalg.eigh(0.5 * (covariance + covariance.T))
        root = axes * np.sqrt(np.maximum(spread, 1e-15 * spread[-1]))
    growth, along = np.linalg.eigh(root.T @ loss @ root)
    factor = np.where(growth > 0, 1 + growth / (1 + TAMED * np.abs(growth)), 1 / (1 + np.abs(growth)))
    turned = root @ along
    return np.asarray((turned * factor) @ turned.T, float)
