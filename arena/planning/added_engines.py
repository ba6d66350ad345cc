"""Engines that join a round robin that was begun without them: which games are theirs, as a run of its own beside it.

Knows plans and stored runs. Refuses to know where runs are stored and how they are played.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from arena.config.load import ConfigError
from arena.formats.registry import FormatConfig
from arena.formats.round_robin import RoundRobin
from arena.planning.plan import Plan
from arena.planning.resume import differences
from results.record import Run


def addition(plan: Plan, stored: Sequence[Run], *, seed_given: bool) -> Plan:
    """The games that `plan` has more than the stored runs of its name, with their seed, rounds, openings and limits.

    The first engines of `plan` are those of the stored round robin, unchanged; who follows meets all before him, as
    often as these have met. Engines that were added earlier belong to those that are there. Raises ConfigError.
    """
    if plan.format_config.format != "round-robin":
        raise ConfigError(
            f"--add: the format is {plan.format_config.format!r}: engines can only be added to a round robin"
        )
    namesakes = [run for run in stored if (run.kind, run.name) == ("tournament", plan.name)]
    if not namesakes:
        raise ConfigError(f"--add: there is no tournament {plan.name!r} yet: play it without --add first")
    base, there = _base(plan, namesakes, seed_given)
    for run in sorted(namesakes, key=_size):
        if there < _size(run) < len(plan.engines) and json.loads(run.config)["format"] == "pairings":
            before = _joined(_first(base, _size(run)), there)
            if differs := differences(before, run):
                raise _other(plan, differs)
            there = _size(run)
    return _joined(base, there)


def _base(plan: Plan, namesakes: Sequence[Run], seed_given: bool) -> tuple[Plan, int]:
    """The plan with the seed of the round robin that it adds to, and how many engines that has."""
    robins = [run for run in reversed(namesakes) if json.loads(run.config)["format"] == "round-robin"]
    told: list[str] = []
    for run in robins:
        size = min(_size(run), len(plan.engines))
        differs = differences(_first(plan, size), run)
        if seed_given and plan.seed != run.seed:
            differs.append(f"seed was {run.seed}, is {plan.seed}")
        if not differs and size == len(plan.engines):
            raise ConfigError(
                f"--add: {plan.name!r} has all {size} engines of the file: add one at its end, or go on with --resume"
            )
        if not differs:
            return replace(plan, seed=run.seed), size
        told = told or differs
    raise _other(plan, told or ["it is no round robin"])


def _other(plan: Plan, differs: Sequence[str]) -> ConfigError:
    return ConfigError(
        f"--add: {plan.name!r} was played with other settings ({'; '.join(differs)}): "
        "only new engines at the end of the file can be added, so put the rest back"
    )


def _first(plan: Plan, size: int) -> Plan:
    """The same with its first `size` engines alone."""
    engines, prints = plan.engines[:size], plan.fingerprints[:size]
    games = plan.format_config.make([spec.name for spec in engines], len(plan.starts)).most * len(plan.starts)
    return replace(plan, engines=engines, fingerprints=prints, games=games)


def _joined(plan: Plan, there: int) -> Plan:
    """Of a round robin the games of the engines after the first `there`, in its order and with its sides."""
    names = [spec.name for spec in plan.engines]
    pairs = tuple((names[one], names[two]) for one, two in RoundRobin(len(names)) if max(one, two) >= there)
    rounds = plan.format_config.complete(len(names))["rounds"]
    games = plan.format_config.values["games_per_pairing"]
    format_config = FormatConfig("pairings", rounds=rounds, games_per_pairing=games, pairings=pairs)
    most = format_config.make(names, len(plan.starts)).most * len(plan.starts)
    return replace(plan, format_config=format_config, games=most)


def _size(run: Run) -> int:
    return len(json.loads(run.config)["engines"])
