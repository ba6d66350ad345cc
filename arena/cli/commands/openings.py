"""`arena openings make` and `check`: files of openings, made and judged before a tournament is played from them."""

import contextlib
import itertools
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options
from arena.cli.containment_options import ContainmentOptions
from arena.cli.errors import BadInput, CheckFailed
from arena.cli.option_groups import grouped
from arena.cli.output import check_target, console, echo_sentence, report, write_data, write_whole
from arena.planning.errors import require_range
from results.variant_name import shown

DEFAULT_NODES = 10_000
DEFAULT_MARGIN_CP = 50
MOST = 1_000_000
MOST_PLIES = 200

Variant = Annotated[
    str, typer.Option(help="What is played: a name that `arena variants` lists, or the TOML file of your own.")
]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Make files of openings, and check them.",
)


@app.command()
@grouped
def make(
    *,
    variant: Variant,
    output: Annotated[Path, typer.Option(help="The file to write, replacing it; - for stdout.")],
    plies: Annotated[int, typer.Option(help="Random moves of each opening.")] = 4,
    count: Annotated[int, typer.Option(help="How many openings.")] = 100,
    engine: Annotated[
        str | None,
        typer.Option(help="Keep openings that this engine calls even: a name, a path, or a quoted command line."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help=f"Nodes that it searches for each opening. [default: {DEFAULT_NODES}]")
    ] = None,
    margin: Annotated[
        int | None,
        typer.Option(help=f"The largest score that is even, for either side, in cp. [default: {DEFAULT_MARGIN_CP}]"),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random moves. [default: drawn, written down]")] = None,
    engines: options.Engines = None,
    containment: ContainmentOptions,
) -> None:
    """Make openings of random moves. No two lead to the same position; an engine can judge which are even."""
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.games import variant_file, variants
    from arena.planning import resume
    from arena.studies import opening_maker

    rules, start = variants.resolve(variant_file.named(variant))
    require_range("--plies", plies, 0, MOST_PLIES)
    require_range("--count", count, 1, MOST)
    if engine is None and (nodes is not None or margin is not None):
        raise BadInput("--nodes and --margin say how an engine judges: name one with --engine, or leave them out")
    nodes = DEFAULT_NODES if nodes is None else nodes
    margin = DEFAULT_MARGIN_CP if margin is None else margin
    require_range("--nodes", nodes, 1, 1_000_000_000)
    require_range("--margin", margin, 0, 1_000_000)
    seed = resume.drawn_seed() if seed is None else seed
    require_range("--seed", seed, 0, 2**63 - 1)
    if output != Path("-"):
        check_target(output, "--output")
    command = ["arena", "openings", "make", "--variant", rules.name, "--plies", str(plies), "--count", str(count)]
    if engine is not None:
        command += ["--engine", engine, "--nodes", str(nodes), "--margin", str(margin)]
    command += ["--seed", str(seed)]
    box = containment.parse()
    with contextlib.ExitStack() as held:
        judge = None
        if engine is not None:
            specs = box.apply([engine_argument(engine, load.load_registry(engines))])
            box.verify(specs, report)
            judge = held.enter_context(opening_maker.engine_judge(specs[0], rules.name, nodes, seed))
        advance = held.enter_context(_progress(count))
        found = []
        for opening in itertools.islice(opening_maker.generate(rules.name, plies, seed, judge, margin), count):
            found.append(opening)
            advance()
    if len(found) < count:
        what = "different openings" if engine is None else "different openings that the engine calls even"
        raise BadInput(
            f"only {len(found)} of {count} {what} of {plies} plies were found: ask for fewer or for more plies"
            + (", or widen --margin" if engine is not None else "")
        )
    head = f"# {count} openings of {shown(rules.name)}, each of {plies} random plies and leading elsewhere; made by\n"
    lines = [f"{' '.join(opening.moves) or start.fen()}\n" for opening in found]
    text = "".join([head, f"# {shlex.join(command)}\n", *lines])
    if output == Path("-"):
        write_data(text)
    else:
        write_whole(output, text)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Openings, one a line, or PGN.")],
    variant: Variant,
    plies: Annotated[int, typer.Option(help="Take only so many moves of each opening; 0: all.")] = 0,
) -> None:
    """Check that every opening of a file leaves a game to play, and list those that lead to the same position."""
    from arena.games import variant_file
    from arena.openings import book_reader

    require_range("--plies", plies, 0, MOST)
    entries = book_reader.entries(file, variant_file.named(variant), plies)
    first: dict[object, int] = {}
    for entry in entries:
        line = first.setdefault(entry.key, entry.line)
        if line != entry.line:
            echo_sentence(f"{file}, line {entry.line}: leads to the same position as line {line}")
        if entry.decided:
            echo_sentence(f"{file}, line {entry.line}: the side to move wins at once")
    lengths = {len(entry.opening.moves) for entry in entries}
    span = f"{min(lengths)}" if len(lengths) == 1 else f"{min(lengths)} to {max(lengths)}"
    echo_sentence(f"{file}: {len(entries)} openings of {span} plies, {len(first)} positions; all can be played from")
    if len(first) < len(entries) or any(entry.decided for entry in entries):
        raise CheckFailed


@contextlib.contextmanager
def _progress(count: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, where that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    screen = console(stderr=True)
    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task("openings", total=count)
        yield lambda: bar.advance(task)
