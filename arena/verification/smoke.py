"""Asks engines the smoke level of the conformance checks before they are let into a tournament.

Knows which engine is asked in which variant, and what its findings mean for taking part. Refuses to know what a check
looks at, and prints nothing.
"""

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from arena.play.jobs import EngineSpec
from arena.verification.rules_oracle import RulesJudge
from protocol.conformance import catalogue, runner
from protocol.conformance.check import Finding, Severity, Verdict
from protocol.conformance.context import CheckRun, CheckSettings
from protocol.faults import CannotStart
from protocol.process import Command


@dataclass(frozen=True, slots=True)
class Fitness:
    """What the smoke checks say of one engine. `unfit` keeps it out, `doubt` is only told; empty: nothing was found."""

    unfit: str = ""
    doubt: str = ""


def look(specs: Sequence[EngineSpec], variant: str) -> dict[str, Fitness]:
    """Check the engines one after the other, since figures are judged.

    An engine that cannot be started at all is not in the result: its introduction says so. No fault of an engine is
    raised; every wait has the deadline of its check.
    """
    found = {}
    for spec in specs:
        lab = CheckRun(CheckSettings(Command(spec.command, spec.box), dict(spec.options), RulesJudge()), variant)
        todo = runner.tasks(catalogue.choose(level="smoke"), (variant,), variant)
        try:
            findings = [done.finding for done in runner.run(lab, todo, 2 * (os.cpu_count() or 1))]
        except CannotStart:
            continue
        found[spec.name] = judged(spec, variant, findings)
    return found


def judged(spec: EngineSpec, variant: str, findings: Sequence[Finding]) -> Fitness:
    """A fatal check that failed keeps an engine out; a major one, or a check of ours that went wrong, is told."""
    failed = [finding for finding in findings if finding.verdict in (Verdict.FAIL, Verdict.ERROR)]
    if not failed:
        return Fitness()
    first = failed[0]
    seen = first.evidence.seen.strip().splitlines()[-1] if first.evidence is not None else first.title
    ids = ",".join(finding.id for finding in failed)
    command = f"arena check {shlex.quote(shlex.join(spec.command))} --variant {variant} --only {ids}"
    text = f"engine {spec.name!r} fails {ids} of the protocol's first checks ({seen}); `{command}` tells more"
    fatal = any(finding.verdict is Verdict.FAIL and finding.severity is Severity.FATAL for finding in failed)
    return Fitness(unfit=text) if fatal else Fitness(doubt=text)
