"""The checker alone: `arena check` for authors who do not have the arena, with the standard library and nothing else.

`make pyz` packs this module and what it imports into one file. It has the options of `arena check` that need neither a
registry nor a database: `arena.conformance.arguments` is the table of both.
"""

import argparse
import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import EnumType
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from arena.config.command_words import absolute_words
from arena.conformance import checked_run, report
from arena.conformance.arguments import Argument, BadArgument, CheckArguments, pairs, readable
from arena.conformance.certificate import identity
from arena.conformance.certificate.certificate import as_values
from arena.conformance.certificate.folder import REPLAY, files
from arena.conformance.certificate.replay_script import HEAD
from arena.conformance.checked_run import CheckedRun, CheckOrder
from arena.conformance.runner import CheckResult
from arena.games.rules import UnknownVariant
from arena.games.variant_file import BadVariantFile
from arena.whole_file import CannotWrite, write_whole
from protocol.containment import trial
from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import CannotStart
from results.safe_text import harmless_lines

FAILED, BAD_INPUT, NO_START = 1, 2, 3
_BAD_INPUT = (BadArgument, CannotWrite, UnknownVariant, BadVariantFile)


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """The engine of the command line."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str]
    sandbox: SandboxPolicy = field(default_factory=SandboxPolicy)
    variants: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def main(arguments: Sequence[str] | None = None, version: str = "") -> int:
    """Check an engine; returns the exit code."""
    asked = CheckArguments(**vars(parser(version).parse_args(arguments)))
    try:
        return _check(asked, version)
    except _BAD_INPUT as error:
        return _refuse(str(error), BAD_INPUT)
    except OSError as error:
        if error.filename is None:
            raise
        return _refuse(f"{os.fsdecode(error.filename)}: {error.strerror}", BAD_INPUT)
    except (CannotStart, trial.CannotContain) as error:
        return _refuse(f"engine {asked.engine!r} cannot be started: {error}", NO_START)
    except KeyboardInterrupt:
        return 130


def parser(version: str) -> argparse.ArgumentParser:
    """The options, as the table has them. `version` is that of the arena."""
    made = argparse.ArgumentParser(
        prog=os.path.basename(sys.argv[0]),
        description="Check that an engine follows the protocol and the rules.",
        epilog="Exit codes: 0 all passed but for warnings, 1 a check failed, 2 bad input, 3 the engine cannot start.",
        allow_abbrev=False,
    )
    types = get_type_hints(CheckArguments, include_extras=True)
    for each in fields(CheckArguments):
        kind, argument = get_args(types[each.name])
        if argument.of == "command":
            continue
        if argument.positional:
            made.add_argument(
                each.name, nargs="?", metavar=argument.metavar, help=argument.checker_help or argument.help
            )
        else:
            flag = argument.flag or f"--{each.name}"
            made.add_argument(flag, dest=each.name, default=each.default, **_reading(kind, argument, each.default))
    made.add_argument("--version", action="version", version=_edition(version))
    return made


def _reading(kind: Any, argument: Argument, default: object) -> dict[str, Any]:
    """How argparse reads an option of this type."""
    if kind is bool:
        return {"action": "store_true", "help": argument.help}
    default_text = f" [default: {default}]" if default not in (None, "") else ""
    way: dict[str, Any] = {"metavar": argument.metavar, "help": argument.help + default_text}
    if NoneType in get_args(kind):
        kind = get_args(kind)[0]
    if kind is int and argument.metavar is None:
        way["metavar"] = "N"
    if get_origin(kind) is list:
        way["action"] = "append"
        (kind,) = get_args(kind)
    if get_origin(kind) is Literal:
        return way | {"choices": get_args(kind)}
    return way | {"type": kind} | ({"choices": list(kind)} if isinstance(kind, EnumType) else {})


def _edition(version: str) -> str:
    specification, suite = identity.specification(), identity.suite(version)
    return (
        f"callanish-arena {version}, specification {specification.version}; "
        f"sha256 of the specification {specification.sha256[:16]}, of the list of checks {suite.sha256[:16]}"
    )


def _check(asked: CheckArguments, version: str) -> int:
    checks = checked_run.chosen(asked)
    if asked.list_all:
        _write("\n".join(report.listed(checks)))
        return 0
    order = CheckOrder(checks, asked)
    order.validate()
    if asked.engine is None:
        raise BadArgument("name the engine to check, or --list to see the checks")
    program = _contained(asked, _program(asked.engine, asked))
    if asked.certificate is not None:
        make_folder(asked.certificate / REPLAY, "--certificate")
    again = [sys.argv[0], asked.engine]
    for flag, values in (("--option", asked.option), ("--env", asked.env), ("--read", asked.read)):
        again += [f"{flag}={value}" for value in values or ()]
    again += [f"--contain={asked.contain}"] if asked.contain else []

    def hear(done: CheckResult, _: Sequence[str]) -> None:
        if asked.verbose and not asked.as_json:
            _write(report.line(done.finding))
            if done.finding.evidence is not None:
                _write("\n".join(report.details(done.finding.evidence)))

    run = checked_run.perform(program, order, shlex.join(again), version, hear, _tell)
    issued = run.certificate
    if asked.as_json:
        _write(json.dumps(as_values(issued), indent=1))
    else:
        rows = [] if asked.verbose else report.brief(issued.findings, None)
        _write("\n".join(row.text for row in [*rows, *report.closing(issued.findings, issued.grades)]))
    if asked.certificate is not None:
        write_certificate(asked.certificate, run)
    return FAILED if run.failed else 0


def _program(engine: str, asked: CheckArguments) -> CheckedProgram:
    path = os.path.expanduser(engine)
    try:
        words = [path] if os.path.isfile(path) else [os.path.expanduser(word) for word in shlex.split(engine)]
    except ValueError:
        raise BadArgument(f"engine {engine!r} cannot be split into words: check its quotes") from None
    program = words[0] if words and os.path.isfile(words[0]) else shutil.which(words[0]) if words else None
    if program is None:
        raise CannotStart("there is no such program: give a path, or a quoted command line")
    command = absolute_words((os.path.abspath(program), *words[1:]), Path.cwd())
    return CheckedProgram(os.path.basename(program), command, pairs(asked.option, "--option"))


def _contained(asked: CheckArguments, program: CheckedProgram) -> CheckedProgram:
    level = asked.contain or (Level.BASIC if sys.platform == "linux" else Level.NONE)
    reads = readable(asked.read)
    if missing := trial.shortfall(level, trial.require(level, explicit=asked.contain is not None)):
        _tell(f"warning: {missing}")
    environment = pairs(asked.env, "--env")
    return replace(
        program, sandbox=SandboxPolicy(level, reads=tuple(map(os.path.abspath, reads)), environment=environment)
    )


def _write(text: str) -> None:
    """Print what may hold the words of an engine. Signs that the output's encoding lacks are escaped."""
    encoding = sys.stdout.encoding or "ascii"
    print(harmless_lines(text).encode(encoding, "backslashreplace").decode(encoding), flush=True)


def _tell(sentence: str) -> None:
    print(harmless_lines(sentence), file=sys.stderr, flush=True)


def _refuse(sentence: str, code: int) -> int:
    _tell(f"error: {sentence}")
    return code


def make_folder(folder: Path, option: str) -> None:
    """Make a folder that is to be written. Raises BadArgument."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadArgument(f"{option} {str(folder)!r} cannot be made ({error.strerror}); name another folder") from None


def write_certificate(folder: Path, run: CheckedRun) -> None:
    """Write the files of a certificate. Raises BadArgument, CannotWrite and OSError."""
    make_folder(folder / REPLAY, "--certificate")
    for old in (folder / REPLAY).glob("*.sh"):
        # A script of an earlier certificate would tell of a failure that may be mended.
        if old.read_bytes().startswith(HEAD.encode()):
            old.unlink()
    for name, text in files(run.certificate, run.scripts).items():
        write_whole(folder / name, text)
