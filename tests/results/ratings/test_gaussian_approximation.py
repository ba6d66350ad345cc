"""The bell of the posterior: against plain sums over all that could be, and against TrueSkill's own update."""

import math

import numpy as np
import pytest
import trueskill

from results.ratings.design import WIDE, Design
from results.ratings.fit import fit
from results.ratings.estimates import PairResult
from results.ratings.gaussian_approximation import Bell, _together, _widened, around
from results.ratings.initial_guess import Beginning
from results.ratings.normal import Floats
from results.ratings.pairings import field
from results.ratings.posterior import Peak, climb, foretold, peak_from
from results.ratings.scale import NOISE

WIDTHS = (25 / 3,)


def designed(*meetings: PairResult) -> Design:
    """The design of these games, without roles."""
    return Design.of(field(meetings), roles=False)


def top(design: Design) -> Peak:
    """The peak at these widths."""
    prior, begin = design.prior(WIDTHS), Beginning.of(design.field.counts)
    return peak_from(design, prior, begin.alone(design, prior), begin.margin, enough=1e-9)


def bell(*meetings: PairResult) -> Bell:
    """The bell of these games."""
    design = designed(*meetings)
    return around(design, top(design))


def summed(*meetings: PairResult) -> tuple[Floats, Floats]:
    """Mean and covariance of two skills and the advantage, from the likelihood on a fine grid, at the peak's margin."""
    design = designed(*meetings)
    peak = top(design)
    root = np.linalg.cholesky(peak.covariance)
    steps = np.linspace(-7, 10, 45)
    at = np.stack([part.ravel() for part in np.meshgrid(steps, steps, steps, indexing="ij")])
    at = root @ (at * np.sign(root.T @ design.gathered(peak.slopes.ddd))[:, None]) + peak.top[:, None]
    height = -0.5 * (design.prior(WIDTHS) @ at**2)
    assert design.columns is not None
    margin, counts = peak.top_margin / NOISE, design.field.counts
    for row, wins, draws, losses in zip(design.columns.T, counts.wins, counts.draws, counts.losses, strict=True):
        ahead = row @ at / NOISE
        win, loss = below(ahead - margin), below(-ahead - margin)
        height += wins * np.log(win) + losses * np.log(loss)
        if draws:
            height += draws * np.log(1 - win - loss)
    weight = np.exp(height - height.max())
    weight /= weight.sum()
    mean = at @ weight
    return mean, (at - mean[:, None]) * weight @ (at - mean[:, None]).T


def below(x: Floats) -> Floats:
    """Phi, from the standard library's function."""
    return np.array([0.5 * math.erfc(-figure / math.sqrt(2)) for figure in x.tolist()])


@pytest.mark.parametrize(
    ("one", "two", "within"),
    [((12, 4, 6), (8, 5, 9), 0.001), ((18, 2, 2), (1, 3, 16), 0.01), ((9, 0, 1), (1, 0, 11), 0.03)],
)
def test_mean_and_covariance_are_those_of_plain_sums(
    one: tuple[int, int, int], two: tuple[int, int, int], within: float
) -> None:
    """Of all skills and advantages that could be; the peak is off by as much as is said."""
    games = PairResult("ann", "bob", *one), PairResult("bob", "ann", *two)
    found, (mean, covariance) = bell(*games), summed(*games)
    sigma = np.sqrt(covariance.diagonal())
    assert np.abs((found.mean - mean) / sigma).max() < within
    assert np.abs((found.covariance - covariance) / np.outer(sigma, sigma)).max() < within
    peak = top(designed(*games))
    off = np.abs((peak.top - mean) / sigma).max()
    assert off == pytest.approx(found.lean, rel=0.1) and off > 5 * np.abs((found.mean - mean) / sigma).max()


LOPSIDED = [
    PairResult("ann", "bob", 28, 2, 1),
    PairResult("bob", "cyd", 19, 1, 0),
    PairResult("ann", "cyd", 12, 0, 0),
    PairResult("cyd", "dan", 3, 5, 4),
    PairResult("dan", "bob", 0, 3, 9),
]


@pytest.mark.parametrize("away", [0.02, 0.1, 0.3, 0.6])
def test_a_peak_is_where_the_derivatives_beside_it_foretell(away: float) -> None:
    """As close as is said, and what is said shrinks as the fourth power of how far off the point was."""
    design = designed(*LOPSIDED)
    peak, chance = top(design), np.random.default_rng(3)
    for _ in range(5):
        shift = chance.normal(size=design.size)
        shift *= away * NOISE / np.abs(design.differences(shift)).max()
        near = climb(design, peak.prior, peak.top + shift, peak.top_margin * (1 + away / 3))
        found = foretold(design, peak.prior, near, near.step, near.rise)
        off = (np.abs(found.top - peak.top) * np.sqrt(design.diagonal(peak.slopes.dd) + peak.prior)).max()
        assert off < 3 * found.left + 1e-9 and found.left < 2e-3 + 2 * away**4


