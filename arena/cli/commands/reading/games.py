"""`arena games`: which games there are."""

import json
from itertools import groupby
from typing import Annotated, Literal

from arena.cli import output
from arena.cli.db_options import AsCsv, Database, First, GameFilter, Last, check_form
from arena.cli.errors import BadInput
from arena.cli.option_groups import grouped, option
from arena.cli.view.game_list import print_csv, print_games


@grouped
def games(
    db: Database,
    *,
    which: GameFilter,
    sort: Annotated[
        Literal["schedule", "longest", "shortest", "disputed"],
        option(
            "The order. disputed lists only the games in which the scores of the engines had different signs and "
            "were at least 100 points apart, and lists the longest dispute first."
        ),
    ] = "schedule",
    limit: First = None,
    last: Last = None,
    as_json: Annotated[bool, option("Print one JSON object per game instead.", flag="--json")] = False,
    as_csv: AsCsv = False,
) -> None:
    """List the games, one line each: number, id, round, p1, p2, variant, result, termination, plies."""
    from results.store.filter import Selection
    from results.tables.game_list import csv_rows

    if limit is not None and last is not None:
        raise BadInput("--limit and --last: name one of them")
    check_form(as_json, as_csv)
    with which.opened(db) as (store, chosen, runs):
        listed = store.briefs(Selection(chosen, sort, last or limit, last is not None))
        if as_json:
            for game in listed:
                output.echo(json.dumps(game._asdict()))
        elif as_csv:
            print_csv(csv_rows(listed))
        elif sort == "schedule" and len(runs) > 1:
            names = {each.id: each.name for each in runs}
            for number, (run_id, games_of_run) in enumerate(groupby(listed, key=lambda game: game.run)):
                if number:
                    output.echo()
                output.echo(f"# run {run_id}, {names[run_id]}")
                print_games(games_of_run)
        else:
            print_games(listed, disputed=sort == "disputed")
