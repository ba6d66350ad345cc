"""Who plays whom next, so that the ratings become sharp soon. Pure: beliefs and counts in, a pairing out.

Three of four pairs are those whose result tells most; they lie close together, so alone they would tell little of the
field as a whole and spoil the intervals. The fourth is any pair. Refuses to know clocks, slots and stores.
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
    from results.ratings.normal import Floats

AT_RANDOM = 0.25
"""The share of pairs that no belief chooses."""
CURVE = math.pi * math.log(2) / 2
"""Of the approximation to a probit's entropy by a bell (Houlsby and others, arXiv 1112.5745)."""


class Pair(NamedTuple):
    """Who has which side."""

    p1: str
    p2: str


Counts = Mapping[tuple[str, str], int]
"""How many games there are, running ones included, with the first engine as p1 and the second as p2."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed of the skills of a field: means and covariance in the order of the names."""

    names: tuple[str, ...]
    means: "Floats"
    covariance: "Floats"

    @classmethod
    def of(cls, fit: Fit) -> Self:
        """What a fit says, sides and roles apart.

        The peak and its curvature: with the bell, which is as wide towards the others as away from them, there would be
        no end to asking about somebody who lost every game.
        """
        n, peak = len(fit.names), fit.posterior.peak
        return cls(fit.names, peak.top[:n], peak.covariance[:n, :n])

    def after(self, pair: Pair) -> Self:
        """What will be believed after one more game of the pair, on average: for games that are still running."""
        import numpy as np

        one, two = self.names.index(pair.p1), self.names.index(pair.p2)
        moved = self.covariance[one] - self.covariance[two]
        variance = float(moved[one] - moved[two])
        scale = math.hypot(NOISE, math.sqrt(variance))
        ahead = float(self.means[one] - self.means[two]) / scale
        told = math.exp(-(ahead**2)) / (2 * math.pi * scale**2)
        win = 0.5 * math.erfc(-ahead / math.sqrt(2))
        if win * (1 - win) == 0:
            return self
        told /= win * (1 - win)
        return type(self)(self.names, self.means, self.covariance - told * np.outer(moved, moved))

    def gains(self) -> "Floats":
        """How many bits a game of each two engines tells; symmetric, never negative. Draws are left aside.

        Of an engine against itself, and where every result is foregone, it is 0.
        """
        import numpy as np

        spread = self.covariance.diagonal()
        ahead = (self.means[:, None] - self.means) / NOISE
        variance = np.maximum(spread[:, None] + spread - 2 * self.covariance, 0.0) / NOISE**2
        away = ahead / np.sqrt(1 + variance)
        win = np.vectorize(math.erfc, [float])(-away / math.sqrt(2)) / 2
        win = np.clip(win, 1e-300, 1.0)
        unsure = -(win * np.log2(win) + win.T * np.log2(win.T))
        noise = np.exp(-(ahead**2) / (2 * (variance + CURVE))) * np.sqrt(CURVE / (variance + CURVE))
        # Where the doubt is small the two are nearly the same, and what one game takes off the variance tells more
        # precisely (`after`): the bell alone would be below 0 for known engines that are not quite equal.
        off = np.exp(-(away**2)) / (2 * math.pi * win * win.T) * variance / (1 + variance)
        found: Floats = np.maximum(unsure - noise, off / (2 * math.log(2)))
        np.fill_diagonal(found, 0.0)
        return found


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
        one, two = divmod(int(np.argmax(gains)), len(belief.names))
    return seated(belief.names[one], belief.names[two], counts, chance)


def next_for(newcomer: str, belief: Belief, counts: Counts, chance: random.Random) -> Pair:
    """The next game of one engine. Raises ValueError for fewer than two engines, KeyError for one unknown."""
    import numpy as np

    if newcomer not in belief.names:
        raise KeyError(f"no engine of the field is called {newcomer!r}")
    if len(belief.names) < 2:
        raise ValueError("a game needs two engines")
    others = [name for name in belief.names if name != newcomer]
    if chance.random() < AT_RANDOM:
        return seated(newcomer, chance.choice(others), counts, chance)
    gains = belief.gains()[belief.names.index(newcomer)]
    gains[belief.names.index(newcomer)] = -np.inf
    return seated(newcomer, belief.names[int(np.argmax(gains))], counts, chance)


def placing(
    ranked: Sequence[str], met: Mapping[str, int], stretches: int, games: Mapping[str, int], chance: random.Random
) -> str:
    """Whom of a list, strongest first, a newcomer meets next, so that it meets others from all over the list.

    Of those that it met least, by `met`, one from the stretch in which it met fewest; of these who has the fewest
    `games`; else by chance. Raises ValueError for an empty list.
    """
    if not ranked:
        raise ValueError("there is nobody whom a newcomer could play")
    stretch = {name: place * stretches // len(ranked) for place, name in enumerate(ranked)}
    there = Counter[int]()
    for name in ranked:
        there[stretch[name]] += met.get(name, 0)
    shuffled = chance.sample(ranked, len(ranked))
    return min(shuffled, key=lambda name: (met.get(name, 0), there[stretch[name]], games.get(name, 0)))


def seated(one: str, two: str, counts: Counts, chance: random.Random) -> Pair:
    """The side that each had less often against the other, then in all; else by chance."""
    between = counts.get((one, two), 0) - counts.get((two, one), 0)
    if not between:
        between = sum(
            games * ((p1 == one) - (p2 == one) - (p1 == two) + (p2 == two)) for (p1, p2), games in counts.items()
        )
    if not between:
        between = chance.choice((-1, 1))
    return Pair(one, two) if between < 0 else Pair(two, one)
