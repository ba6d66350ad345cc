"""The median-unbiased Elo of a sequential test, which stops at a moment that flatters the engine that is ahead.

The log-likelihood ratio is taken for a Brownian motion between both bounds. Its drift and variance at a true mean score
are those of the distribution that has this mean and is nearest to the results. Ends of a test are ordered from the
worst to the best: H0, the soonest first; undecided, by the ratio; H1, the soonest last. The estimate is the strength at
which an end below the one that came is as likely as one above it.

Sources: David Siegmund, Estimation following sequential tests, Biometrika 65, 1978 (the order and its inversion), and
Michel Van den Bergh's model in fishtest, server/fishtest/stats/sprt.py and brownian.py. The series here is another one:
it reflects the motion at the bounds in turn.
"""

import math
from collections.abc import Callable, Sequence

from results.ratings.sprt import EloEstimate, Sprt, elo_of, moments, seen, with_mean

_LEVELS = (0.5, 0.975, 0.025)
"""How likely an end below the one that came is, at the estimate, at the lower end and at the upper end."""
_SCORES = (0.001, 0.999)
"""The mean scores among which the estimate is sought; beyond them, at 1200 Elo, it is infinite."""
_HALVINGS = 20
_NOTHING = 1e-12


def unbiased_elo(test: Sprt, counts: Sequence[int]) -> EloEstimate | None:
    """Logistic Elo from the counts of a test, decided or not; None while all results are the same."""
    if moments(counts) is None:
        return None
    weights, llr = seen(counts), test.llr(counts)
    # What lies beyond a bound is cut off, and as much of the time: the ratio is taken to have come there in a line.
    end = max(test.lower, min(llr, test.upper))
    time = sum(weights) * (1.0 if end == llr else end / llr)
    shares = [weight / sum(weights) for weight in weights]

    def below(score: float) -> float:
        likely = with_mean(shares, score)
        parts = test.parts(likely)
        drift = sum(share * part for share, part in zip(likely, parts, strict=True))
        variance = sum(share * (part - drift) ** 2 for share, part in zip(likely, parts, strict=True))
        return end_below(test.lower, test.upper, drift, max(variance, _NOTHING), time, end)

    return EloEstimate(*(elo_of(_score(below, level)) for level in _LEVELS))


def end_below(lower: float, upper: float, drift: float, variance: float, time: float, at: float) -> float:
    """The probability that a Brownian motion from 0 ends below the end at `time` and `at`, which may be a bound.

    Drift and variance are those of a unit of time. Counted are the motions that are below `at` at `time` if nothing
    stops them. Added are those that met the lower bound first and went above `at` later, and taken away are those that
    met the upper bound first and went below `at` later.
    """
    free = math.exp(_log_normal((at - drift * time) / math.sqrt(variance * time)))
    back_up = _met_lower_and_above(lower, upper, drift, variance, time, at)
    back_down = _met_lower_and_above(-upper, -lower, -drift, variance, time, -at)
    return free + back_up - back_down


def _met_lower_and_above(lower: float, upper: float, drift: float, variance: float, time: float, at: float) -> float:
    """The probability to meet the lower bound by `time`, before the upper one, and to be above `at` at `time`.

    The motion is reflected at the bounds. The first reflection counts all that meet the lower bound. The second takes
    away those that met the upper one before it, the third gives back those that met the lower one still before, and so
    on.
    """

    def reflected(shift: float) -> float:
        x = (shift + drift * time - at) / math.sqrt(variance * time)
        return math.exp(drift / variance * shift + _log_normal(x))

    probability, shift, more = 0.0, 2 * lower, 1.0
    while more > _NOTHING:
        more = reflected(shift)
        probability += more - reflected(shift - 2 * upper)
        shift -= 2 * (upper - lower)
    return probability


def _log_normal(x: float) -> float:
    """The logarithm of the normal distribution function, which itself is too small for a float far below 0."""
    if x > -30:
        return math.log(0.5 * math.erfc(-x / math.sqrt(2)))
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi))


def _score(below: Callable[[float], float], level: float) -> float:
    """The mean score at which an end below is so likely, which falls with the score; 0 or 1 if it is beyond _SCORES."""
    low, high = _SCORES
    if below(low) <= level:
        return 0.0
    if below(high) >= level:
        return 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) > level else (low, middle)
    return low
