"""What a sequential test says: its decision in a sentence, and all of it as values for JSON."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from arena.sprt.job_source import SprtRun, SprtState
from arena.sprt.plan import SprtPlan
from results.ratings.sprt import EloEstimate, elo, los, nelo
from results.ratings.stopped_estimate import unbiased_elo


def decision(plan: SprtPlan, standing: SprtState) -> str:
    """Which hypothesis was accepted, if any, and what that means for the two engines."""
    a, b = (spec.name for spec in plan.engines)
    unit = "nElo" if plan.test.model == "normalized" else "Elo"
    low, high = f"{plan.test.elo0:g}", f"{plan.test.elo1:g}"
    match standing.state:
        case "H1":
            return f"H1 accepted: {a} is stronger than {b}, by {high} {unit} rather than by {low}"
        case "H0":
            return f"H0 accepted: {a} is not stronger than {b} by {high} {unit}, rather by {low} or less"
        case "running":
            return f"undecided whether {a} is stronger than {b} by {high} {unit} rather than by {low}"


def summary(plan: SprtPlan, run: SprtRun, withdrawn: Mapping[str, str]) -> dict[str, Any]:
    """The test, how it stands and what it estimates; `withdrawn` are engines, each with the reason."""
    standing = run.standing
    return {
        "run": plan.run_id,
        "name": plan.name,
        "seed": plan.seed,
        "engines": [spec.name for spec in plan.engines],
        "test": asdict(plan.test),
        "bounds": [plan.test.lower, plan.test.upper],
        "state": standing.state,
        "llr": standing.llr,
        "pairs": list(standing.pairs),
        "games": dict(zip(("losses", "draws", "wins"), standing.games, strict=True)),
        "elo": _values(elo(standing.pairs)),
        "nelo": _values(nelo(standing.pairs)),
        "uncounted": run.uncounted,
        "repeated": run.repeated,
        "withdrawn": withdrawn,
        "los": los(standing.pairs),
        "elo_unbiased": _values(unbiased_elo(plan.test, standing.pairs)),
    }


def _values(estimate: EloEstimate | None) -> dict[str, float | None] | None:
    """JSON has no infinity."""
    if estimate is None:
        return None
    return {name: figure if math.isfinite(figure) else None for name, figure in estimate._asdict().items()}
