"""One run of the checks from its options to its certificate: `arena check` and the checker in one file share it.

Prints nothing: whoever runs it hears each result and each sentence about the time that is left.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from arena.conformance import catalogue, engine_check
from arena.conformance.certificate import replay_script
from arena.conformance.certificate.certificate import Certificate
from arena.conformance.certificate.issue import issue, now
from arena.conformance.check import Check, Finding
from arena.conformance.runner import CheckResult
from arena.play.jobs import EngineSpec

LONGEST_FUZZ_S = 1_000_000


class BadOrder(Exception):
    """An option of the run cannot be used: one sentence with the remedy."""


@dataclass(frozen=True, slots=True)
class CheckOrder:
    """What is asked for. `validate` refuses what cannot be done."""

    checks: tuple[Check, ...]
    variants: tuple[str, ...] = ()
    """Empty: all that the engine announces."""
    level: str = "full"
    slow: float = 1.0
    thorough: bool = False
    seed: int = engine_check.DEFAULT_SEED
    fuzz_s: float | None = None
    concurrency: int | None = None
    profile: str | None = None
    """The other protocol whose engine is checked behind an adapter; what that cannot do is skipped."""

    @property
    def at_once(self) -> int:
        """How many checks run at once."""
        # Most of the smoke checks wait for the engine, so more of them can run at once than there are CPUs.
        return self.concurrency or min(os.cpu_count() or 1, 8) * (2 if self.level == "smoke" else 1)

    def validate(self) -> None:
        """Raises BadOrder."""
        if not self.slow > 0:
            raise BadOrder(f"--slow {self.slow:g} cannot multiply deadlines: it must be greater than 0")
        if self.fuzz_s is not None and not 0 < self.fuzz_s < LONGEST_FUZZ_S:
            raise BadOrder(
                f"--fuzz {self.fuzz_s:g} is out of range: it must be more than 0 and less than {LONGEST_FUZZ_S} seconds"
            )
        if self.concurrency is not None and self.concurrency < 1:
            raise BadOrder(f"--concurrency {self.concurrency} is out of range: it must be at least 1")
        of_referee = [each.id for each in self.checks if each.function is None]
        if len(of_referee) == len(self.checks):
            ids = ", ".join(of_referee)
            raise BadOrder(f"{ids}: the subject is the referee itself; --list names the tests")


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """What a run has found."""

    certificate: Certificate
    scripts: Mapping[Finding, str]
    """The script that replays a finding, where there is one."""

    @property
    def failed(self) -> bool:
        """Did any check fail?"""
        return any(finding.verdict in ("fail", "error") for finding in self.certificate.findings)


def choose(
    only: Sequence[str], groups: Sequence[str], level: Literal["smoke", "full"], fuzz_s: float | None
) -> tuple[Check, ...]:
    """The checks that are asked for. `--fuzz` alone asks for the check that it prolongs. Raises UnknownCheck."""
    named = [engine_check.FUZZ_CHECK] if fuzz_s is not None else []
    return tuple(catalogue.choose([*only, *named], groups, level))


def perform(
    engine: str,
    spec: EngineSpec,
    order: CheckOrder,
    command: str,
    suite_version: str,
    hear: Callable[[CheckResult, Sequence[str]], None],
    tell: Callable[[str], None],
) -> CheckedRun:
    """Check the engine that its user named `engine`.

    `command` is the start of the command that repeats a check. `hear` gets each result and the variants of the run,
    `tell` sentences about the time that is left. Raises what `engine_check.start` raises.
    """
    date = now()
    check_run, variants = engine_check.start(spec, order.variants, order.slow, order.thorough, order.seed)
    estimate = engine_check.estimate(check_run, variants, order.checks, order.at_once)
    findings: list[Finding] = []
    scripts: dict[Finding, str] = {}
    _tell_time(estimate.sentence(time.monotonic()), tell)
    for done in engine_check.run(
        check_run, variants, order.checks, order.at_once, command, order.fuzz_s, order.profile
    ):
        finding = done.finding
        findings.append(finding)
        estimate.note(finding)
        _tell_time(estimate.sentence(time.monotonic()), tell)
        if finding.evidence is not None:
            scripts[finding] = replay_script.script(finding, done.engines, spec.command, spec.box.environment)
        hear(done, variants)
    settings: dict[str, Any] = {
        "level": order.level,
        "profile": order.profile,
        "concurrency": order.at_once,
        "seed": order.seed,
    }
    if order.fuzz_s is not None:
        settings["fuzz_s"] = order.fuzz_s
    return CheckedRun(issue(engine, spec, check_run, variants, findings, settings, suite_version, date), scripts)


def _tell_time(sentence: str, tell: Callable[[str], None]) -> None:
    if sentence:
        tell(sentence)
