"""Chooses who plays whom next, so that the ratings become precise soon. Pure: beliefs and counts in, a pairing out.

Three of four pairs are those whose game has the highest expected information. These engines are close together, so
their games alone would tell little about the field as a whole and spoil the intervals. The fourth pair is random.
"""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from results.ratings.fit import Fit
from results.ratings.scale import NOISE

if TYPE_CHECKING:
    from results.ratings.likelihood import Floats

AT_RANDOM = 0.25
"""This share of the pairs is random."""
ALIKE = 1e-6
"""Gains that differ by no larger share are equal: the last digits depend on the CPU."""
CURVE = math.pi * math.log(2) / 2
"""The width of the Gaussian that approximates the entropy of a probit (Houlsby and others, arXiv 1112.5745)."""


class Pair(NamedTuple):
    """Two engines with their sides."""

    p1: str
    p2: str


Counts = Mapping[tuple[str, str], int]
"""The number of games, running ones included, with the first engine as p1 and the second as p2."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """The posterior of a field's skills: means and covariance in the order of the names."""

    names: tuple[str, ...]
    means: "Floats"
    covariance: "Floats"

    @classmethod
    def of(cls, fit: Fit) -> Self:
        """The posterior of a fit, without sides and roles.

        It has the peak and the curvature there. Around the mean a posterior is as wide towards the others as away from
        them, so an engine that lost every game would be chosen again and again.
        """
        from results.ratings.model import FAR

        skills, _ = fit.posterior.peak.split()
        return cls(fit.names, skills.mean, skills.covariance + FAR**2 * fit.field.share)

    def after(self, pair: Pair) -> Self:
        """The posterior after one more game of the pair, on average: for games that are still running."""
        import numpy as np

        one, two = self.names.index(pair.p1), self.names.index(pair.p2)
        moved = self.covariance[one] - self.covariance[two]
        variance = float(moved[one] - moved[two])
        scale = math.hypot(NOISE, math.sqrt(variance))
        ahead = float(self.means[one] - self.means[two]) / scale
        information = math.exp(-(ahead**2)) / (2 * math.pi * scale**2)
        win = 0.5 * math.erfc(-ahead / math.sqrt(2))
        if win * (1 - win) == 0:
            return self
        information /= win * (1 - win)
        return type(self)(self.names, self.means, self.covariance - information * np.outer(moved, moved))

    def gains(self) -> "Floats":
        """The expected information of a game of each two engines, in bits; symmetric, never negative, without draws.

        It is 0 for an engine against itself, and where the result is certain.
        """
        import numpy as np

        spread = self.covariance.diagonal()
        ahead = (self.means[:, None] - self.means) / NOISE
        variance = np.maximum(spread[:, None] + spread - 2 * self.covariance, 0.0) / NOISE**2
        away = ahead / np.sqrt(1 + variance)
        win = np.vectorize(math.erfc, [float])(-away / math.sqrt(2)) / 2
        win = np.clip(win, 1e-300, 1.0)
        entropy = -(win * np.log2(win) + win.T * np.log2(win.T))
        noise = np.exp(-(ahead**2) / (2 * (variance + CURVE))) * np.sqrt(CURVE / (variance + CURVE))
        # Where the uncertainty is small both terms are nearly equal, and the reduction of the variance by one game
        # (`after`) is more precise: their difference would be below 0 for well-known engines that are not quite equal.
        reduction = np.exp(-(away**2)) / (2 * math.pi * win * win.T) * variance / (1 + variance)
        gains: Floats = np.maximum(entropy - noise, reduction / (2 * math.log(2)))
        np.fill_diagonal(gains, 0.0)
        return gains


def next_pair(belief: Belief, counts: Counts, chance: random.Random) -> Pair:
    """The next game of the field. Raises ValueError for fewer than two engines."""
    import numpy as np

    if len(belief.names) < 2:
        raise ValueError("a game needs two engines")
    if chance.random() < AT_RANDOM:
        one, two = chance.sample(range(len(belief.names)), 2)
    else:
        gains = belief.gains()
        np.fill_diagonal(gains, -np.inf)
        one, two = divmod(int(np.argmax(gains >= (1 - ALIKE) * gains.max())), len(belief.names))
    return assign_sides(belief.names[one], belief.names[two], counts, chance)


def placing(
    ranked: Sequence[str], met: Mapping[str, int], stretches: int, games: Mapping[str, int], chance: random.Random
) -> str:
    """The next opponent of a newcomer from a list, strongest first, so that it meets others from all over the list.

    The list is divided into stretches. The opponent is one that it met least, by `met`; among these, one from the
    stretch in which it met fewest; among these, one with the fewest `games`; else by chance. Raises ValueError for an
    empty list.
    """
    if not ranked:
        raise ValueError("there is nobody whom a newcomer could play")
    stretch = {name: place * stretches // len(ranked) for place, name in enumerate(ranked)}
    there = Counter[int]()
    for name in ranked:
        there[stretch[name]] += met.get(name, 0)
    shuffled = chance.sample(ranked, len(ranked))
    return min(shuffled, key=lambda name: (met.get(name, 0), there[stretch[name]], games.get(name, 0)))


def assign_sides(one: str, two: str, counts: Counts, chance: random.Random) -> Pair:
    """Each gets the side that it had less often against the other, then in all; else by chance."""
    between = counts.get((one, two), 0) - counts.get((two, one), 0)
    if not between:
        between = sum(
            games * ((p1 == one) - (p2 == one) - (p1 == two) + (p2 == two)) for (p1, p2), games in counts.items()
        )
    if not between:
        between = chance.choice((-1, 1))
    return Pair(one, two) if between < 0 else Pair(two, one)
