"""`arena check`: does an engine follow SPEC.md? Chooses the checks, runs them and prints the report."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli import output
from arena.cli.containment_options import Contain, ContainmentOptions, Environment, Reads
from arena.cli.errors import BadInput, CannotStartEngine, CheckFailed
from arena.cli.output import notify as tell
from arena.whole_file import check_target, write_whole
from results.variant_name import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.verification.certificate.certificate import Certificate
    from protocol.conformance.check import Finding
    from protocol.conformance.runner import CheckResult


def check(
    engine: Annotated[
        str | None,
        typer.Argument(
            metavar="ENGINE", help="A registered name, a path, or a quoted command line; options as 'x:Hash=16'."
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            help="A variant to check, or the TOML file of your own; repeat for more. [default: all that it announces]"
        ),
    ] = None,
    only: Annotated[str, typer.Option(metavar="ID,ID", help="Only these checks, such as A3,G1.")] = "",
    group: Annotated[str, typer.Option(metavar="G", help="Only the checks of these letters, such as B or F,H.")] = "",
    level: Annotated[
        Literal["smoke", "full"],
        typer.Option(help="smoke: only the quick checks that a tournament begins with, about 2 s."),
    ] = "full",
    profile: Annotated[
        Literal["ludii", "otep"] | None,
        typer.Option(help="Skip what an adapter of this other protocol cannot do."),
    ] = None,
    slow: Annotated[float, typer.Option(metavar="FACTOR", help="Multiply every deadline, for slow machines.")] = 1.0,
    thorough: Annotated[bool, typer.Option("--thorough", help="Check more positions, games and measurements.")] = False,
    fuzz: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Compare the rules in random positions for so long (check F10), and check no more."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random positions.")] = 1,
    concurrency: Annotated[
        int | None, typer.Option(help="Checks at once. [default: CPU cores, at most 8; twice as many at level smoke]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else to stdout.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the report as JUnit XML.")] = None,
    transcript: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the dialogue of each check to a file in this folder.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a certificate to this folder: JSON, HTML, JUnit, a badge, replays."),
    ] = None,
    db: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the report in this database; made where there is none.")
    ] = None,
    engines: Annotated[
        Path | None, typer.Option(help="A registry file, in addition to the shipped one and your own.")
    ] = None,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the checks and exit.")] = False,
) -> None:
    """Check that an engine follows the protocol and the rules."""
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.play.start_hint import start_hint
    from arena.verification import checked_run, engine_check
    from arena.verification.certificate.certificate import as_values
    from arena.version import number
    from protocol.conformance import catalogue, report
    from protocol.faults import CannotStart

    try:
        checks = checked_run.choose(_words(only), _words(group), level, fuzz)
    except catalogue.UnknownCheck as error:
        raise BadInput(str(error)) from None
    if list_all:
        output.echo_lines("\n".join(report.listed(checks)))
        return
    if engine is None:
        raise BadInput("name the engine to check, or --list to see the checks")
    order = checked_run.CheckOrder(
        checks, tuple(variant or ()), level, slow, thorough, seed, fuzz, concurrency, profile
    )
    try:
        order.validate()
    except checked_run.BadOrder as error:
        raise BadInput(str(error)) from None
    box = ContainmentOptions(contain, env, read).parse()
    (spec,) = specs = box.apply([engine_argument(engine, load.load_registry(engines))])
    box.verify(specs, tell)
    given = [("--engines", engines), ("--contain", contain), *(("--env", pair) for pair in env or [])]
    given += [("--read", path) for path in read or []]
    command = shlex.join(
        ["arena", "check", engine, *(f"{word}" for pair in given if pair[1] is not None for word in pair)]
    )
    if db is not None:
        _check_database(db)
    for folder, option in ((transcript, "--transcript"), (certificate, "--certificate")):
        if folder is not None:
            _make_folder(folder, option)

    def hear(done: "CheckResult", variants: "Sequence[str]") -> None:
        if not as_json:
            output.echo_sentence(_with_short_names(report.line(done.finding), variants), report.TITLE_AT)
            if done.finding.evidence is not None:
                for line in report.details(done.finding.evidence):
                    _print_evidence(line)
        if transcript is not None and done.engines:
            _write_transcript(transcript, done)

    try:
        run = checked_run.perform(engine, spec, order, command, number(), hear, tell)
    except engine_check.NotAnnounced as error:
        raise BadInput(str(error)) from None
    except CannotStart as error:
        raise CannotStartEngine(f"engine {engine!r} cannot be started: {error}") from error
    issued = run.certificate
    if as_json:
        output.echo_lines(json.dumps(as_values(issued), indent=1))
    else:
        output.echo_sentence(report.summary(issued.findings))
        output.echo_sentence("; ".join(f"{area}: {each}" for area, each in issued.grades.items()))
    if certificate is not None:
        _write_certificate(certificate, issued, run.scripts)
        if not as_json:
            output.echo(f"certificate: {certificate / 'certificate.html'}")
    if db is not None:
        _keep(db, issued)
    if junit is not None:
        write_whole(junit, report.as_junit(engine, issued.findings))
    if run.failed:
        evidence = [found.evidence for found in issued.findings if found.evidence is not None]
        if hint := start_hint(spec.command, "\n".join(line for each in evidence for line in each.stderr)):
            tell(hint)
        raise CheckFailed


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _print_evidence(line: str) -> None:
    """Print a line of evidence. What was said, and a command, are never broken."""
    if line.split(maxsplit=1)[0] in ("seen", "demand", "likely"):
        output.echo_sentence(line, 14)
    else:
        output.echo(line)


def _with_short_names(line: str, variants: "Sequence[str]") -> str:
    """The line with the short names of users' own variants."""
    for name in variants:
        line = line.replace(name, shown(name))
    return line


def _write_transcript(folder: Path, done: "CheckResult") -> None:
    from protocol.conformance import report

    finding = done.finding
    name = f"{finding.id}-{shown(finding.variant).replace(':', '-')}.txt" if finding.variant else f"{finding.id}.txt"
    write_whole(folder / name, report.written(done.engines))


def _make_folder(folder: Path, option: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option} {str(folder)!r} cannot be made ({error.strerror}); name another folder") from None


def _write_certificate(folder: Path, issued: "Certificate", scripts: "Mapping[Finding, str]") -> None:
    from arena.verification.certificate.folder import REPLAY, files
    from arena.verification.certificate.replay_script import HEAD

    _make_folder(folder / REPLAY, "--certificate")
    for old in (folder / REPLAY).glob("*.sh"):
        # A script of an earlier certificate would tell of a failure that may be mended.
        if old.read_bytes().startswith(HEAD.encode()):
            old.unlink()
    for name, text in files(issued, scripts).items():
        write_whole(folder / name, text)


def _check_database(db: Path) -> None:
    """Refuse a file that cannot keep a report, before any work is done for it."""
    from results.store.store import Store

    if db.exists():
        Store.create_or_open(db, tell).close()
    else:
        check_target(db, "--db")


def _keep(db: Path, issued: "Certificate") -> None:
    from arena.verification.certificate.certificate import stored
    from results.store.store import Store

    with Store.create_or_open(db, tell) as store:
        store.add_check_report(stored(issued))
