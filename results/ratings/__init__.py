"""Ratings and tests from results of games. These three names are public: counts in, ratings out (RATINGS.md)."""

from results.ratings.estimates import PairResult
from results.ratings.fit import Fit, fit

__all__ = ["Fit", "PairResult", "fit"]
