"""The likelihood of results: against hundreds of digits from the decimal module, which share no formula with it."""

import math
from decimal import Decimal, getcontext, localcontext
from statistics import NormalDist

import numpy as np
import pytest

from results.ratings.likelihood import chances, log_likelihood, outcome
from results.ratings.scale import NOISE

STEP = Decimal(10) ** -30
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
INFINITE = math.inf


def mass(x: Decimal) -> Decimal:
    """The standard normal distribution between 0 and x but for the factor 1 / sqrt(2 pi), by its series about 0."""
    term = total = x
    least = Decimal(10) ** -(getcontext().prec + 5)
    k = 1
    while abs(term) > least:
        term *= x * x / (2 * k + 1)
        total += term
        k += 1
    return total * (-x * x / 2).exp()


def derivatives(low: float, high: float) -> list[float]:
    """log P(low < x < high), and its three derivatives when both limits rise, by differences of steps of 1e-30."""
    ends = [each for each in (low, high) if math.isfinite(each)]
    farthest = max(map(abs, ends))
    with localcontext() as context:
        context.prec = 150 + int(farthest**2 / 2)
        far = Decimal(-12 - farthest if low == -INFINITE else 12 + farthest)  # beyond it nothing counts
        fixed = mass(far) if len(ends) == 1 else Decimal(0)

        def log_mass(shift: Decimal) -> Decimal:
            masses = [mass(Decimal(end) + shift) for end in ends]
            return (abs(masses[-1] - (fixed if len(masses) == 1 else masses[0]))).ln()

        down2, down, here, up, up2 = (log_mass(k * STEP) for k in range(-2, 3))
        found = [
            here - (2 * PI).ln() / 2,
            (up - down) / (2 * STEP),
            (up - 2 * here + down) / STEP**2,
            (up2 - 2 * up + 2 * down - down2) / (2 * STEP**3),
        ]
        return [float(each) for each in found]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        pytest.param(-INFINITE, -37.0, marks=pytest.mark.long),  # a thousand digits
        *[(-INFINITE, x) for x in (-30.25, -8.0, 0.4)],
        (2.0, INFINITE),
        *[(-0.25, 0.25), (-6.0, -5.5), (20.0, 20.5)],
    ],
)
def test_a_result_is_as_likely_as_many_digits_say(low: float, high: float) -> None:
    """A win, a loss or a draw, common or hardly possible: the logarithm, and its three derivatives."""
    found = outcome(np.array([low]), np.array([high]))[:, 0].tolist()
    for got, want, within in zip(found, derivatives(low, high), (1e-10, 1e-9, 1e-7, 1e-5), strict=True):
        assert got == pytest.approx(want, rel=within, abs=within)


def test_the_likelihood_is_that_of_all_games_and_each_derivative_the_slope_of_the_one_before() -> None:
    """Near equality and after a gap that no engine has; without draws too, where the margin is 0."""
    for margin in (0.0, 0.01, 2.5, 60.0):
        d = np.array([-900.0, -60.0, -9.0, -0.5, 0.0, 3.0, 20.0, 200.0])
        draws = (0 if margin == 0 else 2) * np.ones_like(d)
        counts, by = np.array([3 + 0 * d, draws, 1 + 0 * d]), 1e-3
        value, slope, information, third = log_likelihood(counts, d, margin)
        ends = [log_likelihood(counts, d + step, margin) for step in (by, -by)]
        rise = [(ends[0][k] - ends[1][k]) / (2 * by) for k in range(3)]
        assert slope == pytest.approx(rise[0], rel=1e-5, abs=1e-6)
        assert information == pytest.approx(-rise[1], rel=1e-4, abs=1e-7)
        assert third == pytest.approx(-rise[2], rel=1e-3, abs=1e-5)
        assert (information > 0).all() and np.isfinite([value, slope, information, third]).all()
        win, draw, loss = chances(d[3:6], margin)
        with_draws = draws[3:6] * np.log(np.where(draw > 0, draw, 1.0))
        assert value[3:6] == pytest.approx(3 * np.log(win) + with_draws + np.log(loss), rel=1e-9)


def test_the_three_chances_are_those_of_many_strengths() -> None:
    """With a doubt about the difference they are averages; turning the board round turns them round."""
    ahead, sigma, margin = 4.0, 6.0, 1.5
    steps = [NormalDist(ahead, sigma).inv_cdf((k + 0.5) / 2000) for k in range(2000)]
    plain = [NormalDist(0, NOISE).cdf(step - margin) for step in steps]
    win, draw, loss = (each.item() for each in chances(np.array([ahead]), margin, sigma))
    assert win == pytest.approx(sum(plain) / 2000, abs=1e-4)
    assert win + draw + loss == pytest.approx(1)
    turned = [each.item() for each in chances(np.array([-ahead]), margin, sigma)]
    assert turned == pytest.approx([loss, draw, win])
    assert [each.item() for each in chances(np.array([1e9]), margin)] == [1, 0, 0]
