"""The prior widths: estimated from how far the engines of the field lie apart, and what their doubt adds.

The most probable width is found where the expected square of the skills is the width's (empirical Bayes), up to a wide
prior of its own. Its doubt is added in a line; where few engines lie so far apart that games bound them poorly, the
posterior is mixed from three widths.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from results.model_bell import Bell, around
from results.model_normal import Floats
from results.model_posterior import Beginning, Design, Peak, Widths, climb

USUAL = Widths(25.0, 25 / 6)
"""The widths before any game: three times that of TrueSkill, whose fields hold no random movers, and half of it,"""
DOUBT = 1.0
"""and the standard deviation of their logarithms: a factor of e either way is nothing special."""
LEANING = 0.2
"""From such a lean on the posterior does not move with the width in a line,"""
KNOWN = 0.06
"""but a width with a doubt (of its logarithm) below this, as with more than 140 engines, is as good as known."""
FAR = math.sqrt(3)
"""Standard deviations: there the rule of Gauss and Hermite with three points has its outer ones,"""
FARTHEST = 0.8
"""but no farther than this from the middle: there first order would say nothing any more."""
MOST = 0.9
"""The most weight that the outer two get."""
OFF = 0.4
"""The most that the mean of a width's logarithm lies off where it is most probable with the peak's bell."""
NEARBY = 0.002
"""A peak from whose neighbourhood a bell is mixed in is no farther than this."""
TRIES = 2
"""Of least squares, before a climb begins; three times as many where most scores are sure,"""
LONGEST = 2.0
"""none of which takes the logarithm of a width farther than this."""
ROUNDS = 60
NEAR = 0.5
"""The widths wait until the peak is as near as this."""
SHORT = 0.02
"""After a step of the widths as short as this, how the slope has changed tells how it falls."""
CLOSE = 0.003
"""Unknowns are there from as far off as this, for Newton's method doubles their digits in every step,"""
EXACT = 1e-4
"""and widths after a step as short as this, or when less is left should steps go on to shrink as they did; far less is,
for they shrink ever faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Mean and covariance of the unknowns, all doubts in; and what they come from."""

    mean: Floats
    covariance: Floats
    design: Design
    widths: Widths
    """Of the priors, as they are expected to be."""
    bell: Bell
    """What they are if the widths are those of the peak."""
    peak: Peak
    """Its margin is where the posterior has it."""
    peak_widths: Widths


def posterior(design: Design, old: Posterior | None = None) -> Posterior:
    """The posterior; `old`, of nearly the same games, makes it sooner found."""
    if old is not None and old.design.roles != design.roles:
        old = None
    peak, widths = most_probable(design, old)
    bell = around(design, widths, peak)
    pulls = _pulls(design, widths, bell.mean, bell.covariance)
    off = [min(max(pull.rise / pull.fall, -OFF), OFF) for pull in pulls]
    doubt = 1 / math.sqrt(pulls[0].fall)
    mean, covariance, in_line = bell.mean, bell.covariance, 0
    if bell.lean > LEANING and doubt > KNOWN:
        mean, covariance, off[0] = _mixed(design, widths, peak, bell, pulls[0].rise, doubt)
        in_line = 1
    for by, pull in zip(off[in_line:], pulls[in_line:], strict=True):
        mean, covariance = mean + by * pull.move, covariance + np.outer(pull.move, pull.move) / pull.fall
    covariance += peak.margin_variance * np.outer(peak.by_margin, peak.by_margin)
    told = [width * math.exp(by) for by, (_, width) in zip(off, design.blocks(widths), strict=True)]
    return Posterior(mean, covariance, design, Widths(*told), bell, peak, widths)


def most_probable(design: Design, old: Posterior | None = None) -> tuple[Peak, Widths]:
    """The peak, with its curvature, at the widths where the evidence is highest; `old` may tell what it is close to."""
    if old is None or design.field.counts.drawn != old.design.field.counts.drawn:
        unknowns, margin, widths = _begun(design)
    else:
        unknowns, margin, widths = _carried(old, design), old.peak.top_margin, old.peak_widths
    return _settled(design, widths, unknowns, margin)


def _begun(design: Design) -> tuple[Floats, float, Widths]:
    """Where a climb from nothing begins: unknowns and margin by least squares, and the widths that go with them."""
    begin = Beginning.of(design.field.counts)
    widths = Widths(USUAL.skill, USUAL.role if design.roles else None)
    unknowns = None
    for _ in range(TRIES if 2 * begin.sure.sum() < len(begin.sure) else 3 * TRIES):
        unknowns, covariance = begin.at(design, widths, unknowns)
        found = []
        for (part, width), (_, usual) in zip(design.blocks(widths), design.blocks(USUAL), strict=False):
            square = float(unknowns[part] @ unknowns[part]) / width**2
            told = unknowns[part].size - float(covariance[part, part].trace()) / width**2
            told += math.log(width / usual) / DOUBT**2
            apart = 0.5 * math.log(max(square, 1e-9) / max(told, 0.1))
            found.append(width * math.exp(min(max(apart, -LONGEST), LONGEST)))
        widths = Widths(*found)
    assert unknowns is not None
    return unknowns, begin.margin, widths


