"""The last screen of `arena demo`: the table, a board and what to type next, in 24 lines of 80 columns."""

from collections.abc import Sequence

from arena.cli import output
from arena.cli.run.ending import Ending
from arena.planning.prepared_run import PreparedRun, RunOutcome
from results.record import GameRecord
from results.store.filter import Filter, Selection
from results.variant_name import shown


def print_demo(run: PreparedRun, outcome: RunOutcome, as_json: bool) -> None:
    """Print the screen. JSON is not offered."""
    print_screen(Ending("demo", run.store, run.plan.run_id, run.options.db), outcome.unfinished)


def print_screen(ending: Ending, unfinished: Sequence[GameRecord] = ()) -> None:
    """Print the standings, the game that is worth a look, and three commands. `unfinished` games are not stored."""
    from arena.cli.view.rating_list_tables import print_lines
    from results.highlight import highlight
    from results.tables.rating_lists import rating_lists_of_runs
    from results.tables.render import standings_table

    store, which = ending.store, Filter(run=ending.run_id)
    table = rating_lists_of_runs(store, [ending.run_id], which, more=unfinished).overall.standings
    ratings = {row.name: row.rating.mean for row in table.rows if row.rating is not None}
    output.echo()
    print_lines(standings_table(table, width=output.width()))
    chosen = highlight(store.briefs(Selection(which)), ratings)
    if chosen is not None:
        _print_game(chosen.why, store.game(chosen.game.id), {row.name: row.rank for row in table.rows})
    if commands := ending.next_commands(None if chosen is None else chosen.game.number):
        output.echo()
        output.echo("Try next:")
        for command in commands:
            output.echo(f"  {command}")


def _print_game(why: str, record: GameRecord, ranks: dict[str, int]) -> None:
    """Print who won, why the game was chosen, and the last board."""
    from arena.games.game_boards import board_of_game
    from arena.games.line import replay
    from arena.games.variants import kind_of

    game, _ = replay(record.variant, record.fen, record.moves)
    kind = kind_of(game.rules)
    p1 = f"{record.p1} ({kind.side_name('p1')}, {_place(ranks[record.p1])})"
    p2 = f"{record.p2} ({kind.side_name('p2')}, {_place(ranks[record.p2])})"
    winner, loser = (p1, p2) if record.winner == "p1" else (p2, p1)
    end = f"by {record.termination} at ply {record.ply_count}"
    output.echo_sentence(f"{why[0].upper()}{why[1:]}: game {record.number}, {shown(record.variant)}, {end}.")
    output.echo_sentence(f"{winner} beat {loser}")
    output.console().print(output.rich_text(board_of_game(game), output.glyphs(False)), end="", soft_wrap=True)


def _place(rank: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")
