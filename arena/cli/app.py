"""The frame of the command line: which commands there are, and how each of them may end.

Parses nothing itself and prints only sentences about failures. A command is loaded when it is the one that was named,
and imports what it needs when it runs: loading and describing all of them takes longer than reading a database.
"""

import os
from importlib import import_module
from typing import Annotated, Any

import typer

from arena.cli.errors import framed
from arena.cli.help import EPILOG, Command, Group

_PLAY, _READ, _RULES, _MACHINE = "Play", "Read what was played", "Rules and positions", "This machine"

_COMMANDS = {
    "demo": (_PLAY, "tournament:demo"),
    "match": (_PLAY, "match:match"),
    "tournament": (_PLAY, "tournament:tournament"),
    "sprt": (_PLAY, "sprt:sprt"),
    "init": (_PLAY, "config:init"),
    "balance": (_PLAY, "balance:balance"),
    "ladder": (_PLAY, "ladder:ladder"),
    "play": (_PLAY, "play:play"),
    "standings": (_READ, "standings:standings"),
    "crosstable": (_READ, "standings:crosstable"),
    "predict": (_READ, "predict:predict"),
    "plot": (_READ, "plot:plot"),
    "games": (_READ, "games:games"),
    "stats": (_READ, "games:stats"),
    "show": (_READ, "show:show"),
    "watch": (_READ, "watch:watch"),
    "report": (_READ, "report:report"),
    "serve": (_READ, "serve:serve"),
    "config": (_READ, "config:config"),
    "export": (_READ, "transfer:export"),
    "import": (_READ, "transfer:import_"),
    "merge": (_READ, "transfer:merge"),
    "variants": (_RULES, "variants:variants"),
    "position": (_RULES, "variants:position"),
    "perft": (_RULES, "variants:perft"),
    "verify": (_RULES, "variants:verify"),
    "solve": (_RULES, "solve:solve"),
    "check": (_RULES, "check:check"),
    "new": (_RULES, "new:new"),
    "docs": (_MACHINE, "docs:docs"),
    "doctor": (_MACHINE, "doctor:doctor"),
}
"""In the order of the help: where each stands there, and the function in `arena.cli.commands`."""
_GROUPS = {
    "engines": (_PLAY, "engines:engines"),
    "openings": (_RULES, "openings:app"),
    "cluster": (_MACHINE, "cluster:cluster"),
}
"""The same of commands that have commands of their own; the help has them after the others."""
_COMPLETION = "_ARENA_COMPLETE"
"""The variable by which a shell asks for completions, of the form that typer gives it."""
# A negative depth is a value to refuse, not an option.
_SETTINGS: dict[str, dict[str, Any]] = {"perft": {"ignore_unknown_options": True}}


class Frame(Group):
    """Turns what a command raises into a sentence and an exit code."""

    # Any: typer has its own copy of click and the class of its context is not public.
    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        with framed():  # --help and --version print here
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        with framed():
            return super().invoke(ctx)


def program(named: str | None = None) -> typer.Typer:
    """The command line: with all commands, as the help needs them, or with nothing but the one that is `named`.

    A shell that asks for completions names none: the line that is typed does.
    """
    asked = _COMPLETION in os.environ
    if asked:
        from arena.cli import completion

        named = completion.command_begun()
    alone = named in _COMMANDS or named in _GROUPS
    # Markdown leaves the brackets of "[default: ...]" alone, which rich's own markup would swallow.
    app = typer.Typer(
        cls=Frame,
        epilog=EPILOG,
        no_args_is_help=True,
        add_completion=asked,  # that there are answers; `frame` has the options
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(frame)
    for name, (panel, place) in _COMMANDS.items():
        if name == named or not alone:
            settings = _SETTINGS.get(name)
            app.command(name, cls=Command, rich_help_panel=panel, context_settings=settings)(_loaded(place))
    for name, (panel, place) in _GROUPS.items():
        if name == named or not alone:
            group: typer.Typer = _loaded(place)
            for command in group.registered_commands:
                command.cls = Command
            app.add_typer(group, name=name, cls=Group, rich_help_panel=panel)
    if asked:
        completion.complete_parameters(app)
    return app


def _loaded(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"arena.cli.commands.{module}"), name)


def _print_version(wanted: bool) -> None:
    if wanted:
        from arena import version

        typer.echo(f"arena {version.number()}{', compiled' if version.compiled() else ''}")
        raise typer.Exit


def _install_completion(wanted: bool) -> None:
    if wanted:
        from arena.cli import completion

        typer.echo(completion.install())
        raise typer.Exit


def _show_completion(wanted: bool) -> None:
    if wanted:
        from arena.cli import completion

        typer.echo(completion.script())
        raise typer.Exit


def frame(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=_install_completion,
            is_eager=True,
            help="Teach your shell (bash, zsh or fish) to complete commands, engines, variants and databases.",
        ),
    ] = False,
    show_completion: Annotated[
        bool,
        typer.Option(
            "--show-completion", callback=_show_completion, is_eager=True, help="Print the script that does so."
        ),
    ] = False,
) -> None:
    """A referee for engines of Callanish and the tafl family."""
