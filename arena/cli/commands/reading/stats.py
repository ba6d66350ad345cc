"""`arena stats`: what the engines used and said."""

from arena.cli import output
from arena.cli.db_options import AsCsv, AsJson, Database, EngineFilter, check_form
from arena.cli.option_groups import grouped
from arena.cli.view.game_list import print_csv, print_games


@grouped
def stats(db: Database, *, which: EngineFilter, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Show what the engines used and said: time of a move, depth, nodes, CPU; how games ended; remarkable games."""
    from arena.cli.view.rating_list_tables import no_games
    from results.tables import statistics

    check_form(as_json, as_csv)
    with which.opened(db) as (store, chosen, _):
        counted = statistics.statistics(store, chosen)
    if as_json:
        output.echo_json(statistics.statistics_json(counted))
    elif as_csv:
        print_csv(statistics.csv_rows(counted.engines))
    elif not counted.engines:
        output.echo(no_games(chosen))
    else:
        output.print_table(statistics.engine_rows(counted.engines), range(1, 13))
        output.echo()
        output.print_table(statistics.ending_rows(counted.endings), range(2, 6))
        output.echo()
        for note in counted.notes:
            output.echo_sentence(note)
        if counted.notes:
            output.echo()
        few = sum(each.games for each in counted.engines) <= 4 * statistics.MOST_REMARKABLE  # of two engines each
        for order, remarkable in counted.remarkable.items():
            if remarkable and (order == "disputed" or not few):
                output.echo(f"{'most disputed' if order == 'disputed' else order}:")
                print_games(remarkable, disputed=order == "disputed")
        if counted.remarkable["disputed"]:
            output.echo("disputed: the engines' scores had different signs and were at least 100 cp apart")
