"""Makes the certificate of a run of the checks."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from arena.conformance.certificate import identity
from arena.conformance.certificate.certificate import Certificate
from arena.conformance.check import Finding
from arena.conformance.context import CheckRun
from arena.conformance.engine import EngineToCheck
from protocol.messages import Id


def now() -> str:
    """The date for a certificate: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def issue(
    engine: str,
    spec: EngineToCheck,
    check_run: CheckRun,
    variants: Sequence[str],
    findings: Sequence[Finding],
    settings: Mapping[str, Any],
    suite_version: str,
    date: str,
) -> Certificate:
    """The certificate. `settings` says what was asked for beyond what `check_run` knows."""
    greeting = check_run.contact.greeting
    told = {} if greeting is None else {
        line.message.key: line.message.value for line in reversed(greeting.lines) if isinstance(line.message, Id)
    }  # fmt: skip
    asked = check_run.settings
    return Certificate(
        engine=engine,
        told={key: told[key] for key in ("name", "author", "version") if key in told},
        files=identity.program_files(spec),
        specification=identity.specification(),
        suite=identity.suite(suite_version),
        date=date,
        machine=identity.machine(),
        settings={
            **settings,
            "slow": asked.slow,
            "thorough": asked.thorough,
            "containment": str(spec.box.level),
            "options": dict(asked.options),
        },
        variants=tuple(variants),
        findings=tuple(findings),
    )
