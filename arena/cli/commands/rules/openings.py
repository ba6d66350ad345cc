"""`arena openings make` and `check`: files of openings, made and judged before a tournament is played from them."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options
from arena.cli.db_options import AsJson
from arena.cli.errors import BadInput, CheckFailed
from arena.cli.option_groups import argument, grouped, option
from arena.cli.output import check_files, console, echo, echo_sentence, write_file
from arena.planning.errors import require_range
from arena.play.jobs import EngineSpec

DEFAULT_NODES = 10_000
DEFAULT_MARGIN_CP = 50
DEFAULT_SHARE = 0.67
MOST = 1_000_000

Variant = Annotated[str, option("What is played: a name that `arena variants` lists, or the TOML file of your own.")]

openings = typer.Typer(no_args_is_help=True, help="Make files of openings, and check them.")


@openings.command()
@grouped
def make(
    *,
    variant: Variant,
    output: Annotated[Path, option("The file to write, replacing it; - for stdout.")],
    plies: Annotated[int, option("Random moves of each opening.")] = 4,
    count: Annotated[int, option("How many openings.")] = 100,
    engine: Annotated[
        list[str] | None,
        option(
            "Keep openings that this judge calls even: a name, a path, or a quoted command line. "
            "Several judges: the option again."
        ),
    ] = None,
    nodes: Annotated[
        str | None,
        option(
            f"Nodes that a judge searches for each opening; several: all must be even. [default: {DEFAULT_NODES}]",
            "N[,N...]",
        ),
    ] = None,
    margin: Annotated[
        int | None, option(f"The largest score that is even, for either side, in cp. [default: {DEFAULT_MARGIN_CP}]")
    ] = None,
    centre: Annotated[
        int | None, option("p1's score that is even, in cp, if judges prefer a side. [default: 0]")
    ] = None,
    games: Annotated[
        str | None,
        option(
            "Judges also play each opening out, with N nodes a move: two of them a pair for each number, "
            "a single one a game against itself. [default: no games]",
            "N[,N...]",
        ),
    ] = None,
    share: Annotated[
        float | None, option(f"The most of the points of these games that a side may take. [default: {DEFAULT_SHARE}]")
    ] = None,
    seed: Annotated[int | None, option("Seed of the random moves. [default: drawn, written down]")] = None,
    engines: options.Engines = None,
    containment: options.ContainmentOptions,
) -> None:
    """Make openings of random moves that lead to different positions; engines can judge which are even."""
    from arena import opening_maker
    from arena.config import load
    from arena.config.engine_argument import engine_argument
    from arena.games import variant_file, variants
    from arena.planning import stored_runs

    if not engine and (nodes, margin, centre) != (None, None, None):
        raise BadInput(
            "--nodes, --margin and --centre say how an engine judges: name one with --engine, or leave them out"
        )
    if not engine and games is not None:
        raise BadInput("--games says how judges play openings out: name a judge with --engine, or leave it out")
    if games is None and share is not None:
        raise BadInput("--share is of the points of played games: say with --games how they are played")
    order = opening_maker.Order(
        variants.find(variant_file.named(variant)),
        plies,
        count,
        stored_runs.drawn_seed() if seed is None else seed,
        tuple(engine or ()),
        _levels("--nodes", nodes or str(DEFAULT_NODES)),
        DEFAULT_MARGIN_CP if margin is None else margin,
        centre,
        () if games is None else _levels("--games", games),
        DEFAULT_SHARE if share is None else share,
    )
    order.validate()
    check_files({"--output": output})
    sandboxes = containment.parse()
    specs: tuple[EngineSpec, ...] = ()
    if engine:
        registry = load.load_registry(engines)
        specs = sandboxes.apply([engine_argument(word, registry) for word in engine])
        sandboxes.verify(specs)
    with opening_maker.maker(order, specs) as making, _progress(count) as advance:
        made = []
        for opening in making:
            made.append(opening)
            advance()
    write_file(output, order.text(made))


def _levels(option: str, text: str) -> tuple[int, ...]:
    """The numbers of nodes in an option, the smallest first."""
    words = text.split(",")
    if not all(word.strip().isdecimal() for word in words):
        raise BadInput(f"{option} {text!r} cannot be read: write a number of nodes, or several such as 500,2000")
    for word in words:
        require_range(option, int(word), 1, 1_000_000_000)
    return tuple(sorted(map(int, words)))


@openings.command()
def check(
    file: Annotated[Path, argument("Openings, one a line, or PGN; default: the arena's own.", "FILE")],
    variant: Variant,
    plies: Annotated[int, option("Use only this many moves of each opening; 0: all.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check that every opening of a file leaves a game to play, and list those that lead to the same position."""
    from arena.games import variant_file, variants
    from arena.openings import books
    from results.tables.text_width import some

    require_range("--plies", plies, 0, MOST)
    variant = variant_file.named(variant)
    if file == Path(books.DEFAULT):
        file = books.file_of(variants.find(variant).name)
    entries = books.entries(file, variant, plies)
    first: dict[object, int] = {}
    problems: list[tuple[int, str]] = []
    for entry in entries:
        line = first.setdefault(entry.key, entry.line)
        if line != entry.line:
            problems.append((entry.line, f"leads to the same position as line {line}"))
        if entry.decided:
            problems.append((entry.line, "the side to move wins at once"))
    lengths = sorted({len(entry.opening.moves) for entry in entries})
    if as_json:
        counts = {"openings": len(entries), "positions": len(first), "plies": [lengths[0], lengths[-1]]}
        echo(json.dumps(counts | {"problems": [{"line": line, "message": message} for line, message in problems]}))
    else:
        for line, message in problems:
            echo_sentence(f"{file}, line {line}: {message}")
        span = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
        openings, positions = some(len(entries), "opening"), some(len(first), "position")
        echo_sentence(f"{file}: {openings} of {span} plies, {positions}; all can be played from")
    if problems:
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
