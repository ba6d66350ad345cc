"""One run of the checks from its arguments to its certificate.

It prints nothing: its caller gets each result, and now and then how many checks are done.
"""

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from arena.conformance import catalogue, runner
from arena.conformance.catalogue import PROFILES, BadArgument, Level
from arena.conformance.certificate import identity
from arena.conformance.certificate.certificate import Certificate
from arena.conformance.check import Check, Finding
from arena.conformance.context import CheckRun, CheckSettings
from arena.conformance.runner import CheckResult
from arena.games import variant_file
from arena.games.variants import announced_as, find, is_variant
from arena.games_at_once import in_a_check
from arena.play.jobs import EngineSpec
from protocol.messages import Id
from protocol.process import Command

DEFAULT_VARIANT = "callanish-9"
FUZZ_CHECK = "F10"
"""The check that compares the rules in random positions."""
LONGEST_FUZZ_S = 1_000_000
EVERY_S = 10.0
"""So often it is told how many checks are done."""


def chosen(only: str, group: str, level: Level, fuzz: bool) -> tuple[Check, ...]:
    """The checks that are asked for. `--fuzz` alone asks for the check that it prolongs. Raises BadArgument."""
    ids = only.replace(",", " ").split() + [FUZZ_CHECK] * fuzz
    return catalogue.choose(ids, group.replace(",", " ").split(), level)


@dataclass(frozen=True, slots=True)
class CheckOrder:
    """What is asked for. `validate` refuses what cannot be done."""

    engine: str
    """As it was named."""
    variants: Sequence[str]
    """Those to check; none: all that it announces."""
    checks: tuple[Check, ...]
    level: Level
    profile: str | None
    slow: float
    thorough: bool
    fuzz_s: float | None
    seed: int
    concurrency: int | None

    @property
    def at_once(self) -> int:
        """How many checks run at once."""
        return self.concurrency or in_a_check(smoke=self.level == "smoke")

    def validate(self) -> None:
        """Raises BadArgument."""
        if not self.slow > 0:
            raise BadArgument(f"--slow {self.slow:g} cannot multiply deadlines: it must be greater than 0")
        if self.fuzz_s is not None and not 0 < self.fuzz_s < LONGEST_FUZZ_S:
            raise BadArgument(
                f"--fuzz {self.fuzz_s:g} is out of range: it must be more than 0 and less than {LONGEST_FUZZ_S} seconds"
            )
        if self.concurrency is not None and self.concurrency < 1:
            raise BadArgument(f"--concurrency {self.concurrency} is out of range: it must be at least 1")


def perform(
    engine: EngineSpec,
    order: CheckOrder,
    command: str,
    suite_version: str,
    hear: Callable[[CheckResult, Sequence[str]], None],
    tell: Callable[[str], None],
) -> Certificate:
    """Check an engine.

    `command` is the start of the command that repeats a check. `hear` gets each result and the variants of the run,
    `tell` now and then how many checks are done. Raises CannotStart, UnknownVariant, BadVariantFile and BadArgument.
    """
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    check_run, variants = _start(engine, order)
    if order.fuzz_s is not None:
        # So many variants at once are checked, so each may take that much longer.
        each_s = order.fuzz_s * min(order.at_once, len(variants)) / len(variants)
        check_run.settings = replace(check_run.settings, fuzz_s=each_s)
    tasks = runner.tasks(order.checks, variants, check_run.variant)
    greeting = check_run.contact.greeting
    findings: list[Finding] = []
    told_s = time.monotonic()
    left_out = PROFILES[order.profile] if order.profile is not None else {}
    for done in runner.run(check_run, tasks, order.at_once, left_out):
        finding = _repeatable(done.finding, command, check_run)
        findings.append(finding)
        if time.monotonic() - told_s >= EVERY_S and len(findings) < len(tasks):
            tell(f"{len(findings)} of {len(tasks)} checks done")
            told_s = time.monotonic()
        hear(replace(done, finding=finding), variants)
    ids = [] if greeting is None else [each.message for each in greeting.lines if isinstance(each.message, Id)]
    introduction = {each.key: each.value for each in reversed(ids)}
    return Certificate(
        engine=order.engine,
        introduction={key: introduction[key] for key in ("name", "author", "version") if key in introduction},
        files=identity.program_files(engine),
        specification=identity.specification(),
        suite=identity.suite(suite_version),
        date=date,
        machine=identity.machine(),
        settings={
            "level": order.level,
            "profile": order.profile,
            "concurrency": order.at_once,
            "seed": order.seed,
            **({} if order.fuzz_s is None else {"fuzz_s": order.fuzz_s}),
            "slow": order.slow,
            "thorough": order.thorough,
            "containment": str(engine.sandbox.level),
            "options": dict(engine.options),
        },
        variants=variants,
        findings=tuple(findings),
    )


def _start(engine: EngineSpec, order: CheckOrder) -> tuple[CheckRun, tuple[str, ...]]:
    """Start the engine once: what the checks share, and the variants to check it in, the main one first.

    Where no variant is asked for, these are the ones that it announces. A name may be the file of a user's own variant.
    """
    names = tuple(find(variant_file.named(name)).name for name in order.variants)
    command = Command(engine.command, engine.sandbox)
    settings = CheckSettings(command, dict(engine.options), order.slow, order.thorough, order.seed)
    check_run = CheckRun(settings, names[0] if names else DEFAULT_VARIANT)
    greeting = check_run.contact.greeting
    if greeting is not None:
        for name, value in engine.options.items():
            option = greeting.options.get(name.lower())
            if option is None:
                announced = ", ".join(each.name for each in greeting.options.values()) or "none"
                raise BadArgument(f"the engine has no option {name!r}; it has {announced}")
            if refusal := option.refuses(value):
                raise BadArgument(refusal)
    combo = None if greeting is None else greeting.options.get("ugi_variant")
    if combo is None:
        variants = names or tuple(find(name).name for name in engine.variants) or (DEFAULT_VARIANT,)
    else:
        for name in names:
            rules = find(name)
            if announced_as(rules, combo.choices) is None:
                listed = ", ".join(combo.choices)
                raise BadArgument(f"the engine does not announce {rules.base}; its UGI_Variant has {listed}")
        playable = filter(is_variant, combo.choices)
        variants = names or tuple(sorted(playable, key=lambda choice: choice != combo.default)) or (DEFAULT_VARIANT,)
    check_run.variant = variants[0]
    return check_run, variants


def _repeatable(finding: Finding, command: str, check_run: CheckRun) -> Finding:
    """The finding with the command that repeats its check, if it has evidence. The command begins with `command`."""
    if finding.evidence is None:
        return finding
    settings = check_run.settings
    command += f" --only {finding.id} --variant {shlex.quote(finding.variant or check_run.variant)}"
    command += f" --slow {settings.slow:g}" * (settings.slow != 1)
    command += " --thorough" * settings.thorough
    if finding.id == FUZZ_CHECK:
        command += f" --seed {settings.seed}"
        command += "" if settings.fuzz_s is None else f" --fuzz {settings.fuzz_s:g}"
    return replace(finding, evidence=replace(finding.evidence, repeat=command))
