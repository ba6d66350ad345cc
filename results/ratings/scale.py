"""The scale of ratings, which is TrueSkill's, and what its intervals hold."""

import math

MU = 25.0
"""The middle of a field."""
BETA = 25 / 6
"""The standard deviation of one engine's performance in one game."""
NOISE = BETA * math.sqrt(2)
"""That of the difference of two."""
Z95 = 1.959963984540054
"""The normal distribution has 95 % of its mass between -Z95 and Z95."""
