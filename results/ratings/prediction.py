"""Predicts the next game of two engines from a fit, with intervals. Independent of files and display."""

import math
from dataclasses import dataclass

from results.ratings.fit import Expected, Fit, Lead


@dataclass(frozen=True, slots=True)
class Prediction:
    """The next game of an engine against another, from its point of view."""

    as_p1: Expected
    as_p2: Expected
    alike: Expected
    """The mean of both sides."""
    stronger: float
    """The probability that it is the stronger one, without the advantage of a side."""
    difference: Lead
    """By how much it is stronger, in units of mu."""


def predict(fit: Fit, name: str, opponent: str) -> Prediction | None:
    """The prediction; None where no games connect the two. Raises KeyError for an engine that is not in the field."""
    difference = fit.difference(name, opponent)
    if not any(name in group and opponent in group for group in fit.groups):
        return None
    first, second = fit.expected(name, opponent), _reversed(fit.expected(opponent, name))
    means = [(one + two) / 2 for one, two in zip(first, second, strict=True)]
    score, (lower, upper) = means[0], _alike(fit, difference, fit.ahead(name, opponent), fit.ahead(opponent, name))
    alike = Expected(score, min(lower, score), max(upper, score), *means[3:])
    return Prediction(first, second, alike, difference.positive, difference)


def among_equals(fit: Fit) -> Expected:
    """The expected score of p1 against an equally strong engine, without roles."""
    return fit.scores(Lead(*fit.side, *fit.side))


def _reversed(found: Expected) -> Expected:
    """The same game from the point of view of p2."""
    return Expected(1 - found.score, 1 - found.upper, 1 - found.lower, found.loss, found.draw, found.win)


def _alike(fit: Fit, difference: Lead, ours: Lead, theirs: Lead) -> tuple[float, float]:
    """The mean score of both sides at the ends of the difference; `ours` and `theirs` are the leads of p1."""
    # Each lead is the advantage of the side between the two, plus or minus the difference of their strengths.
    side = (ours.mean + theirs.mean) / 2
    shared = (ours.sigma**2 - theirs.sigma**2) / 4
    variance = (ours.sigma**2 + theirs.sigma**2) / 2 - difference.sigma**2
    slope = shared / difference.sigma**2
    sigma = math.sqrt(max(variance - shared * slope, 0.0))

    def at(ahead: float) -> float:
        given = side + slope * (ahead - difference.mean)
        return (fit.score(ahead + given, sigma) + fit.score(ahead - given, sigma)) / 2

    return at(difference.lower), at(difference.upper)
