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

from results.model_normal import Floats
from results.model_posterior import Design, Peak, Widths

SMALL = 0.1
"""Up to this share of every pairing's variance, first order is as good as any."""
MANY = 128
"""With more engines than this, pairings bend each other as if the advantage were known."""
TAMED = 0.05
"""Beyond SMALL, growth by a factor of 1 + x is taken for one of 1 + x / (1 + TAMED x)."""


class Bell(NamedTuple):
    """A normal distribution of the unknowns."""

    mean: Floats
    covariance: Floats
    lean: float
    """How far the mean lies from the peak, in the peak's standard deviations, where that is most."""


def around(design: Design, widths: Widths, peak: Peak) -> Bell:
    """The bell around a peak, from a point next to it."""
    slopes, moved = peak.slopes, design.differences(peak.step)
    prior = design.prior(widths)
    third = slopes.ddd + slopes.dddd * moved
    covariance = design.covariance(slopes.dd - slopes.ddd * moved, prior)
    variances = design.variances(covariance)
    shift = covariance @ design.gathered(0.5 * third * variances)
    lean = float(np.max(np.abs(shift) / np.sqrt(covariance.diagonal()), initial=0.0))
    # What the precision falls by: where the mean is, as the curvature itself bends, and as slopes pull together.
    flatter = third * design.differences(shift) + 0.5 * slopes.dddd * variances
    loss = design.information(flatter, np.zeros_like(prior)) + _together(design, third, covariance)
    return Bell(peak.top + shift, _widened(design, covariance, variances, loss), lean)


def _together(design: Design, third: Floats, covariance: Floats) -> Floats:
    """What pairings take off the precision two by two: half the sum, over all pairs of pairings, of both their third
    derivatives times their covariance squared.
    """
    if design.rows is not None:
        bent = design.rows.T * third
        shared = design.rows @ covariance @ design.rows.T
        return np.asarray(0.5 * bent @ (shared * shared) @ bent.T, float)
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
    xs, square = x @ s, s * s
    xq, bend = x @ square, s * xs
    half = 0.5 * np.outer(rows, rows) * square
    half += rows * (xq - 2 * bend)
    half += (2 * bend - 0.5 * xq) @ x
    half -= s * (xs @ x)
    half += xs * xs.T
    found: Floats = 0.5 * (half + half.T)
    return found


def _widened(design: Design, covariance: Floats, variances: Floats, loss: Floats) -> Floats:
    """The covariance where the precision is less by a loss (more, where that is negative); it stays positive."""
    wider = covariance @ loss @ covariance
    if float(np.max(np.abs(design.variances(wider)) / variances, initial=0.0)) < SMALL:
        return np.asarray(covariance + wider, float)
    spread, axes = np.linalg.eigh(0.5 * (covariance + covariance.T))
    root = axes * np.sqrt(np.maximum(spread, 1e-15 * spread[-1]))  # rounding may have made one negative
    growth, along = np.linalg.eigh(root.T @ loss @ root)
    factor = np.where(growth > 0, 1 + growth / (1 + TAMED * np.abs(growth)), 1 / (1 + np.abs(growth)))
    turned = root @ along
    return np.asarray((turned * factor) @ turned.T, float)
