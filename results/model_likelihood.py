"""How likely each meeting's result is, and how that changes: the probit with a margin for draws.

A performance difference is the expected one, d, plus noise of standard deviation NOISE. Beyond `margin` p1 has won,
below -`margin` p2 has; between them the game is drawn. The logarithm is concave in d and `margin` together, so that a
fit has one answer. Knows counts and differences; refuses to know whose they are.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

from results.model_normal import log_cdf

if TYPE_CHECKING:
    from results.model_normal import Floats

BETA = 25 / 6
"""The standard deviation of one engine's performance in one game."""
NOISE = BETA * math.sqrt(2)
"""That of the difference of two."""


class Counts(NamedTuple):
    """Distinct pairings, p1 against p2: how often p1 won, how often it was a draw, how often p1 lost."""

    wins: "Floats"
    draws: "Floats"
    losses: "Floats"

    @property
    def drawn(self) -> bool:
        """Was any game a draw? Without one the margin is 0."""
        return bool(self.draws.any())


class Slopes(NamedTuple):
    """The log-likelihood, and its derivatives by the difference d and the margin e, for each pairing."""

    total: float
    d: "Floats"
    dd: "Floats"
    """The second derivative, negated, as the three below: information."""
    e: "Floats"
    de: "Floats"
    ee: "Floats"


def log_likelihood(counts: Counts, differences: "Floats", margin: float) -> "Floats":
    """The logarithm for each pairing (a row) at each of its possible differences (columns)."""
    import numpy as np

    found = np.zeros_like(differences)
    for games, sign in ((counts.wins, 1.0), (counts.losses, -1.0)):
        at = np.flatnonzero(games)
        found[at] += games[at, None] * log_cdf((sign * differences[at] - margin) / NOISE)[0]
    if counts.drawn:
        at = np.flatnonzero(counts.draws)
        found[at] += counts.draws[at, None] * _log_draw(differences[at], margin)
    return found


def slopes(counts: Counts, d: "Floats", margin: float) -> Slopes:
    """All derivatives at one difference for each pairing."""
    import numpy as np

    x = np.stack([d - margin, -d - margin]) / NOISE
    log, slope = log_cdf(x)
    bend = slope * (slope + x)
    games = np.stack([counts.wins, counts.losses])
    first, second = games * slope / NOISE, games * bend / NOISE**2
    total = float((games * log).sum())
    by_d, by_e = first[0] - first[1], -first[0] - first[1]
    dd, de = second[0] + second[1], second[1] - second[0]
    ee = dd
    if counts.drawn:
        ee = dd.copy()
        at = np.flatnonzero(counts.draws)
        drawn, (above, below) = counts.draws[at], x[:, at]
        log_draw = _log_draw(d[at], margin)
        # The densities at both borders of a draw, over the probability between them.
        near, far = np.exp(-0.5 * x[:, at] ** 2 - 0.5 * math.log(2 * math.pi) - log_draw)
        g, f = (far - near) / NOISE, (far + near) / NOISE
        twist, turn = (below * far - above * near) / NOISE**2, (below * far + above * near) / NOISE**2
        total += float(drawn @ log_draw)
        by_d[at] += drawn * g
        by_e[at] += drawn * f
        dd[at] += drawn * (g * g - turn)
        de[at] += drawn * (g * f - twist)
        ee[at] += drawn * (f * f - turn)
    return Slopes(total, by_d, dd, by_e, de, ee)


def _log_draw(d: "Floats", margin: float) -> "Floats":
    import numpy as np

    away = np.abs(d)
    inner, outer = log_cdf(np.stack([margin - away, -margin - away]) / NOISE)[0]
    found: Floats = inner + np.log(-np.expm1(outer - inner))
    return found
