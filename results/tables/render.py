"""Standings and crosstables as tables for a terminal, with the notes below them.

This module computes nothing. It imports rich only when it makes a table. A table is complete without colour. Standings
fit in 100 columns, and a crosstable of eight engines fits in 80.
"""

from typing import TYPE_CHECKING

from results.ratings.scale import Z95
from results.tables import one_sided
from results.tables.columns import COLUMNS
from results.tables.crosstable import Crosstable
from results.tables.standings import Standings
from results.tables.text_width import cut, some_games
from results.tally import Tally

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

NAME_COLUMNS = 16
"""Terminal columns of a name. Longer names are cut with an ellipsis; the number before the name tells them apart."""
LONGEST_SCORE = 6
"""Characters of wins-draws-losses in a crosstable. If one is longer, all cells show percentages instead."""


def standings_table(standings: Standings, title: str | None = None, wide: bool = False) -> "Table":
    """One line for each engine, in the order given, with the columns of `results.tables.columns`.

    Without `wide`, roles and online ratings the table has at most 100 columns.
    """
    table = _table(title)
    shown = [column for column in COLUMNS[2:] if column.is_shown(standings.rows, wide)]
    for column in shown:
        style = "bold" if column.heading == "rating" else ""
        table.add_column(column.heading, justify="right", no_wrap=True, style=style)
    for row in standings.rows:
        table.add_row(*_number_and_name(row.rank, row.name), *(column.text(row) for column in shown))
    return table


def standings_notes(standings: Standings) -> list[str]:
    """The lines below the table, each of at most 100 columns."""
    return [*rating_notes(standings), *_remarks(standings)]


def rating_notes(standings: Standings) -> list[str]:
    """What a reader must know about the ratings."""
    notes = []
    if (side := standings.side) is not None:
        notes.append(f"having the first side (p1) is worth {side.mean:+z.2f} +- {Z95 * side.sigma:.2f}")
    rated = [row.rating for row in standings.rows if row.rating is not None]
    if any(rating.role for rating in rated):
        notes.append("role: what an engine is better as p1, and worse as p2, than its rating says")
    others = "the others"
    if standings.anchor is not None:
        others = cut(standings.anchor, NAME_COLUMNS)
        notes.append(f"ratings are relative to {others}, the anchor")
    elif len(standings.reference) < len(rated):
        who = cut(", ".join(standings.reference), 40)
        notes.append(f"ratings are relative to the mean of {len(standings.reference)} of {len(rated)} engines: {who}")
    notes += one_sided.notes(rated, others)
    if len(standings.groups) > 1:
        notes.append(f"no games connect these {len(standings.groups)} groups, so ratings compare only within each:")
        notes += [f"  {cut(', '.join(group), 96)}" for group in standings.groups]
    if standings.distinct < standings.games:
        games = some_games(standings.games)
        notes.append(f"ratings count identical games once: {standings.distinct} of {games} differ")
    return notes


def _remarks(standings: Standings) -> list[str]:
    notes = []
    if any(row.online for row in standings.rows):
        notes.append(
            "online: TrueSkill game by game in the schedule's order, for comparison; it is not the published rating"
        )
    late = sum(row.flagged for row in standings.rows) // 2
    if late:
        notes.append(f"machine late: {some_games(late)} with a ply in which a process waited for a CPU")
    for row in standings.rows:
        short = cut(row.name, NAME_COLUMNS)
        if row.machine:
            notes.append(f"machine late: {short} lost {some_games(row.machine)} on time only by that")
        if row.burns_idle:
            notes.append(f"busy idler: {short} used CPU in its opponent's time in {some_games(row.burns_idle)}")
    return notes


def crosstable_table(crosstable: Crosstable, title: str | None = None) -> "Table":
    """Each engine against each, from the row's point of view: points above, wins-draws-losses below.

    The columns have the numbers of the rows.
    """
    met = [cell for line in crosstable.cells for cell in line if cell is not None]
    below = _score if all(len(_score(cell)) <= LONGEST_SCORE for cell in met) else _percent_sign
    table = _table(title)
    for number in range(1, len(crosstable.engines) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, (name, line) in enumerate(zip(crosstable.engines, crosstable.cells, strict=True), 1):
        cells = [
            f"{cell.score:g}\n{below(cell)}" if cell else "-" if number == i else "" for i, cell in enumerate(line, 1)
        ]
        table.add_row(*_number_and_name(number, name), *cells)
    return table


def _table(title: str | None) -> "Table":
    from rich.table import Table
    from rich.text import Text

    # Text, because a name in brackets must not be taken for markup. No box: its lines cost columns and say nothing.
    heading = None if title is None else Text(title, style="bold", no_wrap=True, overflow="ignore")
    table = Table(title=heading, title_justify="left", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("#", justify="right", no_wrap=True, style="dim")
    table.add_column("engine", no_wrap=True, max_width=NAME_COLUMNS, overflow="ellipsis")
    return table


def _number_and_name(number: int, name: str) -> tuple["Text", "Text"]:
    from rich.text import Text

    return Text(str(number)), Text(name)


def _percent_sign(tally: Tally) -> str:
    return f"{100 * tally.score / tally.games:.0f}%"


def _score(tally: Tally) -> str:
    return f"{tally.wins}-{tally.draws}-{tally.losses}"
