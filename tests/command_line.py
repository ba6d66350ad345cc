"""The command line, run in the process of the tests.

A process of a user's builds one command and runs it once. To build it costs as much as to run it, and what it has built
keeps nothing of a run: so it is built once here, however often it is run.
"""

import functools

import typer.testing
from typer.main import get_command

from arena.cli import app


@functools.cache
def program(named: str | None = None) -> typer.Typer:
    """`arena.cli.app.program`, once for each command. Not for completion, which depends on the environment."""
    return app.program(named)


# What its CliRunner makes a program of, at each run.
setattr(typer.testing, "_get_command", functools.cache(get_command))  # noqa: B010
