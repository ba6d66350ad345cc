"""The queries that find games and count them for a `Filter`. Pure: values in, SQL and its arguments out.

What is counted, filtered and sorted is read from one narrow index (`schema.FACTS`), which is scanned in some tens of
milliseconds for 100 000 games. SQLite has no statistics of a file that has just been made, so the index is named.
"""

from collections.abc import Sequence

from results.record import ResultCount
from results.store.filter import Filter, Order, Selection
from results.store.schema import FACTS

Query = tuple[str, tuple[str | int, ...]]

_ALIKE = "p1, p2, variant, tc, winner, termination"
_ORDERS: dict[Order, str] = {"longest": "ply_count DESC", "shortest": "ply_count", "disputed": "disputed DESC"}


def insert_into(table: str, columns: Sequence[str]) -> str:
    """The statement that adds a row, with a placeholder for each column."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def counts(which: Filter) -> Query:
    """Rows for `ResultCount`, in its order, one for each group of the games asked for."""
    where, arguments = which.conditions()
    sums = {
        "games": "count(*)",
        "distinct": "count(DISTINCT line)",
        "flagged": "sum(flagged)",
        "machine": "sum(machine)",
        "p1_idle": "sum(burns_idle LIKE '%p1%')",
        "p2_idle": "sum(burns_idle LIKE '%p2%')",
    }
    columns = ", ".join(sums.get(name, name) for name in ResultCount._fields)
    return f"SELECT {columns} FROM games g INDEXED BY {FACTS} WHERE {where} GROUP BY {_ALIKE}", arguments


def games(selection: Selection) -> Query:
    """The `seq` of the games asked for, in their order; the last ones come backwards."""
    where, arguments = selection.which.conditions()
    if selection.order == "schedule":
        source, keys = _schedule(selection.which), ["r.seq", "g.number"]
    else:
        source, keys = f"games g INDEXED BY {FACTS}", [_ORDERS[selection.order], "g.seq"]
        where += " AND disputed > 0" * (selection.order == "disputed")
    if selection.last:
        keys = [key.removesuffix(" DESC") if key.endswith(" DESC") else f"{key} DESC" for key in keys]
    limit = "" if selection.limit is None else f" LIMIT {selection.limit}"
    return f"SELECT g.seq FROM {source} WHERE {where} ORDER BY {', '.join(keys)}{limit}", arguments


def games_after(which: Filter, run: str, number: int, limit: int) -> Query:
    """The `seq` of the games asked for that come after a game in the schedule's order: a page of a long list."""
    where, arguments = which.conditions()
    return (
        f"""
        SELECT g.seq FROM {_schedule(which)} LEFT JOIN runs a ON a.id = ?
        WHERE {where} AND r.seq >= ifnull(a.seq, 0) AND g.number > iif(r.seq = a.seq, ?, 0)
        ORDER BY r.seq, g.number LIMIT ?
        """,
        (run, *arguments, number, limit),
    )


def _schedule(which: Filter) -> str:
    if which == Filter(run=which.run):
        # Runs one after another, each by its own index, need no sorting.
        return "runs r CROSS JOIN games g ON g.run = r.id"
    return f"games g INDEXED BY {FACTS} CROSS JOIN runs r ON r.id = g.run"


def pairs(which: Filter) -> Query:
    """Rows for `GamesOfOneOpening`, in its order, by run and number: every two games that may be a pair."""
    where, arguments = which.conditions()
    when, times = Filter(since=which.since, until=which.until).conditions()
    return (
        f"""
        SELECT g.run, g.number, g.variant, g.tc, g.p1, g.p2, g.winner, h.winner
        FROM games g JOIN games h ON h.run = g.run AND h.number = g.number + 1
        WHERE {where} AND {when.replace("g.", "h.")} AND g.winner IS NOT NULL AND h.winner IS NOT NULL
            AND g.p1 <> g.p2 AND h.p1 = g.p2 AND h.p2 = g.p1 AND h.variant = g.variant
            AND h.round = g.round AND h.fen = g.fen AND h.opening = g.opening
        ORDER BY g.run, g.number
        """,
        (*arguments, *times),
    )


def host_counts(which: Filter) -> Query:
    """Rows for `HostCount`, in its order."""
    where, arguments = which.conditions()
    columns = "host, p1, p2, winner"
    return f"SELECT {columns}, count(*) FROM games g WHERE {where} AND winner IS NOT NULL GROUP BY {columns}", arguments


RANGES = """
SELECT before, number FROM (
    SELECT number, lag(number) OVER (ORDER BY number) AS before FROM games WHERE run = ?
) WHERE before IS NULL OR before + 1 < number
"""
"""The first number after each gap, and the last number before it."""
EXTENT = "SELECT count(*), min(number), max(number) FROM games WHERE run = ?"
