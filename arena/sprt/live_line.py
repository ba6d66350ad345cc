"""How a running test stands: in one line for a log, in two short ones for a screen."""

import math

from arena.sprt.job_source import SprtRun
from results.ratings.sprt import elo, los

ENOUGH_PAIRS = 20
ENOUGH_WAY = 0.2
"""Fewer pairs, or less of the way to a bound, say nothing of how long a test will last."""


def log_line(run: SprtRun) -> str:
    """Everything in one line."""
    return " | ".join(part for line in status(run) for part in line)


def status(run: SprtRun) -> tuple[list[str], list[str]]:
    """The parts of two lines, the most important first."""
    standing, test = run.standing, run.test
    ratio = [
        f"LLR {standing.llr:.2f} ({test.lower:.2f}, {test.upper:.2f})",
        "Ptnml(0-2) " + " ".join(map(str, standing.pairs)),
    ]
    strength = []
    estimate, likelihood = elo(standing.pairs), los(standing.pairs)
    if estimate is not None and likelihood is not None:
        strength.append(f"Elo {estimate.value:+.1f} +- {(estimate.high - estimate.low) / 2:.1f}")
        strength.append(f"LOS {100 * likelihood:.1f} %")
    strength.append(f"{2 * standing.played} games")
    if (games := games_to_go(run)) is not None:
        strength.append(f"about {games} to go")
    elif standing.state != "running":
        strength.append(f"{standing.state} accepted")
    return ratio, strength


def games_to_go(run: SprtRun) -> int | None:
    """About how many more games decide the test if its ratio goes on as so far; None while nobody can say."""
    standing, left = run.standing, run.left
    bound = run.test.upper if standing.llr > 0 else run.test.lower
    way = standing.llr / bound
    if standing.state != "running" or standing.played < ENOUGH_PAIRS or way < ENOUGH_WAY or not left:
        return None
    games = 2 * standing.played * (1 / way - 1)
    step = int(10 ** max(0, math.floor(math.log10(max(games, 1))) - 1))  # two digits: it is a guess
    return min(max(2, math.ceil(games / step) * step), left)
