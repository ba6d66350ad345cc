"""The help of commands: an example before all else."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

from arena.cli.errors import EXIT_CODES
from arena.cli.examples import EXAMPLES

EPILOG = "Exit codes: " + ", ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + "."


class _BeginsWithExample:
    # Any: typer has its own copy of click and the class of its context is not public.
    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        _print_example(ctx)
        for option in self.get_params(ctx):
            # No type behind a flag: typer writes <bool>, which looks as if a value belonged there.
            if getattr(option, "is_flag", False) and option.metavar is None:
                option.metavar = ""
        super().format_help(ctx, formatter)  # type: ignore[misc]  # of typer's class, beside which this one stands


class Command(_BeginsWithExample, TyperCommand):
    """A command whose help begins with an example."""


class Group(_BeginsWithExample, TyperGroup):
    """A command with commands of its own; its help begins with an example of the first one."""


def _print_example(ctx: Any) -> None:
    import shutil

    from arena.cli import output

    command = " ".join(ctx.command_path.split()[1:])
    if line := example(command):
        # typer's boxes have a blank at their left too.
        lines = folded(line, shutil.get_terminal_size().columns - len(" Example: "))
        output.echo_lines("\n Example: " + "\n          ".join(lines))


def example(command: str) -> str | None:
    """The first example of a command, of a group that of its first command; without a command, of the program."""
    return next((lines[0] for name, lines in EXAMPLES.items() if f"{name} ".startswith(f"{command} ".lstrip())), None)


def folded(line: str, width: int) -> list[str]:
    """A command line as lines of at most `width` columns that a shell reads as one, broken at blanks."""
    lines = [""]
    for word in line.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) + len("  \\") > width:
            lines[-1] += " \\"
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines
