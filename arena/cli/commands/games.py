"""`arena games` and `arena stats`: which games there are, and what the engines used and said in them."""

import csv
import json
import sys
from collections.abc import Iterable
from itertools import groupby, islice
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from arena.cli import db_options, output
from arena.cli.db_options import AsJson, Clock, Database, Ending, Engine, Opponent, RunId, Since, Until, Variant, Won
from arena.cli.errors import BadInput
from results.safe_text import csv_row

if TYPE_CHECKING:
    from results.store.reader import Brief

_LINES_AT_ONCE = 1000
"""How many lines of a list are aligned with each other. A list is printed while it is read, and may be very long."""


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
        Literal["schedule", "longest", "shortest", "disputed"],
        typer.Option(
            help="The order. disputed lists only the games in which the scores of the engines had different signs and "
            "were at least 100 points apart, and lists the longest dispute first."
        ),
    ] = "schedule",
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N games.")] = None,
    last: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the last N games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per game instead.")] = False,
    as_csv: AsCsv = False,
) -> None:
    """List the games, one line each: number, id, round, p1, p2, variant, result, termination, plies."""
    from results.store.filter import Selection
    from results.tables.game_list import csv_rows

    if limit is not None and last is not None:
        raise BadInput("--limit and --last: name one of them")
    _check_form(as_json, as_csv)
    words = {"engine": engine, "opponent": opponent, "variant": variant, "tc": tc, "winner": winner}
    words |= {"run": run, "termination": termination, "since": since, "until": until}
    with db_options.opened_games(db, **words) as (store, which, runs):
        found = store.briefs(Selection(which, sort, last or limit, last is not None))
        if as_json:
            for game in found:
                output.echo(json.dumps(game._asdict()))
        elif as_csv:
            _print_csv(csv_rows(found))
        elif sort == "schedule" and len(runs) > 1:
            names = {each.id: each.name for each in runs}
            for number, (run_id, games_of_run) in enumerate(groupby(found, key=lambda game: game.run)):
                if number:
                    output.echo()
                output.echo(f"# run {run_id}, {names[run_id]}")
                _print_games(games_of_run)
        else:
            _print_games(found, disputed=sort == "disputed")


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
    """Show what the engines used and said: time of a move, depth, nodes, CPU; how games ended; remarkable games."""
    from results.tables import statistics

    _check_form(as_json, as_csv)
    words = {"run": run, "engine": engine, "opponent": opponent, "variant": variant, "tc": tc}
    with db_options.opened_games(db, since=since, until=until, **words) as (store, which, _):
        found = statistics.statistics(store, which)
    if as_json:
        output.echo_json(statistics.statistics_json(found))
    elif as_csv:
        _print_csv(statistics.csv_rows(found.engines))
    elif not found.engines:
        output.echo("no games yet")
    else:
        output.print_table(statistics.engine_rows(found.engines), right=frozenset(range(1, 12)))
        output.echo()
        output.print_table(statistics.ending_rows(found.endings), right=frozenset(range(2, 6)), keep=2)
        output.echo()
        for order, remarkable in found.remarkable.items():
            if remarkable:
                output.echo(f"{'most disputed' if order == 'disputed' else order}:")
                _print_games(remarkable, disputed=order == "disputed")


def _check_form(as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise BadInput("--json and --csv: name one of them")


def _print_csv(rows: "Iterable[Iterable[object]]") -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows(map(csv_row, rows))


def _print_games(games: "Iterable[Brief]", disputed: bool = False) -> None:
    from results.tables.game_list import text_row

    rest = iter(games)
    while rows := [text_row(game, disputed) for game in islice(rest, _LINES_AT_ONCE)]:
        output.print_table(rows, right=frozenset({0, 2, 8, 9}), keep=0)
