"""Does the checks: which of them, in which variants, side by side or alone, each ended with a finding.

Owns the order and the fences: a check that hangs has cost its own deadlines, one that fails its own processes, one of
ours that goes wrong is a finding of its own. Refuses to know what a check looks at and how a report is printed.
"""

import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from protocol.conformance import clauses
from protocol.conformance.bench import Bench, Lab
from protocol.conformance.check import Check, Evidence, Finding, Severity, Verdict
from protocol.conformance.talk import Talk
from protocol.conformance.violation import IllegalMove, NotApplicable, Violation

FIRST = ("A1", "A3")
"""Where one of these fails, nothing else can be asked."""
ABOUT_MOVES = ("B3", "B9", "G2")
"""Where a move is illegal, these and all of E and F know best what is behind it."""
ALSO_ABOUT_MOVES = ("G6", "G9", "G16", "G17", "G18", "J1", "J4")
"""These know what may be behind one that is illegal here and nowhere else."""
_SENT, _CAME, _STDERR = 8, 8, 20


@dataclass(frozen=True, slots=True)
class CheckTask:
    """One check in one variant."""

    check: Check
    variant: str


@dataclass(frozen=True, slots=True)
class Done:
    """A task's finding and the dialogues behind it."""

    finding: Finding
    talks: tuple[Talk, ...] = ()


def tasks(checks: Sequence[Check], variants: Sequence[str], main: str) -> list[CheckTask]:
    """What is to be done, in the catalogue's order: checks about rules in every variant, the others in the main one."""
    return [
        CheckTask(check, variant)
        for check in checks
        if check.look is not None
        for variant in (variants if check.each_variant else (main,))
    ]


def run(lab: Lab, todo: Sequence[CheckTask], concurrency: int) -> Iterator[Done]:
    """Do the tasks; the findings come in the order of the tasks. Raises CannotStart where nothing can be started."""
    contact = lab.contact
    # Those in other variants are many and short: they fill the time in which the long ones of the main variant wait.
    begun = sorted(todo, key=lambda task: task.variant != lab.variant)
    lost = "" if contact.greeting is not None else "A1 failed" if contact.dead else "A3 failed"
    try:
        with ThreadPoolExecutor(max(1, concurrency), "check") as pool:
            futures: dict[CheckTask, Future[Done]] = {
                task: pool.submit(do, lab, task)
                for task in begun
                if not task.check.alone and not (lost and task.check.id not in FIRST)
            }
            try:
                for number, task in enumerate(todo):
                    if task in futures:
                        yield futures[task].result()
                    elif lost:
                        yield Done(_finding(task, Verdict.SKIPPED, f"{lost}: nothing can be asked"))
                    else:
                        for other in todo[number:]:
                            if other in futures:
                                futures[other].exception()
                        yield do(lab, task)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                lab.kill_all()
                raise
    finally:
        lab.kill_all()


def do(lab: Lab, task: CheckTask) -> Done:
    """One task, whatever comes of it."""
    check = task.check
    assert check.look is not None
    bench = Bench(lab, task.variant)
    start_ns = time.monotonic_ns()
    evidence = None
    try:
        verdict, measured = Verdict.PASS, check.look(bench) or ""
    except NotApplicable as reason:
        verdict, measured = Verdict.SKIPPED, f"{reason}"
    except Violation as violation:
        grave = check.severity in (Severity.FATAL, Severity.MAJOR) and not violation.minor
        verdict, measured = Verdict.FAIL if grave else Verdict.WARNING, ""
        lab.release(bench.talks)
        evidence = _evidence(check, f"{violation}", _cause(check, violation), bench.dialogues)
    except Exception:
        verdict, measured = Verdict.ERROR, ""
        lab.release(bench.talks)
        evidence = _evidence(check, traceback.format_exc(), "the checker, not the engine", bench.dialogues)
    lab.release(bench.talks)
    elapsed_ms = (time.monotonic_ns() - start_ns) // 1_000_000
    severity = check.severity
    if verdict is Verdict.WARNING and severity in (Severity.FATAL, Severity.MAJOR):
        severity = Severity.MINOR
    return Done(_finding(task, verdict, measured, evidence, elapsed_ms, severity), bench.dialogues)


def _finding(
    task: CheckTask,
    verdict: Verdict,
    measured: str,
    evidence: Evidence | None = None,
    elapsed_ms: int = 0,
    severity: Severity | None = None,
) -> Finding:
    check = task.check
    variant = task.variant if check.each_variant else None
    return Finding(
        check.id,
        check.clause,
        severity or check.severity,
        check.title,
        variant,
        verdict,
        measured,
        evidence,
        elapsed_ms,
    )


def _cause(check: Check, violation: Violation) -> str:
    """What is likely behind a violation."""
    if violation.cause:
        return violation.cause
    if isinstance(violation, IllegalMove) and check.id[0] not in "EF" and check.id not in ABOUT_MOVES:
        otherwise = f"; if those pass: {check.cause}" if check.id in ALSO_ABOUT_MOVES else ""
        return f"its moves may be illegal in other places too: see E1, E2 and G2 first{otherwise}"
    return check.cause


def _evidence(check: Check, seen: str, cause: str, talks: tuple[Talk, ...]) -> Evidence:
    demand = f"{check.title}. SPEC.md {check.clause}: {clauses.quote(check.clause)}"
    if not talks:
        return Evidence(seen, demand=demand, cause=cause)
    talk = talks[-1]
    errors = tuple(talk.subject.stderr_tail().decode("utf-8", "replace").splitlines()[-_STDERR:])
    return Evidence(seen, talk.shown("<-", _SENT), talk.shown("->", _CAME), demand, cause, stderr=errors)
