"""Groups of options: typer sees each field as an option, a command gets one value for each group."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner, Result

from arena.cli.option_groups import grouped


@dataclass(frozen=True, slots=True)
class Timing:
    """How quickly."""

    quick: Annotated[bool, typer.Option("--quick", help="Do it quickly.")] = False


@dataclass(frozen=True, slots=True)
class Limits(Timing):
    """How much."""

    nodes: Annotated[int, typer.Option(help="How many nodes.", rich_help_panel="Limits")] = 7
    names: Annotated[list[str] | None, typer.Option("--name", metavar="WORD", help="A name, once for each.")] = None


@dataclass(frozen=True, slots=True)
class Other:
    """An option of the same name."""

    nodes: Annotated[int, typer.Option(help="Others.")] = 1


def search(
    engine: str, *, limits: Limits, depth: Annotated[int, typer.Option(help="How deep.")] = 2, word: str = "x"
) -> None:
    """Search with an engine."""
    print(engine, limits, depth, word)


def run(*words: str) -> Result:
    """The command line with this one command."""
    app = typer.Typer(add_completion=False)
    app.command()(grouped(search))
    return CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(app, list(words))


@pytest.mark.parametrize(
    "words",
    [
        ("mine", "--nodes", "3", "--quick", "--name", "a", "--depth", "4", "--name", "b"),
        ("--name", "a", "--depth", "4", "--quick", "--name", "b", "--nodes", "3", "mine"),
    ],
)
def test_a_command_gets_one_value_for_each_group_in_whatever_order_options_stand(words: tuple[str, ...]) -> None:
    """Fields of a base class are options, too."""
    assert run(*words).stdout == "mine Limits(quick=True, nodes=3, names=['a', 'b']) 4 x\n"


def test_an_option_that_is_left_out_has_the_default_of_its_field() -> None:
    """As a parameter has its own."""
    assert run("mine").stdout == "mine Limits(quick=False, nodes=7, names=None) 2 x\n"


def test_help_has_the_options_of_a_group_with_their_help_and_panel() -> None:
    """And the command's own sentence."""
    shown = run("--help").stdout
    for part in ("Search with an engine.", "--quick", "Do it quickly.", "How many nodes.", "─ Limits ─", "WORD"):
        assert part in shown, part


def test_a_wrong_value_is_refused_by_the_name_of_its_option() -> None:
    """As typer does without groups."""
    refused = run("mine", "--nodes", "many")
    assert refused.exit_code == 2
    assert "--nodes" in refused.output


def test_two_options_of_one_name_are_refused_when_the_command_is_made() -> None:
    """A second one would hide the first."""

    def twice(*, limits: Limits, other: Other) -> None:
        """Never called."""

    with pytest.raises(ValueError, match="nodes"):
        grouped(twice)


def few(*, limits: Annotated[Limits, ("quick", "names")]) -> None:
    """Search little."""
    print(limits)


def test_a_command_may_take_some_fields_of_a_group_alone() -> None:
    """The others have their defaults, and are no options of it."""
    app = typer.Typer(add_completion=False)
    app.command()(grouped(few))
    assert CliRunner().invoke(app, ["--quick"]).stdout == "Limits(quick=True, nodes=7, names=None)\n"
    assert CliRunner().invoke(app, ["--nodes", "3"]).exit_code == 2
