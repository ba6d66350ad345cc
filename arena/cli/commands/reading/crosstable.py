"""`arena crosstable`: who scored how much against whom."""

from arena.cli import output
from arena.cli.db_options import AsJson, Database, TableFilter
from arena.cli.option_groups import grouped


@grouped
def crosstable(db: Database, *, which: TableFilter, as_json: AsJson = False) -> None:
    """Show who scored how much against whom."""
    from arena.cli.view.pool_tables import no_games, pools_of, print_crosstables
    from results.tables.to_json import crosstables_json

    chosen, pools = pools_of(db, which, as_json)
    if as_json:
        output.echo_json(crosstables_json(pools))
    elif pools.have_games:
        print_crosstables(output.console(), pools)
    else:
        output.echo(no_games(chosen))
