"""How likely each meeting's result is, and how that changes: the probit with a margin for draws.

A performance difference is the expected one, d, plus noise of standard deviation NOISE. Beyond `margin` p1 has won,
below -`margin` p2 has; between them the game is drawn. The logarithm is concave in d and `margin` together, so that a
fit has one answer. Knows counts and differences; refuses to know whose they are.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

from results.model_normal import CHUNK, log_tails, tails

if TYPE_CHECKING:
    from numpy import bool_, intp
    from numpy.typing import NDArray

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

    ahead = differences / NOISE
    if margin:
        edge = margin / NOISE
        (win, loss), (not_win, not_loss) = log_tails(np.array([ahead - edge, -ahead - edge]))
    else:  # what is no win is a loss
        win, loss = not_loss, not_win = log_tails(ahead)
    found: Floats = counts.wins[:, None] * win + counts.losses[:, None] * loss
    if counts.drawn:
        at = _some(counts.draws)
        behind = ahead[at] < 0
        found[at] += counts.draws[at, None] * _log_draw(behind, win[at], not_win[at], loss[at], not_loss[at])
    return found


def slopes(counts: Counts, d: "Floats", margin: float) -> Slopes:
    """All derivatives at one difference for each pairing."""
    import numpy as np

    rows = CHUNK // 2
    parts = []
    for first in range(0, max(len(d), 1), rows):
        part = slice(first, first + rows)
        parts.append(_slopes(Counts(*(games[part] for games in counts)), d[part], margin))
    if len(parts) == 1:
        return parts[0]
    columns = list(zip(*parts, strict=True))
    return Slopes(math.fsum(columns[0]), *(np.concatenate(column) for column in columns[1:]))


def _slopes(counts: Counts, d: "Floats", margin: float) -> Slopes:
    import numpy as np

    if margin:
        x = np.array([d - margin, -d - margin])
        x /= NOISE
        log, slope, not_log, _ = tails(x)
    else:  # what is no win is a loss
        ahead = d / NOISE
        found = tails(ahead)
        x = np.array([ahead, -ahead])
        log, slope = np.array([found.log, found.other_log]), np.array([found.slope, found.other_slope])
        not_log = log[::-1]
    bend = slope * (slope + x)
    games = np.array([counts.wins, counts.losses])
    first, second = games * slope, games * bend
    first /= NOISE
    second /= NOISE**2
    total = float(np.vdot(games, log))
    by_d, by_e = first[0] - first[1], -first[0] - first[1]
    dd, de = second[0] + second[1], second[1] - second[0]
    ee = dd
    if counts.drawn:
        ee = dd.copy()
        at = _some(counts.draws)
        games_drawn, (above, below) = counts.draws[at], x[:, at]
        win, loss = log[:, at]
        log_draw = _log_draw(d[at] < 0, win, not_log[0, at], loss, not_log[1, at])
        # The densities at both borders of a draw, over the probability between them.
        near, far = np.exp(-0.5 * x[:, at] ** 2 - (0.5 * math.log(2 * math.pi) + log_draw))
        g, f = (far - near) / NOISE, (far + near) / NOISE
        far *= below
        near *= above
        twist, turn = (far - near) / NOISE**2, (far + near) / NOISE**2
        total += float(games_drawn @ log_draw)
        by_d[at] += games_drawn * g
        by_e[at] += games_drawn * f
        dd[at] += games_drawn * (g * g - turn)
        de[at] += games_drawn * (g * f - twist)
        ee[at] += games_drawn * (f * f - turn)
    return Slopes(total, by_d, dd, by_e, de, ee)


def _some(games: "Floats") -> "NDArray[intp] | slice":
    """The pairings with such games; where all have some, no copy need be made."""
    import numpy as np

    at = np.flatnonzero(games)
    return slice(None) if len(at) == len(games) else at


def _log_draw(
    behind: "NDArray[bool_]", win: "Floats", not_win: "Floats", loss: "Floats", not_loss: "Floats"
) -> "Floats":
    """The logarithm of a draw's probability, of those of the other results; seen from the nearer border."""
    import numpy as np

    inner, outer = np.where(behind, not_loss, not_win), np.where(behind, win, loss)
    found: Floats = inner + np.log(-np.expm1(outer - inner))
    return found
