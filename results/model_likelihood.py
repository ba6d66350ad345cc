"""How likely each meeting's result is, and how that changes: the probit with a margin for draws.

A performance difference is the expected one, d, plus noise of standard deviation NOISE. Beyond `margin` p1 has won,
below -`margin` p2 has; between them the game is drawn. The logarithm is concave in d and `margin` together, so that a
fit has one answer. Knows counts and differences; refuses to know whose they are.
"""

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy import bool_, intp
from numpy.typing import NDArray

from results.model_normal import CHUNK, Floats, tails
from results.scale import NOISE


@dataclass(frozen=True, eq=False)
class Counts:
    """Distinct pairings, p1 against p2: how often p1 won, how often it was a draw, how often p1 lost."""

    wins: Floats
    draws: Floats
    losses: Floats

    def part(self, which: slice) -> "Counts":
        """Those of some pairings."""
        return Counts(self.wins[which], self.draws[which], self.losses[which])

    @cached_property
    def drawn(self) -> bool:
        """Was any game a draw? Without one the margin is 0."""
        return bool(self.draws.any())

    @cached_property
    def decided(self) -> Floats:
        """Wins and losses."""
        return np.array([self.wins, self.losses])

    @cached_property
    def with_draws(self) -> NDArray[intp] | slice:
        """The pairings with draws; where all have some, no copy need be made."""
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
    d: Floats
    dd: Floats
    """The second derivative, negated, as the three below: information."""
    e: Floats
    de: Floats
    ee: Floats
    ddd: Floats
    """The third derivative by d,"""
    dddd: Floats
    """and the fourth."""


def slopes(counts: Counts, d: Floats, margin: float) -> Slopes:
    """All derivatives at one difference for each pairing."""
    parts = [_slopes(games, d[part], margin) for part, games in counts.parts]
    if len(parts) == 1:
        return parts[0]
    columns = list(zip(*parts, strict=True))
    return Slopes(math.fsum(columns[0]), *(np.concatenate(column) for column in columns[1:]))


def _slopes(counts: Counts, d: Floats, margin: float) -> Slopes:
    by_side, by_border, powers = _signs()
    x = np.empty((2, len(d)))
    ahead = d / NOISE
    if margin:
        np.subtract(ahead, margin / NOISE, out=x[0])
        np.subtract(-margin / NOISE, ahead, out=x[1])
        log, slope, not_log, _ = tails(x)
    else:  # what is no win is a loss
        x[0] = ahead
        np.negative(ahead, out=x[1])
        found = tails(ahead)
        log, slope = np.array([found.log, found.other_log]), np.array([found.slope, found.other_slope])
        not_log = log[::-1]
    # With r the slope and b = r + x: r, rb, rb(r + b) - r, rb(3 - 2rb - (r + b)^2) + r^2.
    by = np.empty((4, *x.shape))
    r, rb, third, fourth = by
    np.add(slope, x, out=third)
    np.multiply(slope, third, out=rb)
    third += slope
    np.multiply(third, third, out=fourth)
    fourth += 2.0 * rb
    np.subtract(3.0, fourth, out=fourth)
    fourth *= rb
    fourth += slope * slope
    third *= rb
    third -= slope
    r[:] = slope
    by *= counts.decided
    total = float(np.vdot(counts.decided, log))
    table = by_side @ by.reshape(8, -1)
    if counts.drawn:
        at = counts.with_draws
        drawn, edges, (win, loss) = counts.draws[at], x[:, at], log[:, at]
        log_draw = _log_draw(ahead[at] < 0, win, not_log[0, at], loss, not_log[1, at])
        total += float(drawn @ log_draw)
        # The densities at both borders of a draw, over the probability between them, and how these change.
        borders = np.empty((4, *edges.shape))
        np.multiply(edges, edges, out=borders[0])
        borders[0] *= -0.5
        borders[0] -= log_draw + 0.5 * math.log(2 * math.pi)
        np.exp(borders[0], out=borders[0])
        for power in range(3):
            np.multiply(borders[power], edges, out=borders[power + 1])
        g, f, twist, turn, third, whirl = by_border @ borders.reshape(8, -1)
        square = g * g
        of_draws = (
            *(g, square - turn, f, g * f - twist, f * f - turn, third + g * (2 * square - 3 * turn)),
            whirl - 4 * g * third - 3 * turn * turn + 6 * square * (2 * turn - square),
        )
        table[:, at] += drawn * np.array(of_draws)
    table *= powers
    return Slopes(total, *table)


@cache
def _signs() -> tuple[Floats, Floats, Floats]:
    """How the derivatives add up from those of p1's and p2's wins and from both borders of a draw, and their scales."""
    by_side = np.zeros((7, 4, 2))
    # d, dd, e, de, ee, ddd, dddd: which derivative of the two, and with what signs
    for row, (order, won, lost) in enumerate(
        [(0, 1, -1), (1, 1, 1), (0, -1, -1), (1, -1, 1), (1, 1, 1), (2, 1, -1), (3, 1, 1)]
    ):
        by_side[row, order] = won, lost
    by_border = np.zeros((6, 4, 2))
    for row, (order, near) in enumerate([(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (3, 1)]):
        by_border[row, order] = near, 1
    by_border[4] -= by_border[0]
    by_border[5] -= 3 * by_border[3]
    powers = NOISE ** -np.array([1.0, 2.0, 1.0, 2.0, 2.0, 3.0, 4.0])
    return by_side.reshape(7, 8), by_border.reshape(6, 8), powers[:, None]


def _log_draw(behind: NDArray[bool_], win: Floats, not_win: Floats, loss: Floats, not_loss: Floats) -> Floats:
    """The logarithm of a draw's probability, of those of the other results; seen from the nearer border."""
    inner, outer = np.where(behind, not_loss, not_win), np.where(behind, win, loss)
    found: Floats = inner + np.log(-np.expm1(outer - inner))
    return found
