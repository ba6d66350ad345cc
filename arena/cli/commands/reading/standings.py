"""`arena standings`: the ratings of the engines."""

from pathlib import Path
from typing import Annotated

from arena.cli import output
from arena.cli.db_options import Anchor, AsCsv, AsJson, Database, TableFilter, check_form
from arena.cli.errors import BadInput
from arena.cli.option_groups import grouped, option
from results.tally import Part


@grouped
def standings(
    db: Database,
    *,
    which: TableFilter,
    anchor: Anchor = None,
    by: Annotated[Part | None, option("Also a table for each variant or tc.")] = None,
    wide: Annotated[bool, option("Show all columns, beyond 80 characters.", flag="--wide")] = False,
    crosstable: Annotated[
        bool, option("Show who scored how much against whom, instead of the ranking.", flag="--crosstable")
    ] = False,
    machines: Annotated[
        bool, option("Show instead how each engine scored on each machine.", flag="--machines")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Rank the engines, with ratings: all games, and on request each variant or time control."""
    from arena.cli.view.game_list import print_csv
    from arena.cli.view.rating_list_tables import no_games, print_standings, rating_lists_of
    from results.tables.columns import csv_rows
    from results.tables.to_json import rating_lists_json

    check_form(as_json, as_csv)
    others: dict[str, object] = {"--by": by, "--wide": wide, "--csv": as_csv}
    if machines:
        others |= {"--crosstable": crosstable, "--anchor": anchor}
    for other, given in others.items():
        if given and (machines or crosstable):
            raise BadInput(f"{'--machines' if machines else '--crosstable'} and {other}: name one of them")
    if machines:
        _machines(db, which, as_json)
        return
    if crosstable:
        _crosstable(db, which, anchor, as_json)
        return
    chosen, lists = rating_lists_of(db, which, as_json or as_csv, wide, anchor)
    if as_json:
        output.echo_json(rating_lists_json(lists, time_controls=True))
    elif as_csv:
        tables = [lists.overall, *(lists.parts(by) if by else ())]
        print_csv(csv_rows((ratings.name, ratings.standings.rows) for ratings in tables))
    elif lists.have_games:
        print_standings(lists, wide=wide, by=by)
    else:
        output.echo(no_games(chosen))


def _crosstable(db: Path, which: TableFilter, anchor: str | None, as_json: bool) -> None:
    from arena.cli.view.rating_list_tables import no_games, print_crosstables, rating_lists_of
    from results.tables.to_json import crosstables_json

    chosen, lists = rating_lists_of(db, which, as_json, anchor=anchor)
    if as_json:
        output.echo_json(crosstables_json(lists))
    elif lists.have_games:
        print_crosstables(lists)
    else:
        output.echo(no_games(chosen))


def _machines(db: Path, which: TableFilter, as_json: bool) -> None:
    from arena.cli.view.rating_list_tables import no_games
    from results.tables.machines import machine_rows, machine_table, score_rows

    with which.opened(db) as (store, chosen, _):
        table = machine_table(store, chosen)
    if as_json:
        output.echo_json(table)
    elif not table["machines"]:
        output.echo(no_games(chosen))
    else:
        output.print_table(machine_rows(table), {1})
        output.echo()
        output.print_table(score_rows(table), {2, 3})