def test_what_lies_abroad_is_not_foretold() -> None:
    """A step of the widths can be too long for the derivatives: the guess is all there is, and all is left to go."""
    design = designed(*LOPSIDED)
    peak = top(design)
    step = np.array([3 * NOISE, 0.0, 0.0, 0.0, 0.0])
    found = foretold(design, peak.prior, peak, step, 0.0)
    assert found.left == math.inf and (found.step == step).all() and (found.prior == peak.prior).all()


def test_a_bell_is_the_same_from_whatever_point_its_peak_was_foretold() -> None:
    """Even where it leans."""
    design = designed(
        PairResult("ann", "bob", 300, 0, 0), PairResult("bob", "cyd", 9, 1, 4), PairResult("cyd", "bob", 5, 2, 6)
    )
    peak = top(design)
    told = around(design, peak)
    assert told.lean > 0.2
    near = climb(design, peak.prior, peak.top + np.array([1.0, -1.0, 0.0, 0.0]), peak.top_margin)
    found = around(design, foretold(design, peak.prior, near, near.step, near.rise))
    assert np.sqrt(found.covariance.diagonal()) == pytest.approx(np.sqrt(told.covariance.diagonal()), rel=2e-3)
    assert found.mean == pytest.approx(told.mean, abs=2e-3 * math.sqrt(told.covariance[0, 0]))


def test_a_bell_follows_the_curvature_from_the_point_to_the_peak() -> None:
    """Where nothing leans enough to make it anew."""
    design = designed(*(PairResult(one, two, 8, 7, 4) for one in "abcd" for two in "abcd" if one < two))
    peak = top(design)
    told = around(design, peak)
    near = climb(design, peak.prior, peak.top + np.array([0.8, -0.8, 0.8, 0.0, -0.3]), 0.95 * peak.top_margin)
    found = around(design, foretold(design, peak.prior, near, near.step, near.rise))
    assert np.sqrt(found.covariance.diagonal()) == pytest.approx(np.sqrt(told.covariance.diagonal()), rel=1e-4)


def test_one_more_game_moves_a_rating_as_trueskill_moves_it() -> None:
    """After a hundred others: to a hundredth of what is known by then."""
    past = [PairResult("ann", "bob", 30, 0, 20), PairResult("bob", "ann", 25, 0, 25)]
    before, after = bell(*past), bell(*past, PairResult("ann", "bob", 0, 0, 1))
    row = np.array([1.0, -1.0, 1.0])  # the difference of a game in which ann has the first side
    variance = float(row @ before.covariance @ row)
    env = trueskill.TrueSkill(beta=NOISE / math.sqrt(2), tau=0.0, draw_probability=0.0)
    loser = env.create_rating(float(row @ before.mean), math.sqrt(variance))
    nobody = env.create_rating(0.0, 1e-6)
    _, moved = trueskill.rate_1vs1(nobody, loser, env=env)
    assert float(row @ after.mean) == pytest.approx(moved.mu, abs=0.01 * math.sqrt(variance))
    assert float(row @ after.covariance @ row) == pytest.approx(moved.sigma**2, rel=0.01)


