"""What goes into a fit, and the figures that come out, with their 95 % intervals. Ratings are in units of mu."""

import math
import sys
from dataclasses import dataclass
from typing import Literal, NamedTuple

from results.ratings.scale import Z95

OneSided = Literal["at least", "at most"]  # scores leave open how much stronger or weaker than the others an engine is


class PairResult(NamedTuple):
    """The games in which `p1` played p1 and `p2` the second, counted from `p1`'s point of view."""

    p1: str
    p2: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure in units of mu, its standard deviation, and its 95 % interval from `lower` to `upper`."""

    mean: float
    sigma: float

    @property
    def lower(self) -> float:
        return self.mean - Z95 * self.sigma

    @property
    def upper(self) -> float:
        return self.mean + Z95 * self.sigma


@dataclass(frozen=True, slots=True)
class Skewed(Estimate):
    """The mean of a posterior that may be skewed away from 0, as after a lopsided score: it falls quickly towards 0.

    A symmetrical interval then doubts too much. So its end towards 0 is the tighter one of two.
    """

    near: float  # the end towards 0 by the fall of the posterior, 0 if it is not skewed
    distance: float  # how many standard deviations from 0 the posterior is by its fall, 0 if it is not skewed

    @property
    def lower(self) -> float:
        end = self.mean - Z95 * self.sigma
        return max(end, self.near) if self.mean > 0 and self.distance else end

    @property
    def upper(self) -> float:
        end = self.mean + Z95 * self.sigma
        return min(end, self.near) if self.mean < 0 and self.distance else end

    @property
    def towards_0(self) -> Estimate:
        """The mean, with the standard deviation that it has towards 0."""
        return Estimate(self.mean, (self.mean - self.lower if self.mean > 0 else self.upper - self.mean) / Z95)


@dataclass(frozen=True, slots=True)
class Lead(Skewed):
    """How far one is ahead of another."""

    field_variance: float  # how far skills lie apart in this field, without the noise of the ratings

    @property
    def positive(self) -> float:
        """The probability that there is a lead, and no lag. Over the next engine it is P>next in the standings.

        It is shrunk (James and Stein 1961): of two whose ratings differ mostly by chance, one is ahead by chance.
        """
        apart, sigma = 2 * self.field_variance, max(self.towards_0.sigma, sys.float_info.min)
        shrunk = math.sqrt(apart / (apart + sigma**2)) if apart else 0.0
        away = math.copysign(max(abs(self.mean) / sigma, self.distance), self.mean)
        return 0.5 * math.erfc(-shrunk * away / math.sqrt(2))


class Expected(NamedTuple):
    """What p1 scores against p2 in a game on average, a draw being half a point, and the 95 % interval of that."""

    score: float
    lower: float
    upper: float
    win: float
    draw: float
    loss: float


@dataclass(frozen=True, slots=True)
class Rating(Skewed):
    """One engine's skill relative to the reference of the fit."""

    name: str
    games: int
    one_sided: OneSided | None  # the other end of the interval follows from the prior
    better_than_next: float | None  # None for the last one and where no games connect the two
    ranks: tuple[int, int]  # the best and the worst: fewer and more of its group are certainly (97.5 % each) better
    role: Estimate  # what it is better as p1, and worse as p2, than its rating, relative to the mean of the field
