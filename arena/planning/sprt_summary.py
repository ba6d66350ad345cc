"""What a sequential test says: how it stands while it runs, its decision in a sentence, and all of it for JSON."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from arena.planning.plan import Plan
from arena.run.sprt import SprtSource, SprtState
from results.ratings.sprt import EloEstimate, elo, los, nelo
from results.ratings.stopped_estimate import unbiased_elo
from results.record import GameRecord
from results.store.store import Store

_POINTS = ("0", "1/2", "1", "3/2", "2")
"""What a pair of games may give."""

ENOUGH_PAIRS = 20
ENOUGH_WAY = 0.2
"""Fewer pairs, or less of the way to a bound, say nothing of how long a test will last."""


def test_of(plan: Plan, store: Store) -> SprtSource:
    """The test of this plan as far as `store` has its games. Raises OddGame where those are not of this run."""
    games = plan.games_to_play(store)
    games.next()
    assert isinstance(games.source, SprtSource)
    return games.source


def decision(plan: Plan, standing: SprtState) -> str:
    """Which hypothesis was accepted, if any, and what that means for the two engines."""
    a, b = (spec.name for spec in plan.engines)
    test = plan.test
    assert test is not None
    unit = "nElo" if test.model == "normalized" else "Elo"
    low, high = f"{test.elo0:g}", f"{test.elo1:g}"
    match standing.state:
        case "H1":
            return f"H1 accepted: {a} is stronger than {b}, by {high} {unit} rather than by {low}"
        case "H0":
            return f"H0 accepted: {a} is stronger than {b} by {low} {unit} or less, not by {high}"
        case "running":
            return f"undecided whether {a} is stronger than {b} by {high} {unit} rather than by {low}"


def summary(plan: Plan, run: SprtSource, ended: int, withdrawn: Mapping[str, str]) -> dict[str, Any]:
    """The test, how it stands and what it estimates, after so many games; `withdrawn` are engines and the reasons."""
    from results.tables.to_json import elo_json  # late: a test that is played needs no tables yet

    standing = run.standing
    return {
        "run": plan.run_id,
        "name": plan.name,
        "seed": plan.seed,
        "engines": [spec.name for spec in plan.engines],
        "test": asdict(run.test),
        "bounds": [run.test.lower, run.test.upper],
        "state": standing.state,
        "llr": standing.llr,
        "pairs": list(standing.pairs),
        "games": dict(zip(("losses", "draws", "wins"), standing.games, strict=True)),
        "elo": elo_json(elo(standing.pairs)),
        "nelo": elo_json(nelo(standing.pairs)),
        "uncounted": uncounted(run, ended),
        "repeated": run.repeated,
        "withdrawn": withdrawn,
        "los": los(standing.pairs),
        "elo_unbiased": elo_json(unbiased_elo(run.test, standing.pairs)),
    }


def uncounted(run: SprtSource, ended: int) -> int:
    """How many of the games that ended are beyond the deciding pair."""
    return 0 if run.standing.state == "running" else ended - 2 * run.standing.played


def sentences(
    plan: Plan, run: SprtSource, ended: int, withdrawn: Mapping[str, str], given_up: Iterable[GameRecord] = ()
) -> list[str]:
    """The same for people, the decision first. Games that were `given_up` never had a result."""
    standing, bounds = run.standing, run.test
    lost, drawn, won = standing.games
    plain, unbiased = elo(standing.pairs), unbiased_elo(run.test, standing.pairs)
    normal, likelihood = nelo(standing.pairs), los(standing.pairs)
    lines = [
        decision(plan, standing),
        "",
        f"{plan.engines[0].name} in {standing.played} pairs, by points: "
        + ", ".join(f"{points}: {count}" for points, count in zip(_POINTS, standing.pairs, strict=True)),
        f"in games: won {won}, drawn {drawn}, lost {lost}",
        f"LLR {standing.llr:.2f}, bounds {bounds.lower:.2f} and {bounds.upper:.2f} "
        f"(alpha {bounds.alpha:g}, beta {bounds.beta:g}, {bounds.model})",
    ]
    if plain is None or unbiased is None or normal is None or likelihood is None:
        lines.append(f"Elo, nElo and LOS: unknown{', because every pair had the same result' * (standing.played > 0)}")
    else:
        lines.append(f"Elo {_figures(plain)}, median-unbiased {_figures(unbiased)}")
        lines.append(f"nElo {_figures(normal)}, LOS {100 * likelihood:.1f} %")
    if beyond := uncounted(run, ended):
        lines.append(f"{beyond} games ended beyond the deciding pair and do not count")
    if run.repeated:
        lines.append(
            f"{run.repeated} pairs repeat an earlier game and are no new evidence: "
            "give more --openings or a larger --book"
        )
    lines += [f"stopped: game {game.number} never had a result ({game.detail})" for game in given_up]
    lines += [f"withdrawn: {name}: {reason}" for name, reason in withdrawn.items()]
    return lines


def status(run: SprtSource) -> tuple[list[str], list[str]]:
    """The parts of two lines, the most important first."""
    standing, test = run.standing, run.test
    ratio = [
        f"LLR {standing.llr:.2f} ({test.lower:.2f}, {test.upper:.2f})",
        "Ptnml(0-2) " + " ".join(map(str, standing.pairs)),
    ]
    strength = []
    estimate, likelihood = elo(standing.pairs), los(standing.pairs)
    if estimate is not None and likelihood is not None:
        strength.append(f"Elo {estimate.value:+z.1f} +- {(estimate.high - estimate.low) / 2:.1f}")
        strength.append(f"LOS {100 * likelihood:.1f} %")
    strength.append(f"{2 * standing.played} games")
    if (games := games_to_go(run)) is not None:
        strength.append(f"about {games} to go")
    elif standing.state != "running":
        strength.append(f"{standing.state} accepted")
    return ratio, strength


def games_to_go(run: SprtSource) -> int | None:
    """About how many more games decide the test if its ratio goes on as so far; None while nobody can say."""
    standing, left = run.standing, run.left
    bound = run.test.upper if standing.llr > 0 else run.test.lower
    way = standing.llr / bound
    if standing.state != "running" or standing.played < ENOUGH_PAIRS or way < ENOUGH_WAY or not left:
        return None
    games = 2 * standing.played * (1 / way - 1)
    step = int(10 ** max(0, math.floor(math.log10(max(games, 1))) - 1))  # two digits: it is a guess
    return min(max(2, math.ceil(games / step) * step), left)


def _figures(estimate: EloEstimate) -> str:
    value, low, high = (f"{figure:z.1f}" for figure in estimate)
    return f"{value} (95 %: {low} to {high})"
