"""The posterior as a bell: at its peak, or, where the peak lies off the middle, with matched moments.

A score of 30 to 0 says that a difference is large, hardly how large: its posterior leans far to one side, and a bell
at the peak is too narrow and too low. There each pairing is replaced by the bell that gives the posterior of its
difference the right mean and variance while all others are bells already (expectation propagation, Minka 2001; for one
game this is the update of TrueSkill). Works at given prior widths; refuses to know how good they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from results.model_likelihood import Counts, log_likelihood, slopes
from results.model_normal import CHUNK
from results.model_posterior import SMALL, WIDE, Design, Peak, Widths, climb

if TYPE_CHECKING:
    from numpy import bool_, intp
    from numpy.typing import NDArray

    from results.model_normal import Floats

LEANING = 0.05
"""From this distance on between peak and mean, in standard deviations, the peak's bell will not do."""
MANY, FEW = 16, 5
"""Points of the rule of Gauss and Hermite for a pairing's moments: where it leans, and where it hardly does."""
BENT = 0.02
"""A pairing leans where its precision changes by so much of the bell's within a standard deviation either way."""
ROUNDS = 300
EXACT = 1e-8
LEAST = 0.1
"""Of a variance, left by one round: where all but one point of the rule weigh nothing there seems to be none."""
MEMORY = 6
"""So many rounds are looked back on to see where the next ones would lead (Anderson 1965)."""

Tune = Callable[[Widths, "Floats", "Floats"], "Floats"]
"""Widths, mean and covariance -> how far the logarithms of the widths should move."""


@dataclass(frozen=True, slots=True, eq=False)
class Bell:
    """A normal distribution of the unknowns, made of the prior and one bell for each pairing."""

    mean: "Floats"
    covariance: "Floats"
    pull: "Floats"
    """Of each pairing's own bell: precision times mean,"""
    precision: "Floats"
    """and precision."""
    margin: float
    margin_variance: float
    by_margin: "Floats"
    """How the mean moves with the margin."""


def at_peak(design: Design, widths: Widths, unknowns: "Floats", margin: float, enough: float = SMALL) -> Bell:
    """The bell with the height and curvature of the peak (Laplace), found from any start."""
    import numpy as np

    peak = climb(design, widths, unknowns, margin, enough)
    precision = peak.slopes.dd
    pull = peak.slopes.d + precision * design.differences(peak.unknowns)
    covariance = design.covariance(precision, peak.prior)
    if not design.field.counts.drawn:
        return Bell(peak.unknowns, covariance, pull, precision, 0.0, 0.0, np.zeros(design.size))
    return Bell(peak.unknowns, covariance, pull, precision, peak.margin, *_doubt_of_margin(design, peak, covariance))


def _doubt_of_margin(design: Design, peak: Peak, covariance: "Floats") -> tuple[float, "Floats"]:
    cross = design.gathered(peak.slopes.de)
    by_margin = -covariance @ cross
    return 1 / (float(peak.slopes.ee.sum()) + WIDE**-2 + float(cross @ by_margin)), by_margin


def leaning(design: Design, bell: Bell) -> float:
    """How far the posterior's mean lies from its peak, to first order, in standard deviations of that unknown."""
    import numpy as np

    differences, reach = design.differences(bell.mean), 0.02
    counts = design.field.counts
    before, after = (slopes(counts, differences + by, bell.margin).dd for by in (-reach, reach))
    third = (before - after) / (2 * reach)
    shift = bell.covariance @ design.gathered(0.5 * third * design.variances(bell.covariance))
    return float(np.max(np.abs(shift) / np.sqrt(bell.covariance.diagonal()), initial=0.0))


