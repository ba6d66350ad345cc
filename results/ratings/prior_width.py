"""The prior widths: estimated from how far the engines of the field lie apart, and what their doubt adds.

The most probable width is found where the expected square of the skills is the width's (empirical Bayes), up to a wide
prior of its own. Its doubt is added in a line; where few engines lie so far apart that games bound them poorly, the
posterior is mixed from three widths.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from results.ratings.design import Design, Widths
from results.ratings.gaussian_approximation import Bell, around
from results.ratings.initial_guess import Beginning
from results.ratings.normal import Floats
from results.ratings.posterior import CLOSE, Peak, climb, foretold, peak_from

USUAL = (25.0, 25 / 6)
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
TRIES, SURE_TRIES = 1, 3
"""Of least squares, before a climb begins; the latter where most scores are sure,"""
LONGEST = 4.0
"""none of which takes the logarithm of a width farther than this."""
ROUNDS = 60
SHORT = 0.02
"""After a step of the widths as short as this, how the slope has changed tells how it falls."""
LONG, EXACT = 0.1, 0.0015
"""A width is found after a step no longer than the former whose loose share is as short as the latter, or when no more
is left should steps go on to shrink as they did; far less is, for they shrink ever faster. The posterior takes one
more, in a line."""


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
    peak, widths = most_probable(design, old)
    bell = around(design, peak)
    pulls = _pulls(design, widths, bell.mean, bell.covariance)
    off = [min(max(pull.rise / pull.fall, -OFF), OFF) for pull in pulls]
    doubt = 1 / math.sqrt(pulls[0].fall)
    mean, covariance, in_line = bell.mean, bell.covariance, 0
    if bell.lean > LEANING and doubt > KNOWN:
        mean, covariance, off[0] = _mixed(design, widths, peak, bell, pulls[0].rise, doubt)
        in_line = 1
    for by, pull in zip(off[in_line:], pulls[in_line:], strict=True):
        mean, covariance = mean + by * pull.move, covariance + pull.move[:, None] * (pull.move / pull.fall)
    if peak.margin_variance:
        covariance += peak.by_margin[:, None] * (peak.margin_variance * peak.by_margin)
    told = tuple(width * math.exp(by) for by, width in zip(off, widths, strict=True))
    return Posterior(mean, covariance, design, told, bell, peak, widths)


def most_probable(design: Design, old: Posterior | None = None) -> tuple[Peak, Widths]:
    """The peak, with its curvature, at the widths where the evidence is highest; `old` may tell what it is close to."""
    if old is None or (old.design.roles, old.design.field.counts.drawn) != (design.roles, design.field.counts.drawn):
        unknowns, margin, widths = _begun(design)
        return _settled(design, widths, unknowns, margin)
    like = old.peak.covariance if old.design.field.names == design.field.names else None
    return _settled(design, old.peak_widths, _carried(old, design), old.peak.top_margin, like)


def _begun(design: Design) -> tuple[Floats, float, Widths]:
    """Where a climb from nothing begins: unknowns and margin by least squares, and the widths that go with them."""
    begin = Beginning.of(design.field.counts)
    widths: Widths = USUAL[: len(design.parts)]
    unknowns = begin.alone(design, design.prior(widths))
    widths = _as_wide(design, widths, unknowns, np.zeros(design.size))
    for _ in range(TRIES if 2 * begin.sures < len(begin.sure) else SURE_TRIES):
        unknowns, covariance = begin.at(design, design.prior(widths), unknowns)
        widths = _as_wide(design, widths, unknowns, covariance.diagonal())
    return unknowns, begin.margin, widths


def _as_wide(design: Design, widths: Widths, unknowns: Floats, variances: Floats) -> Widths:
    """The widths that unknowns with these variances tell of, found at others."""
    found = []
    for part, width, usual in zip(design.parts, widths, USUAL, strict=False):
        square, _, rise = _evidence(width, usual, unknowns[part], variances[part])
        apart = 0.5 * math.log(max(square, 1e-9) / max(square - rise, 0.1))
        found.append(width * math.exp(min(max(apart, -LONGEST), LONGEST)))
    return tuple(found)


def _carried(old: Posterior, design: Design) -> Floats:
    """The old peak for this field's engines; newcomers where their own games put them."""
    names, before = design.field.names, {name: k for k, name in enumerate(old.design.field.names)}
    top = old.peak.top
    found = np.zeros(design.size)
    found[-1] = top[-1]
    for k, name in enumerate(names):
        if (at := before.get(name)) is not None:
            found[k] = top[at]
            if design.roles:
                found[len(names) + k] = top[len(before) + at]
    if new := [k for k, name in enumerate(names) if name not in before]:
        begin = Beginning.of(design.field.counts)
        found[new] = begin.alone(design, design.prior(old.peak_widths), found)[new]
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
    skills, width = design.parts[0], widths[0]
    pull = design.gathered(peak.slopes.ddd * design.differences(move) ** 2)
    pull[skills] += 4 * width**-2 * (move[skills] - peak.top[skills])
    bent = peak.covariance.dot(pull)
    bells, rises = [], []
    for by in (-far, far):
        other = (width * math.exp(by), *widths[1:])
        at = peak.top + by * move + 0.5 * by * by * bent
        top = peak_from(design, design.prior(other), at, peak.top_margin)
        bells.append(around(design, top))
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


