"""The posterior as a bell: at its peak, or, where the peak lies off the middle, with matched moments.

A score of 30 to 0 says that a difference is large, hardly how large: its posterior leans far to one side, and a bell
at the peak is too narrow and too low. There each pairing is replaced by the bell that gives the posterior of its
difference the right mean and variance while all others are bells already (expectation propagation, Minka 2001; for one
game this is the update of TrueSkill). Works at given prior widths; refuses to know how good they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from results.model_moments import Moments, Points
from results.model_posterior import Design, Peak, Widths

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from results.model_normal import Floats

LEANING = 0.05
"""From this distance on between peak and mean, in standard deviations, the peak's bell will not do."""
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
    leans: "NDArray[bool_] | None" = None
    """Where moments were matched, the pairings that took many points for it,"""
    known: Moments | None = None
    """and what is known of these moments."""


def at_peak(design: Design, peak: Peak) -> Bell:
    """The bell with the height and curvature of the peak (Laplace), from a point next to it; its covariance is that of
    the point.
    """
    slopes, moved = peak.slopes, design.differences(peak.step)
    mean, margin = peak.unknowns + peak.step, peak.margin + peak.rise
    precision = slopes.dd - slopes.ddd * moved
    pull = slopes.d - slopes.dd * moved - slopes.de * peak.rise + precision * design.differences(mean)
    return Bell(mean, peak.covariance, pull, precision, margin, peak.margin_variance, peak.by_margin)


def around(design: Design, bell: Bell, thirds: "Floats | None" = None) -> Points:
    """With what points moments are matched around this bell; `thirds` are the likelihood's, where they are known."""
    import numpy as np

    sigma = np.sqrt(design.variances(bell.covariance))
    return Points.at(design.field.counts, design.differences(bell.mean), sigma, bell.margin, thirds)


def leaning(design: Design, peak: Peak) -> float:
    """How far the posterior's mean lies from its peak, to first order, in standard deviations of that unknown."""
    import numpy as np

    covariance = peak.covariance
    shift = covariance @ design.gathered(0.5 * peak.slopes.ddd * design.variances(covariance))
    return float(np.max(np.abs(shift) / np.sqrt(covariance.diagonal()), initial=0.0))


def matched(
    design: Design, widths: Widths, bell: Bell, points: Points, tune: Tune | None = None
) -> tuple[Bell, Widths]:
    """The bell with matched moments, from any start, at these widths or at those that `tune` settles on.

    `tune` says how far the logarithms of the widths should move, given the bell. The margin is kept.
    """
    import numpy as np

    pairings = len(bell.pull)
    logs = np.log([width for width in widths if width is not None])
    past: list[tuple[Floats, Floats]] = []
    state = np.concatenate([bell.pull, bell.precision, logs])
    known = bell.known
    for _ in range(ROUNDS):
        pull, precision = state[:pairings], state[pairings : 2 * pairings]
        widths = Widths(*np.exp(state[2 * pairings :]).tolist())
        covariance = design.covariance(precision, design.prior(widths))
        mean = covariance @ design.gathered(pull)
        d, v = design.differences(mean), design.variances(covariance)
        known, centre, variance = points.moments(pull, precision, d, v, known)
        steps = np.zeros_like(logs) if tune is None else tune(widths, mean, covariance)
        sigma = np.sqrt(v)
        moved = max(_most(np.abs(centre - d) / sigma), _most(np.abs(variance / v - 1)), _most(np.abs(steps)))
        if moved < EXACT:
            break
        variance = np.maximum(variance, LEAST * v)
        change = np.concatenate([centre / variance - d / v, 1 / variance - 1 / v, steps])
        past = [*past[-MEMORY:], (state, change)]
        state = _onward(past, np.concatenate([sigma, v, np.ones_like(logs)]))
        far = _most(np.abs(state[2 * pairings :] - past[-1][0][2 * pairings :]))
        if (state[pairings : 2 * pairings] < 0).any() or far > 1.0:
            # No bell opens upwards, and no width is told from afar: back to the plain step, which keeps to both.
            state = past[-1][0] + past[-1][1]
            np.maximum(state[pairings : 2 * pairings], 0.0, out=state[pairings : 2 * pairings])
            past = []
    by_margin, doubt = bell.by_margin, bell.margin_variance
    return Bell(mean, covariance, pull, precision, bell.margin, doubt, by_margin, points.leans, known), widths


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
    gram.flat[:: len(gram) + 1] *= 1 + 1e-10
    gram.flat[:: len(gram) + 1] += np.finfo(float).tiny
    back = np.linalg.solve(gram, weighed @ (change * scale))
    found: Floats = at + change - back @ (ats + changes)
    return found
