"""The scale of ratings, which is TrueSkill's, what its intervals hold, and how many digits figures have."""

import math

MU = 25.0
"""The mean rating of a field."""
BETA = 25 / 6
"""The standard deviation of one engine's performance in one game."""
NOISE = BETA * math.sqrt(2)
"""The standard deviation of the difference of two performances."""
Z95 = 1.959963984540054
"""The normal distribution has 95 % of its mass between -Z95 and Z95."""
DIGITS = 9
"""Decimals of a computed figure. Those beyond depend on the CPU, which decides the order of sums in linear algebra."""


def settled(figure: float) -> float:
    """The figure in digits that are the same on every CPU. No 0 has a sign."""
    return round(figure, DIGITS) + 0.0


def for_order(figure: float) -> float:
    """The figure in fewer digits, for sorting: equals may come out a little apart, and then names decide."""
    return round(figure, 6) + 0.0
