"""Engines that join a tournament after it began. Their games are a run of their own beside it.

Independent of how runs are played.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.config.load import ConfigError
from arena.formats.registry import FORMATS, FormatConfig
from arena.planning.plan import Plan
from arena.planning.stored_runs import differences, forms
from results.record import Run
from results.store.store import Store


def joined(plan: Plan, db: Path, *, seed_given: bool) -> Plan:
    """The games of the engines that the runs in `db` do not have: see `addition`. Raises ConfigError, StoreError."""
    if not db.exists():
        raise ConfigError(f"--add: there is no {db}: play the tournament without --add first, or name its --db")
    with Store.open_existing(db) as store:
        return addition(plan, store.runs(), seed_given=seed_given)


def addition(plan: Plan, stored: Sequence[Run], *, seed_given: bool) -> Plan:
    """A plan of the games that the stored runs of `plan`'s name lack, with their seed, rounds, openings and limits.

    The first engines of `plan` must be those of the stored tournament, unchanged, and then those added earlier. Whom
    each new engine meets is said by the format. Raises ConfigError.
    """
    if not FORMATS[plan.format_config.format].can_grow:
        able = ", ".join(name for name, each in FORMATS.items() if each.can_grow)
        raise ConfigError(
            f"--add: the format is {plan.format_config.format!r}: engines can only be added to one of {able}"
        )
    namesakes = [run for run in stored if (run.kind, run.name) == ("tournament", plan.name)]
    if not namesakes:
        raise ConfigError(f"--add: there is no tournament {plan.name!r} yet: play it without --add first")
    base, size = _begun(plan, namesakes, seed_given)
    for run in sorted(namesakes, key=_size):
        if size < _size(run) < len(plan.engines) and run.settings.get("format") == "pairings":
            if clauses := differences(_new_games(_first(base, _size(run)), size), run):
                raise _other_settings(plan, clauses)
            size = _size(run)
    return _new_games(base, size)


def _begun(plan: Plan, namesakes: Sequence[Run], seed_given: bool) -> tuple[Plan, int]:
    """As `_base`, for the openings that the tournament began with. Raises ConfigError."""
    first, *others = forms(plan, namesakes)
    try:
        return _base(first, namesakes, seed_given)
    except ConfigError:
        for form in others:
            with contextlib.suppress(ConfigError):
                return _base(form, namesakes, seed_given)
        raise


def _base(plan: Plan, namesakes: Sequence[Run], seed_given: bool) -> tuple[Plan, int]:
    """The plan with the seed of the tournament that it extends, and the number of engines of that tournament."""
    format_ = plan.format_config.format
    newest: list[str] = []
    for run in (run for run in reversed(namesakes) if run.settings.get("format") == format_):
        size = min(_size(run), len(plan.engines))
        clauses = differences(_first(plan, size), run)
        if seed_given and plan.seed != run.seed:
            clauses.append(f"seed was {run.seed}, is {plan.seed}")
        if not clauses and size == len(plan.engines):
            raise ConfigError(
                f"--add: {plan.name!r} has all {size} engines of the file: add one at its end, or go on with --resume"
            )
        if not clauses:
            return replace(plan, seed=run.seed), size
        newest = newest or clauses
    raise _other_settings(plan, newest or [f"its format was not {format_}"])


def _other_settings(plan: Plan, clauses: Sequence[str]) -> ConfigError:
    return ConfigError(
        f"--add: {plan.name!r} was played with other settings ({'; '.join(clauses)}): "
        "only new engines at the end of the file can be added, so put the rest back"
    )


def _first(plan: Plan, size: int) -> Plan:
    """The plan with its first `size` engines only."""
    engines, prints = plan.engines[:size], plan.fingerprints[:size]
    games = plan.format_config.games([spec.name for spec in engines], len(plan.starts))
    return replace(plan, engines=engines, fingerprints=prints, games=games)


def _new_games(plan: Plan, size: int) -> Plan:
    """A plan of the games of the engines after the first `size`, as a list of pairings."""
    names, values = [spec.name for spec in plan.engines], plan.format_config.complete(size)
    rounds, pairs = FORMATS[plan.format_config.format].joining(values, len(names), size)
    pairings = tuple((names[one], names[two]) for one, two in pairs)
    games = values["games_per_pairing"]
    format_config = FormatConfig("pairings", rounds=rounds, games_per_pairing=games, pairings=pairings)
    return replace(plan, format_config=format_config, games=format_config.games(names, len(plan.starts)))


def _size(run: Run) -> int:
    return len(run.settings.get("engines", ()))
