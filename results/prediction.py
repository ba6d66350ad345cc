"""What a fit says of the next game of two engines. Knows sides and intervals; refuses to know files and display."""

import math
from dataclasses import dataclass

from results.model import Estimate, Expected, Fit
from results.scale import NOISE


@dataclass(frozen=True, slots=True)
class Prediction:
    """The next game of an engine against another, from its point of view."""

    as_p1: Expected
    as_p2: Expected
    alike: Expected
    """Each side as often as the other."""
    stronger: float
    """The probability that it is the stronger one, sides apart."""
    difference: Estimate
    """By how much, in units of mu."""


def predict(fit: Fit, name: str, opponent: str) -> Prediction | None:
    """None where no games connect the two. Raises KeyError for an engine that is not in the field."""
    difference = fit.difference(name, opponent)
    if not any(name in group and opponent in group for group in fit.groups):
        return None
    first, second = fit.expected(name, opponent), _turned(fit.expected(opponent, name))
    lower, upper = (_even(fit, ahead) for ahead in (difference.lower, difference.upper))
    means = [(one + two) / 2 for one, two in zip(first, second, strict=True)]
    alike = Expected(means[0], lower, upper, *means[3:])
    stronger = 0.5 * math.erfc(-difference.mean / (difference.sigma * math.sqrt(2)))
    return Prediction(first, second, alike, stronger, difference)


def among_equals(fit: Fit) -> Expected:
    """What p1 scores against somebody as strong as itself."""
    return fit.expected(fit.names[0], fit.names[0])


def _turned(found: Expected) -> Expected:
    """The same game from the point of view of p2."""
    return Expected(1 - found.score, 1 - found.upper, 1 - found.lower, found.loss, found.draw, found.win)


def _even(fit: Fit, ahead: float) -> float:
    """The mean score on both sides of one who is so much stronger: of the advantage of p1 nearly nothing is left."""
    return (_score(fit, ahead + fit.side.mean) + _score(fit, ahead - fit.side.mean)) / 2


def _score(fit: Fit, ahead: float) -> float:
    scale = NOISE * math.sqrt(2)
    win, loss = (0.5 * math.erfc((fit.margin.mean - signed) / scale) for signed in (ahead, -ahead))
    return 0.5 + 0.5 * (win - loss)
