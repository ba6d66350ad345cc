"""The frame of the command line: which commands there are, and how each of them may end.

Parses nothing itself and prints only sentences about failures. Commands import what they need when they run, so that
help and the reading commands start at once.
"""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from arena.cli import (
    balance,
    check,
    configuration,
    doctor,
    engines,
    ladder,
    listing,
    openings,
    person,
    play,
    plot,
    predict,
    reading,
    rules,
    sprt,
    transfer,
)
from arena.cli.errors import framed


class Frame(TyperGroup):
    """Turns what a command raises into a sentence and an exit code."""

    # Any: typer has its own copy of click and the class of its context is not public.
    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        with framed():  # --help and --version print here
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        with framed():
            return super().invoke(ctx)


# Markdown leaves the brackets of "[default: ...]" alone, which rich's own markup would swallow.
app = typer.Typer(
    cls=Frame,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from arena import edition

        typer.echo(f"arena {edition.number()}{', compiled' if edition.compiled() else ''}")
        raise typer.Exit


@app.callback()
def frame(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """A referee for engines of Callanish and the tafl family."""


# A negative depth is a value to refuse, not an option.
_SETTINGS: dict[object, dict[str, Any]] = {rules.perft: {"ignore_unknown_options": True}}
_PLAY, _READ, _RULES, _MACHINE = "Play", "Read what was played", "Rules and positions", "This machine"

for _command, _panel in (
    (play.demo, _PLAY),
    (play.match, _PLAY),
    (play.tournament, _PLAY),
    (sprt.sprt, _PLAY),
    (configuration.init, _PLAY),
    (balance.balance, _PLAY),
    (ladder.ladder, _PLAY),
    (person.play, _PLAY),
    (reading.standings, _READ),
    (reading.crosstable, _READ),
    (predict.predict, _READ),
    (plot.plot, _READ),
    (listing.games, _READ),
    (listing.stats, _READ),
    (reading.show, _READ),
    (configuration.config, _READ),
    (transfer.export, _READ),
    (transfer.import_, _READ),
    (transfer.merge, _READ),
    (rules.variants, _RULES),
    (rules.position, _RULES),
    (rules.perft, _RULES),
    (rules.verify, _RULES),
    (check.check, _RULES),
    (doctor.doctor, _MACHINE),
):
    # `import` is a word of Python's: its function has another name.
    _name = _command.__name__.rstrip("_")
    app.command(_name, rich_help_panel=_panel, context_settings=_SETTINGS.get(_command))(_command)
app.add_typer(engines.engines, name="engines", rich_help_panel=_PLAY)
app.add_typer(openings.app, name="openings", rich_help_panel=_RULES)
