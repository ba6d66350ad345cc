"""How likely each meeting's result is, and how that changes: the probit with a margin for draws.

A performance difference is the expected one, d, plus noise of standard deviation NOISE. Beyond `margin` p1 has won,
below -`margin` p2 has; between them the game is drawn. The logarithm is concave in d and `margin` together, so that a
fit has one answer. Knows counts and differences; refuses to know whose they are.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from results.model_normal import CHUNK, tails

if TYPE_CHECKING:
    from numpy import bool_, intp
    from numpy.typing import NDArray

    from results.model_normal import Floats

BETA = 25 / 6
"""The standard deviation of one engine's performance in one game."""
NOISE = BETA * math.sqrt(2)
"""That of the difference of two."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Distinct pairings, p1 against p2: how often p1 won, how often it was a draw, how often p1 lost."""

    wins: "Floats"
    draws: "Floats"
    losses: "Floats"

    def part(self, which: "NDArray[intp] | slice") -> "Counts":
        """Those of some pairings."""
        return Counts(self.wins[which], self.draws[which], self.losses[which])

    @cached_property
    def drawn(self) -> bool:
        """Was any game a draw? Without one the margin is 0."""
        return bool(self.draws.any())

    @cached_property
    def decided(self) -> "Floats":
        """Wins and losses."""
        import numpy as np

        return np.array([self.wins, self.losses])

    @cached_property
    def with_draws(self) -> "NDArray[intp] | slice":
        """The pairings with draws; where all have some, no copy need be made."""
        import numpy as np

        at = np.flatnonzero(self.draws)
        return slice(None) if len(at) == len(self.draws) else at

    @cached_property
    def parts(self) -> "list[tuple[slice, Counts]]":
        """The pairings by parts that stay in the processor's cache."""
        rows, pairings = CHUNK // 2, len(self.draws)
        if pairings <= rows:
            return [(slice(None), self)]
        return [(part, self.part(part)) for part in (slice(at, at + rows) for at in range(0, pairings, rows))]


class Slopes(NamedTuple):
    """The log-likelihood, and its derivatives by the difference d and the margin e, for each pairing."""

    total: float
    d: "Floats"
    dd: "Floats"
    """The second derivative, negated, as the three below: information."""
    e: "Floats"
    de: "Floats"
    ee: "Floats"
    ddd: "Floats"
    """The third derivative by d,"""
    dddd: "Floats"
    """and the fourth."""


def slopes(counts: Counts, d: "Floats", margin: float) -> Slopes:
    """All derivatives at one difference for each pairing."""
    import numpy as np

    parts = [_slopes(games, d[part], margin) for part, games in counts.parts]
    if len(parts) == 1:
        return parts[0]
    columns = list(zip(*parts, strict=True))
    return Slopes(math.fsum(columns[0]), *(np.concatenate(column) for column in columns[1:]))


def _slopes(counts: Counts, d: "Floats", margin: float) -> Slopes:
    import numpy as np

    x = np.empty((2, len(d)))
    if margin:
        np.subtract(d, margin, out=x[0])
        np.subtract(-margin, d, out=x[1])
        x /= NOISE
        log, slope, not_log, _ = tails(x)
    else:  # what is no win is a loss
        np.divide(d, NOISE, out=x[0])
        np.negative(x[0], out=x[1])
        found = tails(x[0])
        log, slope = np.array([found.log, found.other_log]), np.array([found.slope, found.other_slope])
        not_log = log[::-1]
    games = counts.decided
    total = float(np.vdot(games, log))
    # With r the slope and b = r + x, the derivatives of the logarithm are r, -rb, rb(r + b) - r and below.
    steep = slope + x
    bend = slope * steep
    steep += slope
    turn = bend * (3.0 - 2.0 * bend - steep * steep)
    turn += slope * slope
    steep *= bend
    steep -= slope
    (first, other_first), (second, other_second) = games * slope / NOISE, games * bend / NOISE**2
    steep *= games
    steep /= NOISE**3
    turn *= games
    turn /= NOISE**4
    by_d, dd, ddd, dddd = first - other_first, second + other_second, steep[0] - steep[1], turn[0] + turn[1]
    if not counts.drawn:
        return Slopes(total, by_d, dd, -first - other_first, other_second - second, dd, ddd, dddd)
    by_e, de, ee = -first - other_first, other_second - second, dd.copy()
    at = counts.with_draws
    drawn, edges = counts.draws[at], x[:, at]
    win, loss = log[:, at]
    log_draw = _log_draw(d[at] < 0, win, not_log[0, at], loss, not_log[1, at])
    # The densities at both borders of a draw, over the probability between them, and how these change.
    borders = edges * edges
    borders *= -0.5
    borders -= log_draw + (0.5 * math.log(2 * math.pi) + math.log(NOISE))
    np.exp(borders, out=borders)
    near, far = borders
    g, f = far - near, far + near
    edges = edges / NOISE
    borders *= edges
    twist, turn = far - near, far + near
    borders *= edges
    curl = far - near
    borders *= edges
    whirl = far + near
    total += float(drawn @ log_draw)
    by_d[at] += drawn * g
    by_e[at] += drawn * f
    dd[at] += drawn * (g * g - turn)
    de[at] += drawn * (g * f - twist)
    ee[at] += drawn * (f * f - turn)
    third, square = curl - g * NOISE**-2, g * g
    ddd[at] += drawn * (third + g * (2 * square - 3 * turn))
    dddd[at] += drawn * (
        whirl - 3 * NOISE**-2 * turn - 4 * g * third - 3 * turn * turn + 6 * square * (2 * turn - square)
    )
    return Slopes(total, by_d, dd, by_e, de, ee, ddd, dddd)


def _log_draw(
    behind: "NDArray[bool_]", win: "Floats", not_win: "Floats", loss: "Floats", not_loss: "Floats"
) -> "Floats":
    """The logarithm of a draw's probability, of those of the other results; seen from the nearer border."""
    import numpy as np

    inner, outer = np.where(behind, not_loss, not_win), np.where(behind, win, loss)
    found: Floats = inner + np.log(-np.expm1(outer - inner))
    return found
