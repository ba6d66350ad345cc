"""Ratings, predictions and tests from results of games. Start at `results.ratings.fit`.

`from results.ratings import PairResult, fit` is public: counts in, ratings out. docs/RATINGS.md has an example.
"""

from results.ratings.estimates import PairResult
from results.ratings.fit import Fit, fit

__all__ = ["Fit", "PairResult", "fit"]
