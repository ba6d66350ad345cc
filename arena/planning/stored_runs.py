"""Compares a plan with stored runs: which of them it resumes, and how it differs from the others.

Which games are missing is said by a run (`arena.run.run`).
"""

import json
import logging
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.formats.registry import FORMATS
from arena.planning.errors import PlanError
from arena.planning.plan import Plan
from arena.timing.clock import FREE_READING_MS
from arena.timing.time_control import LAG_MS
from results.record import Run
from results.store.reader import Reader
from results.variant_name import namesake, shown

LOG = logging.getLogger("arena")

_PARTS = {
    "command": "command",
    "sha256": "program",
    "options": "options",
    "limit": "limit",
    "margin_ms": "margin",
    "restart": "key restart",
}
"""What a stored run has of each engine, in the words of users."""
_DEFAULTS = {"reading_ms": FREE_READING_MS, "lag_ms": LAG_MS}
"""What keys stand for that a run of version 0.4 does not have."""


def drawn_seed() -> int:
    """A random seed where the user gave none, short enough to be typed again."""
    return random.SystemRandom().randrange(1_000_000_000)


def continued(plan: Plan, stored: Reader, seed_given: bool) -> Plan:
    """The plan with the id and the seed of the stored run that it repeats or lets grow; as it is where there is none.

    Of several such runs it is the one with most engines and games.
    """
    fitting = [
        run
        for run in stored.runs()
        if not (seed_given and run.seed != plan.seed) and not differences(plan, run, grows=True)
    ]
    if not fitting:
        return plan
    run = max(fitting, key=lambda each: (len(each.settings["engines"]), each.games))
    return replace(plan, seed=run.seed, began=run.id, grown=_grown(plan, run, stored))


def _grown(plan: Plan, run: Run, stored: Reader) -> tuple[tuple[int, int], ...]:
    """How many engines and rounds the run had before engines joined, each time."""
    config = run.settings
    grown = tuple((int(engines), int(rounds)) for engines, rounds in config.get("grown", ()))
    engines = len(config["engines"])
    if engines == len(plan.engines):
        return grown
    # Where results decide the pairings, past rounds stay as they are: newcomers join with the next one.
    rounds = int(config["rounds"]) if plan.is_fixed else max((game.round for game in stored.games(run.id)), default=0)
    return (*grown, (engines, rounds))


def differences(plan: Plan, run: Run, *, grows: bool = False) -> list[str]:
    """How the plan differs from the stored run, a clause for each difference. The seed does not count.

    With `grows` more games, more rounds and more engines at the end are no differences, and fewer are.
    """
    stored = _DEFAULTS | run.settings
    clauses: dict[str, str] = {}
    for key, value in json.loads(json.dumps(plan.config)).items():
        was = stored.get(key)
        if key == "seed" or was == value or (grows and was is not None and _is_more(plan, key, was, value)):
            continue
        if key == "engines" and isinstance(was, list):
            clauses[key] = _engine_differences(was, value)
        elif key == "starts" and was:
            before, after = (
                [shown(name) if fen is None else f"{shown(name)} from {fen}" for name, fen, *_ in each]
                for each in (was, value)
            )
            changed = [name for name, old, new in zip(after, was, value, strict=False) if old != new]
            clauses[key] = f"variant was {', '.join(before)}, is {', '.join(after)}"
            if before == after:  # only users' own variants differ
                clauses[key] = f"another board or other rules of {', '.join(changed)}"
        elif key == "book":
            clauses[key] = "another book of openings" if was and value else f"{'a' if value else 'no'} book of openings"
        else:
            clauses[key] = f"{key} was {_text(was)}, is {_text(value)}"
    causes = (("rounds", "games"),) if plan.kind == "match" else (("games", "rounds"),)
    for effect, cause in (("pairings", "engines"), ("games", "engines"), ("book", "starts"), *causes):
        if cause in clauses:
            clauses.pop(effect, None)
    return list(clauses.values())


def _is_more(plan: Plan, key: str, was: Any, now: Any) -> bool:
    """Is the new value of this key only more of the same?"""
    if key in ("games", "rounds"):
        return bool(was < now)
    if key == "engines":
        can_grow = plan.kind == "tournament" and FORMATS[plan.format_config.format].can_grow
        return can_grow and bool(was == now[: len(was)])
    if key == "pairings":
        names = [spec.name for spec in plan.engines]
        new = {name for pair in now[len(was) :] for name in pair} if was == now[: len(was)] else set(names[:1])
        old = {name for pair in was for name in pair}
        return all(set(pair) - old for pair in now[len(was) :]) and bool(new)
    return False


def refuse_namesakes(plan: Plan, variants: Collection[str], place: str) -> None:
    """Raise PlanError where a user's own variant has the name of another one in the database `place`."""
    for start in plan.starts:
        if (other := namesake(start.variant, variants)) is not None:
            raise PlanError(
                f"{place} has games of another {shown(other)!r}, with another board or other rules ({other}): "
                "give your variant another name, or play it in another database"
            )


def refuse_stored(plan: Plan, stored: Reader, db: str, name_given: bool) -> None:
    """Say how the plan differs from the runs in the database that have its name.

    Raises PlanError where the user gave it that name.
    """
    refuse_namesakes(plan, stored.words("variant"), db)
    runs = stored.runs()
    namesakes = [run for run in runs if run.name == plan.name and run.kind != "ladder"]
    if not namesakes or any(run.id == plan.run_id for run in runs):
        return
    nearest = min((differences(plan, run, grows=True) for run in reversed(namesakes)), key=len)
    holds = f"{db} holds {plan.name!r} with other settings ({'; '.join(nearest) or 'another seed'})"
    if name_given:
        raise PlanError(
            f"{holds}: put them back to go on with it, or give another name or another --db to begin a new run"
        )
    LOG.info(f"{holds}: a new run begins beside it")


def _engine_differences(was: Sequence[Mapping[str, object]], now: Sequence[Mapping[str, object]]) -> str:
    before, after = [engine["name"] for engine in was], [engine["name"] for engine in now]
    if after[: len(before)] == before:
        if changed := [_changed_parts(old, new) for old, new in zip(was, now, strict=False) if old != new]:
            return "; ".join(changed)
        return f"{', '.join(map(str, after[len(before) :]))} new at the end"
    gone = [f"without {name}" for name in before if name not in after]
    new = [f"with {name}" for name in after if name not in before]
    return f"other engines: {', '.join([*gone, *new]) or 'another order'}"


def _changed_parts(was: Mapping[str, object], now: Mapping[str, object]) -> str:
    """`the command and the options of greedy differ`."""
    parts = [f"the {part}" for key, part in _PARTS.items() if was.get(key) != now.get(key)]
    verb = "differs" if parts in (["the command"], ["the program"], ["the limit"], ["the margin"]) else "differ"
    return f"{' and '.join(parts)} of {now['name']} {verb}"


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{each} in {shown(name)}" for name, each in value.items())
    return "not given" if value is None else str(value)
