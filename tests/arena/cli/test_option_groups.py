"""Groups of options: typer sees each field as an option, a command gets one value for each group."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner, Result

from arena.cli.option_groups import Given, grouped
from arena.config.settings import GameSettings


@dataclass(frozen=True, slots=True)
class Output:
    """What is printed."""

    quick: Annotated[bool, typer.Option("--quick", help="Do it quickly.")] = False
    names: Annotated[list[str] | None, typer.Option("--name", metavar="WORD", help="A name, once for each.")] = None
    lines: Annotated[int, typer.Option(help="How many lines.")] = 7


def search(
    engine: str,
    *,
    output: Annotated[Output, ("quick", "names")],
    settings: Annotated[Given, GameSettings],
    depth_first: Annotated[int, typer.Option(help="How deep.")] = 2,
) -> None:
    """Search with an engine."""
    print(engine, output, settings, depth_first)


def run(*words: str) -> Result:
    """The command line with this one command."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(grouped(search))
    return CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(app, list(words))


def test_a_command_gets_one_value_for_each_group_in_whatever_order_options_stand() -> None:
    """Fields of a dataclass by their types with their defaults, keys of a table as they were typed, if they were."""
    given = (
        "mine Output(quick=True, names=['a', 'b'], lines=7) {'nodes': '5', 'variants': ['x', 'y'], 'freeze': True} 4\n"
    )
    words = ("--name", "a", "--depth-first", "4", "--variant", "x", "--freeze", "--quick", "mine", "--name", "b")
    assert run(*words, "--nodes", "5", "--variant", "y").stdout == given
    assert run("mine").stdout == "mine Output(quick=False, names=None, lines=7) {} 2\n"
    assert run("mine", "--lines", "3").exit_code == 2


def test_help_has_the_words_and_the_default_of_each_key() -> None:
    """As they stand in the table."""
    shown = " ".join(run("--help").stdout.split())
    assert "--margin MS Milliseconds by which a move may be late without losing. [default: 50]" in shown


def test_two_options_of_one_name_are_refused_when_the_command_is_made() -> None:
    """A second one would hide the first."""

    def twice(*, one: Output, other: Output) -> None:
        """Never called."""

    with pytest.raises(ValueError, match="quick"):
        grouped(twice)
