"""Runs the conformance checks against one engine, in the variants that it plays."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.conformance import runner
from arena.conformance.check import Check, Finding
from arena.conformance.check_estimate import CheckEstimate
from arena.conformance.context import CheckRun, CheckSettings, announced_as
from arena.conformance.profiles import PROFILES
from arena.conformance.runner import CheckResult
from arena.games import variant_file
from arena.games.variants import find, is_variant
from arena.play.jobs import EngineSpec
from protocol.process import Command
from results.last_words import last_words

DEFAULT_VARIANT = "callanish-9"
DEFAULT_SEED = 1
"""The seed of the random positions."""
FUZZ_CHECK = "F10"
"""The check that compares the rules in random positions."""


class NotAnnounced(Exception):
    """The engine does not announce a variant that it should be checked in."""


def start(
    spec: EngineSpec, names: Sequence[str], slow: float, thorough: bool, seed: int = DEFAULT_SEED
) -> tuple[CheckRun, tuple[str, ...]]:
    """Start the engine once: what the checks share, and the variants to check it in, the main one first.

    Without `names` these are the variants that it announces. A name may be the file of a user's own variant. Raises
    CannotStart, UnknownVariant, BadVariantFile and NotAnnounced.
    """
    asked = tuple(find(variant_file.named(name)).name for name in names)
    command = Command(spec.command, spec.box)
    settings = CheckSettings(command, dict(spec.options), slow, thorough, seed, last_words=last_words)
    check_run = CheckRun(settings, asked[0] if asked else DEFAULT_VARIANT)
    greeting = check_run.contact.greeting
    combo = None if greeting is None else greeting.options.get("ugi_variant")
    if combo is None:
        variants = asked or tuple(find(name).name for name in spec.variants) or (DEFAULT_VARIANT,)
    else:
        for name in asked:
            rules = find(name)
            if announced_as(rules, combo.choices) is None:
                listed = ", ".join(combo.choices)
                raise NotAnnounced(f"the engine does not announce {rules.base}; its UGI_Variant has {listed}")
        known = (choice for choice in combo.choices if is_variant(choice))
        variants = asked or tuple(sorted(known, key=lambda choice: choice != combo.default)) or (DEFAULT_VARIANT,)
    check_run.variant = variants[0]
    return check_run, variants


def run(
    check_run: CheckRun,
    variants: Sequence[str],
    checks: Sequence[Check],
    concurrency: int,
    command: str,
    fuzz_s: float | None = None,
    profile: str | None = None,
) -> Iterator[CheckResult]:
    """Run the checks. A finding with evidence has the command that repeats its check, which begins with `command`.

    `fuzz_s` is the time for random positions, which the variants share; None is a small number of them. `profile` names
    the other protocol whose engine is checked behind an adapter: what that cannot do is skipped.
    """
    if fuzz_s is not None:
        # So many variants at once are checked, so each may take that much longer.
        each_s = fuzz_s * min(concurrency, len(variants)) / len(variants)
        check_run.settings = replace(check_run.settings, fuzz_s=each_s)
    left_out = PROFILES[profile] if profile is not None else {}
    for done in runner.run(check_run, runner.tasks(checks, variants, check_run.variant), concurrency, left_out):
        yield replace(done, finding=_repeatable(done.finding, command, check_run))


def estimate(check_run: CheckRun, variants: Sequence[str], checks: Sequence[Check], concurrency: int) -> CheckEstimate:
    """How long `run` will take."""
    greeting = check_run.contact.greeting
    start_ms = 0.0 if greeting is None else greeting.elapsed_ms
    return CheckEstimate(runner.tasks(checks, variants, check_run.variant), concurrency, start_ms)


def _repeatable(finding: Finding, command: str, check_run: CheckRun) -> Finding:
    if finding.evidence is None:
        return finding
    command += f" --only {finding.id} --variant {shlex.quote(finding.variant or check_run.variant)}"
    command += f" --slow {check_run.settings.slow:g}" * (check_run.settings.slow != 1)
    command += " --thorough" * check_run.settings.thorough
    if finding.id == FUZZ_CHECK:
        command += f" --seed {check_run.settings.seed}"
        command += "" if check_run.settings.fuzz_s is None else f" --fuzz {check_run.settings.fuzz_s:g}"
    return replace(finding, evidence=replace(finding.evidence, repeat=command))
