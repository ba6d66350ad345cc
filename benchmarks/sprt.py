"""The sequential test: its errors, its length, and Elo of tests that stopped: `python -m benchmarks.sprt [--runs N]`.

Results are drawn from a distribution whose strength is exactly elo0 or elo1, and handed to the test one after another
until it decides. The tables compare this with theory: Wald's bounds, and the length of a random walk with Siegmund's
correction for overshoot. Of pairs, half of the estimates of Elo should lie above the truth, and 95 % of the intervals
should contain it.
"""

import argparse
import itertools
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from results.ratings.sprt import PER_UNIT, EloEstimate, Model, Sprt, elo, elo_of
from results.ratings.stopped_estimate import unbiased_elo

SHAPES = {"games": (0.3, 0.35, 0.35), "pairs": (0.06, 0.19, 0.41, 0.26, 0.08)}
"""Shares of results before they are tilted to a strength; pairs vary less than two games apart, as pairs do."""
OVERSHOOT = 0.5825971579390107
"""The mean overshoot of a walk of normal steps, in deviations of a step: -zeta(1/2) / sqrt(2 pi)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of many tests at one true strength."""

    runs: int
    accepted: int
    """The number of tests that accepted H1."""
    mean_length: float
    expected_length: float
    """The mean length by theory, in results."""
    ends: tuple[tuple[int, ...], ...]
    """The counts of each test when it decided."""


class Quality(NamedTuple):
    """How good the estimates of many tests are."""

    median: float
    above: float
    """The share of the estimates above the truth."""
    covered: float
    """The share of the intervals that contain the truth."""


def tilted(shares: Sequence[float], model: Model, elo: float) -> list[float]:
    """The distribution nearest to `shares` with this strength: each score is weighted by an exponential of itself."""
    kinds = len(shares)
    scores = [k / (kinds - 1) for k in range(kinds)]
    low, high = -50.0, 50.0
    while True:
        tilt = (low + high) / 2
        weights = [share * math.exp(tilt * score) for share, score in zip(shares, scores, strict=True)]
        found = [weight / sum(weights) for weight in weights]
        if high - low < 1e-12:
            return found
        mean, deviation = moments(found)
        if model == "logistic":
            strength = -400 * math.log10(1 / mean - 1)
        else:
            strength = PER_UNIT * (mean - 0.5) / (deviation * math.sqrt((kinds - 1) // 2))
        low, high = (tilt, high) if strength < elo else (low, tilt)


def moments(shares: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation of the score of one result."""
    scores = [k / (len(shares) - 1) for k in range(len(shares))]
    mean = sum(share * score for share, score in zip(shares, scores, strict=True))
    return mean, math.sqrt(sum(share * (score - mean) ** 2 for share, score in zip(shares, scores, strict=True)))


def expected_length(test: Sprt, shares: Sequence[float]) -> float:
    """The mean number of results until a test decides.

    The ratio is taken for a walk of normal steps between the bounds, each moved outwards by the overshoot (Siegmund,
    Sequential Analysis, 1985, chapter X); its steps are those of the ratio's first order in the mean score.
    """
    mean, deviation = moments(shares)
    if test.model == "logistic":
        ends = [1 / (1 + 10 ** (-elo / 400)) for elo in (test.elo0, test.elo1)]
    else:
        unit = deviation * math.sqrt((len(shares) - 1) // 2) / PER_UNIT
        ends = [0.5 + elo * unit for elo in (test.elo0, test.elo1)]
    gap = (ends[1] - ends[0]) / deviation
    drift = gap * (mean - sum(ends) / 2) / deviation
    low, high = test.lower - OVERSHOOT * gap, test.upper + OVERSHOOT * gap
    if abs(drift) < 1e-9 * gap:
        return -low * high / gap**2
    slope = -2 * drift / gap**2
    upwards = (1 - math.exp(slope * low)) / (math.exp(slope * high) - math.exp(slope * low))
    return (upwards * high + (1 - upwards) * low) / drift


def simulate(test: Sprt, shares: Sequence[float], runs: int, seed: str) -> Outcome:
    """Run the test `runs` times on results drawn from `shares`."""
    chance = random.Random(seed)
    cumulative = list(itertools.accumulate(shares))
    kinds = range(len(shares))
    accepted, ends = 0, []
    for _ in range(runs):
        counts = [0] * len(shares)
        while (state := test.state(test.llr(counts) if any(counts) else 0.0)) == "running":
            counts[chance.choices(kinds, cum_weights=cumulative)[0]] += 1
        accepted += state == "H1"
        ends.append(tuple(counts))
    return Outcome(runs, accepted, sum(map(sum, ends)) / runs, expected_length(test, shares), tuple(ends))


def qualities(test: Sprt, shares: Sequence[float], done: Outcome) -> tuple[float, Quality, Quality]:
    """The true Elo of pairs, and how good the plain and the median-unbiased estimates are."""
    truth = elo_of(moments(shares)[0])

    def quality(estimates: Sequence[EloEstimate | None]) -> Quality:
        known = [estimate for estimate in estimates if estimate is not None]  # None where all results are alike
        return Quality(
            statistics.median(estimate.value for estimate in known),
            statistics.fmean(estimate.value > truth for estimate in known),
            statistics.fmean(estimate.low <= truth <= estimate.high for estimate in known),
        )

    plain = quality([elo(counts) for counts in done.ends])
    return truth, plain, quality([unbiased_elo(test, counts) for counts in done.ends])


def main() -> None:
    """Print a line for each kind of result and each truth."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sprt", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--model", choices=("normalized", "logistic"), default="normalized")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=40.0)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    test = Sprt(options.elo0, options.elo1, options.alpha, options.beta, options.model)
    print(f"{options.model}, H0: {test.elo0:g}, H1: {test.elo1:g}, bounds {test.lower:.3f} to {test.upper:.3f}")
    print("results  true Elo   runs  H1 accepted  mean length  by theory  ratio")
    estimates = []
    for name, shape in SHAPES.items():
        for strength in (test.elo0, test.elo1):
            shares = tilted(shape, test.model, strength)
            done = simulate(test, shares, options.runs, f"{options.seed}/{name}/{strength}")
            print(
                f"{name:7}  {strength:8g}  {done.runs:5}  {done.accepted / done.runs:11.3f}  {done.mean_length:11.1f}  "
                f"{done.expected_length:9.1f}  {done.mean_length / done.expected_length:.3f}",
                flush=True,
            )
            if name == "pairs":
                estimates.append(qualities(test, shares, done))
    print("\nElo of pairs      plain                    median-unbiased")
    print("true Elo   median  above  covered     median  above  covered")
    for truth, *both in estimates:
        print(f"{truth:8.1f}" + "".join(f"  {x.median:7.1f}  {x.above:.3f}    {x.covered:.3f}  " for x in both))


if __name__ == "__main__":
    main()
