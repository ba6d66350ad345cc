"""The normal distribution's logarithm and its slopes, far tails and all, for whole arrays: numpy has no erfc."""

import math
from functools import cache

import numpy as np
from numpy import float64
from numpy.typing import NDArray

Floats = NDArray[float64]

FAR = 25.0
"""Beyond so many standard deviations the tail's own series serves,"""
NODES = 128
"""and closer in, the function is known at so many points to a standard deviation, with the derivatives that make"""
TERMS = 6
"""so many terms of its series from there. Points are 1 to 2 steps off, so that nothing is divided by 0."""
ORDERS = 5
CHUNK = 1 << 12
"""So many at a time stay in the processor's cache; callers with more than that take them by parts."""

LOG_ROOT = 0.5 * math.log(2 * math.pi)
"""The logarithm of sqrt(2 pi)."""

# log(|x| sqrt(2 pi) exp(x^2 / 2) Phi(x)) for x far below 0, the powers of x^-2.
_TAIL = {1: -1.0, 2: 5 / 2, 3: -37 / 3, 4: 353 / 4, 5: -4081 / 5, 6: 55205 / 6}


def log_phi(x: Floats) -> Floats:
    """The logarithm of Phi(x) for each finite x, and its first four derivatives: an axis of five before those of x.

    Off by 1e-14 of its size, or absolutely where it is small; the derivatives by 1e-11, 1e-9, 1e-6 and 1e-4.
    """
    flat = x.reshape(-1)
    far = longest(flat) > FAR
    steps = np.clip(flat, -FAR, FAR) * NODES if far else flat * NODES
    steps += FAR * NODES
    at = steps.astype(np.intp)
    steps -= at
    steps += 1.0
    powers = np.empty((TERMS, steps.size))
    powers[0] = 1.0
    powers[1] = steps
    np.multiply(steps, steps, powers[2])
    np.multiply(powers[1:3], powers[2], powers[3:5])
    np.multiply(powers[2], powers[3], powers[5])
    series, orders = _table()
    terms = series.take(at, axis=1, mode="clip")  # the mode without a search for what lies outside
    terms *= powers
    found: Floats = orders.dot(terms)
    found /= powers[:ORDERS]
    if far:
        low, high = flat < -FAR, flat > FAR
        found[:, low], found[:, high] = _far(flat[low]), 0.0
    return found.reshape(ORDERS, *x.shape)


def longest(x: Floats) -> float:
    """The largest absolute value, in the quickest way; 0 where there is none."""
    size = np.abs(x)
    return float(size[size.argmax()]) if len(size) else 0.0


@cache
def _table() -> tuple[Floats, Floats]:
    """The series at each node, in steps between nodes, and how its terms add up to the function and derivatives."""
    nodes = np.arange(-FAR * NODES - 1, FAR * NODES) / NODES
    tail = np.array([0.5 * math.erfc(t) for t in (np.abs(nodes) / math.sqrt(2)).tolist()])
    log = np.where(nodes < 0, np.log(tail), np.log1p(-tail))
    # With r the slope and b = r + x, r' = -r b; and so on by the rule of Leibniz.
    r = [np.exp(-0.5 * nodes**2 - LOG_ROOT - log)]
    b = [r[0] + nodes]
    for order in range(TERMS - 2):
        r.append(-sum(math.comb(order, k) * r[k] * b[order - k] for k in range(order + 1)))
        b.append(r[-1] + (order == 0))
    series = np.array([each / (math.factorial(k) * NODES**k) for k, each in enumerate([log, *r])])
    orders = np.array([[math.perm(k, order) * NODES**order for k in range(TERMS)] for order in range(ORDERS)], float)
    return series, orders


def _far(x: Floats) -> Floats:
    """The same far below 0: -x^2 / 2 - log(|x| sqrt(2 pi)) and the tail's series, term by term."""
    inverse = 1 / x
    orders = np.arange(ORDERS)[:, None]
    signs = np.array([[(-1) ** order * math.perm(2 * k + order - 1, order) for k in _TAIL] for order in range(ORDERS)])
    found: Floats = (signs * [*_TAIL.values()]) @ (inverse * inverse) ** np.array([*_TAIL])[:, None]
    found *= inverse**orders
    found[0] -= 0.5 * x * x + np.log(-x) + LOG_ROOT
    found[1:] += np.array([-x - inverse, inverse**2 - 1, -2 * inverse**3, 6 * inverse**4])
    return found
