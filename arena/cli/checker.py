"""The checker alone: `arena check` for authors who do not have the arena, with the standard library and nothing else.

`make pyz` packs this module and what it imports into one file. It has the options of `arena check` that need neither a
registry nor a database.
"""

import argparse
import contextlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.config.command_words import absolute_words
from arena.conformance import catalogue, checked_run, engine_check, report
from arena.conformance.certificate import identity
from arena.conformance.certificate.certificate import as_values
from arena.conformance.certificate.folder import files
from arena.conformance.checked_run import CheckOrder
from arena.conformance.runner import CheckResult
from arena.games.rules import UnknownVariant
from arena.games.variant_file import BadVariantFile
from arena.play.jobs import EngineSpec
from protocol.containment import probe
from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import CannotStart
from results.safe_text import harmless_lines

FAILED, BAD_INPUT, NO_START = 1, 2, 3


class BadArgument(Exception):
    """The command line cannot be used: one sentence with the remedy."""


_BAD_INPUT = (
    BadArgument,
    checked_run.BadOrder,
    catalogue.UnknownCheck,
    UnknownVariant,
    BadVariantFile,
    engine_check.NotAnnounced,
)


def main(arguments: Sequence[str] | None = None, version: str = "") -> int:
    """Check an engine; returns the exit code."""
    asked = parser(version).parse_args(arguments)
    try:
        return _check(asked, version)
    except _BAD_INPUT as error:
        return _refuse(str(error), BAD_INPUT)
    except (CannotStart, probe.CannotContain) as error:
        return _refuse(f"engine {asked.engine!r} cannot be started: {error}", NO_START)
    except KeyboardInterrupt:
        return 130


def parser(version: str) -> argparse.ArgumentParser:
    """The options. `version` is that of the arena."""
    made = argparse.ArgumentParser(
        prog=os.path.basename(sys.argv[0]),
        description="Check that an engine follows the protocol and the rules.",
        epilog="Exit codes: 0 all passed but for warnings, 1 a check failed, 2 bad input, 3 the engine cannot start.",
        allow_abbrev=False,
    )
    add = made.add_argument
    add("engine", nargs="?", metavar="ENGINE", help="a path, or a quoted command line")
    add("--variant", action="append", default=[], help="a variant to check, or the TOML file of your own; repeat it")
    add("--only", default="", metavar="ID,ID", help="only these checks, such as A3,G1")
    add("--group", default="", metavar="G", help="only the checks of these letters, such as B or F,H")
    add("--level", choices=("smoke", "full"), default="full", help="smoke: only the quick checks, about 2 s")
    add("--slow", type=float, default=1.0, metavar="FACTOR", help="multiply every deadline, for slow machines")
    add("--thorough", action="store_true", help="check more positions, games and measurements")
    add(
        "--fuzz",
        type=float,
        metavar="SECONDS",
        help="compare the rules in random positions for so long (check F10), and check no more",
    )
    add(
        "--seed",
        type=int,
        default=engine_check.DEFAULT_SEED,
        metavar="N",
        help="the seed of the random positions (default: 1)",
    )
    add("--concurrency", type=int, metavar="N", help="checks at once (default: CPU cores, at most 8)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the engine; repeat it")
    add("--json", action="store_true", help="print one JSON object and nothing else to stdout")
    add("--certificate", type=Path, metavar="DIR", help="write JSON, HTML, JUnit, a badge and replays to this folder")
    add(
        "--contain", type=Level, choices=list(Level), help="none, basic or strict (default: basic where there is Linux)"
    )
    add("--env", action="append", default=[], metavar="NAME=VALUE", help="a variable for the engine; repeat it")
    add("--read", action="append", default=[], metavar="PATH", help="a path that the engine may read; repeat it")
    add("--list", action="store_true", help="list the checks and exit")
    add("--version", action="version", version=_edition(version))
    return made


def _edition(version: str) -> str:
    specification, suite = identity.specification(), identity.suite(version)
    return (
        f"callanish-arena {version}, specification {specification.version}; "
        f"sha256 of the specification {specification.sha256[:16]}, of the list of checks {suite.sha256[:16]}"
    )


