"""`arena check`: does an engine follow SPEC.md? Chooses the checks, runs them and prints the report."""

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from arena.cli import output, wrap
from arena.cli.errors import BadInput, CannotStartEngine, CheckFailed
from arena.cli.option_groups import argument, grouped, option
from arena.cli.options import ContainmentOptions
from arena.cli.output import notify as tell
from arena.whole_file import check_target, write_whole
from results.variant_name import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.conformance.certificate.certificate import Certificate
    from arena.conformance.runner import CheckResult


@grouped
def check(
    engine: Annotated[
        str | None, argument("A registered name, a path, or a quoted command line; options as 'x:Hash=16'.", "ENGINE")
    ] = None,
    *,
    variant: Annotated[
        list[str] | None,
        option("A variant to check, or the TOML file of your own; repeat for more. [default: all that it announces]"),
    ] = None,
    only: Annotated[str, option("Only these checks, such as A3,G1.", "ID,ID")] = "",
    group: Annotated[str, option("Only the checks of these letters, such as B or F,H.", "G")] = "",
    level: Annotated[
        Literal["smoke", "full"], option("smoke: only the quick checks that a tournament begins with, some seconds.")
    ] = "full",
    profile: Annotated[
        Literal["ludii", "otep"] | None, option("Skip what an adapter of this other protocol cannot do.")
    ] = None,
    adapter: Annotated[str, option("Use its protocol: uci, or a TOML file with its words.", "NAME|FILE")] = "",
    slow: Annotated[float, option("Multiply every deadline, for slow machines.", "FACTOR")] = 1.0,
    thorough: Annotated[bool, option("Check more positions, games and measurements.", flag="--thorough")] = False,
    fuzz: Annotated[
        float | None, option("Only compare the rules in random positions (check F10), for this long.", "SECONDS")
    ] = None,
    seed: Annotated[int, option("The seed of the random positions.", "N")] = 1,
    concurrency: Annotated[
        int | None, option("Checks at once. [default: CPU cores, at most 8; twice as many at level smoke]")
    ] = None,
    verbose: Annotated[
        bool, option("Print each check as it ends, and the evidence of every failure.", flag="--verbose")
    ] = False,
    as_json: Annotated[bool, option("Print one JSON object and nothing else to stdout.", flag="--json")] = False,
    junit: Annotated[Path | None, option("Also write the report as JUnit XML.", "FILE")] = None,
    transcript: Annotated[
        Path | None, option("Write the dialogue of each check to a file in this folder.", "DIR")
    ] = None,
    certificate: Annotated[
        Path | None, option("Write a certificate to this folder: JSON, HTML and JUnit.", "DIR")
    ] = None,
    db: Annotated[Path | None, option("Keep the report in this database, which is created if needed.", "FILE")] = None,
    engines: Annotated[Path | None, option("A registry file, in addition to the shipped one and your own.")] = None,
    kind: Annotated[
        str, option("Check the rules of an installed game, such as a plug-in, and no engine.", "NAME")
    ] = "",
    list_all: Annotated[bool, option("List the checks and exit.", flag="--list")] = False,
    containment: ContainmentOptions,
) -> None:
    """Check that an engine follows the protocol and the rules."""
    from arena.config import load
    from arena.config.engine_argument import adapted, engine_argument
    from arena.conformance import checked_run, report
    from arena.conformance.certificate.certificate import as_values, publishable
    from arena.play.trial_start import start_hint
    from arena.version import number
    from protocol.faults import CannotStart

    checks = checked_run.chosen(only, group, level, fuzz is not None)
    if list_all:
        output.echo_lines("\n".join(report.listed(checks)))
        return
    if kind:
        _check_kind(kind)
        return
    if engine is None:
        raise BadInput("name the engine to check, or --list to see the checks")
    order = checked_run.CheckOrder(
        engine, variant or (), checks, level, profile, slow, thorough, fuzz, seed, concurrency
    )
    order.validate()
    sandboxes = containment.parse()
    named = adapted(engine_argument(engine, load.load_registry(engines)), adapter)
    (spec,) = specs = sandboxes.apply([named])
    sandboxes.verify(specs)
    given = [
        ("--adapter", adapter or None),
        ("--engines", engines),
        ("--contain", containment.contain),
        *(("--env", pair) for pair in containment.env or []),
    ]
    given += [("--read", path) for path in containment.read or []]
    command = shlex.join(
        ["arena", "check", engine, *(f"{word}" for pair in given if pair[1] is not None for word in pair)]
    )
    if db is not None:
        _check_database(db)
    for folder, flag in ((transcript, "--transcript"), (certificate, "--certificate")):
        if folder is not None:
            _make_folder(folder, flag)

    def hear(done: "CheckResult", variants: "Sequence[str]") -> None:
        if verbose and not as_json:
            output.echo_sentence(_with_short_names(report.line(done.finding), variants), report.TITLE_AT)
            if done.finding.evidence is not None:
                for line in report.details(done.finding.evidence):
                    _print_evidence(line)
        if transcript is not None and done.engines:
            _write_transcript(transcript, done)

    try:
        issued = checked_run.perform(spec, order, command, number(), hear, tell)
    except CannotStart as error:
        raise CannotStartEngine(f"engine {engine!r} cannot be started: {error}") from error
    if as_json:
        output.echo_lines(json.dumps(as_values(issued), indent=1))
    else:
        rows = [] if verbose else report.brief(issued.findings, wrap.terminal_width(sys.stdout))
        for row in [*rows, *report.closing(issued)]:
            text = _with_short_names(row.text, issued.variants)
            if row.indent is None:
                output.echo(text)
            else:
                output.echo_sentence(text, row.indent)
    if certificate is not None:
        for name, text in _files(issued).items():
            write_whole(certificate / name, publishable(text))
        if not as_json:
            output.echo(f"certificate: {certificate / 'certificate.html'}")
    if db is not None:
        _keep(db, issued)
    if junit is not None:
        write_whole(junit, report.as_junit(engine, issued.findings))
    if issued.failed:
        evidence = [finding.evidence for finding in issued.findings if finding.evidence is not None]
        if hint := start_hint(spec.command, "\n".join(line for each in evidence for line in each.stderr)):
            tell(hint)
        raise CheckFailed


