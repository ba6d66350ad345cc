"""The arguments of `arena check`: names, defaults and help. `arena.cli.option_groups` shows the table to typer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal


@dataclass(frozen=True, slots=True)
class Argument:
    """What is said of an argument on the command line."""

    help: str
    metavar: str | None = None
    flag: str | None = None
    """The option, where it is not the field's name."""
    positional: bool = False


class BadArgument(Exception):
    """An argument cannot be used: one sentence with the remedy."""

    exit_code = 2


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
        Literal["smoke", "full"], Argument("smoke: only the quick checks that a tournament begins with, about 2 s.")
    ] = "full"
    profile: Annotated[
        Literal["ludii", "otep"] | None, Argument("Skip what an adapter of this other protocol cannot do.")
    ] = None
    adapter: Annotated[str, Argument("Use its protocol: uci, or a TOML file with its words.", "NAME|FILE")] = ""
    slow: Annotated[float, Argument("Multiply every deadline, for slow machines.", "FACTOR")] = 1.0
    thorough: Annotated[bool, Argument("Check more positions, games and measurements.", flag="--thorough")] = False
    fuzz: Annotated[
        float | None, Argument("Only compare the rules in random positions (check F10), for this long.", "SECONDS")
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
        Path | None, Argument("Write the dialogue of each check to a file in this folder.", "DIR")
    ] = None
    certificate: Annotated[
        Path | None, Argument("Write a certificate to this folder: JSON, HTML and JUnit.", "DIR")
    ] = None
    db: Annotated[Path | None, Argument("Keep the report in this database, which is created if needed.", "FILE")] = None
    engines: Annotated[Path | None, Argument("A registry file, in addition to the shipped one and your own.")] = None
    kind: Annotated[
        str, Argument("Check the rules of an installed game, such as a plug-in, and no engine.", "NAME")
    ] = ""
    list_all: Annotated[bool, Argument("List the checks and exit.", flag="--list")] = False
