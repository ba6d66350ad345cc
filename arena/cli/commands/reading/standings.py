"""`arena standings`: the ratings of the engines."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import output
from arena.cli.db_options import Anchor, AsJson, Database, TableFilter
from arena.cli.option_groups import grouped
from results.tally import Part


@grouped
def standings(
    db: Database,
    *,
    which: TableFilter,
    anchor: Anchor = None,
    roles: Annotated[
        bool,
        typer.Option("--roles", help="Show how much better each is as p1, and worse as p2. [default: if it matters]"),
    ] = False,
    by: Annotated[
        Part | None,
        typer.Option(help="Also a table for each variant or tc. [default: if there is room]"),
    ] = None,
    wide: Annotated[bool, typer.Option("--wide", help="Show all columns, beyond 80 characters.")] = False,
    online: Annotated[
        bool,
        typer.Option("--online", help="Also rate game by game with TrueSkill. This reads every game and takes longer."),
    ] = False,
    machines: Annotated[
        bool,
        typer.Option(
            "--machines", help="Show instead how each engine scored on each machine, and whether machines disagree."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rank the engines, with ratings: all games, and on request each variant or time control."""
    from arena.cli.view.rating_list_tables import no_games, print_standings, rating_lists_of
    from results.tables.to_json import rating_lists_json

    if machines:
        _machines(db, which, as_json)
        return
    chosen, lists = rating_lists_of(db, which, as_json, online, anchor)
    if as_json:
        output.echo_json(rating_lists_json(lists, time_controls=True))
    elif lists.have_games:
        print_standings(output.console(), lists, wide=wide, roles=roles, by=by)
    else:
        output.echo(no_games(chosen))


def _machines(db: Path, which: TableFilter, as_json: bool) -> None:
    from arena.cli.view.rating_list_tables import no_games
    from results.tables.machines import machine_json, machine_rows, machine_table, notes, score_rows

    with which.opened(db) as (store, chosen, runs):
        table = machine_table(store, [run.id for run in runs], chosen)
    if as_json:
        output.echo_json(machine_json(table))
    elif not table.machines:
        output.echo(no_games(chosen))
    else:
        output.print_table(machine_rows(table), right=frozenset({1, 2, 3, 4}))
        output.echo()
        output.print_table(score_rows(table), right=frozenset({2, 3, 4, 5, 6, 7}), keep=2)
        for line in notes(table):
            output.echo_sentence(line)
