"""What a stopped test says of the strength: `python -m benchmarks.sprt_estimates [--runs N] [--model M]`.

Each test runs to its decision on pairs drawn from a distribution of known Elo. Then both estimates are compared with
the truth: the plain Elo, and the median-unbiased one. Half of the estimates should lie above the truth, and 95 % of the
intervals should contain it.
"""

import argparse
import itertools
import random
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.sprt import SHAPES, moments, tilted
from results.ratings.sprt import EloEstimate, Sprt, elo, elo_of
from results.ratings.stopped_estimate import unbiased_elo


class Quality(NamedTuple):
    """How good the estimates of many tests are."""

    median: float
    above: float
    """The share of the estimates above the truth."""
    covered: float
    """The share of the intervals that contain the truth."""


def decided(test: Sprt, shares: Sequence[float], chance: random.Random) -> list[int]:
    """The counts of a test that has been decided, with results drawn from `shares`."""
    cumulative = list(itertools.accumulate(shares))
    counts = [0] * len(shares)
    while elo(counts) is None:  # of a test with one kind of result there is no estimate
        counts = [0] * len(shares)
        while not any(counts) or test.state(test.llr(counts)) == "running":
            counts[chance.choices(range(len(shares)), cum_weights=cumulative)[0]] += 1
    return counts


def quality(estimates: Sequence[EloEstimate], truth: float) -> Quality:
    """Compare estimates with the true Elo."""
    return Quality(
        statistics.median(estimate.value for estimate in estimates),
        statistics.fmean(estimate.value > truth for estimate in estimates),
        statistics.fmean(estimate.low <= truth <= estimate.high for estimate in estimates),
    )


def simulate(test: Sprt, shares: Sequence[float], runs: int, seed: str) -> tuple[float, Quality, Quality]:
    """The true Elo, and how good the plain and the unbiased estimates of so many tests are."""
    truth = elo_of(moments(shares)[0])
    chance = random.Random(seed)
    ends = [decided(test, shares, chance) for _ in range(runs)]
    both = [elo(counts) for counts in ends], [unbiased_elo(test, counts) for counts in ends]
    plain, unbiased = (quality([each for each in found if each is not None], truth) for found in both)
    return truth, plain, unbiased


def main() -> None:
    """Print a line for each truth: from below H0 to above H1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sprt_estimates", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--model", choices=("normalized", "logistic"), default="normalized")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=40.0)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    test = Sprt(options.elo0, options.elo1, model=options.model)
    gap = test.elo1 - test.elo0
    print(f"{test.model}, H0: {test.elo0:g}, H1: {test.elo1:g}, {options.runs} tests for each line")
    print("                  plain                    median-unbiased")
    print("true Elo   median  above  covered     median  above  covered")
    for strength in (test.elo0 - gap, test.elo0, test.elo0 + gap / 2, test.elo1, test.elo1 + gap):
        shares = tilted(SHAPES["pairs"], test.model, strength)
        truth, *found = simulate(test, shares, options.runs, f"{options.seed}/{strength}")
        print(
            f"{truth:8.1f}"
            + "".join(f"  {each.median:7.1f}  {each.above:.3f}    {each.covered:.3f}  " for each in found),
            flush=True,
        )


if __name__ == "__main__":
    main()