@pytest.mark.parametrize(("roles", "many"), [(False, 128), (True, 4), (False, 4)])
def test_many_pairings_bend_together_as_few_do(roles: bool, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By matrices of players, two for each engine or one, and by those of pairings; the last with a known advantage."""
    chance = np.random.default_rng(5)
    games = [
        PairResult(one, two, *chance.integers(1, 9, 3).tolist()) for one in "abcde" for two in "abcd" if one != two
    ]
    design = Design.of(field(games), roles)
    root = chance.normal(size=(design.size, design.size))
    if many < 5 and not roles:
        root[-1] = 0.0
    spread, third = root @ root.T, chance.normal(size=len(games))
    told = _together(design, third, spread)
    if many < 5 and not roles:
        told[-1] = told[:, -1] = 0.0
    monkeypatch.setattr("results.ratings.design.DENSE", 0)
    monkeypatch.setattr("results.ratings.gaussian_approximation.MANY", many)
    large = Design.of(design.field, roles)
    assert _together(large, third, spread) == pytest.approx(told, abs=1e-9 * np.abs(told).max())


@pytest.mark.parametrize("roles", [False, True])
def test_many_pairings_add_up_as_few_do(roles: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a matrix of what each takes of each unknown or without; engines that met themselves too."""
    chance = np.random.default_rng(7)
    games = [PairResult(one, two, 1, 2, 3) for one in "abcd" for two in "bcde" if chance.random() < 0.8]
    few = Design.of(field(games), roles)
    monkeypatch.setattr("results.ratings.design.DENSE", 0)
    many = Design.of(few.field, roles)
    assert few.columns is not None and many.columns is None and (few.field.one == few.field.two).any()
    root, pairings = chance.normal(size=(few.size, few.size)), chance.random(len(few.field.one))
    for told, found in [
        (few.differences(root[0]), many.differences(root[0])),
        (few.gathered(pairings), many.gathered(pairings)),
        (few.information(pairings), many.information(pairings)),
        (few.information(pairings).diagonal(), few.diagonal(pairings)),
        (few.diagonal(pairings), many.diagonal(pairings)),
        (few.variances(root @ root.T), many.variances(root @ root.T)),
    ]:
        assert found == pytest.approx(told, abs=1e-12)


def test_the_doubt_of_the_margin_is_in() -> None:
    """How far apart two engines are depends on how much of a lead makes a win; beside it there is the width's doubt."""
    found = fit([*LOPSIDED, PairResult("ann", "dan", 4, 8, 0)]).posterior
    margin = found.peak.margin_variance * np.outer(found.peak.by_margin, found.peak.by_margin)
    added = np.linalg.svd(found.covariance - found.bell.covariance)[1]
    of_width = np.linalg.svd(found.covariance - found.bell.covariance - margin)[1]
    assert added[1] > 0.005 and of_width[1] < 1e-9


def test_a_covariance_that_rounding_has_spoilt_is_widened_all_the_same() -> None:
    """As after millions of foregone games: one direction of no width, or of less than none."""
    design = designed(PairResult("ann", "bob", 5, 0, 0))
    axes = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    spoilt = axes * [1e3, 1.0, -1e-13] @ axes.T
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(spoilt)
    found = _widened(design, spoilt, design.variances(spoilt), np.diag([0.01, 0.01, 0.0]))
    assert np.linalg.eigvalsh(found)[0] > -1e-9 and found.trace() > 1.1 * spoilt.trace()


@pytest.mark.parametrize("result", [(0, 5, 0), (0, 500, 0), (1, 0, 0), (40, 0, 0), (4000, 0, 0), (1, 9, 0)])
def test_no_score_makes_a_doubt_negative(result: tuple[int, int, int]) -> None:
    """Nor infinite: every direction in which skills could move has some width, and never more than before any game."""
    found = bell(PairResult("ann", "bob", *result), PairResult("bob", "ann", *result[::-1]))
    widths = np.linalg.eigvalsh(found.covariance)
    assert 0 < widths[0] and widths[-1] < 1.01 * WIDE**2


@pytest.mark.parametrize("wins", [1, 10, 300])
def test_a_clean_sweep_is_rated_as_far_off_as_it_may_be(wins: int) -> None:
    """Two engines, and one wins all: against sums over every difference and every width, with the priors of both."""
    found = fit([PairResult("ann", "bob", wins, 0, 0), PairResult("bob", "ann", 0, 0, wins)]).difference("ann", "bob")
    logs = np.linspace(-3, 3, 61)
    apart, advantage = np.linspace(-400, 400, 801)[:, None], np.linspace(-100, 100, 201)
    lead = sum(
        wins * log_chance((sign * advantage + apart).ravel()).reshape(apart.size, advantage.size) for sign in (1, -1)
    )
    seen = np.exp(lead - 0.5 * (advantage / WIDE) ** 2).sum(1)
    weight = np.zeros(apart.size)
    for log in logs:
        width = 25 * math.exp(log) * math.sqrt(2)
        weight += np.exp(-0.5 * log * log) * seen * np.exp(-0.5 * (apart[:, 0] / width) ** 2) / width
    weight /= weight.sum()
    mean = float(weight @ apart[:, 0])
    sigma = math.sqrt(float(weight @ (apart[:, 0] - mean) ** 2))
    assert abs(found.mean - mean) < 0.5 * sigma and 0.6 < found.sigma / sigma < 1.5


def log_chance(d: Floats) -> Floats:
    """The logarithm of the chance to win, at each difference."""
    return np.log(np.maximum(below(d / NOISE), 1e-300))
