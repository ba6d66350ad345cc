"""Compares a plan with stored runs: which of them it resumes, and how it differs from the others.

Which games are missing is said by the job sources (`arena.planning.job_sources.missing`).
"""

import json
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from arena.planning.errors import PlanError
from arena.planning.plan import UNUSUAL, Plan, SomePlan
from arena.planning.schedule import Start
from arena.timing.free_reading import FREE_READING_MS
from results.record import Run
from results.variant_name import namesake, shown

DEFAULTS = {"reading_ms": FREE_READING_MS}
"""What a key stands for where a configuration does not have it."""


def drawn_seed() -> int:
    """A random seed where the user gave none, short enough to be typed again."""
    return random.SystemRandom().randrange(1_000_000_000)


def forms(plan: SomePlan, stored: Iterable[Run]) -> tuple[SomePlan, ...]:
    """The plan; and the same without those default books that a stored run lacks: older versions had fewer."""
    by_starts = {plan.starts: plan}
    for run in stored:
        starts = _with_books_of(plan.starts, run)
        if starts not in by_starts:
            by_starts[starts] = replace(plan, starts=starts)
    return tuple(by_starts.values())


def _with_books_of(starts: tuple[Start, ...], run: Run) -> tuple[Start, ...]:
    """The starts, without the default books where the run had none. They are unchanged if it had other starts."""
    config = run.settings
    if len(config.get("starts", ())) != len(starts):
        return starts
    books = config.get("book") or [None] * len(starts)
    return tuple(
        replace(start, book=None) if book is None and start.book is not None and start.book.by_default else start
        for start, book in zip(starts, books, strict=True)
    )


def seed_of_same(plan: Plan, runs: Sequence[Run]) -> int | None:
    """The seed of the newest stored run that equals `plan` but for its seed; None where there is none."""
    return next((run.seed for run in reversed(runs) if not differences(plan, run)), None)


def differences(plan: Plan, run: Run) -> list[str]:
    """How the plan differs from the stored run, a clause for each difference. The seed does not count."""
    stored, wanted = run.settings, json.loads(json.dumps(plan.config))
    clauses: dict[str, str] = {}
    for key in dict.fromkeys([*wanted, *UNUSUAL]):
        was, value = stored.get(key, DEFAULTS.get(key)), wanted.get(key, DEFAULTS.get(key))
        if key == "seed" or was == value:
            continue
        if key == "engines" and isinstance(was, list):
            clauses[key] = _engine_differences(was, value)
        elif key == "starts" and (changed := _changed_variants(was, value)):
            clauses[key] = f"another board or other rules of {', '.join(changed)}"
        elif key == "book":
            clauses[key] = "another book of openings" if was and value else f"{'a' if value else 'no'} book of openings"
        else:
            clauses[key] = f"{key} was {_text(was)}, is {_text(value)}"
    for effect, cause in (("pairings", "engines"), ("games", "engines"), ("games", "rounds")):
        if cause in clauses:
            clauses.pop(effect, None)
    return list(clauses.values())


def _changed_variants(was: object, now: Sequence[Sequence[str | None]]) -> list[str]:
    """The users' own variants that have another board or other rules now, if nothing else of the starts differs."""
    if not isinstance(was, list) or [_short_start(start) for start in was] != [_short_start(start) for start in now]:
        return []
    return [shown(str(new[0])) for old, new in zip(was, now, strict=True) if old != new]


def _short_start(start: Sequence[str | None]) -> tuple[str, str | None]:
    return shown(str(start[0])), start[1]


def refuse_namesakes(plan: Plan, variants: Collection[str], place: str) -> None:
    """Raise PlanError where a user's own variant has the name of another one in the database `place`."""
    for start in plan.starts:
        if (other := namesake(start.variant, variants)) is not None:
            raise PlanError(
                f"{place} has games of another {shown(other)!r}, with another board or other rules ({other}): "
                "give your variant another name, or play it in another database"
            )


def _engine_differences(was: Sequence[Mapping[str, object]], now: Sequence[Mapping[str, object]]) -> str:
    before, after = [engine["name"] for engine in was], [engine["name"] for engine in now]
    if before == after:
        changed = [str(new["name"]) for old, new in zip(was, now, strict=True) if old != new]
        return f"another program, command, options or limit for {', '.join(changed)}"
    if after[: len(before)] == before:
        return f"{', '.join(map(str, after[len(before) :]))} new at the end, which --add lets play"
    gone = [f"without {name}" for name in before if name not in after]
    new = [f"with {name}" for name in after if name not in before]
    return f"other engines: {', '.join([*gone, *new]) or 'another order'}"


def _text(value: object) -> str:
    return "not given" if value is None else str(value)
