"""What the benchmark of ratings plays: cells that leave out no pair of values, known results, plain estimates."""

import itertools

import numpy as np
import pytest

from benchmarks.ratings.cells import CELLS, missing_pairs, uncovered
from benchmarks.ratings.field import NOISE, Cell, chances, davidson, round_robin
from benchmarks.ratings.plain import log_likelihood, maximum_likelihood
from benchmarks.ratings.schedules import field


def test_every_two_values_meet_in_a_cell() -> None:
    """Every schedule with every size of roles, and all pairs of values of round robins."""
    assert not uncovered()


def test_a_missing_pair_of_values_is_found() -> None:
    """So that a cell cannot be taken away unnoticed."""
    rows = [*itertools.product((12, 24), (0.5, 2.0))]
    assert missing_pairs(rows) == set()
    assert missing_pairs(rows[1:]) == {(0, 1, 12, 0.5)}


def test_no_two_cells_have_the_same_name() -> None:
    """`--cell` finds a cell by its name."""
    assert len({str(cell) for cell in CELLS}) == len(CELLS)


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.schedule != "ladder"], ids=str)
def test_a_field_has_the_games_that_its_cell_says(cell: Cell) -> None:
    """Nobody plays itself, everybody plays, and the same number gives the same field."""
    games = field(cell, 1)
    played = games.counts.sum(0)
    assert played.sum() == cell.games
    assert not played.diagonal().any() and (played.sum(0) + played.sum(1) > 0).all()
    assert (field(cell, 1).counts == games.counts).all()


def test_a_round_robin_is_as_even_as_its_games_allow() -> None:
    """All ordered pairs, whose games differ by one at most."""
    met = round_robin(np.zeros(4), Cell(4, 50, 0.0), np.random.default_rng(1))
    assert len(met) == 12
    assert {one.wins + one.draws + one.losses for one in met} == {4, 5}


def test_davidsons_draws_leave_the_expected_score_as_it_is() -> None:
    """A draw is as likely as the geometric mean of a win and a loss says, and between equals as with a margin."""
    cell, d = Cell(2, 0, 0.0, draws=0.2), np.array([0.0, 3.0, -12.0])
    theirs, ours = davidson(d, cell.margin), chances(d, cell.margin)
    assert theirs.sum(0) == pytest.approx(1.0) and theirs.min() > 0
    assert theirs[0] - theirs[2] == pytest.approx(ours[0] - ours[2])
    assert theirs[1, 0] == pytest.approx(0.2)
    assert theirs[1] / np.sqrt(theirs[0] * theirs[2]) == pytest.approx(0.5)
    assert abs(theirs[1] - ours[1]).max() > 0.01


def test_derivatives_of_the_likelihood_are_those_of_its_differences() -> None:
    """First and second ones, by strengths and by the margin, on either side of 0."""
    counts, d, margin, step = np.array([[5.0], [3.0], [2.0]]), np.array([-4.0]), 1.5, 1e-4
    for at in (d, -d):
        _, slope, curve = log_likelihood(counts, at, margin)
        (up, up_slope, _), (down, down_slope, _) = (log_likelihood(counts, at + way, margin) for way in (step, -step))
        (wide, wide_slope, _), (narrow, narrow_slope, _) = (
            log_likelihood(counts, at, margin + way) for way in (step, -step)
        )
        measured = np.array([up - down, wide - narrow]) / (2 * step)
        assert slope[:, 0] == pytest.approx(measured, rel=1e-6)
        assert curve[0, :, 0] == pytest.approx((up_slope - down_slope)[:, 0] / (2 * step), rel=1e-5)
        assert curve[1, :, 0] == pytest.approx((wide_slope - narrow_slope)[:, 0] / (2 * step), rel=1e-5)


def test_maximum_likelihood_finds_what_many_games_tell() -> None:
    """Skills, the advantage and the margin, within four standard deviations of the truth."""
    cell = Cell(4, 400_000, 3.0, 2.0, 0.2)
    games = field(cell, 1)
    found, skills = maximum_likelihood(games), games.strengths.skills
    assert found.mean[:-1] - found.mean[:-1].mean() == pytest.approx(skills - skills.mean(), abs=0.15)
    assert found.mean[-1] == pytest.approx(2.0, abs=0.1)
    assert found.margin == pytest.approx(cell.margin, abs=0.05)
    assert 0 < found.rating_sigmas.max() < 0.02 * NOISE
