"""The arguments of `arena check`: names, defaults and help. `arena.cli.option_groups` shows the table to typer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from protocol.containment.policy import Level


@dataclass(frozen=True, slots=True)
class Argument:
    """What is said of an argument on the command line."""

    help: str
    metavar: str | None = None
    flag: str | None = None
    """The option, where it is not the field's name."""
    panel: str | None = None
    """The heading in the help of `arena check`."""
    positional: bool = False


class BadArgument(Exception):
    """An argument cannot be used: one sentence with the remedy."""

    exit_code = 2


CONTAIN = Argument(
    "How engines are kept from the machine: none, basic or strict. [default: basic]",
    flag="--contain",
    panel="Containment",
)
ENVIRONMENT = Argument(
    "Add a variable to the environment of every engine.", "NAME=VALUE", flag="--env", panel="Containment"
)
READS = Argument("A path that every engine may read beside its own.", "PATH", flag="--read", panel="Containment")


@dataclass(frozen=True, slots=True)
class CheckArguments:
    """What is asked for, as it was given."""

    engine: Annotated[
        str | None,
        Argument(
            "A registered name, a path, or a quoted command line; options as 'x:Hash=16'.", "ENGINE", positional=True
        ),
    ] = None
    variant: Annotated[
        list[str] | None,
        Argument("A variant to check, or the TOML file of your own; repeat for more. [default: all that it announces]"),
    ] = None
    only: Annotated[str, Argument("Only these checks, such as A3,G1.", "ID,ID")] = ""
    group: Annotated[str, Argument("Only the checks of these letters, such as B or F,H.", "G")] = ""
    level: Annotated[
        Literal["smoke", "full"],
        Argument("smoke: only the quick checks that a tournament begins with, about 2 s."),
    ] = "full"
    profile: Annotated[
        Literal["ludii", "otep"] | None,
        Argument("Skip what an adapter of this other protocol cannot do."),
    ] = None
    adapter: Annotated[
        str,
        Argument("Speak to it in other words: uci, or a TOML file with those of your engine.", "NAME|FILE"),
    ] = ""
    slow: Annotated[float, Argument("Multiply every deadline, for slow machines.", "FACTOR")] = 1.0
    thorough: Annotated[bool, Argument("Check more positions, games and measurements.", flag="--thorough")] = False
    fuzz: Annotated[
        float | None,
        Argument("Compare the rules in random positions for so long (check F10), and check no more.", "SECONDS"),
    ] = None
    seed: Annotated[int, Argument("The seed of the random positions.", "N")] = 1
    concurrency: Annotated[
        int | None, Argument("Checks at once. [default: CPU cores, at most 8; twice as many at level smoke]")
    ] = None
    verbose: Annotated[
        bool, Argument("Print each check as it ends, and the evidence of every failure.", flag="--verbose")
    ] = False
    as_json: Annotated[bool, Argument("Print one JSON object and nothing else to stdout.", flag="--json")] = False
    junit: Annotated[Path | None, Argument("Also write the report as JUnit XML.", "FILE")] = None
    transcript: Annotated[
        Path | None,
        Argument("Write the dialogue of each check to a file in this folder.", "DIR"),
    ] = None
    certificate: Annotated[
        Path | None, Argument("Write a certificate to this folder: JSON, HTML and JUnit.", "DIR")
    ] = None
    db: Annotated[
        Path | None,
        Argument("Keep the report in this database; made where there is none.", "FILE"),
    ] = None
    engines: Annotated[Path | None, Argument("A registry file, in addition to the shipped one and your own.")] = None
    contain: Annotated[Level | None, CONTAIN] = None
    env: Annotated[list[str] | None, ENVIRONMENT] = None
    read: Annotated[list[Path] | None, READS] = None
    kind: Annotated[
        str, Argument("Check the rules of an installed game, such as a plug-in, and no engine.", "NAME")
    ] = ""
    list_all: Annotated[bool, Argument("List the checks and exit.", flag="--list")] = False


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """The values of an option that is given as NAME=VALUE. Raises BadArgument."""
    values = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise BadArgument(f"{option} {text!r} cannot be read: write NAME=VALUE")
        if name in values:
            raise BadArgument(f"{option} gives {name} twice: leave out one of the two")
        values[name] = value
    return values


def readable(paths: Sequence[Path] | None) -> Sequence[Path]:
    """The paths of `--read`, all of which are there. Raises BadArgument."""
    for path in paths or ():
        if not path.exists():
            raise BadArgument(f"--read {path}: there is no such file or folder; check the path")
    return paths or ()
