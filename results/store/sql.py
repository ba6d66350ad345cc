"""The queries that find games and counts for a `Filter`. Pure: values in, SQL and its arguments out.

Knows the indexes: a filter becomes cells (rows of `counts`, some thousands at most), and cells become games through
narrow indexes that hold what is sorted by, so that no game's row is read but those that are wanted. The joins say
CROSS and name their index, because SQLite has no statistics of a file that has just been made and must not guess.
"""

from typing import NamedTuple

from results.store.filter import Filter, Order, Selection

Query = tuple[str, tuple[str | int, ...]]

_COUNTED = "c.variant, c.tc, c.p1, c.p2, c.winner, c.termination, c.flagged, c.machine, c.burns_idle"


class _Way(NamedTuple):
    """How the games of a cell are found in an order."""

    by: str
    """The index from cells."""
    key: str
    """The column of `games` that the index has after the cell."""
    falling: bool
    some: str = "TRUE"
    """Which games the index has."""


_WAYS: dict[Order, _Way] = {
    "schedule": _Way("games_cell", "number", False),
    "longest": _Way("games_length", "ply_count", True),
    "shortest": _Way("games_length", "ply_count", False),
    "disputed": _Way("games_disputed", "disputed", True, "g.disputed > 0"),
}


def counts(which: Filter) -> Query:
    """Rows for `ResultCount`, in its order, one for each sort of game among those asked for."""
    where, arguments = which.conditions()
    if not which.by_time:
        lines = "first_lines" if which.run is None else "run_lines"
        return (
            f"SELECT {_COUNTED}, sum(c.games), sum(c.{lines}) FROM counts c WHERE {where} "
            f"GROUP BY {_COUNTED} HAVING sum(c.games) > 0",
            arguments,
        )
    return counted_anew(which)


def counted_anew(which: Filter) -> Query:
    """The same from the games themselves, which takes longer: identical ones are told among those asked for alone."""
    where, arguments = which.conditions()
    when, times = which.times()
    source = "games g INDEXED BY games_started CROSS JOIN counts c ON c.id = g.cell"
    if not which.by_time:
        source = "counts c CROSS JOIN games g INDEXED BY games_cell ON g.cell = c.id"
    return (
        f"""
        SELECT {_COUNTED}, count(*), sum(place = 1) FROM (
            SELECT g.cell, row_number() OVER (PARTITION BY g.line, c.p1, c.p2 ORDER BY g.started_at, g.seq) AS place
            FROM {source}
            WHERE {when} AND {where}
        ) chosen CROSS JOIN counts c ON c.id = chosen.cell
        GROUP BY {_COUNTED}
        """,
        (*times, *arguments),
    )


def chosen(selection: Selection) -> Query:
    """The `seq` of the games asked for, in their order; the last ones come backwards."""
    which, order = selection.which, selection.order
    where, arguments = which.conditions()
    when, times = which.times()
    way = _WAYS[order]
    ways = [("g." + way.key, way.falling), ("g.seq", False)]
    if order == "schedule":
        ways = [("r.seq", False), ("g.number", False)]
    keys = ", ".join(f"{key} DESC" if falling != selection.last else key for key, falling in ways)
    end = f"ORDER BY {keys}" if selection.limit is None else f"ORDER BY {keys} LIMIT {selection.limit}"
    if order == "schedule" and which == Filter(run=which.run):
        # Runs one after another, each by its own index, need no sorting.
        named = "TRUE" if which.run is None else "r.id = ?"
        return f"SELECT g.seq FROM runs r CROSS JOIN games g ON g.run = r.id WHERE {named} {end}", arguments
    if which.by_time:
        source = "games g INDEXED BY games_started CROSS JOIN counts c ON c.id = g.cell"
        arguments = (*times, *arguments)
    else:
        source = f"counts c CROSS JOIN games g INDEXED BY {way.by} ON g.cell = c.id"
    runs = " CROSS JOIN runs r ON r.id = c.run" if order == "schedule" else ""
    return f"SELECT g.seq FROM {source}{runs} WHERE {when} AND {where} AND {way.some} {end}", arguments


ADD = """
INSERT INTO counts ({columns}, games, first_lines, run_lines) VALUES ({marks}, 1, ?, ?)
ON CONFLICT DO UPDATE SET games = games + 1, first_lines = first_lines + excluded.first_lines,
    run_lines = run_lines + excluded.run_lines
RETURNING id
"""
"""Counts one game; gives the id of its cell."""

SAME_LINE = "SELECT 1 FROM games WHERE line = ? LIMIT 1"
SAME_GAME = """
SELECT max(c.run = ?) FROM counts c
WHERE c.variant = ? AND c.p1 = ? AND c.p2 = ?
    AND EXISTS (SELECT 1 FROM games g INDEXED BY games_line WHERE g.line = ? AND g.cell = c.id)
"""
"""None where the pairing has not played this line, 0 where it has in other runs alone, 1 where in this one."""

RANGES = """
SELECT before, number FROM (
    SELECT number, lag(number) OVER (ORDER BY number) AS before FROM games WHERE run = ?
) WHERE before IS NULL OR before + 1 < number
"""
"""Each first number after a gap, and the last one before it."""
EXTENT = "SELECT count(*), min(number), max(number) FROM games WHERE run = ?"
