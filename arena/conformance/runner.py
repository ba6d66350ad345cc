"""Runs the checks in their variants, in parallel or alone. Each gives one finding.

A check that hangs costs only its own deadlines, a failed one ends only its own processes, and an error of ours becomes
a finding.
"""

import re
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from arena.conformance import clauses
from arena.conformance.check import Check, CheckEvidence, CheckVerdict, Finding, Severity
from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.checks import plain_session
from arena.conformance.context import CheckContext, CheckRun
from arena.conformance.violation import LEGALITY, IllegalAnswer, NotApplicable, Violation
from protocol.containment import refusals
from results.safe_text import last_words

FIRST = ("A1", "A3")
"""If one of these checks fails, no other check can run."""
_ABOUT_MOVES = ("E", "F", "G2")
"""These checks know the likely cause of a move that is illegal everywhere."""
_NOT_OF_MOVES = ("G", "H", "K")
"""If one of these checks meets an illegal move and the rules are wrong as well, the move follows from the rules."""
_SENT, _CAME, _STDERR = 8, 8, 20
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class CheckTask:
    """One check in one variant."""

    check: Check
    variant: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The finding of a task and the dialogues that led to it."""

    finding: Finding
    engines: tuple[CheckedEngine, ...] = ()


def tasks(checks: Sequence[Check], variants: Sequence[str], main: str) -> list[CheckTask]:
    """The tasks in the catalogue's order: checks of rules in every variant, the others in the main one."""
    return [CheckTask(check, variant) for check in checks for variant in (variants if check.each_variant else (main,))]


def run(
    check_run: CheckRun, todo: Sequence[CheckTask], concurrency: int, left_out: Mapping[str, str] = _NOTHING
) -> Iterator[CheckResult]:
    """Run the tasks; the findings come in the order of the tasks. Raises CannotStart.

    `left_out` has the ids of checks that are skipped, with the reasons.
    """
    contact = check_run.contact
    # The checks in other variants are many and short. They fill the time in which long checks of the main one wait.
    begun = sorted(todo, key=lambda task: task.variant != check_run.variant)
    lost = "" if contact.greeting is not None else "A1 failed" if contact.dead else "A3 failed"
    try:
        with ThreadPoolExecutor(max(1, concurrency), "check") as pool:
            futures: dict[CheckTask, Future[CheckResult]] = {
                task: pool.submit(perform, check_run, task)
                for task in begun
                if not task.check.alone and not (lost and task.check.id not in FIRST) and task.check.id not in left_out
            }
            try:
                for number, task in enumerate(todo):
                    if task in futures:
                        yield futures[task].result()
                    elif task.check.id in left_out:
                        yield CheckResult(_finding(task, CheckVerdict.SKIPPED, left_out[task.check.id]))
                    elif lost:
                        yield CheckResult(_finding(task, CheckVerdict.SKIPPED, f"{lost}: nothing can be asked"))
                    else:
                        for other in todo[number:]:
                            if other in futures:
                                futures[other].exception()
                        yield perform(check_run, task)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                check_run.kill_all(reap=False)  # other threads still wait for some of them
                raise
    finally:
        check_run.kill_all()


def perform(check_run: CheckRun, task: CheckTask) -> CheckResult:
    """Run one task. Every exception becomes a finding."""
    check = task.check
    ctx = CheckContext(check_run, task.variant)
    start_ns = time.monotonic_ns()
    verdict, measured, seen, cause = CheckVerdict.PASS, "", "", "the checker, not the engine"
    clause, severity, violation = check.clause, check.severity, None
    try:
        measured = check.function(ctx) or ""
    except NotApplicable as reason:
        verdict, measured = CheckVerdict.SKIPPED, f"{reason}"
    except Violation as broken:
        if isinstance(broken, IllegalAnswer) and broken.matter:
            broken.matter = plain_session.whose_matter(ctx, broken)
        violation, seen, clause = broken, f"{broken}", broken.clause or clause
        grave = severity in (Severity.FATAL, Severity.MAJOR)
        verdict = CheckVerdict.FAIL if grave and not broken.minor else CheckVerdict.WARNING
        severity = Severity.MINOR if grave and broken.minor else severity
    except Exception:
        verdict, seen = CheckVerdict.ERROR, traceback.format_exc()
    check_run.release(ctx.engines)
    finding = _finding(task, verdict, measured)
    if finding.broken:
        cause = cause if violation is None else _cause(ctx, check, violation)
        matter = "" if violation is None else violation.matter
        if isinstance(violation, IllegalAnswer) and check.id.startswith(_NOT_OF_MOVES):
            matter = matter or LEGALITY
        matter = "" if matter == check.id else matter
        finding = replace(finding, evidence=_evidence(check, clause, seen, cause, ctx.dialogues), matter=matter)
    elapsed_ms = (time.monotonic_ns() - start_ns) // 1_000_000
    return CheckResult(replace(finding, clause=clause, severity=severity, elapsed_ms=elapsed_ms), ctx.dialogues)


def _finding(task: CheckTask, verdict: CheckVerdict, measured: str) -> Finding:
    check = task.check
    variant = task.variant if check.each_variant else None
    return Finding(check.id, check.clause, check.severity, check.title, variant, verdict, measured)


def _cause(ctx: CheckContext, check: Check, violation: Violation) -> str:
    """The likely cause of a violation. What the sandbox refused explains more than any other hint, then a crash."""
    engines = ctx.dialogues
    for engine in reversed(engines):
        if refusal := refusals.find(_stderr(engine)):
            return refusals.sentence(refusal, engine.subject.box.policy.level)
    if crashed := next((engine for engine in reversed(engines) if engine.crash), None):
        # The check's own hint is about an engine that answers, so it would mislead.
        if words := last_words(_stderr(crashed)):
            return f"it crashed: {words}"
        return f"it crashed ({crashed.crash}) and left no word on stderr"
    if violation.cause:
        return violation.cause
    if violation.matter == LEGALITY and not check.id.startswith(_ABOUT_MOVES):
        return "its move is also illegal in a plain session: see F10, G2, E1 and E2 first"
    return check.cause


def _evidence(check: Check, clause: str, seen: str, cause: str, engines: tuple[CheckedEngine, ...]) -> CheckEvidence:
    demand = f"{check.title}. SPEC.md {clause}: {clauses.quote(clause)}"
    if not engines:
        return CheckEvidence(seen, demand=demand, cause=cause)
    engine, end = _where_seen(engines, seen)
    sent, came = engine.last_lines("<-", _SENT, end), engine.last_lines("->", _CAME, end)
    stderr = tuple(_stderr(engine).splitlines()[-_STDERR:])
    return CheckEvidence(seen, sent, came, demand, cause, stderr=stderr)


def _where_seen(engines: tuple[CheckedEngine, ...], seen: str) -> tuple[CheckedEngine, int | None]:
    """The engine, and the end of what is shown of its record: the move that was seen, which may not be the last."""
    move = re.search(r"bestmove (?:is ')?(\w+)", seen)
    for engine in reversed(engines) if move else ():
        for end, entry in reversed([*enumerate(engine.record, 1)]):
            if move and entry.direction == "->" and entry.data.split()[:2] == [b"bestmove", move[1].encode()]:
                return engine, end
    return engines[-1], None


def _stderr(engine: CheckedEngine) -> str:
    return engine.subject.stderr_tail().decode("utf-8", "replace")
