"""The frame of the command line: which commands there are, and how each of them may end.

A command is loaded when it is named, and imports what it needs when it runs: loading and describing all of them takes
longer than reading a database.
"""

import os
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.main import get_command, get_group

from arena.cli.errors import framed
from arena.cli.help import EPILOG, Command, Group, Table
from arena.cli.option_groups import option
from arena.cli.wrap import wrap

PANELS: dict[str, Table] = {
    "Play": {
        "demo": ("playing", "Watch five engines play, in less than a minute."),
        "match": ("playing", "Play two engines against each other and rate them."),
        "sprt": ("playing", "Play two engines until it is clear which is stronger."),
        "init": ("playing", "Write the file of a tournament."),
        "tournament": ("playing", "Play the tournament of a file."),
        "ladder": ("playing", "Rate engines until stopped; they may come, change and go."),
        "host": ("playing", "Rate engines of other authors, who connect them."),
        "connect": ("playing", "Play in an open ladder with an engine that stays here."),
        "play": ("playing", "Play an engine yourself, or with two people."),
    },
    "Read what was played": {
        "standings": ("reading", "Rank the engines, with ratings."),
        "games": ("reading", "List games, one line each."),
        "show": ("reading", "Replay a game on its board."),
        "watch": ("reading", "Follow a run that is being played elsewhere."),
        "report": ("reading", "Write web pages with tables, games and boards."),
        "serve": ("reading", "Show the same pages, and running games, in a browser."),
        "export": ("reading", "Write games as PGN, JSON lines or CSV."),
        "import": ("reading", "Add games from a file to a database."),
        "verify": ("rules", "Check recorded games against the rules."),
    },
    "Engines and games": {
        "engines": ("playing", "List, add, try and remove engines."),
        "check": ("rules", "Check that an engine follows the protocol and the rules."),
        "new": ("rules", "Write an engine of your own that passes all checks."),
        "variants": ("rules", "Explain the rules of a variant, or list all variants."),
        "docs": ("machine", "Print a document, or list all documents."),
        "tools": ("", "Commands that few need: positions, books, several machines."),
    },
}
TOOLS: Table = {
    "cluster": ("machine", "Let several machines play the games of a run."),
    "doctor": ("machine", "Show which levels of containment this machine supports."),
    "merge": ("reading", "Join several databases in a new one."),
    "openings": ("rules", "Make or check a file of openings."),
    "perft": ("rules", "Count sequences of moves."),
    "position": ("rules", "Draw a position and list its legal moves."),
    "stats": ("reading", "Show time, depth, nodes and CPU of moves, and how games ended."),
}
_COMPLETION = "_ARENA_COMPLETE"
"""The variable by which a shell asks for completions, of the form that typer gives it."""
SCREEN = """\
arena: a referee for engines of Callanish, the tafl family and other board games

  arena demo                  five engines play, in less than a minute
  arena match greedy random   two engines play each other
  arena play greedy           you play an engine
  arena new mine              write an engine of your own
"""
MORE = """\
  arena --help                says what each command does
  arena COMMAND --help        shows an example and the usual options
  arena docs                  lists the documents
"""


class LazyGroup(Group):
    """A group whose commands are loaded when they are named."""

    panels: dict[str, Table]

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the help."""
        return [name for table in self.panels.values() for name in table]

    def get_command(self, ctx: Any, name: str) -> Any:
        """The command of this name; None if there is none."""
        for table in (*self.panels.values(), TOOLS):  # those of `arena tools` need no second word
            if name in table and name not in self.commands:
                self.commands[name] = loaded(table[name][0], name)
        return self.commands.get(name)


class Frame(LazyGroup):
    """All commands. It turns what a command raises into a sentence and an exit code."""

    panels = PANELS

    # Any: typer has its own copy of click and the class of its context is not public.
    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        with framed():  # --help and --version print here
            return super().make_context(*arguments, **settings)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Without a word: one screen that says how to begin."""
        if not args and not ctx.resilient_parsing:
            typer.echo(screen())
            ctx.exit()
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with framed():
            return super().invoke(ctx)


class Tools(LazyGroup):
    """The commands that few need."""

    panels = {"Commands": TOOLS}  # noqa: RUF012  # it is never changed


tools = typer.Typer(
    cls=Tools, help="Commands that few need; `arena doctor` is short for `arena tools doctor`.", no_args_is_help=True
)


def loaded(folder: str, name: str) -> Any:
    """A command or a group of commands, of the function or the variable of its name in a module of its name."""
    if name == "tools":
        tools.callback()(lambda: None)
        return get_group(tools)
    plain = f"{name}_" if iskeyword(name) else name
    found = getattr(import_module(f"arena.cli.commands.{folder}.{plain}"), plain)
    small = found if isinstance(found, typer.Typer) else typer.Typer(add_completion=False)
    if small is not found:
        # A negative depth is a value to refuse, not an option.
        small.command(name, context_settings={"ignore_unknown_options": True} if name == "perft" else None)(found)
    for command in small.registered_commands:
        command.cls = Command
    if _COMPLETION in os.environ:
        from arena.cli import completion

        completion.complete_parameters(small)
    if small is not found:
        return get_command(small)
    small.info.cls = Group
    return get_group(small)


def screen() -> str:
    """What `arena` alone prints."""
    lists = [f"{panel + ':':21} {' '.join(table)}" for panel, table in PANELS.items()]
    return "\n".join([SCREEN, *(line for each in lists for line in wrap(each, 78, 22)), "", MORE]).rstrip()


def program() -> typer.Typer:
    """The command line. Each command is loaded when it is named."""
    app = typer.Typer(
        cls=Frame,
        epilog=EPILOG,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(frame)
    return app


def every_command() -> dict[str, Any]:
    """All commands and groups by their names, those of `arena tools` too."""
    frame: Any = get_command(program())
    names = [name for name in (*frame.list_commands(None), *TOOLS) if name != "tools"]
    return {name: frame.get_command(None, name) for name in names}


def _version(wanted: bool) -> None:
    if wanted:
        from arena import version

        typer.echo(f"arena {version.number()}")
        raise typer.Exit


def frame(
    version: Annotated[
        bool, option("Print the version and leave.", flag="--version", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """A referee for engines of Callanish and the tafl family."""
