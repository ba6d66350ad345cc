"""The command line, run in the process of the tests.

A process of a user's builds one command and runs it once. To build it costs as much as to run it, and what it has built
keeps nothing of a run: so it is built once here, however often it is run.
"""

import functools
from pathlib import Path
from typing import Any

import typer.testing
from typer.main import get_command
from typer.testing import CliRunner, Result

from arena.cli import app


@functools.cache
def program() -> typer.Typer:
    """`arena.cli.app.program`, once. Not for completion, which depends on the environment."""
    return app.program()


# What its CliRunner makes a program of, at each run.
setattr(typer.testing, "_get_command", functools.cache(get_command))  # noqa: B010


@functools.cache
def commands() -> dict[str, Any]:
    """Every command by its name. Any: typer's click is private."""
    return app.every_command()


def arena(*words: str | Path | float, text: str | bytes | None = None, **environment: str | None) -> Result:
    """Run a command; the result has exit_code, stdout and stderr."""
    runner = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"} | environment)
    return runner.invoke(program(), [str(word) for word in words], text)
