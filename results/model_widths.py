"""The prior widths: estimated from how far the engines of the field lie apart, and what their doubt adds.

Width and margin are unknowns too, of a kind that bends the others. The most probable width is found (empirical Bayes:
where the expected square of the skills is the width's, up to a wide prior of its own). In a field of few engines, where
moments had to be matched, the posterior is then mixed from three widths; elsewhere it moves with the width in a line.
"""

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from results.model_bell import LEANING, Bell, at_peak, leaning, matched
from results.model_posterior import SMALL, Design, Widths, beginning

if TYPE_CHECKING:
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
EXACT = 1e-9
ROUGH = 0.1
"""How short the peak's last step need be as long as the widths' are longer than this; then it must be"""
CLOSE = 1e-3
"""as short as this, and at last as short as it can be."""
NEAR = 0.3
"""A first step longer than this is too long for a slope: it is estimated in another way,"""
LONGEST = 3.0
"""and no longer than this."""


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

    unknowns, margin = beginning(design)
    widths = Widths(USUAL.skill, USUAL.role if design.roles else None)
    if old is not None and old.design.roles != design.roles:
        old = None
    if old is not None:
        unknowns, widths = _carried(old, design), old.peak_widths
        if margin and old.peak.margin:
            margin = old.peak.margin
    peak, peak_widths = _settled(design, widths, unknowns, margin)
    bell, widths = peak, peak_widths
    if leans := leaning(design, peak) > LEANING:

        def tune(widths: Widths, mean: "Floats", covariance: "Floats") -> "Floats":
            slope, fall = _slope(design, widths, mean, covariance)
            return np.clip(slope / fall, -1.0, 1.0)

        if old is not None:
            bell, widths = _resumed(old, design, peak), old.widths
        bell, widths = matched(design, widths, bell, tune)
    mean, covariance = bell.mean, bell.covariance
    doubt = 1 / math.sqrt(_slope(design, widths, mean, covariance)[1][0])
    if leans and doubt > KNOWN:
        mean, covariance = _mixed(design, widths, bell, FAR * doubt)
    else:
        by_width = doubt * _by_width(design, widths, mean, covariance)[0]
        covariance = covariance + np.outer(by_width, by_width)
    covariance += bell.margin_variance * np.outer(bell.by_margin, bell.by_margin)
    return Posterior(mean, covariance, design, widths, bell, peak_widths, peak)


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


def _resumed(old: Posterior, design: Design, peak: Bell) -> Bell:
    """The peak's bell with the old bells of those pairings that were there before."""
    import numpy as np

    new, past = design.field, old.design.field
    now = {name: k for k, name in enumerate(new.names)}
    number = np.array([now.get(name, -1) for name in past.names])
    one, two = number[past.one], number[past.two]
    codes = new.one * len(new.names) + new.two  # in order, as the pairings are
    at = np.searchsorted(codes, one * len(new.names) + two)
    here = np.flatnonzero((one >= 0) & (two >= 0) & (at < len(codes)))
    here = here[codes[at[here]] == (one * len(new.names) + two)[here]]
    pull, precision = peak.pull.copy(), peak.precision.copy()
    pull[at[here]], precision[at[here]] = old.bell.pull[here], old.bell.precision[here]
    return replace(peak, pull=pull, precision=precision)


def _mixed(design: Design, widths: Widths, bell: Bell, far: float) -> tuple["Floats", "Floats"]:
    """Mean and covariance over the doubt of the skills' width: that found, and `far` off either way in its logarithm.

    The weights give that logarithm the mean and the variance that its evidence has, as its slopes there tell.
    """
    import numpy as np

    bells, slopes = [], []
    for by in (-far, far):
        other = widths._replace(skill=widths.skill * math.exp(by))
        bells.append(matched(design, other, bell)[0])
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


def _settled(design: Design, widths: Widths, unknowns: "Floats", margin: float) -> tuple[Bell, Widths]:
    """The peak's bell at the widths where the evidence is highest, by secants."""
    import numpy as np

    enough = ROUGH
    bell = at_peak(design, widths, unknowns, margin, enough)
    slope, fall = _slope(design, widths, bell.mean, bell.covariance)
    for turn in range(ROUNDS):
        step = np.clip(slope / fall, -1.0, 1.0)
        far = float(np.max(np.abs(step)))
        if far < EXACT and enough <= SMALL:
            break
        onward = bell.mean
        if turn == 0 and far > NEAR:
            step = _leap(design, widths, bell)
        else:
            for by, move in zip(step, _by_width(design, widths, bell.mean, bell.covariance), strict=True):
                onward = onward + by * move
        logs = np.log([width for width in widths if width is not None])
        widths = Widths(*np.exp(logs + step).tolist())
        enough = ROUGH if far > ROUGH else CLOSE if far > CLOSE else SMALL
        bell = at_peak(design, widths, onward, bell.margin, enough)
        before, (slope, guess) = slope, _slope(design, widths, bell.mean, bell.covariance)
        seen = (before - slope) / np.where(step == 0, 1.0, step)
        trusted = (seen > 0.2 * guess) & (seen < 5 * guess) & (turn > 0 or far <= NEAR)
        fall = np.where(trusted, seen, guess)
    return bell, widths


def _leap(design: Design, widths: Widths, bell: Bell) -> "Floats":
    """How far the logarithm of each width is from that told by as many skills as the games tell (MacKay 1992)."""
    import numpy as np

    found = []
    for part, width, _ in _blocks(design, widths):
        told = bell.mean[part].size - float(bell.covariance[part, part].trace()) / width**2
        square = float(bell.mean[part] @ bell.mean[part]) / width**2
        found.append(0.5 * math.log(max(square, 1e-9) / max(told, 1e-9)))
    return np.clip(found, -LONGEST, LONGEST)


def _blocks(design: Design, widths: Widths) -> list[tuple[slice, float, float]]:
    """Which unknowns have a width; the width; the usual one."""
    n = len(design.field.names)
    found = [(slice(0, n), widths.skill, USUAL.skill)]
    if widths.role is not None and USUAL.role is not None:
        found.append((slice(n, 2 * n), widths.role, USUAL.role))
    return found


def _by_width(design: Design, widths: Widths, mean: "Floats", covariance: "Floats") -> list["Floats"]:
    """How the mean moves with the logarithm of each width."""
    return [2 / width**2 * (covariance[:, part] @ mean[part]) for part, width, _ in _blocks(design, widths)]


def _slope(design: Design, widths: Widths, mean: "Floats", covariance: "Floats") -> tuple["Floats", "Floats"]:
    """How the evidence's logarithm rises with that of each width, and how fast this falls while no bell changes."""
    import numpy as np

    rises, falls = [], []
    moves = _by_width(design, widths, mean, covariance)
    for (part, width, usual), moved in zip(_blocks(design, widths), moves, strict=True):
        skills, block = mean[part], covariance[part, part]
        square, spread = float(skills @ skills) / width**2, float(block.trace()) / width**2
        rises.append(square + spread - len(skills) - math.log(width / usual) / DOUBT**2)
        sharper = float(skills @ moved[part]) / width**2 + float(np.sum(block * block)) / width**4
        # Few games can bend the evidence upwards; the width's own prior still falls.
        falls.append(2 * max(square + spread - sharper, 0.0) + 1 / DOUBT**2)
    return np.array(rises), np.array(falls)
