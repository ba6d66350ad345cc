"""The frame of the command line: which commands there are, and how each of them may end.

Parses nothing itself and prints only sentences about failures. A command is loaded when it is the one that was named,
and imports what it needs when it runs: loading and describing all of them takes longer than reading a database.
"""

import os
from collections.abc import Callable
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer

from arena.cli.errors import framed
from arena.cli.help import EPILOG, Command, Group
from arena.cli.option_groups import option

_PANELS = {
    "playing": "Play",
    "reading": "Read what was played",
    "rules": "Rules and positions",
    "machine": "This machine",
}
"""The folders of `arena.cli.commands`, and the panel of the help that has their commands."""
_COMMANDS = {
    "playing": "demo match tournament sprt init ladder connect play",
    "reading": "standings crosstable plot games stats show watch report serve export import merge",
    "rules": "variants position perft verify check new",
    "machine": "docs doctor",
}
"""In the order of the help. A command is a function of its own name, in a module of that name."""
_GROUPS = {"playing": "engines host", "rules": "openings", "machine": "cluster"}
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
    completes = _COMPLETION in os.environ
    if completes:
        from arena.cli import completion

        named = completion.command_begun()
    commands, groups = _by_name(_COMMANDS), _by_name(_GROUPS)
    alone = named in commands or named in groups
    # Markdown leaves the brackets of "[default: ...]" alone, which rich's own markup would swallow.
    app = typer.Typer(
        cls=Frame,
        epilog=EPILOG,
        no_args_is_help=True,
        add_completion=completes,  # that there are answers; `frame` has the options
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(frame)
    for name, folder in commands.items():
        if name == named or not alone:
            settings = _SETTINGS.get(name)
            add = app.command(name, cls=Command, rich_help_panel=_PANELS[folder], context_settings=settings)
            add(_loaded(folder, name))
    for name, folder in groups.items():
        if name == named or not alone:
            group: typer.Typer = _loaded(folder, name)
            for command in group.registered_commands:
                command.cls = Command
            app.add_typer(group, name=name, cls=Group, rich_help_panel=_PANELS[folder])
    if completes:
        completion.complete_parameters(app)
    return app


def _by_name(folders: dict[str, str]) -> dict[str, str]:
    """The folder of each command."""
    return {name: folder for folder, names in folders.items() for name in names.split()}


def _loaded(folder: str, name: str) -> Any:
    name = f"{name}_" if iskeyword(name) else name
    return getattr(import_module(f"arena.cli.commands.{folder}.{name}"), name)


def _version() -> str:
    from arena import version

    return f"arena {version.number()}"


def _completion(answer: str) -> str:
    from arena.cli import completion

    return str(getattr(completion, answer)())


def _alone(flag: str, text: Callable[[], str], help: str) -> Any:
    """An option that prints this text and leaves, whatever else stands on the line."""

    def callback(wanted: bool) -> None:
        if wanted:
            typer.echo(text())
            raise typer.Exit

    return option(help, flag=flag, callback=callback, is_eager=True)


def frame(
    version: Annotated[bool, _alone("--version", _version, "Print the version and leave.")] = False,
    install_completion: Annotated[
        bool,
        _alone(
            "--install-completion",
            lambda: _completion("install"),
            "Teach your shell (bash, zsh or fish) to complete commands, engines, variants and databases.",
        ),
    ] = False,
    show_completion: Annotated[
        bool, _alone("--show-completion", lambda: _completion("script"), "Print the script that does so.")
    ] = False,
) -> None:
    """A referee for engines of Callanish and the tafl family."""
