"""The help of commands: an example, then a line or two for each option.

A short help has the options of the command itself and those that most people use; `--help-all` has all of them.
"""

import re
import textwrap
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from arena.cli.errors import EXIT_CODES, BadInput
from arena.cli.examples import EXAMPLES
from arena.cli.usage import no_command

EPILOG = "Exit codes: " + ", ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + "."
LINES = 40
"""No short help is longer."""
USUAL = frozenset(
    "--variant --tc --movetime --nodes --seed --concurrency --db --pgn --json --help --run --rounds --format".split()
)
"""What a short help has beside the options of the command itself, which have no panel."""
RARE = frozenset("--alpha --beta --model --junit --transcript --certificate --slow --fuzz --profile".split())
"""What it leaves out of those."""
_TYPES = {
    "<path>": "FILE",
    "<float>": "NUMBER",
    "<int>": "N",
    "<int range>": "N",
    "<str>": "TEXT",
    "<list[str]>": "NAME",
}
"""The words for a value, in the place of those that typer has."""

Table = dict[str, tuple[str, str]]
"""Commands by their names: the folder of the module that has it, and what it does."""


class Command(TyperCommand):
    """A command whose help has an example, and is short."""

    # Any: typer has its own copy of click and the class of its context is not public.
    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """With `--help-all`, nothing else on the line counts."""
        if "--help-all" in args and not ctx.resilient_parsing:
            typer.echo(whole_help(self, ctx, short=False).rstrip())
            ctx.exit()
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            # click leaves it out of some errors, and then nobody knows whose help to name.
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(whole_help(self, ctx, short=True))


class Group(TyperGroup):
    """A command with commands of its own."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        out = ctx.make_formatter()
        _begin(out, ctx, f"{ctx.command_path} COMMAND", self.help, with_example=not self.epilog)
        panels: dict[str, Table] | None = getattr(self, "panels", None)
        tables = panels or {"Commands": {name: ("", str(self.commands[name].help)) for name in self.commands}}
        for panel, table in tables.items():
            _write(out, panel, [(name, about) for name, (_, about) in table.items()])
        if self.epilog:
            out.write_paragraph()
            out.write_text(f"Options: {', '.join(param.opts[0] for param in self.get_params(ctx))}. {self.epilog}")
        formatter.write(out.getvalue())

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named first. Raises BadInput with what was meant."""
        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            path = " ".join(["arena", *ctx.command_path.split()[1:]])
            raise BadInput(no_command(args[0], path, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


def whole_help(command: Any, ctx: Any, *, short: bool) -> str:
    """The help, without the options that few need if all of them would take more lines than a screen has."""
    params = [param for param in command.get_params(ctx) if not param.hidden]
    text = _help(command, ctx, params)
    if not short or text.count("\n") <= LINES:
        return text
    shown = [param for param in params if _is_usual(param)]
    return _help(command, ctx, shown, len(params) - len(shown))


def _help(command: Any, ctx: Any, params: Sequence[Any], left_out: int = 0) -> str:
    out, words = ctx.make_formatter(), []
    panels: dict[str, list[tuple[str, str]]] = {}
    for param in params:
        if param.param_type_name == "argument":
            words.append(argument_word(param))
            panels.setdefault("Arguments", []).append((param.metavar or param.name.upper(), str(param.help or "")))
        else:
            panel = None if left_out else param.rich_help_panel
            panels.setdefault(panel or "Options", []).append(option_row(param, ctx))
    _begin(out, ctx, " ".join([ctx.command_path, *words]), command.help)
    for panel, rows in panels.items():
        _write(out, panel, rows)
    if left_out:
        out.write_paragraph()
        out.write_text(f"{left_out} more options: {ctx.command_path} --help-all")
    return str(out.getvalue())


def _begin(out: Any, ctx: Any, usage: str, about: str | None, with_example: bool = True) -> None:
    out.write_text(f"Usage: {usage} [OPTIONS]")
    out.write_paragraph()
    out.write_text(about or "")
    if with_example and (line := example(ctx.command_path.partition(" ")[2].removeprefix("tools "))):
        out.write_paragraph()
        out.write("".join(f"  {each}\n" for each in folded(line, out.width - 2)))


def _write(out: Any, heading: str, rows: Sequence[tuple[str, str]]) -> None:
    with out.section(heading):
        out.write_dl(rows, col_max=24)


def _is_usual(param: Any) -> bool:
    if param.param_type_name == "argument" or USUAL & {*param.opts}:
        return True
    return not param.rich_help_panel and not RARE & {*param.opts}


def option_row(option: Any, ctx: Any) -> tuple[str, str]:
    """An option with the word for its value, and what it is for."""
    name, about = option.get_help_record(ctx)
    for kind, word in _TYPES.items():
        name = name.replace(kind, word)
    # Ranges of click in words: [2<=x<=9], [x>=1].
    about = re.sub(r"([\d.]+)<=x<=([\d.]+)(?=\])", r"\1 to \2", about)
    return name, re.sub(r"x>=([\d.]+)(?=\])", r"\1 or more", about)


def argument_word(argument: Any) -> str:
    """The word of an argument, such as `FILE`, in brackets if it may be left out."""
    word = argument.metavar or argument.name.upper()
    return word if argument.required or word.startswith("[") else f"[{word}]"


def example(command: str) -> str | None:
    """The first example of a command, of a group that of its first command."""
    return next((line for name, line in EXAMPLES.items() if f"{name} ".startswith(f"{command} ")), None)


def folded(line: str, width: int) -> list[str]:
    """A command line as lines of at most `width` columns that a shell reads as one, broken at blanks."""
    room = width - len(" \\")
    lines = textwrap.wrap(line, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [*(f"{each} \\" for each in lines[:-1]), *lines[-1:]]
