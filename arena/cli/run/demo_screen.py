"""The last screen of `arena demo`: the table, a board and what to type next, in 24 lines of 80 columns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.cli import output
from arena.cli.output import console, echo, glyphs, legend_lines
from arena.cli.run.ending import Ending
from arena.cli.wrap import wrap
from arena.planning.outcome import RunOutcome
from arena.planning.prepared_run import PreparedRun
from results.record import GameRecord
from results.safe_text import harmless
from results.store.filter import Filter, Selection
from results.tables.text_width import columns
from results.variant_name import shown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from results.highlight import Highlight

_LINES = 23
"""Lines of the screen, without the one of the next prompt. The legend of the table is cut where there are more."""
_GAP = 4
"""Columns between the board and the words beside it."""
_NARROWEST = 28
"""Columns that the words need. If there are fewer, they stand above the board."""


def print_demo(run: PreparedRun, outcome: RunOutcome, as_json: bool) -> None:
    """Print the screen. JSON is not offered."""
    print_screen(Ending("demo", run.store, run.plan.run_id, run.options.db), outcome.unfinished, outcome.interrupted)


def print_screen(ending: Ending, unfinished: Sequence[GameRecord] = (), interrupted: bool = False) -> None:
    """Print the standings, the game that is worth a look, and three commands. `unfinished` games are not stored.

    After an interrupted run a line follows that says so: it has room, too.
    """
    from arena.cli.view.rating_list_tables import print_lines
    from results.highlight import highlight
    from results.tables.rating_lists import rating_lists_of_runs
    from results.tables.render import legend, standings_table

    store, which, out = ending.store, Filter(run=ending.run_id), console()
    table = rating_lists_of_runs(store, [ending.run_id], which, more=unfinished).overall.standings
    ratings = {row.name: row.rating.mean for row in table.rows if row.rating is not None}
    ranks = {row.name: row.rank for row in table.rows}
    chosen = highlight(store.briefs(Selection(which)), ratings)
    lines = [] if chosen is None else _game_lines(out, chosen, store.game(chosen.game.id), ranks)
    commands = ending.next_commands(None if chosen is None else chosen.game.number)
    out.print()
    print_lines(out, standings_table(table, width=out.width))
    texts = legend([table], width=out.width)
    used = 1 + len(table.rows) + 1 + len(lines) + 2 + len(commands) + interrupted
    for line in texts[: max(_LINES - used, 0)]:
        out.print(harmless(line), markup=False, soft_wrap=not out.is_terminal, style="dim")
    if lines:
        out.print()
    for row in lines:
        out.print(row, soft_wrap=True)
    if commands:
        echo()
        echo("Try next:")
        for command in commands:
            echo(f"  {command}")


def _game_lines(out: "Console", chosen: "Highlight", record: GameRecord, ranks: dict[str, int]) -> "list[Text]":
    """The last board, and beside it who won and why the game was chosen."""
    from rich.text import Text

    from arena.games import board_drawing
    from arena.games.game_boards import board_of_game
    from arena.games.line import replay
    from arena.games.variants import kind_of

    game, _ = replay(record.variant, record.fen, record.moves)
    board = board_of_game(game)
    signs = glyphs(False)
    drawn = output.rich_text(board, signs).split("\n", allow_blank=False)
    kind = kind_of(game.rules)
    p1 = f"{record.p1} ({kind.side_name('p1')}, {_place(ranks[record.p1])})"
    p2 = f"{record.p2} ({kind.side_name('p2')}, {_place(ranks[record.p2])})"
    winner, loser = (p1, p2) if record.winner == "p1" else (p2, p1)
    words = (
        f"{chosen.why[0].upper()}{chosen.why[1:]}: game {record.number}, {shown(record.variant)}.",
        f"{winner} beat {loser}",
        f"by {record.termination} at ply {record.ply_count}.",
        "",
    )
    width = max(columns(line.plain) for line in drawn)
    beside = out.width - width - _GAP >= _NARROWEST
    room = out.width - width - _GAP if beside else out.width
    lines = [line for text in words for line in wrap(harmless(text), room)]
    lines += legend_lines(board_drawing.legend(board, signs), room)
    if not beside:
        return [*map(Text, lines), *drawn]
    rows = []
    for number in range(max(len(drawn), len(lines))):
        row = drawn[number] if number < len(drawn) else Text()
        if number < len(lines) and lines[number]:
            row.append(" " * (width + _GAP - columns(row.plain)) + lines[number], "" if number else "bold")
        rows.append(row)
    return rows


def _place(rank: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")
