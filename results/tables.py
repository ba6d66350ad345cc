"""Standings and crosstables as people see them in a terminal, and the same as plain values for JSON.

Knows rich, which is imported only when a table is made. Refuses to compute anything. A table says everything without
colour and keeps to 80 columns with eight engines.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from results.crosstable import Crosstable, HeadToHead
from results.standings import Standing
from results.tally import Tally

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

NAME_COLUMNS = 16
"""Longer names are cut with an ellipsis; the number before the name tells them apart."""
WIDE = 6
"""Up to this length wins-draws-losses fits into eight columns of a crosstable; longer ones give way to a percentage."""


def standings_table(rows: Sequence[Standing], title: str | None = None) -> "Table":
    """One line per engine, in the order given; unfinished games and forfeits only where there are any.

    `rating` is the conservative one, by which the rows are sorted; `%` is the share of points, in all and by side.
    """
    table = _table(title)
    figures = ["W", "D", "L", "%", "p1 %", "p2 %", "mu", "sigma", "rating"]
    unfinished = any(row.unfinished for row in rows)
    forfeits = any(row.forfeits for row in rows)
    for heading in figures + ["unf."] * unfinished + ["forf."] * forfeits:
        table.add_column(heading, justify="right", no_wrap=True, style="bold" if heading == "rating" else "")
    for row in rows:
        rating = row.rating
        total = rating.total
        cells: list[str | Text] = [
            *_number_and_name(row.rank, rating.name),
            *(str(total.wins), str(total.draws), str(total.losses)),
            *(_percent(total), _percent(rating.p1), _percent(rating.p2)),
            *(f"{rating.mu:.1f}", f"{rating.sigma:.1f}", f"{rating.conservative:.1f}"),
        ]
        if unfinished:
            cells.append(str(row.unfinished))
        if forfeits:
            cells.append(str(row.forfeits))
        table.add_row(*cells)
    return table


def standings_notes(rows: Sequence[Standing]) -> list[str]:
    """What the table has no room for, a line each of at most 80 columns: late machines and busy idlers, if any."""
    notes = []
    late = sum(row.flagged for row in rows) // 2
    if late:
        notes.append(f"machine late: {_games(late)} with a ply in which a process waited for a CPU")
    for row in rows:
        name = row.rating.name
        short = name if len(name) <= NAME_COLUMNS else name[: NAME_COLUMNS - 1] + "…"
        if row.machine:
            notes.append(f"machine late: {short} lost {_games(row.machine)} on time only by that")
        if row.burns_idle:
            notes.append(f"busy idler: {short} used CPU in its opponent's time in {_games(row.burns_idle)}")
    return notes


def _games(count: int) -> str:
    return f"{count} game{'s' * (count != 1)}"


def crosstable_table(crosstable: Crosstable, title: str | None = None) -> "Table":
    """Each engine against each, from the row's point of view: points above, wins-draws-losses below.

    Columns have the numbers of the rows. Where a tally is too long for its column, all show percentages instead.
    """
    met = [cell for line in crosstable.cells for cell in line if cell is not None]
    below = _record if all(len(_record(cell)) <= WIDE for cell in met) else _percent_sign
    table = _table(title)
    for number in range(1, len(crosstable.engines) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, (name, line) in enumerate(zip(crosstable.engines, crosstable.cells, strict=True), 1):
        cells = [
            f"{cell.score:g}\n{below(cell)}" if cell else "-" if number == i else "" for i, cell in enumerate(line, 1)
        ]
        table.add_row(*_number_and_name(number, name), *cells)
    return table


def head_to_head_table(pair: HeadToHead, title: str | None = None) -> "Table":
    """One pairing by side, from the first engine's point of view."""
    table = _table(title, numbered=False)
    for heading in ("side", "games", "W", "D", "L", "points", "%"):
        table.add_column(heading, justify="left" if heading == "side" else "right", no_wrap=True)
    for side, tally in (("as p1", pair.as_p1), ("as p2", pair.as_p2), ("both", pair.total)):
        counts = (tally.games, tally.wins, tally.draws, tally.losses)
        table.add_row(side, *map(str, counts), f"{tally.score:g}", _percent(tally))
    return table


def standings_json(rows: Sequence[Standing]) -> list[dict[str, object]]:
    """The standings as plain values, in the order given."""
    return [
        {
            "name": row.rating.name,
            **_tally(row.rating.total),
            "mu": row.rating.mu,
            "sigma": row.rating.sigma,
            "conservative": row.rating.conservative,
            "p1": {"games": row.rating.p1.games, "score": row.rating.p1.score},
            "p2": {"games": row.rating.p2.games, "score": row.rating.p2.score},
            "unfinished": row.unfinished,
            "forfeits": row.forfeits,
            "flagged": row.flagged,
            "machine_forfeits": row.machine,
            "burns_idle": row.burns_idle,
        }
        for row in rows
    ]


def crosstable_json(crosstable: Crosstable) -> dict[str, object]:
    """The crosstable as plain values: null where two never met and for an engine against itself."""
    return {
        "engines": list(crosstable.engines),
        "cells": [[None if cell is None else _tally(cell) for cell in line] for line in crosstable.cells],
    }


def _table(title: str | None, numbered: bool = True) -> "Table":
    from rich.table import Table
    from rich.text import Text

    # Text, because a name in brackets must not be taken for markup. No box: its lines cost columns and say nothing.
    heading = None if title is None else Text(title, style="bold")
    table = Table(title=heading, title_justify="left", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    if numbered:
        table.add_column("#", justify="right", no_wrap=True, style="dim")
        table.add_column("engine", no_wrap=True, max_width=NAME_COLUMNS, overflow="ellipsis")
    return table


def _number_and_name(number: int, name: str) -> tuple["Text", "Text"]:
    from rich.text import Text

    return Text(str(number)), Text(name)


def _percent(tally: Tally) -> str:
    return f"{100 * tally.score / tally.games:.1f}" if tally.games else "-"


def _percent_sign(tally: Tally) -> str:
    return f"{100 * tally.score / tally.games:.0f}%"


def _record(tally: Tally) -> str:
    return f"{tally.wins}-{tally.draws}-{tally.losses}"


def _tally(tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
    }
