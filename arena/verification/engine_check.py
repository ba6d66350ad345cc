"""Runs the conformance checks against one engine, in the variants that it plays."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.games.variants import find
from arena.play.jobs import EngineSpec
from arena.verification.rules_oracle import RulesJudge
from protocol.conformance import runner
from protocol.conformance.bench import Lab, Terms
from protocol.conformance.check import Check, Finding
from protocol.conformance.runner import Done
from protocol.process import Command

DEFAULT_VARIANT = "callanish-9"


class NotAnnounced(Exception):
    """The engine does not announce a variant that it should be checked in."""


def start(spec: EngineSpec, names: Sequence[str], slow: float, thorough: bool) -> tuple[Lab, tuple[str, ...]]:
    """Start the engine once: what the checks share, and the variants to check it in, the main one first.

    Without `names` these are the variants that it announces. Raises CannotStart, UnknownVariant and NotAnnounced.
    """
    judge = RulesJudge()
    asked = tuple(find(name).name for name in names)
    terms = Terms(Command(spec.command, spec.box), dict(spec.options), judge, slow, thorough)
    lab = Lab(terms, asked[0] if asked else DEFAULT_VARIANT)
    greeting = lab.contact.greeting
    combo = None if greeting is None else greeting.options.get("ugi_variant")
    if combo is None:
        variants = asked or tuple(find(name).name for name in spec.variants) or (DEFAULT_VARIANT,)
    else:
        for name in asked:
            base, _ = judge.wire(name)
            if base not in combo.choices and judge.drawn(combo.choices, name) is None:
                listed = ", ".join(combo.choices)
                raise NotAnnounced(f"the engine does not announce {base}; its UGI_Variant has {listed}")
        known = (choice for choice in combo.choices if judge.knows(choice))
        variants = asked or tuple(sorted(known, key=lambda choice: choice != combo.default)) or (DEFAULT_VARIANT,)
    lab.variant = variants[0]
    return lab, variants


def run(lab: Lab, variants: Sequence[str], checks: Sequence[Check], concurrency: int, command: str) -> Iterator[Done]:
    """Run the checks. A finding with evidence has the command that repeats its check, which begins with `command`."""
    for done in runner.run(lab, runner.tasks(checks, variants, lab.variant), concurrency):
        yield replace(done, finding=_repeatable(done.finding, command, lab))


def _repeatable(finding: Finding, command: str, lab: Lab) -> Finding:
    if finding.evidence is None:
        return finding
    command += f" --only {finding.id} --variant {finding.variant or lab.variant}"
    command += f" --slow {lab.terms.slow:g}" * (lab.terms.slow != 1) + " --thorough" * lab.terms.thorough
    return replace(finding, evidence=replace(finding.evidence, repeat=command))
