"""The normal distribution's far tails, for whole arrays: numpy has no erfc, and 1 - Phi(x) is 0 from x = 9 on."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy import float64
from numpy.typing import NDArray

Floats = NDArray[float64]

# (1 + 2 t) exp(t^2) erfc(t) for t >= 0 is smooth in y = (t - 4) / (t + 4), from -1 to 1 (after Shepherd and
# Laframboise, Mathematics of Computation 36, 1981). These are its Chebyshev series of degree 24, made with 40 digits,
# in powers of y; their absolute values add up to 1.8, so nothing is lost in the sum.
_SERIES = (
    1.23299511862555251,
    -0.139621116840562292,
    0.015379652102619604,
    0.0680970542546690878,
    -0.101039066036300554,
    0.0937328349990944081,
    -0.066330365812186977,
    0.0371675155265556702,
    -0.0161977340597992662,
    0.00503197006765748892,
    -0.000757773261373095633,
    -0.000199257146610911884,
    0.000150621490012404722,
    -0.0000243977464224364164,
    -0.000011221287012353485,
    5.70660441489573347e-6,
    2.91973337796301215e-7,
    -8.21093904256056799e-7,
    7.74699272701794193e-8,
    1.06338556185948837e-7,
    -2.05606492756992017e-8,
    -1.23468660438235286e-8,
    3.16958819156481724e-9,
    9.31174497823257279e-10,
    -2.65959969024268942e-10,
)


_ROW = 5
"""The series is summed as five rows of five: a product of matrices and four steps, where Horner's rule takes 24."""
CHUNK = 1 << 12
"""So many at a time stay in the processor's cache; callers with more than that take them by parts."""


class Tails(NamedTuple):
    """The logarithms of Phi(x) and Phi(-x), and the slopes of both by their own arguments, phi / Phi."""

    log: Floats
    slope: Floats
    other_log: Floats
    other_slope: Floats


def tails(x: Floats) -> Tails:
    """Both tails of each; to 14 digits for every finite x."""
    scaled, square, below = _parts(x)
    tail = 0.5 * below * scaled  # Phi(-|x|)
    far, near = np.log(0.5 * scaled) - square, np.log1p(-tail)
    steep, flat = math.sqrt(2 / math.pi) / scaled, math.sqrt(0.5 / math.pi) * below / (1.0 - tail)
    low = x < 0
    return Tails(
        np.where(low, far, near), np.where(low, steep, flat), np.where(low, near, far), np.where(low, flat, steep)
    )


def _parts(x: Floats) -> tuple[Floats, Floats, Floats]:
    """exp(t^2) erfc(t), t^2 and exp(-t^2), with t = |x| / sqrt 2."""
    t = np.abs(x)
    t *= math.sqrt(0.5)
    square = t * t
    return _scaled(t), square, np.exp(-square)


def _scaled(t: Floats) -> Floats:
    """exp(t^2) erfc(t)."""
    powers = np.empty((_ROW, t.size))
    _, y, square, cube, fourth = powers
    powers[0] = 1.0
    flat = t.reshape(-1)
    np.divide(flat - 4.0, flat + 4.0, out=y)
    np.multiply(y, y, out=square)
    np.multiply(square, y, out=cube)
    np.multiply(square, square, out=fourth)
    rows = _table() @ powers
    fifth = fourth * y
    found = rows[-1]
    for row in rows[-2::-1]:
        found *= fifth
        found += row
    found /= 1.0 + 2.0 * flat
    return np.asarray(found.reshape(t.shape), float)


@cache
def _table() -> Floats:
    return np.array(_SERIES).reshape(-1, _ROW)
