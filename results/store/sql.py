"""The queries that find games and counts for a `Filter`. Pure: values in, SQL and its arguments out.

Owns the use of indexes: a filter becomes groups (rows of `counts`, some thousands at most), and groups become games
through narrow indexes that hold what is sorted by, so that no game's row is read but those that are wanted. The joins
say CROSS and name their index, because SQLite has no statistics of a file that has just been made and must not guess.
"""

from collections.abc import Sequence
from typing import NamedTuple

from results.record import ResultCount
from results.store.filter import Filter, Order, Selection

Query = tuple[str, tuple[str | int, ...]]

_ALIKE = ", ".join(f"c.{name}" for name in ResultCount._fields[:-2])


class _Sorting(NamedTuple):
    """How the games of a group are found in an order."""

    index_name: str
    column: str
    """The column of `games` that the index has after the group."""
    descending: bool = False
    condition: str = "TRUE"
    """The games that the index has."""


_SORTINGS: dict[Order, _Sorting] = {
    "schedule": _Sorting("games_cell", "number"),
    "longest": _Sorting("games_length", "ply_count", descending=True),
    "shortest": _Sorting("games_length", "ply_count"),
    "disputed": _Sorting("games_disputed", "disputed", descending=True, condition="g.disputed > 0"),
}


def insert_into(table: str, columns: Sequence[str]) -> str:
    """The statement that adds a row, with a placeholder for each column."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def counts(which: Filter) -> Query:
    """Rows for `ResultCount`, in its order, one for each group of the games asked for."""
    where, arguments = which.conditions()
    if which.by_time:
        return counts_of_games(which)
    lines = "first_lines" if which.run is None else "run_lines"
    return (
        f"SELECT {_ALIKE}, sum(c.games), sum(c.{lines}) FROM counts c WHERE {where} "
        f"GROUP BY {_ALIKE} HAVING sum(c.games) > 0",
        arguments,
    )


def counts_of_games(which: Filter) -> Query:
    """The same rows from the games themselves, which takes longer: a line counts once among the games asked for."""
    where, arguments = which.conditions()
    return (
        f"""
        SELECT {_ALIKE}, count(*), sum(place = 1) FROM (
            SELECT g.cell, row_number() OVER (PARTITION BY g.line, c.p1, c.p2 ORDER BY g.started_at, g.seq) AS place
            FROM {_source(which, "games_cell")}
            WHERE {where}
        ) chosen CROSS JOIN counts c ON c.id = chosen.cell
        GROUP BY {_ALIKE}
        """,
        arguments,
    )


def _source(which: Filter, index: str) -> str:
    """The games with their groups: first the games of a time, or the groups, whose games this index finds."""
    if which.by_time:
        return "games g INDEXED BY games_started CROSS JOIN counts c ON c.id = g.cell"
    return f"counts c CROSS JOIN games g INDEXED BY {index} ON g.cell = c.id"


def games(selection: Selection) -> Query:
    """The `seq` of the games asked for, in their order; the last ones come backwards."""
    which, order = selection.which, selection.order
    where, arguments = which.conditions()
    sorting = _SORTINGS[order]
    keys = [("g." + sorting.column, sorting.descending), ("g.seq", False)]
    if order == "schedule":
        keys = [("r.seq", False), ("g.number", False)]
    sort = ", ".join(f"{key} DESC" if descending != selection.last else key for key, descending in keys)
    end = f"ORDER BY {sort}" if selection.limit is None else f"ORDER BY {sort} LIMIT {selection.limit}"
    if order == "schedule" and which == Filter(run=which.run):
        # Runs one after another, each by its own index, need no sorting.
        named = "TRUE" if which.run is None else "r.id = ?"
        return f"SELECT g.seq FROM runs r CROSS JOIN games g ON g.run = r.id WHERE {named} {end}", arguments
    source = _source(which, sorting.index_name)
    runs = " CROSS JOIN runs r ON r.id = c.run" if order == "schedule" else ""
    return f"SELECT g.seq FROM {source}{runs} WHERE {where} AND {sorting.condition} {end}", arguments


def games_between(which: Filter, run: str, after: int, upto: int, limit: int) -> Query:
    """The `seq` of a run's games with numbers above `after` and up to `upto`, by number.

    A page of a long list is found so. The numbers bound what is read, whatever the filter leaves.
    """
    if which == Filter(run=which.run):
        return (
            "SELECT seq FROM games WHERE run = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?",
            (run, after, upto, limit),
        )
    where, arguments = which.conditions()
    return (
        f"""
        SELECT g.seq FROM counts c CROSS JOIN games g INDEXED BY games_cell ON g.cell = c.id
        WHERE c.run = ? AND g.number > ? AND g.number <= ? AND {where} ORDER BY g.number LIMIT ?
        """,
        (run, after, upto, *arguments, limit),
    )


def pairs(which: Filter) -> Query:
    """Rows for `GamesOfOneOpening`, in its order, by run and number: every two games that may be a pair."""
    where, arguments = which.conditions()
    when, times = Filter(since=which.since, until=which.until).conditions()
    return (
        f"""
        SELECT c.run, g.number, c.variant, c.tc, c.p1, c.p2, c.winner, h.winner
        FROM counts c CROSS JOIN games g INDEXED BY games_cell ON g.cell = c.id
        CROSS JOIN games h ON h.run = c.run AND h.number = g.number + 1
        WHERE {where} AND {when.replace("g.", "h.")} AND c.winner <> '' AND h.winner IS NOT NULL
            AND c.p1 <> c.p2 AND h.p1 = c.p2 AND h.p2 = c.p1 AND h.variant = c.variant
            AND h.round = g.round AND h.fen = g.fen AND h.opening = g.opening
        ORDER BY c.run, g.number
        """,
        (*arguments, *times),
    )


def host_counts(which: Filter) -> Query:
    """Rows for `HostCount`, in its order."""
    where, arguments = which.conditions()
    return (
        f"""
        SELECT g.host, c.p1, c.p2, c.winner, count(*)
        FROM games g CROSS JOIN counts c ON c.id = g.cell
        WHERE {where} AND c.winner <> ''
        GROUP BY 1, 2, 3, 4
        """,
        arguments,
    )


ADD_TO_GROUP = """
ON CONFLICT DO UPDATE SET games = games + 1, first_lines = first_lines + excluded.first_lines,
    run_lines = run_lines + excluded.run_lines
RETURNING id
"""
"""The end of an INSERT into `counts`, so that it adds one game to its group. It returns the id of the group."""

SAME_LINE = "SELECT 1 FROM games WHERE line = ? LIMIT 1"
SAME_GAME = """
SELECT max(c.run = ?) FROM counts c
WHERE c.variant = ? AND c.p1 = ? AND c.p2 = ?
    AND EXISTS (SELECT 1 FROM games g INDEXED BY games_line WHERE g.line = ? AND g.cell = c.id)
"""
"""NULL where these players have not played this line, 0 where they have in other runs only, 1 where in this run."""

RANGES = """
SELECT before, number FROM (
    SELECT number, lag(number) OVER (ORDER BY number) AS before FROM games WHERE run = ?
) WHERE before IS NULL OR before + 1 < number
"""
"""The first number after each gap, and the last number before it."""
EXTENT = "SELECT count(*), min(number), max(number) FROM games WHERE run = ?"