def _carried(old: Posterior, design: Design) -> Floats:
    """The old peak for this field's engines; newcomers in the middle."""
    names, before = design.field.names, {name: k for k, name in enumerate(old.design.field.names)}
    top = old.peak.top
    found = np.zeros(design.size)
    found[-1] = top[-1]
    for k, name in enumerate(names):
        if (at := before.get(name)) is not None:
            found[k] = top[at]
            if design.roles:
                found[len(names) + k] = top[len(before) + at]
    return found


def _mixed(
    design: Design, widths: Widths, peak: Peak, bell: Bell, rise: float, doubt: float
) -> tuple[Floats, Floats, float]:
    """Mean and covariance over the doubt of the skills' width, and by how much its logarithm is expected to be off.

    Mixed from the bell that is known and those at two widths some way off. Their weights give that logarithm the mean
    and the variance that its evidence has, as its rises there tell.
    """
    far = min(FAR * doubt, FARTHEST)
    move = _pulls(design, widths, peak.top, peak.covariance)[0].move
    # How the move itself moves, from the peak's condition differentiated twice by the width's logarithm.
    skills, width = design.blocks(widths)[0]
    pull = design.gathered(peak.slopes.ddd * design.differences(move) ** 2)
    pull[skills] += 4 * width**-2 * (move[skills] - peak.top[skills])
    bent = peak.covariance @ pull
    bells, rises = [], []
    for by in (-far, far):
        other = widths._replace(skill=widths.skill * math.exp(by))
        top = climb(design, other, peak.top + by * move + 0.5 * by * by * bent, peak.top_margin, NEARBY)
        bells.append(around(design, other, top))
        rises.append(_pulls(design, other, bells[-1].mean, bells[-1].covariance)[0].rise)
    fall = max((rises[0] - rises[1]) / (2 * far), 1 / DOUBT**2)
    bend = (rises[0] + rises[1] - 2 * rise) / far**2
    off = min(max(rise / fall + bend / fall**2 / 2, -OFF), OFF)
    outer = min((1 / fall + off * off) / far**2, MOST) / 2
    tilt = min(max(off / far / 2, -outer), outer)
    parts = list(zip((outer - tilt, 1 - 2 * outer, outer + tilt), (bells[0], bell, bells[1]), strict=True))
    mean, covariance = np.zeros(design.size), np.zeros_like(bell.covariance)
    for share, part in parts:
        mean += share * part.mean
    for share, part in parts:
        covariance += share * (part.covariance + np.outer(part.mean - mean, part.mean - mean))
    return mean, covariance, off


def _settled(design: Design, widths: Widths, unknowns: Floats, margin: float) -> tuple[Peak, Widths]:
    """The peak at the widths where the evidence is highest: all are climbed at once, in ROUNDS rounds at most."""
    steps = before = [0.0] * len(design.blocks(widths))
    for _ in range(ROUNDS):
        peak = climb(design, widths, unknowns, margin, NEAR)
        unknowns, margin = peak.top, peak.top_margin
        pulls = _pulls(design, widths, unknowns, peak.covariance)
        last = max(map(abs, steps))
        falls = [pull.fall for pull in pulls]
        if 0 < last < SHORT:
            seen = [(old - pull.rise) / (step or 1.0) for old, pull, step in zip(before, pulls, steps, strict=True)]
            falls = [told if 0.2 * fall < told < 5 * fall else fall for told, fall in zip(seen, falls, strict=True)]
        before = [pull.rise for pull in pulls]
        steps = [min(max(rise / fall, -0.5), 0.6) for rise, fall in zip(before, falls, strict=True)]
        steps = [step + step * step for step in steps]  # nearer to the slope's own form, a width to the power of -2
        found = []
        for by, pull, (part, width) in zip(steps, pulls, design.blocks(widths), strict=True):
            rise = by * peak.margin_variance * 2 / width**2 * float(peak.by_margin[part] @ unknowns[part])
            unknowns = unknowns + by * pull.move + rise * peak.by_margin
            margin = max(margin + rise, 0.1 * margin)
            found.append(width * math.exp(by))
        widths = Widths(*found)
        far = max(map(abs, steps))
        if peak.left < CLOSE and (far < EXACT or far * far <= EXACT * (last - far)):
            break
    return replace(peak, step=unknowns - peak.unknowns, rise=margin - peak.margin), widths


class Pull(NamedTuple):
    """What draws at a width's logarithm."""

    rise: float
    """How the evidence's logarithm rises with it,"""
    fall: float
    """and how fast that falls while no bell changes."""
    move: Floats
    """How the mean moves with it."""


def _pulls(design: Design, widths: Widths, mean: Floats, covariance: Floats) -> list[Pull]:
    """What a bell's mean and covariance say of each width."""
    found = []
    for (part, width), (_, usual) in zip(design.blocks(widths), design.blocks(USUAL), strict=False):
        skills, block, precision = mean[part], covariance[part, part], width**-2
        move = 2 * precision * (covariance[:, part] @ skills)
        square, spread = float(skills @ skills) * precision, float(block.trace()) * precision
        rise = square + spread - len(skills) - math.log(width / usual) / DOUBT**2
        sharper = float(skills @ move[part]) * precision + float(np.vdot(block, block)) * precision**2
        # Few games can bend the evidence upwards; the width's own prior still falls.
        found.append(Pull(rise, 2 * max(square + spread - sharper, 0.0) + 1 / DOUBT**2, move))
    return found
