"""Runs the smoke level of the conformance checks on engines before a tournament, and decides which may take part.

It prints nothing itself.
"""

import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from arena.conformance import catalogue, runner
from arena.conformance.check import CheckVerdict, Finding, Severity
from arena.conformance.context import CheckRun, CheckSettings
from arena.games_at_once import in_a_check
from arena.play.jobs import EngineSpec
from protocol.faults import CannotStart
from protocol.process import Command

SLOW_S = 6.0
"""Whoever waits longer than this is told for whom: an engine that hangs has the whole deadline of each check."""
LONGEST_S = 120.0
"""The checks of one engine end after this: ten seconds for each start, where two checks run at once."""


@dataclass(frozen=True, slots=True)
class Fitness:
    """The result of the smoke checks of one engine: `unfit` keeps it out, `doubt` is a warning. Empty: no finding."""

    unfit: str = ""
    doubt: str = ""
    findings: tuple[Finding, ...] = ()
    """Those of all checks, also where neither is told."""


def check_engines(
    specs: Sequence[EngineSpec], variant: str, report: Callable[[str], None], at_once: int | None = None
) -> dict[str, Fitness]:
    """Check the engines one after the other, because times are judged. `report` hears which one is slow.

    `at_once` checks of an engine run at once; None: as many as this machine can.

    An engine that cannot be started is not in the result: its introduction reports that. No fault of an engine is
    raised; every wait has the deadline of its check.
    """
    fitness = {}
    for spec in specs:
        check_run = CheckRun(CheckSettings(Command(spec.command, spec.sandbox), dict(spec.options)), variant)
        tasks = runner.tasks(catalogue.choose(level="smoke"), (variant,), variant)
        try:
            with _said_if_slow(spec.name, report), _ended_in_time(check_run) as ended:
                findings = [done.finding for done in runner.run(check_run, tasks, at_once or in_a_check(smoke=True))]
        except CannotStart:
            continue
        fitness[spec.name] = _too_slow(spec, variant) if ended.is_set() else _fitness(spec, variant, findings)
    return fitness


@contextmanager
def _said_if_slow(name: str, report: Callable[[str], None]) -> Iterator[None]:
    rest = f"the checks fail if it needs {LONGEST_S - SLOW_S:.0f} s more"
    with _timer(SLOW_S, lambda: report(f"still checking {name}: it is slow to answer, or does not; {rest}")):
        yield


@contextmanager
def _ended_in_time(check_run: CheckRun) -> Iterator[threading.Event]:
    """Ends all engines of the checks if they take too long; then the event is set."""
    ended = threading.Event()

    def end() -> None:
        ended.set()
        check_run.kill_all(reap=False)

    with _timer(LONGEST_S, end):
        try:
            yield ended
        except RuntimeError:  # the next check was to start an engine after that
            if not ended.is_set():
                raise


@contextmanager
def _timer(seconds: float, then: Callable[[], None]) -> Iterator[None]:
    timer = threading.Timer(seconds, then)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _too_slow(spec: EngineSpec, variant: str) -> Fitness:
    command = f"arena check {shlex.quote(shlex.join(spec.command))} --variant {shlex.quote(variant)} --level smoke"
    return Fitness(
        unfit=f"engine {spec.name!r} was not done with the first checks after {LONGEST_S:.0f} s; `{command}` tells more"
    )


def _fitness(spec: EngineSpec, variant: str, findings: Sequence[Finding]) -> Fitness:
    """A failed fatal check keeps an engine out; a failed major check, or an error of a check itself, is a warning."""
    failed = [finding for finding in findings if finding.verdict in (CheckVerdict.FAIL, CheckVerdict.ERROR)]
    if not failed:
        return Fitness(findings=tuple(findings))
    first = failed[0]
    violation = first.evidence.seen.strip().splitlines()[-1] if first.evidence is not None else first.title
    ids = ",".join(finding.id for finding in failed)
    command = f"arena check {shlex.quote(shlex.join(spec.command))} --variant {shlex.quote(variant)} --only {ids}"
    text = f"engine {spec.name!r} fails {ids} of the protocol's first checks ({violation}); `{command}` tells more"
    fatal = any(finding.verdict is CheckVerdict.FAIL and finding.severity is Severity.FATAL for finding in failed)
    return Fitness(text if fatal else "", "" if fatal else text, tuple(findings))
