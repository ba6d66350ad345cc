"""How likely results are at a difference of strengths, with three derivatives.

With a difference d the performances differ by d plus normal noise of standard deviation NOISE. p1 wins above the draw
margin, p2 wins below minus the margin, and between them the game is a draw. The derivatives are analytic.
"""

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from results.ratings.scale import NOISE

Floats = NDArray[float64]

_erfc = np.frompyfunc(math.erfc, 1, 1)


def normal_cdf(x: Floats) -> Floats:
    """The standard normal distribution."""
    return np.asarray(0.5 * _erfc(x * -math.sqrt(0.5)), float)


def log_normal_cdf(x: Floats) -> Floats:
    """Its logarithm. Below -30, where erfc has no digits left, by its series (Abramowitz and Stegun 26.2.12)."""
    log_p = np.log(normal_cdf(np.maximum(x, -30.0)))
    y = x[x < -30.0]
    log_p[x < -30.0] = (
        -y * y / 2 - np.log(-y * math.sqrt(2 * math.pi)) + np.log1p(-1 / y**2 + 3 / y**4 - 15 / y**6 + 105 / y**8)
    )
    return log_p


def outcome(low: Floats, high: Floats) -> Floats:
    """log P(low < x < high) of a standard normal x, and its derivatives when both limits rise together: 4 rows."""
    flip = low + high > 0  # the tail beyond the nearer limit has more digits
    a, b = np.where(flip, -high, low), np.where(flip, -low, high)
    top = log_normal_cdf(b)
    log_p = top + np.log(-np.expm1(np.minimum(log_normal_cdf(a) - top, -1e-12)))
    at_a, at_b = (np.exp(-x * x / 2 - log_p) / math.sqrt(2 * math.pi) for x in (a, b))
    a = np.where(at_a > 0, a, 0.0)  # it may be infinite
    one, two, three = at_b - at_a, a * at_a - b * at_b, (b * b - 1) * at_b - (a * a - 1) * at_a  # P', P'', P''' over P
    sign = np.where(flip, -1.0, 1.0)
    return np.array([log_p, sign * one, two - one**2, sign * (three - 3 * two * one + 2 * one**3)])


def log_likelihood(counts: Floats, d: Floats, margin: float) -> tuple[Floats, Floats, Floats, Floats]:
    """The logarithm of each pairing's likelihood at the difference `d`, and its three derivatives by `d`.

    `counts` has rows of p1's wins, of draws and of losses. The second derivative has its sign changed: as information.
    """
    infinite, low, high = np.full_like(d, np.inf), (-margin - d) / NOISE, (margin - d) / NOISE
    rows = counts[0] * outcome(high, infinite) + counts[2] * outcome(-infinite, low)
    if counts[1].any():
        rows += counts[1] * outcome(low, high)
    value, slope, information, third = rows * np.array([[1], [-1 / NOISE], [-(NOISE**-2)], [-(NOISE**-3)]])
    return value, slope, np.maximum(information, 1e-12), third


def chances(d: Floats, margin: float, sigma: Floats | float = 0.0) -> tuple[Floats, Floats, Floats]:
    """The probabilities of p1's win, a draw and a loss. `sigma` is the doubt about `d`."""
    scale = np.hypot(NOISE, sigma)
    win, loss = normal_cdf((d - margin) / scale), normal_cdf((-d - margin) / scale)
    return win, np.maximum(1 - win - loss, 0.0), loss
