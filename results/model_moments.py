"""Mean and variance of each pairing's difference, its own likelihood taken as it is and all else as a bell.

They are sums over the points of Gauss and Hermite, which take time; but they move smoothly with the bell of all else.
So they are remembered with their slopes, and summed anew only where that bell has moved too far. Knows neither engines
nor priors.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from results.model_likelihood import NOISE, Counts, Slopes, log_likelihood, slopes
from results.model_normal import CHUNK

if TYPE_CHECKING:
    from numpy import bool_, intp
    from numpy.typing import NDArray

    from results.model_normal import Floats

MANY, FEW = 16, 5
"""Points of the rule of Gauss and Hermite for a pairing's moments: where it leans, and where it hardly does."""
BENT = 0.02
"""A pairing leans where its precision changes by so much of the bell's within a standard deviation either way."""
SHORT = NOISE / 4
"""A reach within which third derivatives tell, to a factor of four, how a log-likelihood bends."""
LARGE = 1 << 12
"""From so many pairings on it is worth the trouble to remember."""
REACH = 1e-3
"""So many standard deviations, or shares of a variance, are near."""
SKEW = 1e-3
"""A pairing with a third or fourth cumulant above this, in standard deviations, is summed anew each time: what its
points tell hangs on where they are."""


class Moments(NamedTuple):
    """What the points told, and of which bell of all else: its precision times mean, and its precision."""

    pull: "Floats"
    precision: "Floats"
    centre: "Floats"
    variance: "Floats"
    third: "Floats"
    """The third cumulant, 0 for a bell: how the variance moves with the pull,"""
    fourth: "Floats"
    """and the fourth: how this moves."""
    carried: "Floats"
    """By how many standard deviations it was taken on to other margins."""

    def at_margin(self, further: float, d: "Floats", likely: Slopes) -> "Moments":
        """The same at a margin so much larger, to first order, by the likelihood's slopes at these differences."""
        import numpy as np

        sharper = further * likely.dde
        shift = further * likely.de + sharper * d
        carried = self.carried + np.abs(further * likely.de) * np.sqrt(self.variance)
        return self._replace(pull=self.pull + shift, precision=self.precision + sharper, carried=carried)


class Rule(NamedTuple):
    """Some pairings, and the points that their moments are taken with: their powers and weights."""

    which: "NDArray[intp] | slice"
    counts: Counts
    powers: "Floats"
    weights: "Floats"


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """How the moments of a field's pairings are taken, at one margin."""

    counts: Counts
    leans: "NDArray[bool_]"
    """The pairings that need many points."""
    margin: float
    rules: list[Rule]

    @classmethod
    def at(
        cls, counts: Counts, d: "Floats", sigma: "Floats", margin: float, thirds: "Floats | None" = None
    ) -> "Points":
        """Many where a pairing's own log-likelihood bends within the bell's reach; `thirds` spare most a look at it."""
        import numpy as np

        leans = np.zeros(len(d), bool)
        if thirds is None or len(d) < LARGE:
            at: NDArray[intp] | slice = slice(None)
        else:
            at = np.flatnonzero((np.abs(thirds) * sigma**3 > BENT / 8) | (sigma > SHORT))
        games, middle, reach = counts.part(at), d[at], sigma[at]
        sides = [slopes(games, middle + by * reach, margin).dd for by in (-1.0, 1.0)]
        leans[at] = np.abs(sides[0] - sides[1]) * reach**2 > BENT
        return cls(counts, leans, margin, _rules(counts, leans, np.arange(len(leans))))

    def moments(
        self, pull: "Floats", precision: "Floats", d: "Floats", v: "Floats", known: Moments | None
    ) -> tuple[Moments, "Floats", "Floats"]:
        """What is known from now on, and mean and variance of each difference.

        `d` and `v` are what they are if each pairing is the bell of this `pull` and `precision`.
        """
        import numpy as np

        pulled, sharp = d / v - pull, 1 / v - precision
        if known is None or len(d) < LARGE:
            known = Moments(pulled, sharp, *np.zeros((5, len(d))))
            self._sum(self.rules, known, pull, precision, d, v)
            return known, known.centre, known.variance
        sharper = sharp - known.precision
        further = pulled - known.pull - sharper * known.centre
        sigma = np.sqrt(v)
        near = np.abs(further) * sigma + 10 * known.carried <= REACH  # of margins only first slopes are known
        near &= np.abs(sharper) * v <= REACH
        near &= np.maximum(np.abs(known.third) / sigma, np.abs(known.fourth) / v) <= SKEW * known.variance
        far = np.flatnonzero(~near)
        if 2 * len(far) > len(d):
            return self.moments(pull, precision, d, v, None)
        wider = known.variance / (1 + known.variance * sharper)
        bent = 0.5 * (further * further - sharper)
        centre = known.centre + wider * further + known.third * bent
        variance = wider + known.third * further + known.fourth * bent
        if len(far):
            known = Moments(*(column.copy() for column in known))
            known.pull[far], known.precision[far], known.carried[far] = pulled[far], sharp[far], 0.0
            self._sum(_rules(self.counts, self.leans, far), known, pull, precision, d, v)
            centre[far], variance[far] = known.centre[far], known.variance[far]
        return known, centre, variance

    def _sum(
        self, rules: list[Rule], found: Moments, pull: "Floats", precision: "Floats", d: "Floats", v: "Floats"
    ) -> None:
        """Fill in the moments of some pairings."""
        import numpy as np

        sigma = np.sqrt(v)
        tilt, bend = (precision * d - pull) * sigma, 0.5 * precision * v
        for which, counts, powers, weights in rules:
            nodes, scale = powers[:, 1], sigma[which]
            weight = log_likelihood(counts, d[which, None] + scale[:, None] * nodes, self.margin)
            weight += (bend[which, None] * nodes + tilt[which, None]) * nodes
            weight -= weight.max(1, keepdims=True)
            np.exp(weight, out=weight)
            weight *= weights
            mass, *sums = (weight @ powers).T
            first, second, third, fourth = sums / mass
            square = first * first
            spread = second - square
            found.centre[which] = d[which] + scale * first
            found.variance[which] = spread * scale**2
            found.third[which] = (third + first * (2 * square - 3 * second)) * scale**3
            fourth += first * (first * (6 * second - 3 * square) - 4 * third) - 3 * spread * spread
            found.fourth[which] = fourth * scale**4


def _rules(counts: Counts, leans: "NDArray[bool_]", among: "NDArray[intp]") -> list[Rule]:
    found = []
    chosen = leans[among]
    for points, every in ((MANY, among[chosen]), (FEW, among[~chosen])):
        rows = CHUNK // (2 * points)  # a win's and a loss's
        for at in range(0, len(every), rows):
            part = slice(None) if len(every) == len(leans) <= rows else every[at : at + rows]
            found.append(Rule(part, counts.part(part), *_hermite(points)))
    return found


@cache
def _hermite(points: int) -> tuple["Floats", "Floats"]:
    """The powers of the points up to the fourth, and their weights."""
    import numpy as np
    from numpy.polynomial.hermite_e import hermegauss

    nodes, weights = hermegauss(points)
    return np.stack([nodes**power for power in range(5)], axis=1), weights
