"""The sequential test on simulated results: how often it errs, how long it lasts."""

import math

import pytest

from benchmarks.sprt import SHAPES, moments, simulate, tilted
from results.ratings.sprt import PER_UNIT, Model, Sprt

RUNS = 2000
"""The mean length of so many tests deviates by about 1.5 %, so that 5 % are three deviations."""


@pytest.mark.parametrize("kind", sorted(SHAPES))
@pytest.mark.parametrize("elo", [-40.0, 15.0])
def test_the_simulated_engine_has_the_strength_that_it_should(kind: str, elo: float) -> None:
    """Otherwise its error rates would be those of another test."""
    mean, deviation = moments(tilted(SHAPES[kind], "normalized", elo))
    pair = math.sqrt(2) if kind == "pairs" else 1
    assert PER_UNIT * (mean - 0.5) / (deviation * pair) == pytest.approx(elo, abs=1e-6)
    mean, _ = moments(tilted(SHAPES[kind], "logistic", elo))
    assert -400 * math.log10(1 / mean - 1) == pytest.approx(elo, abs=1e-6)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("model", "kind"), [("normalized", "games"), ("normalized", "pairs"), ("logistic", "pairs")])
@pytest.mark.parametrize("elo", [0.0, 40.0])
def test_error_rates_and_lengths_are_what_theory_says(model: Model, kind: str, elo: float) -> None:
    """Errors within alpha or beta and three deviations of so many runs, the mean length within 5 % of the theory.

    The theory is that of a random walk whose bounds are moved outwards by Siegmund's overshoot.
    """
    test = Sprt(0, 40, 0.05, 0.05, model)
    done = simulate(test, tilted(SHAPES[kind], model, elo), RUNS, f"test/{model}/{kind}/{elo}")
    errors = done.accepted if elo == 0 else RUNS - done.accepted
    rate = test.alpha if elo == 0 else test.beta
    assert errors <= RUNS * rate + 3 * math.sqrt(RUNS * rate * (1 - rate))
    # A test that hardly ever errs would be longer than it need be.
    assert errors >= RUNS * rate * 0.5
    assert done.mean_length == pytest.approx(done.expected_length, rel=0.05)