def _settled(
    design: Design, widths: Widths, unknowns: Floats, margin: float, like: Floats | None = None
) -> tuple[Peak, Widths]:
    """The peak at the widths where the evidence is highest: all are climbed at once, in ROUNDS rounds at most."""
    steps, pulls = [0.0] * len(widths), [Pull(0.0, 1.0, unknowns, 1.0)] * len(widths)
    prior = design.prior(widths)
    for _ in range(ROUNDS):
        peak, like = climb(design, prior, unknowns, margin, like), None
        step, rise = peak.step, peak.rise
        before, pulls = pulls, _pulls(design, widths, peak.top, peak.covariance)
        last = max(map(abs, steps))
        falls = [pull.fall for pull in pulls]
        if 0 < last < SHORT:
            seen = [(old.rise - new.rise) / (by or 1.0) for old, new, by in zip(before, pulls, steps, strict=True)]
            falls = [told if 0.2 * fall < told < 5 * fall else fall for told, fall in zip(seen, falls, strict=True)]
        steps = [min(max(pull.rise / fall, -0.5), 0.6) for pull, fall in zip(pulls, falls, strict=True)]
        steps = [by + by * by for by in steps]  # nearer to the slope's own form, a width to the power of -2
        for by, pull, part in zip(steps, pulls, design.parts, strict=True):
            step = step + by * pull.move
            if peak.margin_variance:
                lift = 2 * by * peak.margin_variance * float((prior * peak.by_margin)[part].dot(peak.top[part]))
                step += lift * peak.by_margin
                rise += lift
        widths = tuple(width * math.exp(by) for by, width in zip(steps, widths, strict=True))
        prior = design.prior(widths)
        peak = foretold(design, prior, peak, step, rise)
        off = max(abs(by) * pull.loose for by, pull in zip(steps, pulls, strict=True))
        far = max(map(abs, steps))
        if peak.left < CLOSE and ((far < LONG and off < EXACT) or far * far <= EXACT * (last - far)):
            break
        unknowns, margin = peak.onward
    return peak, widths


class Pull(NamedTuple):
    """What draws at a width's logarithm."""

    rise: float
    """How the evidence's logarithm rises with it,"""
    fall: float
    """and how fast that falls while no bell changes."""
    move: Floats
    """How the mean moves with it."""
    loose: float
    """What share of the expected square of the skills is their variance, which changes with the width."""


def _pulls(design: Design, widths: Widths, mean: Floats, covariance: Floats) -> list[Pull]:
    """What a bell's mean and covariance say of each width."""
    found = []
    for part, width, usual in zip(design.parts, widths, USUAL, strict=False):
        skills, block, precision = mean[part], covariance[part, part], width**-2
        move = 2 * precision * covariance[:, part].dot(skills)
        square, spread, rise = _evidence(width, usual, skills, block.diagonal())
        sharper = float(skills.dot(move[part])) * precision + float(np.vdot(block, block)) * precision**2
        # Few games can bend the evidence upwards; the width's own prior still falls.
        fall = 2 * max(square + spread - sharper, 0.0) + 1 / DOUBT**2
        found.append(Pull(rise, fall, move, max(spread - 1.0, 0.0) / (square + spread)))
    return found


def _evidence(width: float, usual: float, skills: Floats, variances: Floats) -> tuple[float, float, float]:
    """The square of the skills and the sum of their variances, in widths; and how the evidence rises with the width."""
    square = float(skills.dot(skills)) / width**2
    spread = float(np.add.reduce(variances)) / width**2
    return square, spread, square + spread - len(skills) - math.log(width / usual) / DOUBT**2
