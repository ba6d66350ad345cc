"""The prior widths: estimated from how far the engines of the field lie apart, and what their doubt adds.

Width and margin are unknowns too, of a kind that bends the others. The most probable width is found (empirical Bayes:
where the expected square of the skills is the width's, up to a wide prior of its own). In a field of few engines, where
moments had to be matched, the posterior is then mixed from three widths; elsewhere it moves with the width in a line.
"""

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from results.model_bell import LEANING, Bell, around, at_peak, leaning, matched
from results.model_field import Field
from results.model_moments import LARGE, Moments, Points
from results.model_posterior import Design, Peak, Widths, beginning, climb

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from results.model_normal import Floats

USUAL = Widths(25.0, 25 / 6)
"""The widths before any game: three times that of TrueSkill, whose fields hold no random movers, and half of it,"""
DOUBT = 1.0
"""and the standard deviation of their logarithms: a factor of e either way is nothing special."""
KNOWN = 0.06
"""A width with a doubt (of its logarithm) below this, as with more than 140 engines, is as good as known."""
FAR = math.sqrt(3)
"""Standard deviations: there the rule of Gauss and Hermite with three points has its outer ones."""
MOST = 0.9
"""The most weight that the outer two get."""
ROUNDS = 60
NEAR = 0.5
"""The widths wait until the peak is as near as this."""
SHORT = 0.02
"""After a step of the widths as short as this, how the slope has changed tells how it falls."""
CLOSE = 2e-6
"""Widths as close as this are there, if what is left, should steps go on to shrink as they did, is less than"""
EXACT = 1e-8
"""this. Unknowns are there from farther off: Newton's method doubles their digits in every step. But the doubt of the
margin is left as it was before that step; so they must be as close in units of that doubt, or of"""
CERTAIN = 0.03
"""this."""


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Mean and covariance of the unknowns, all doubts in; and the bells that they come from."""

    mean: "Floats"
    covariance: "Floats"
    design: Design
    widths: Widths
    """The most probable ones,"""
    bell: Bell
    """and the bell there: at the peak or with matched moments."""
    peak_widths: Widths
    peak: Bell
    """The bell at the peak, with widths of its own."""


def posterior(design: Design, old: Posterior | None = None) -> Posterior:
    """The posterior; `old`, of nearly the same games, makes it sooner found."""
    import numpy as np

    if old is not None and old.design.roles != design.roles:
        old = None
    top, peak_widths = most_probable(design, old)
    peak = at_peak(design, top)
    bell, widths = peak, peak_widths
    if leans := leaning(design, top) > LEANING:

        def tune(widths: Widths, mean: "Floats", covariance: "Floats") -> "Floats":
            slope, fall, _ = _slope(design, widths, mean, covariance)
            return np.clip(slope / fall, -1.0, 1.0)

        points = around(design, peak, top.slopes.ddd)
        if old is not None and old.bell.leans is not None:
            bell, widths = _resumed(old, design, peak, points, top), old.widths
        bell, widths = matched(design, widths, bell, points, tune)
    else:
        bell = replace(bell, covariance=design.covariance(bell.precision, design.prior(widths)))
    mean, covariance = bell.mean, bell.covariance
    _, falls, moves = _slope(design, widths, mean, covariance)
    doubt = 1 / math.sqrt(falls[0])
    if leans and doubt > KNOWN:
        mean, covariance = _mixed(design, widths, bell, FAR * doubt)
    else:
        by_width = doubt * moves[0]
        covariance = covariance + np.outer(by_width, by_width)
    covariance += bell.margin_variance * np.outer(bell.by_margin, bell.by_margin)
    return Posterior(mean, covariance, design, widths, bell, peak_widths, peak)


def most_probable(design: Design, old: Posterior | None = None) -> tuple[Peak, Widths]:
    """The peak, with its curvature, at the widths where the evidence is highest; `old` may tell what it is close to."""
    if old is None or design.field.counts.drawn != old.design.field.counts.drawn:
        usual = Widths(USUAL.skill, USUAL.role if design.roles else None)
        unknowns, margin, widths = beginning(design, usual)
    else:
        unknowns, margin, widths = _carried(old, design), old.peak.margin, old.peak_widths
    return _settled(design, widths, unknowns, margin)


def _carried(old: Posterior, design: Design) -> "Floats":
    """The old peak for this field's engines; newcomers in the middle."""
    import numpy as np

    names, before = design.field.names, {name: k for k, name in enumerate(old.design.field.names)}
    found = np.zeros(design.size)
    found[-1] = old.peak.mean[-1]
    for k, name in enumerate(names):
        if (at := before.get(name)) is not None:
            found[k] = old.peak.mean[at]
            if design.roles:
                found[len(names) + k] = old.peak.mean[len(before) + at]
    return found


def _resumed(old: Posterior, design: Design, peak: Bell, points: Points, top: Peak) -> Bell:
    """The old bell of each pairing that was there before, moved as far as the peak's has; and what was known of it."""
    import numpy as np

    new, past = design.field, old.design.field
    now, then = _common(new, past)
    before, known = old.bell, old.bell.known
    pull, precision = peak.pull.copy(), peak.precision.copy()
    pull[now] += before.pull[then] - old.peak.pull[then]
    precision[now] += before.precision[then] - old.peak.precision[then]
    np.maximum(precision, 0.0, out=precision)
    if known is None or before.leans is None or len(pull) < LARGE:
        return replace(peak, pull=pull, precision=precision)
    taken = Moments(*np.full((len(known), len(pull)), np.nan))
    for column, old_column in zip(taken, known, strict=True):
        column[now] = old_column[then]
    same = before.leans[then] == points.leans[now]
    for games, games_before in zip(new.counts.results, past.counts.results, strict=True):
        same &= games[now] == games_before[then]
    taken.pull[now[~same]] = np.nan
    taken = taken.at_margin(peak.margin - before.margin, design.differences(top.unknowns), top.slopes)
    return replace(peak, pull=pull, precision=precision, known=taken)


