"""The normal distribution's far tails, for whole arrays: numpy has no erfc, and 1 - Phi(x) is 0 from x = 9 on."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Floats = NDArray[float64]

Z95 = 1.959963984540054
"""The normal distribution has 95 % of its mass between -Z95 and Z95."""

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


def log_cdf(x: "Floats") -> tuple["Floats", "Floats"]:
    """log Phi(x), and its slope phi(x) / Phi(x); to 14 digits for every finite x."""
    import numpy as np

    t = np.abs(x) * math.sqrt(0.5)
    y = (t - 4.0) / (t + 4.0)
    scaled = np.full_like(y, _SERIES[-1])
    for coefficient in _SERIES[-2::-1]:
        scaled *= y
        scaled += coefficient
    scaled /= 1.0 + 2.0 * t  # exp(t^2) erfc(t)
    square = t * t
    below = np.exp(-square)
    tail = 0.5 * below * scaled  # Phi(-|x|)
    low = x < 0
    log = np.where(low, np.log(0.5 * scaled) - square, np.log1p(-tail))
    slope = math.sqrt(2 / math.pi) * np.where(low, 1.0 / scaled, 0.5 * below / (1.0 - tail))
    return log, slope