def matched(design: Design, widths: Widths, bell: Bell, tune: Tune | None = None) -> tuple[Bell, Widths]:
    """The bell with matched moments, from any start, at these widths or at those that `tune` settles on.

    `tune` says how far the logarithms of the widths should move, given the bell. The margin is kept.
    """
    import numpy as np

    pairings = len(bell.pull)
    logs = np.log([width for width in widths if width is not None])
    known: list[tuple[Floats, Floats]] = []
    state = np.concatenate([bell.pull, bell.precision, logs])
    rules = _rules(design.field.counts, _wide(design, bell))
    for _ in range(ROUNDS):
        pull, precision = state[:pairings], state[pairings : 2 * pairings]
        widths = Widths(*np.exp(state[2 * pairings :]).tolist())
        covariance = design.covariance(precision, design.prior(widths))
        mean = covariance @ design.gathered(pull)
        d, v = design.differences(mean), design.variances(covariance)
        centre, variance = _moments(rules, pull, precision, d, v, bell.margin)
        steps = np.zeros_like(logs) if tune is None else tune(widths, mean, covariance)
        moved = max(_most(np.abs(centre - d) / np.sqrt(v)), _most(np.abs(variance / v - 1)), _most(np.abs(steps)))
        if moved < EXACT:
            break
        np.maximum(variance, LEAST * v, out=variance)
        change = np.concatenate([centre / variance - d / v, 1 / variance - 1 / v, steps])
        known = [*known[-MEMORY:], (state, change)]
        state = _onward(known, np.concatenate([np.sqrt(v), v, np.ones_like(logs)]))
        far = _most(np.abs(state[2 * pairings :] - known[-1][0][2 * pairings :]))
        if (state[pairings : 2 * pairings] < 0).any() or far > 1.0:
            # No bell opens upwards, and no width is told from afar: back to the plain step, which keeps to both.
            state = known[-1][0] + known[-1][1]
            np.maximum(state[pairings : 2 * pairings], 0.0, out=state[pairings : 2 * pairings])
            known = []
    found = replace(bell, mean=mean, covariance=covariance, pull=pull, precision=precision)
    return found, widths


def _most(figures: "Floats") -> float:
    return float(figures.max(initial=0.0))


def _onward(known: list[tuple["Floats", "Floats"]], scale: "Floats") -> "Floats":
    """Where the rounds lead: the mixture of those known that changes least, and its change."""
    import numpy as np

    at, change = known[-1]
    if len(known) == 1:
        return at + change
    ats = np.stack([at - before for before, _ in known[:-1]])
    changes = np.stack([change - before for _, before in known[:-1]])
    weighed = changes * scale
    gram = weighed @ weighed.T
    gram[np.diag_indices(len(gram))] *= 1 + 1e-10
    back = np.linalg.lstsq(gram, weighed @ (change * scale), rcond=None)[0]
    found: Floats = at + change - back @ (ats + changes)
    return found


def _wide(design: Design, bell: Bell) -> "NDArray[bool_]":
    """The pairings that need many points: those whose own log-likelihood bends within the bell's reach."""
    import numpy as np

    d, sigma = design.differences(bell.mean), np.sqrt(design.variances(bell.covariance))
    sides = [slopes(design.field.counts, d + by * sigma, bell.margin).dd for by in (-1.0, 1.0)]
    found: NDArray[bool_] = np.abs(sides[0] - sides[1]) * sigma**2 > BENT
    return found


class Rule(NamedTuple):
    """Some pairings, and the points and weights that their moments are taken with."""

    which: "NDArray[intp] | slice"
    counts: Counts
    nodes: "Floats"
    weights: "Floats"


def _rules(counts: Counts, wide: "NDArray[bool_]") -> list[Rule]:
    import numpy as np

    found = []
    for points, which in ((MANY, np.flatnonzero(wide)), (FEW, np.flatnonzero(~wide))):
        rows = CHUNK // (2 * points)  # a win's and a loss's
        for first in range(0, len(which), rows):
            part = slice(None) if len(which) == len(wide) <= rows else which[first : first + rows]
            found.append(Rule(part, Counts(*(games[part] for games in counts)), *_hermite(points)))
    return found


@cache
def _hermite(points: int) -> tuple["Floats", "Floats"]:
    from numpy.polynomial.hermite_e import hermegauss

    nodes, weights = hermegauss(points)
    return nodes, weights


def _moments(
    rules: list[Rule], pull: "Floats", precision: "Floats", d: "Floats", v: "Floats", margin: float
) -> tuple["Floats", "Floats"]:
    """Mean and variance of each difference, its own pairing taken as it is and all others as bells."""
    import numpy as np

    centre, variance = np.empty_like(d), np.empty_like(v)
    sigma = np.sqrt(v)
    for which, counts, nodes, weights in rules:
        x = d[which, None] + sigma[which, None] * nodes
        weight = log_likelihood(counts, x, margin)
        weight += (0.5 * precision[which, None] * x - pull[which, None]) * x
        weight -= weight.max(1, keepdims=True)
        np.exp(weight, out=weight)
        weight *= weights
        mass = weight.sum(1)
        middle = np.einsum("ij,ij->i", weight, x) / mass
        x -= middle[:, None]
        x *= x
        centre[which], variance[which] = middle, np.einsum("ij,ij->i", weight, x) / mass
    return centre, variance
