"""`arena crosstable`: who scored how much against whom."""

from arena.cli import output
from arena.cli.db_options import Anchor, AsJson, Database, TableFilter
from arena.cli.option_groups import grouped


@grouped
def crosstable(db: Database, *, which: TableFilter, anchor: Anchor = None, as_json: AsJson = False) -> None:
    """Show who scored how much against whom, with each engine's Elo."""
    from arena.cli.view.rating_list_tables import no_games, print_crosstables, rating_lists_of
    from results.tables.to_json import crosstables_json

    chosen, lists = rating_lists_of(db, which, as_json, anchor=anchor)
    if as_json:
        output.echo_json(crosstables_json(lists))
    elif lists.have_games:
        print_crosstables(output.console(), lists)
    else:
        output.echo(no_games(chosen))