def _common(new: Field, past: Field) -> "tuple[NDArray[intp], NDArray[intp]]":
    """The pairings of a field that were in the one before, and where they were there."""
    import numpy as np

    if new.names == past.names and np.array_equal(new.one, past.one) and np.array_equal(new.two, past.two):
        every = np.arange(len(new.one))
        return every, every
    number = {name: k for k, name in enumerate(new.names)}
    which = np.array([number.get(name, -1) for name in past.names], np.intp)
    one, two = which[past.one], which[past.two]
    codes = new.one * len(new.names) + new.two  # in order, as the pairings are
    wanted = one * len(new.names) + two
    at = np.searchsorted(codes, wanted)
    here = np.flatnonzero((one >= 0) & (two >= 0) & (at < len(codes)))
    here = here[codes[at[here]] == wanted[here]]
    return at[here], here


def _mixed(design: Design, widths: Widths, bell: Bell, far: float) -> tuple["Floats", "Floats"]:
    """Mean and covariance over the doubt of the skills' width: that found, and `far` off either way in its logarithm.

    The weights give that logarithm the mean and the variance that its evidence has, as its slopes there tell.
    """
    import numpy as np

    bells, slopes = [], []
    start, points = replace(bell, known=None), around(design, bell)
    for by in (-far, far):
        other = widths._replace(skill=widths.skill * math.exp(by))
        bells.append(matched(design, other, start, points)[0])
        slopes.append(float(_slope(design, other, bells[-1].mean, bells[-1].covariance)[0][0]))
    fall = max((slopes[0] - slopes[1]) / (2 * far), 1 / DOUBT**2)
    lean = (slopes[0] + slopes[1]) / (far * fall) ** 2 / 2
    outer = min(1 / fall / far**2, MOST) / 2
    tilt = min(max(lean / far / 2, -outer), outer)
    parts = list(zip((outer - tilt, 1 - 2 * outer, outer + tilt), (bells[0], bell, bells[1]), strict=True))
    mean, covariance = np.zeros(design.size), np.zeros_like(bell.covariance)
    for share, part in parts:
        mean += share * part.mean
    for share, part in parts:
        covariance += share * (part.covariance + np.outer(part.mean - mean, part.mean - mean))
    return mean, covariance


def _settled(design: Design, widths: Widths, unknowns: "Floats", margin: float) -> tuple[Peak, Widths]:
    """The peak at the widths where the evidence is highest: all are climbed at once."""
    import numpy as np

    step = before = np.zeros(1 if widths.role is None else 2)
    for _ in range(ROUNDS):
        peak = climb(design, widths, unknowns, margin, NEAR)
        unknowns, margin = peak.unknowns + peak.step, peak.margin + peak.rise
        slope, fall, moves = _slope(design, widths, unknowns, peak.covariance)
        last = float(np.abs(step).max())
        if 0 < last < SHORT:
            seen = (before - slope) / np.where(step == 0, 1.0, step)
            fall = np.where((seen > 0.2 * fall) & (seen < 5 * fall), seen, fall)
        before = slope
        step = np.clip(slope / fall, -0.5, 0.6)
        step += step * step  # nearer to the slope's own form, a width to the power of -2
        found = []
        for by, move, (part, width) in zip(step.tolist(), moves, design.blocks(widths), strict=True):
            rise = by * peak.margin_variance * 2 / width**2 * float(peak.by_margin[part] @ unknowns[part])
            unknowns = unknowns + by * move + rise * peak.by_margin
            margin = max(margin + rise, 0.1 * margin)
            found.append(width * math.exp(by))
        widths = Widths(*found)
        far = float(np.abs(step).max())
        left = peak.left * max(math.sqrt(peak.margin_variance), CERTAIN)
        if max(left, far) < CLOSE and far * far <= EXACT * (last - far):
            break
    return replace(peak, step=unknowns - peak.unknowns, rise=margin - peak.margin), widths


def _slope(
    design: Design, widths: Widths, mean: "Floats", covariance: "Floats"
) -> tuple["Floats", "Floats", list["Floats"]]:
    """How the evidence's logarithm rises with that of each width, how fast this falls while no bell changes, and how
    the mean moves.
    """
    import numpy as np

    rises, falls, moves = [], [], []
    for (part, width), (_, usual) in zip(design.blocks(widths), design.blocks(USUAL), strict=False):
        skills, block, precision = mean[part], covariance[part, part], width**-2
        moved = 2 * precision * (covariance[:, part] @ skills)
        square, spread = float(skills @ skills) * precision, float(block.trace()) * precision
        rises.append(square + spread - len(skills) - math.log(width / usual) / DOUBT**2)
        sharper = float(skills @ moved[part]) * precision + float(np.vdot(block, block)) * precision**2
        # Few games can bend the evidence upwards; the width's own prior still falls.
        falls.append(2 * max(square + spread - sharper, 0.0) + 1 / DOUBT**2)
        moves.append(moved)
    return np.array(rises), np.array(falls), moves
