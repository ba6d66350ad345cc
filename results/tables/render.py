"""Standings and crosstables as people see them in a terminal, and the same as plain values for JSON.

Knows rich, which is imported only when a table is made. Refuses to compute anything. A table says everything without
colour; standings keep to 100 columns, and a crosstable of eight engines to 80.
"""

from typing import TYPE_CHECKING

from results.ratings.scale import MU, Z95
from results.tables import one_sided
from results.tables.crosstable import Crosstable, HeadToHead
from results.tables.standings import Standing, Standings
from results.tables.text_width import cut, some_games
from results.tally import Tally

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

NAME_COLUMNS = 16
"""Longer names are cut with an ellipsis; the number before the name tells them apart."""
WIDE = 6
"""Up to this length wins-draws-losses fits into eight columns of a crosstable; longer ones give way to a percentage."""


def standings_table(found: Standings, title: str | None = None, wide: bool = False) -> "Table":
    """One line per engine, in the order given; unfinished games and forfeits only where there are any.

    `rating` is relative to the field's mean with its 95 % interval, `P>next` the probability to be stronger than the
    next one, `ranks` the interval of the rank; `%` are shares of points, in all and by side, and of draws. `wide` has
    also wins, draws and losses, games that differ, mu and sigma. Without it, without roles and without a rating game by
    game the table keeps to 100 columns.
    """
    table = _table(title)
    rows = found.rows
    optional = {
        "unf.": any(row.unfinished for row in rows),
        "forf.": any(row.forfeits for row in rows),
        "role": any(row.rating and row.rating.role for row in rows),
        "+-r": any(row.rating and row.rating.role for row in rows),
        "online": any(row.online for row in rows),
        "+-3s": any(row.online for row in rows),
    }
    cells = [_standing_cells(row) for row in rows]
    for heading in _COLUMNS:
        if (wide or heading not in _WIDE_ONLY) and optional.get(heading, True):
            table.add_column(heading, justify="right", no_wrap=True, style="bold" if heading == "rating" else "")
    headings = [str(column.header) for column in table.columns][2:]
    for row, figures in zip(rows, cells, strict=True):
        table.add_row(*_number_and_name(row.rank, row.name), *(figures[heading] for heading in headings))
    return table


_COLUMNS = (
    *(
        "rating",
        "+-",
        "role",
        "+-r",
        "P>next",
        "ranks",
        "games",
        "distinct",
        "W",
        "D",
        "L",
        "%",
        "draw%",
        "p1 %",
        "p2 %",
    ),
    *("mu", "sigma", "mu-3s", "Elo", "online", "+-3s", "unf.", "forf."),
)
_WIDE_ONLY = frozenset({"distinct", "W", "D", "L", "mu", "sigma"})


def _standing_cells(row: Standing) -> dict[str, str]:
    total, rating = row.total, row.rating
    cells = dict.fromkeys(_COLUMNS, "-")
    cells |= {
        "games": str(total.games),
        "distinct": str(row.distinct),
        "W": str(total.wins),
        "D": str(total.draws),
        "L": str(total.losses),
        "%": _percent(total),
        "draw%": f"{100 * total.draws / total.games:.1f}" if total.games else "-",
        "p1 %": _percent(row.p1),
        "p2 %": _percent(row.p2),
        "unf.": str(row.unfinished),
        "forf.": str(row.forfeits),
    }
    if rating is not None:
        better = rating.better_than_next
        cells |= {
            "rating": f"{one_sided.mark(rating.one_sided)}{rating.mean:+z.2f}",
            "+-": f"{rating.upper - rating.mean:.2f}",
            "P>next": "" if better is None else f"{100 * better:.1f}",
            "ranks": f"{rating.ranks[0]}-{rating.ranks[1]}" if rating.ranks[0] < rating.ranks[1] else str(row.rank),
            "mu": f"{rating.mu:.2f}",
            "sigma": f"{rating.sigma:.2f}",
            "mu-3s": f"{rating.conservative:.1f}",
            "Elo": f"{rating.elo:+z.0f}",
        }
        if rating.role is not None:
            cells |= {"role": f"{rating.role.mean:+z.2f}", "+-r": f"{Z95 * rating.role.sigma:.2f}"}
    if row.online is not None:
        cells |= {"online": f"{row.online.mu - MU:+z.1f}", "+-3s": f"{3 * row.online.sigma:.1f}"}
    return cells


def standings_notes(found: Standings) -> list[str]:
    """What the table has no room for, a line each of at most 100 columns."""
    return [*rating_notes(found), *_conduct_notes(found)]


def rating_notes(found: Standings) -> list[str]:
    """What must be known to read the ratings."""
    notes = []
    if found.side is not None:
        notes.append(f"having the first side (p1) is worth {found.side.mean:+z.2f} +- {Z95 * found.side.sigma:.2f}")
    rated = [row.rating for row in found.rows if row.rating is not None]
    if any(rating.role for rating in rated):
        notes.append("role: what an engine is better as p1, and worse as p2, than its rating says")
    others = "the others"
    if found.anchor is not None:
        others = cut(found.anchor, NAME_COLUMNS)
        notes.append(f"ratings are relative to {others}, the anchor")
    elif len(found.reference) < len(rated):
        who = cut(", ".join(found.reference), 40)
        notes.append(f"ratings are relative to the mean of {len(found.reference)} of {len(rated)} engines: {who}")
    notes += one_sided.notes(rated, others)
    if len(found.groups) > 1:
        notes.append(f"no games connect these {len(found.groups)} groups, so ratings compare only within each:")
        notes += [f"  {cut(', '.join(group), 96)}" for group in found.groups]
    if found.distinct < found.games:
        notes.append(f"ratings count identical games once: {found.distinct} of {some_games(found.games)} differ")
    return notes


def _conduct_notes(found: Standings) -> list[str]:
    notes = []
    if any(row.online for row in found.rows):
        notes.append(
            "online: TrueSkill game by game in the schedule's order, for comparison; it is not the published rating"
        )
    late = sum(row.flagged for row in found.rows) // 2
    if late:
        notes.append(f"machine late: {some_games(late)} with a ply in which a process waited for a CPU")
    for row in found.rows:
        short = cut(row.name, NAME_COLUMNS)
        if row.machine:
            notes.append(f"machine late: {short} lost {some_games(row.machine)} on time only by that")
        if row.burns_idle:
            notes.append(f"busy idler: {short} used CPU in its opponent's time in {some_games(row.burns_idle)}")
    return notes


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


def _table(title: str | None, numbered: bool = True) -> "Table":
    from rich.table import Table
    from rich.text import Text

    # Text, because a name in brackets must not be taken for markup. No box: its lines cost columns and say nothing.
    heading = None if title is None else Text(title, style="bold", no_wrap=True, overflow="ignore")
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
