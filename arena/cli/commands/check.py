"""`arena check`: is an engine what SPEC.md asks for? Chooses the checks, runs them, prints the report."""

import json
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput, CannotStartEngine, CheckFailed
from arena.cli.output import write_whole

if TYPE_CHECKING:
    from arena.play.jobs import EngineSpec
    from protocol.conformance.check import Check, Finding
    from protocol.conformance.context import CheckRun
    from protocol.conformance.runner import CheckResult

DEFAULT_VARIANT = "callanish-9"


def check(
    engine: Annotated[
        str | None,
        typer.Argument(
            metavar="ENGINE", help="A registered name, a path, or a quoted command line; options as 'x:Hash=16'."
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(help="What to check it in, more than once for several. [default: all it announces]"),
    ] = None,
    only: Annotated[str, typer.Option(metavar="ID,ID", help="Only these checks, such as A3,G1.")] = "",
    group: Annotated[str, typer.Option(metavar="G", help="Only the checks of these letters, such as B or F,H.")] = "",
    level: Annotated[
        Literal["smoke", "full"], typer.Option(help="smoke: what a tournament asks first, in two seconds.")
    ] = "full",
    slow: Annotated[float, typer.Option(metavar="FACTOR", help="Multiply every deadline, for slow machines.")] = 1.0,
    thorough: Annotated[bool, typer.Option("--thorough", help="More positions, games and measurements.")] = False,
    concurrency: Annotated[
        int | None, typer.Option(help="Checks at once. [default: CPU cores, at most 8; twice as many at level smoke]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the report as JUnit XML.")] = None,
    transcript: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write what was said in each check to a file there.")
    ] = None,
    engines: Annotated[
        Path | None, typer.Option(help="A registry file beside the shipped and your own engines.")
    ] = None,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the checks and leave.")] = False,
) -> None:
    """Check that an engine keeps to the protocol and the rules."""
    from protocol.conformance import catalogue, report
    from protocol.faults import CannotStart

    try:
        checks = catalogue.choose(_words(only), _words(group), level)
    except catalogue.UnknownCheck as unknown:
        raise BadInput(f"{unknown}") from None
    if list_all:
        typer.echo("\n".join(report.listed(checks)))
        return
    if engine is None:
        raise BadInput("name the engine to check, or --list to see the checks")
    if slow <= 0:
        raise BadInput(f"--slow multiplies deadlines and is more than 0, not {slow:g}")
    if concurrency is not None and concurrency < 1:
        raise BadInput(f"--concurrency is 1 or more, not {concurrency}")
    ours = [each.id for each in checks if each.function is None]
    if len(ours) == len(checks):
        raise BadInput(f"{', '.join(ours)}: the subject is the referee itself; `arena check --list` names the tests")
    spec = _boxed(engine, engines, Containment(contain, env or [], read or []))
    # The checks of the first level wait more than they reckon, and their deadlines are wide.
    at_once = concurrency or min(os.cpu_count() or 1, 8) * (2 if level == "smoke" else 1)
    given = [("--engines", engines), ("--contain", contain), *(("--env", pair) for pair in env or [])]
    given += [("--read", path) for path in read or []]
    again = ["arena", "check", engine, *(f"{word}" for pair in given if pair[1] is not None for word in pair)]
    try:
        findings = _conduct(
            again, spec, tuple(variant or ()), checks, slow, thorough, at_once, transcript, quiet=as_json
        )
    except CannotStart as refused:
        raise CannotStartEngine(f"engine {engine!r} cannot be started: {refused}") from refused
    if as_json:
        typer.echo(json.dumps(report.as_values(engine, findings), indent=1))
    else:
        typer.echo(report.summary(findings))
    if junit is not None:
        write_whole(junit, report.as_junit(engine, findings))
    if any(finding.verdict in ("fail", "error") for finding in findings):
        raise CheckFailed


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _boxed(engine: str, registry: Path | None, box: Containment) -> "EngineSpec":
    """The engine in its box, which this machine must be able to make."""
    from arena.config import load

    specs = box.around([load.engine_argument(engine, load.load_registry(registry))])
    box.proven(specs)
    return specs[0]


def _conduct(
    again: list[str],
    spec: "EngineSpec",
    asked: tuple[str, ...],
    checks: "tuple[Check, ...]",
    slow: float,
    thorough: bool,
    concurrency: int,
    transcripts: Path | None,
    *,
    quiet: bool,
) -> "list[Finding]":
    """`again`: the command, as far as it does not say what to check. Raises CannotStart, BadInput."""
    from protocol.conformance import report, runner

    if transcripts is not None:
        transcripts.mkdir(parents=True, exist_ok=True)
    findings = []
    lab, variants = _lab(spec, asked, slow, thorough)
    todo = runner.tasks(checks, variants, lab.variant)
    for done in runner.run(lab, todo, concurrency):
        finding = _repeatable(done.finding, again, lab)
        findings.append(finding)
        if not quiet:
            typer.echo(report.line(finding))
            if finding.evidence is not None:
                typer.echo("\n".join(report.details(finding.evidence)))
        if transcripts is not None and done.engines:
            _keep(transcripts, done)
    return findings


def _lab(spec: "EngineSpec", asked: tuple[str, ...], slow: float, thorough: bool) -> "tuple[CheckRun, tuple[str, ...]]":
    """What the checks share, and the variants to check the rules in. Raises CannotStart, BadInput."""
    from arena.games.variants import find
    from arena.verification.rules_oracle import RulesJudge
    from protocol.conformance.context import CheckRun, CheckSettings
    from protocol.process import Command

    judge = RulesJudge()
    names = tuple(find(name).name for name in asked)
    command = Command(spec.command, spec.box)
    terms = CheckSettings(command, dict(spec.options), judge, slow, thorough)
    lab = CheckRun(terms, names[0] if names else DEFAULT_VARIANT)
    greeting = lab.contact.greeting
    combo = None if greeting is None else greeting.options.get("ugi_variant")
    if combo is None:
        # It plays what its registration says, or else what was asked for.
        chosen = names or tuple(find(name).name for name in spec.variants) or (DEFAULT_VARIANT,)
    else:
        for name in names:
            base, _ = judge.wire(name)
            if base not in combo.choices and judge.drawn(combo.choices, name) is None:
                raise BadInput(f"the engine does not announce {base}; its UGI_Variant has {', '.join(combo.choices)}")
        announced = tuple(choice for choice in combo.choices if judge.knows(choice))
        first = tuple(choice for choice in announced if choice == combo.default)
        chosen = names or (*first, *(choice for choice in announced if choice not in first)) or (DEFAULT_VARIANT,)
    lab.variant = chosen[0]
    return lab, chosen


def _repeatable(finding: "Finding", again: list[str], lab: "CheckRun") -> "Finding":
    if finding.evidence is None:
        return finding
    command = f"{shlex.join(again)} --only {finding.id} --variant {finding.variant or lab.variant}"
    command += f" --slow {lab.settings.slow:g}" * (lab.settings.slow != 1) + " --thorough" * lab.settings.thorough
    return replace(finding, evidence=replace(finding.evidence, repeat=command))


def _keep(folder: Path, done: "CheckResult") -> None:
    from protocol.conformance import report

    finding = done.finding
    name = f"{finding.id}-{finding.variant.replace(':', '-')}.txt" if finding.variant else f"{finding.id}.txt"
    write_whole(folder / name, report.written(done.engines))
