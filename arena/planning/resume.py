"""Finds the stored run that a plan goes on with, and tells in what it differs from others."""

import json
import random
from collections.abc import Mapping, Sequence

from arena.planning.plan import UNUSUAL, Plan
from results.record import Run


def drawn_seed() -> int:
    """A seed for those who named none: short enough to be typed again."""
    return random.SystemRandom().randrange(1_000_000_000)


def seed_of_same(plan: Plan, runs: Sequence[Run]) -> int | None:
    """The seed of the newest stored run that differs from `plan` in its seed at most."""
    return next((run.seed for run in reversed(runs) if not differences(plan, run)), None)


def differences(plan: Plan, run: Run) -> list[str]:
    """In what the plan is another one than the stored run, a clause each; the seed does not count."""
    stored, wanted = json.loads(run.config), json.loads(json.dumps(plan.config))
    found: dict[str, str] = {}
    for key in dict.fromkeys([*wanted, *UNUSUAL]):
        was, value = stored.get(key), wanted.get(key)
        if key == "seed" or was == value:
            continue
        if key == "engines" and isinstance(was, list):
            found[key] = _other_engines(was, value)
        elif key == "book":
            found[key] = "another book of openings" if was and value else f"{'a' if value else 'no'} book of openings"
        else:
            found[key] = f"{key} was {_told(was)}, is {_told(value)}"
    for follows, cause in (("pairings", "engines"), ("games", "engines"), ("games", "rounds")):
        if cause in found:
            found.pop(follows, None)
    return list(found.values())


def _other_engines(was: Sequence[Mapping[str, object]], now: Sequence[Mapping[str, object]]) -> str:
    before, after = [engine["name"] for engine in was], [engine["name"] for engine in now]
    if before == after:
        changed = [str(new["name"]) for old, new in zip(was, now, strict=True) if old != new]
        return f"another program, command, options or limit for {', '.join(changed)}"
    if after[: len(before)] == before:
        return f"{', '.join(map(str, after[len(before) :]))} new at the end, which --add lets play"
    return f"other engines: {_only(before, after)}"


def _only(before: Sequence[object], after: Sequence[object]) -> str:
    gone = [f"without {name}" for name in before if name not in after]
    new = [f"with {name}" for name in after if name not in before]
    return ", ".join([*gone, *new]) or "another order"


def _told(value: object) -> str:
    return "not given" if value is None else str(value)