def _check(asked: argparse.Namespace, version: str) -> int:
    checks = checked_run.choose(_words(asked.only), _words(asked.group), asked.level, asked.fuzz)
    if asked.list:
        _write("\n".join(report.listed(checks)))
        return 0
    order = CheckOrder(
        checks,
        tuple(asked.variant),
        asked.level,
        asked.slow,
        asked.thorough,
        asked.seed,
        asked.fuzz,
        asked.concurrency,
    )
    order.validate()
    spec = _contained(asked, _spec(asked))
    if asked.certificate is not None:
        _make_folder(asked.certificate / "replay")
    again = [sys.argv[0], asked.engine]
    again += [f"--{key}={value}" for key in ("option", "env", "read") for value in getattr(asked, key)]
    again += [f"--contain={asked.contain}"] if asked.contain else []

    def hear(done: CheckResult, _: Sequence[str]) -> None:
        if not asked.json:
            _write(report.line(done.finding))
            if done.finding.evidence is not None:
                _write("\n".join(report.details(done.finding.evidence)))

    run = checked_run.perform(asked.engine, spec, order, shlex.join(again), version, hear, _tell)
    issued = run.certificate
    if asked.json:
        _write(json.dumps(as_values(issued), indent=1))
    else:
        _write(report.summary(issued.findings))
        _write("; ".join(f"{area}: {grade}" for area, grade in issued.grades.items()))
    if asked.certificate is not None:
        for name, text in files(issued, run.scripts).items():
            _replace(asked.certificate / name, text)
    return FAILED if run.failed else 0


def _spec(asked: argparse.Namespace) -> EngineSpec:
    if asked.engine is None:
        raise BadArgument("name the engine to check, or --list to see the checks")
    path = os.path.expanduser(asked.engine)
    try:
        words = [path] if os.path.isfile(path) else [os.path.expanduser(word) for word in shlex.split(asked.engine)]
    except ValueError:
        raise BadArgument(f"engine {asked.engine!r} cannot be split into words: check its quotes") from None
    program = words[0] if words and os.path.isfile(words[0]) else shutil.which(words[0]) if words else None
    if program is None:
        raise CannotStart("there is no such program: give a path, or a quoted command line")
    command = absolute_words((os.path.abspath(program), *words[1:]), Path.cwd())
    return EngineSpec(os.path.basename(program), command, options=_pairs(asked.option, "--option"))


def _contained(asked: argparse.Namespace, spec: EngineSpec) -> EngineSpec:
    level = asked.contain or (Level.BASIC if sys.platform == "linux" else Level.NONE)
    for path in asked.read:
        if not os.path.exists(path):
            raise BadArgument(f"--read {path}: there is no such file or folder; check the path")
    if missing := probe.shortfall(level, probe.require(level, explicit=asked.contain is not None)):
        _tell(f"warning: {missing}")
    reads = tuple(map(os.path.abspath, asked.read))
    box = SandboxPolicy(level, reads=reads, environment=_pairs(asked.env, "--env"))
    return replace(spec, box=box)


def _pairs(given: Sequence[str], option: str) -> dict[str, str]:
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise BadArgument(f"{option} {text!r} cannot be read: write NAME=VALUE")
        found[name] = value
    return found


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _write(text: str) -> None:
    """Print what may hold the words of an engine. Signs that the output's encoding lacks are escaped."""
    encoding = sys.stdout.encoding or "ascii"
    print(harmless_lines(text).encode(encoding, "backslashreplace").decode(encoding), flush=True)


def _tell(sentence: str) -> None:
    print(harmless_lines(sentence), file=sys.stderr, flush=True)


def _refuse(sentence: str, code: int) -> int:
    _tell(f"error: {sentence}")
    return code


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadArgument(f"--certificate: the folder {str(folder)!r} cannot be made: {error.strerror}") from None


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise BadArgument(f"{str(path)!r} cannot be written: {error.strerror}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
