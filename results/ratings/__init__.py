"""Ratings and tests from results of games. These three names are public: counts in, ratings out (RATINGS.md).

`estimates` has the figures of the standings: rating, +-, ranks, and P>next, which is `Lead.positive`. `fit` makes them.

Beside it, it may import: no room.
"""

from results.ratings.estimates import PairResult
from results.ratings.fit import Fit, fit

__all__ = ["Fit", "PairResult", "fit"]
