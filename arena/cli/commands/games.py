"""`arena games` and `arena stats`: which games there are, and what engines used and said in them."""

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from enum import Enum
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import db_options
from arena.cli.db_options import AsJson, Clock, Database, Ending, Engine, Opponent, RunId, Since, Until, Variant, Won
from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from results.record import ResultCount, Run
    from results.store.filter import Filter, Order
    from results.store.store import Brief, Store
    from results.tables.engine_stats import EngineStats

RESULTS = {"p1": "1-0", "p2": "0-1", "draw": "1/2-1/2", None: "*"}
_ABREAST = 1000
"""Lines that are aligned with each other: a list is printed as it is read, and may be millions of lines."""
_CSV = ("run", "id", "number", "round", "p1", "p2", "variant", "winner", "termination", "plies", "tc", "started_at")


class Sort(Enum):
    """In which order games are listed."""

    schedule = "schedule"
    longest = "longest"
    shortest = "shortest"
    disputed = "disputed"


AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV instead.")]


def games(
    db: Database,
    run: RunId = None,
    engine: Engine = None,
    opponent: Opponent = None,
    variant: Variant = None,
    termination: Ending = None,
    winner: Won = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    sort: Annotated[
        Sort,
        typer.Option(
            help="Order: disputed has first the games in which the engines' scores had different signs and lay at "
            "least a hundred points apart for the most plies in a row, and leaves out the others."
        ),
    ] = Sort.schedule,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N.")] = None,
    last: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the last N.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a game instead.")] = False,
    as_csv: AsCsv = False,
) -> None:
    """List the games, one line each: number, id, round, p1, p2, variant, result, termination, plies."""
    from results.store.filter import Filter, Selection

    if limit is not None and last is not None:
        raise BadInput("--limit and --last: name one of them")
    _one_of(as_json, as_csv)
    order: Order = sort.value
    which = Filter(None, engine, opponent, variant, tc, db_options.ending(termination), winner)
    which = db_options.bounded(which, since, until)
    with db_options.opened(db) as store:
        which, runs = _narrowed(store, which, run, db)
        found = store.briefs(Selection(which, order, last or limit, last is not None))
        if as_json:
            for game in found:
                typer.echo(json.dumps(game._asdict()))
        elif as_csv:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow((*_CSV, "disputed"))
            writer.writerows((*(getattr(game, name) for name in _CSV), game.disputed) for game in found)
        elif order == "schedule" and len(runs) > 1:
            for number, (one, its) in enumerate(groupby(found, key=lambda game: game.run)):
                typer.echo(f"{chr(10) * (number > 0)}# run {one}, {runs[one].name}")
                _print(its)
        else:
            _print(found, disputes=order == "disputed")


def stats(
    db: Database,
    run: RunId = None,
    engine: Engine = None,
    opponent: Opponent = None,
    variant: Variant = None,
    tc: Clock = None,
    since: Since = None,
    until: Until = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show what engines used and said: time a move, depth, nodes, CPU; how games ended; which were remarkable."""
    from results.store.filter import Filter
    from results.tables.engine_stats import Stats

    _one_of(as_json, as_csv)
    which = db_options.bounded(Filter(None, engine, opponent, variant, tc), since, until)
    with db_options.opened(db) as store:
        which, _ = _narrowed(store, which, run, db)
        sums = Stats()
        store.read_costs(which, sums.add)
        engines = sums.engines()
        endings = _endings(store.counts(which))
        remarkable = _remarkable(store, which)
    if as_json:
        values = {
            "engines": [{**asdict(each), "endings": endings.get(each.name, {})} for each in engines],
            "remarkable": {word: [game._asdict() for game in its] for word, its in remarkable.items()},
        }
        typer.echo(json.dumps(values))
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        rows = [asdict(each) for each in engines]
        writer.writerows([list(rows[0]), *(row.values() for row in rows)] if rows else [])
    elif not engines:
        typer.echo("no games yet")
    else:
        _print_stats(engines, endings, remarkable)


def _one_of(as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise BadInput("--json and --csv: name one of them")


def _narrowed(store: "Store", which: "Filter", run: str | None, db: Path) -> "tuple[Filter, dict[str, Run]]":
    """The filter with the run that `--run` means, and the runs that it leaves."""
    from dataclasses import replace

    runs = db_options.chosen(store, run, db)
    which = db_options.known(store, which, db)
    return which if run is None else replace(which, run=runs[0].id), {one.id: one for one in runs}


def _print(found: "Iterable[Brief]", disputes: bool = False) -> None:
    from arena.cli import output

    rest = iter(found)
    while block := [_line(game, disputes) for game in islice(rest, _ABREAST)]:
        typer.echo(output.table(block, right=frozenset({0, 2, 8, 9})), nl=False)


def _line(game: "Brief", disputes: bool) -> tuple[str, ...]:
    line: tuple[str, ...] = (
        str(game.number),
        game.id,
        str(game.round),
        game.p1,
        game.p2,
        game.variant,
        RESULTS[game.winner],
    )
    line = (*line, game.termination, str(game.plies))
    return (*line, f"disputed for {game.disputed}") if disputes else line


def _endings(counts: "Iterable[ResultCount]") -> dict[str, dict[str, dict[str, int]]]:
    """By engine and termination how many games were won, drawn, lost and without a result."""
    sums: dict[str, dict[str, Counter[str]]] = {}
    for each in counts:
        for name, side in ((each.p1, "p1"), (each.p2, "p2")):
            word = {"draw": "drawn", None: "none", side: "won"}.get(each.winner, "lost")
            sums.setdefault(name, {}).setdefault(each.termination.value, Counter())[word] += each.games
    return {name: {word: dict(each) for word, each in sorted(its.items())} for name, its in sums.items()}


def _remarkable(store: "Store", which: "Filter") -> "dict[str, list[Brief]]":
    """The first three games by each order."""
    from results.store.filter import Selection

    words: tuple[Order, ...] = ("longest", "shortest", "disputed")
    return {word: list(store.briefs(Selection(which, word, 3))) for word in words}


def _print_stats(
    engines: "Sequence[EngineStats]",
    endings: dict[str, dict[str, dict[str, int]]],
    remarkable: "dict[str, list[Brief]]",
) -> None:
    from arena.cli import output

    heads = ("engine", "games", "plies", "ms mean", "p95", "max", "cpu ms", "depth", "nodes", "nodes/s", "idle ms")
    rows: list[tuple[str, ...]] = [(*heads, "late %")]
    for each in engines:
        times = (each.wall_mean_ms, each.wall_p95_ms, each.wall_max_ms, each.cpu_mean_ms, each.depth_mean)
        rows.append(
            (
                *(each.name, str(each.games), str(each.plies), *map(_short, times)),
                *map(_whole, (each.nodes_mean, each.nodes_per_s)),
                _short(each.idle_cpu_mean_ms),
                "-" if each.late_share is None else f"{100 * each.late_share:.1f}",
            )
        )
    typer.echo(output.table(rows, right=frozenset(range(1, 12))))
    lines: list[tuple[str, ...]] = [("engine", "ending", "won", "drawn", "lost", "none")]
    for name, its in sorted(endings.items()):
        for word, sums in its.items():
            lines.append((name, word, *(str(sums.get(each, 0)) for each in ("won", "drawn", "lost", "none"))))
    typer.echo(output.table(lines, right=frozenset(range(2, 6))))
    for word, its_games in remarkable.items():
        if its_games:
            typer.echo(f"{'most disputed' if word == 'disputed' else word}:")
            _print(its_games, disputes=word == "disputed")


def _short(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.1f}"


def _whole(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.0f}"
