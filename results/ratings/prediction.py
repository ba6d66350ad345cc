"""What a fit says of the next game of two engines. Knows sides and intervals; refuses to know files and display."""

import math
from dataclasses import dataclass

from results.ratings.fit import Expected, Fit, Lead


@dataclass(frozen=True, slots=True)
class Prediction:
    """The next game of an engine against another, from its point of view."""

    as_p1: Expected
    as_p2: Expected
    alike: Expected
    """Each side as often as the other."""
    stronger: float
    """The probability that it is the stronger one, sides apart."""
    difference: Lead
    """By how much, in units of mu."""


def predict(fit: Fit, name: str, opponent: str) -> Prediction | None:
    """None where no games connect the two. Raises KeyError for an engine that is not in the field."""
    difference = fit.difference(name, opponent)
    if not any(name in group and opponent in group for group in fit.groups):
        return None
    first, second = fit.expected(name, opponent), _turned(fit.expected(opponent, name))
    means = [(one + two) / 2 for one, two in zip(first, second, strict=True)]
    score, (lower, upper) = means[0], _alike(fit, difference, fit.ahead(name, opponent), fit.ahead(opponent, name))
    alike = Expected(score, min(lower, score), max(upper, score), *means[3:])
    return Prediction(first, second, alike, difference.positive, difference)


def among_equals(fit: Fit) -> Expected:
    """What p1 scores against somebody as strong as itself, roles apart."""
    return fit.scores(Lead(*fit.side, *fit.side))


def _turned(found: Expected) -> Expected:
    """The same game from the point of view of p2."""
    return Expected(1 - found.score, 1 - found.upper, 1 - found.lower, found.loss, found.draw, found.win)


def _alike(fit: Fit, difference: Lead, ours: Lead, theirs: Lead) -> tuple[float, float]:
    """The score on both sides alike at the ends of the difference; `ours` and `theirs` are how far p1 is ahead."""
    # Both are what the side is worth between the two, plus or minus the difference; so these two are told apart.
    side = (ours.mean + theirs.mean) / 2
    shared = (ours.sigma**2 - theirs.sigma**2) / 4
    variance = (ours.sigma**2 + theirs.sigma**2) / 2 - difference.sigma**2
    slope = shared / difference.sigma**2
    sigma = math.sqrt(max(variance - shared * slope, 0.0))

    def at(ahead: float) -> float:
        given = side + slope * (ahead - difference.mean)
        return (fit.score(ahead + given, sigma) + fit.score(ahead - given, sigma)) / 2

    return at(difference.lower), at(difference.upper)
