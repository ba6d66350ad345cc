"""Ratings and tests from results of games. These three names are public: counts in, ratings out (RATINGS.md).

Beside it, it may import: no room.
"""

from results.ratings.estimates import PairResult
from results.ratings.fit import Fit, fit

__all__ = ["Fit", "PairResult", "fit"]