def _check_kind(name: str) -> None:
    """Play random games of a kind of game, and say the first promise that it breaks."""
    from arena.games.kind_check import check
    from arena.games.kinds import installed

    kinds = installed()
    broken = next((each.sentence for each in kinds.broken if each.name == name), None)
    kind = next((each for each in kinds.usable if each.name == name), None)
    if broken is None and kind is None:
        there = ", ".join([*(each.name for each in kinds.usable), *(each.name for each in kinds.broken)])
        raise BadInput(f"--kind {name}: there is no such game; there are {there}")
    if broken is not None or kind is None:
        output.echo_sentence(str(broken))
        raise CheckFailed
    checked = check(kind)
    if checked.wrong:
        output.echo_sentence(f"{name}: {checked.wrong}")
        raise CheckFailed
    output.echo_sentence(f"{name} keeps its promises in {checked}")


def _make_folder(folder: Path, option: str) -> None:
    """Make a folder that is to be written. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option} {str(folder)!r} cannot be made ({error.strerror}); name another folder") from None


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
    from arena.conformance import report

    finding = done.finding
    name = f"{finding.id}-{shown(finding.variant).replace(':', '-')}.txt" if finding.variant else f"{finding.id}.txt"
    write_whole(folder / name, report.written(done.engines))


def _files(issued: "Certificate") -> dict[str, str]:
    """The files of a certificate by their names."""
    from arena.conformance import report
    from arena.conformance.certificate.certificate import as_row, as_values
    from arena.web.render import lone_check
    from results.record import CheckReport

    return {
        "certificate.json": json.dumps(as_values(issued), indent=1) + "\n",
        "certificate.html": lone_check(CheckReport(**as_row(issued))),
        "junit.xml": report.as_junit(issued.engine, issued.findings),
    }


def _check_database(db: Path) -> None:
    """Refuse a file that cannot keep a report, before any work is done for it."""
    from results.store.store import Store

    if db.exists():
        Store.create_or_open(db).close()
    else:
        check_target(db, "--db")


def _keep(db: Path, issued: "Certificate") -> None:
    from arena.conformance.certificate.certificate import as_row
    from results.record import CheckReport
    from results.store.store import Store

    with Store.create_or_open(db) as store:
        store.add_check_report(CheckReport(**as_row(issued)))
