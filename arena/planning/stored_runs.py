"""Compares a plan with stored runs: which of them it resumes, and how it differs from the others.

Which games are missing is said by the job sources (`arena.planning.job_sources.missing`).
"""

import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from arena.planning.errors import PlanError
from arena.planning.plan import UNUSUAL, Plan, SomePlan
from arena.planning.schedule import Start
from arena.timing.free_reading import FREE_READING_MS
from arena.timing.time_control import LAG_MS
from results.record import Run
from results.store.reader import Reader
from results.variant_name import namesake, shown

_PARTS = {
    "command": "command",
    "sha256": "program",
    "options": "options",
    "limit": "limit",
    "margin_ms": "margin",
    "restart": "key restart",
}
"""What a stored run has of each engine, in the words of users."""
DEFAULTS = {"reading_ms": FREE_READING_MS, "lag_ms": LAG_MS}
"""What a key stands for where a configuration does not have it."""


Notify = Callable[[str], None]
Resume = Literal["refuse", "allow", "always", "add", "demo"]
"""What to do where the database has games of this run: refuse it, go on because the user said so, go on in any case.
`add`: go on, too; the plan has the games of engines that join a tournament, and is a run of its own beside it.
`demo`: go on; the database has no other run."""


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


def seeded(plan: SomePlan, runs: Sequence[Run], seed_given: bool) -> SomePlan:
    """The plan with the seed of the stored run that it repeats, where no seed was given.

    A run that began before its variant had a book of openings goes on without it.
    """
    for form in forms(plan, runs):
        if not seed_given and (seed := seed_of_same(form, runs)) is not None:
            return replace(form, seed=seed)
        if any(run.id == form.run_id for run in runs):
            return form
    return plan


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


def refuse_stored(plan: Plan, stored: Reader, done: int, db: str, resume: Resume, notify: Notify) -> None:
    """Notify how the plan differs from the runs in the database, which has so many of its games done.

    Raises PlanError where they may not stand side by side.
    """
    refuse_namesakes(plan, stored.words("variant"), db)
    if done and resume == "refuse":
        missing = "add --resume to play the missing ones" if done < plan.games else "--resume shows its tables again"
        raise PlanError(
            f"{db} already holds {done} of the {plan.games} games of this tournament: "
            f"{missing}, or name another --db or seed"
        )
    runs = stored.runs()
    namesakes = [run for run in runs if run.name == plan.name and run.kind != "ladder"]
    if resume != "always" and namesakes and all(run.id != plan.run_id for run in runs):
        _refuse_other_settings(plan, namesakes, db, resume, notify)
    if resume == "allow" and not done:
        notify(f"--resume: {db} has no games of {plan.name!r} yet, so it begins with the first one")


def _refuse_other_settings(plan: Plan, namesakes: Sequence[Run], db: str, resume: Resume, notify: Notify) -> None:
    """Raise PlanError where the plan may not be another run beside stored runs of its name with other settings."""
    if resume == "add":
        notify(f"the games of engines that join {plan.name!r} are a run of their own beside it")
        return
    nearest = min((differences(plan, run) for run in reversed(namesakes)), key=len)
    holds = f"{db} holds {plan.name!r} with other settings ({'; '.join(nearest) or 'another seed'})"
    if resume == "allow":
        raise PlanError(f"{holds}: put them back, leave out --resume, or name another --db")
    if resume == "demo":
        raise PlanError(f"{holds}: leave out --seed to see its end, or name another --db to play anew")
    notify(f"{holds}: this is another run beside it")


def _engine_differences(was: Sequence[Mapping[str, object]], now: Sequence[Mapping[str, object]]) -> str:
    before, after = [engine["name"] for engine in was], [engine["name"] for engine in now]
    if before == after:
        return "; ".join(_changed_parts(old, new) for old, new in zip(was, now, strict=True) if old != new)
    if after[: len(before)] == before:
        return f"{', '.join(map(str, after[len(before) :]))} new at the end, which --add lets play"
    gone = [f"without {name}" for name in before if name not in after]
    new = [f"with {name}" for name in after if name not in before]
    return f"other engines: {', '.join([*gone, *new]) or 'another order'}"


def _changed_parts(was: Mapping[str, object], now: Mapping[str, object]) -> str:
    """`the command and the options of greedy differ`."""
    parts = [f"the {part}" for key, part in _PARTS.items() if was.get(key) != now.get(key)]
    verb = "differs" if parts in (["the command"], ["the program"], ["the limit"], ["the margin"]) else "differ"
    return f"{' and '.join(parts)} of {now['name']} {verb}"


def _text(value: object) -> str:
    return "not given" if value is None else str(value)
