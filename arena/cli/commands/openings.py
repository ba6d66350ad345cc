"""`arena openings make` and `check`: files of openings, made and judged before a tournament is played from them."""

import contextlib
import itertools
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.containment_options import Contain, Containment, Environment, Reads
from arena.cli.errors import BadInput, CannotStartEngine, CheckFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.openings.book import Opening
    from arena.studies.opening_maker import EngineJudge

DEFAULT_NODES = 10_000
DEFAULT_MARGIN_CP = 50
MOST = 1_000_000
MOST_PLIES = 200

Variant = Annotated[str, typer.Option(help="What is played; `arena variants` lists them.")]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Make files of openings, and check them.",
)


@app.command()
def make(
    variant: Variant,
    output: Annotated[Path, typer.Option(help="The file to write, replacing it; - for stdout.")],
    plies: Annotated[int, typer.Option(help="Random moves of each opening.")] = 4,
    count: Annotated[int, typer.Option(help="How many openings.")] = 100,
    engine: Annotated[
        str | None,
        typer.Option(help="Keep what this engine calls even: a registered name, a path, or a quoted command line."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help=f"How many nodes it searches of each. [default: {DEFAULT_NODES}]")
    ] = None,
    margin: Annotated[
        int | None,
        typer.Option(help=f"Even is a score of at most this for either side, in cp. [default: {DEFAULT_MARGIN_CP}]"),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Decides what is drawn. [default: drawn, written down]")] = None,
    engines: Annotated[
        Path | None, typer.Option(help="A registry file beside the shipped and your own engines.")
    ] = None,
    contain: Contain = None,
    env: Environment = None,
    read: Reads = None,
) -> None:
    """Draw openings of random moves, no two of which lead to the same position, and perhaps only even ones."""
    from arena.cli.output import check_target, write_whole
    from arena.games import variants
    from arena.planning import resume
    from arena.studies import opening_maker

    rules, _ = variants.resolve(variant)
    _within("--plies", plies, 0, MOST_PLIES)
    _within("--count", count, 1, MOST)
    if engine is None and (nodes is not None or margin is not None):
        raise BadInput("--nodes and --margin say how an engine judges: name it with --engine, or leave them out")
    nodes = DEFAULT_NODES if nodes is None else nodes
    margin = DEFAULT_MARGIN_CP if margin is None else margin
    _within("--nodes", nodes, 1, 1_000_000_000)
    _within("--margin", margin, 0, 1_000_000)
    seed = resume.drawn_seed() if seed is None else seed
    _within("--seed", seed, 0, 2**63 - 1)
    if output != Path("-"):
        check_target(output, "--output")
    command = ["arena", "openings", "make", "--variant", rules.name, "--plies", str(plies), "--count", str(count)]
    if engine is not None:
        command += ["--engine", engine, "--nodes", str(nodes), "--margin", str(margin)]
    command += ["--seed", str(seed)]
    with _judge(engine, nodes, seed, engines, Containment(contain, env or [], read or []), rules.name) as judge:
        openings = opening_maker.generate(rules.name, plies, seed, judge, margin)
        with _progress(count) as advance:
            found = list(_counted(itertools.islice(openings, count), advance))
    if len(found) < count:
        what = "different openings" if engine is None else "different openings that the engine calls even"
        raise BadInput(
            f"only {len(found)} of {count} {what} of {plies} plies were found: ask for fewer or for more plies"
            + (", or widen --margin" if engine is not None else "")
        )
    head = f"# {count} openings of {rules.name}, each of {plies} random plies and leading elsewhere; made by\n"
    lines = [f"{' '.join(opening.moves) or _start_fen(rules.name)}\n" for opening in found]
    text = "".join([head, f"# {shlex.join(command)}\n", *lines])
    if output == Path("-"):
        typer.echo(text, nl=False)
    else:
        write_whole(output, text)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Openings, one a line, or PGN.")],
    variant: Variant,
    plies: Annotated[int, typer.Option(help="Take only so many moves of each opening; 0: all.")] = 0,
) -> None:
    """See that every opening of a file can be played from; name those that lead to the same position."""
    from arena.openings import book_reader

    _within("--plies", plies, 0, MOST)
    entries = book_reader.entries(file, variant, plies)
    first: dict[object, int] = {}
    for entry in entries:
        line = first.setdefault(entry.key, entry.line)
        if line != entry.line:
            typer.echo(f"{file}, line {entry.line}: leads to the same position as line {line}")
        if entry.decided:
            typer.echo(f"{file}, line {entry.line}: the side to move wins at once")
    lengths = {len(entry.opening.moves) for entry in entries}
    span = f"{min(lengths)}" if len(lengths) == 1 else f"{min(lengths)} to {max(lengths)}"
    typer.echo(f"{file}: {len(entries)} openings of {span} plies, {len(first)} positions; all can be played from")
    if len(first) < len(entries) or any(entry.decided for entry in entries):
        raise CheckFailed


def _within(option: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadInput(f"{option} {value} is out of range: it must be from {least} to {most}")


def _start_fen(variant: str) -> str:
    """How an opening without moves is written."""
    from arena.games import variants

    return variants.resolve(variant)[1].fen()


@contextlib.contextmanager
def _judge(
    engine: str | None, nodes: int, seed: int, registry: Path | None, box: Containment, variant: str
) -> "Iterator[EngineJudge | None]":
    """The engine that judges, which ends with the context. What it does wrong becomes a sentence."""
    if engine is None:
        yield None
        return
    from arena.config import load
    from arena.planning.introductions import variant_refusal
    from arena.planning.schedule import Start
    from arena.studies.opening_maker import EngineJudge, NoScore
    from protocol.faults import CannotStart, EngineFault

    specs = box.around([load.engine_argument(engine, load.load_registry(registry))])
    box.proven(specs)
    try:
        judge = EngineJudge(specs[0], nodes, seed)
    except (CannotStart, EngineFault) as refused:
        raise CannotStartEngine(f"engine {engine!r} cannot be started: {refused}") from None
    try:
        with judge:
            if reason := variant_refusal(specs[0], judge.identity, (Start(variant),)):
                raise BadInput(reason)
            yield judge
    except EngineFault as broken:
        raise BadInput(f"engine {engine!r} broke the protocol ({broken}); `arena check` tells more") from None
    except NoScore as refused:
        raise BadInput(f"--engine {engine!r}: {refused}") from None


def _counted(openings: "Iterator[Opening]", advance: "Callable[[], None]") -> "Iterator[Opening]":
    for opening in openings:
        advance()
        yield opening


@contextlib.contextmanager
def _progress(count: int) -> "Iterator[Callable[[], None]]":
    """A bar on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    screen = Console(file=sys.stderr)
    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task("openings", total=count)
        yield lambda: bar.advance(task)
