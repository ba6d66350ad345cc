"""The scale of ratings, which is TrueSkill's and what its intervals hold."""

import math

MU = 25.0
"""The mean rating of a field."""
BETA = 25 / 6
"""The standard deviation of one engine's performance in one game."""
NOISE = BETA * math.sqrt(2)
"""The standard deviation of the difference of two performances."""
Z95 = 1.959963984540054
"""The normal distribution has 95 % of its mass between -Z95 and Z95."""
