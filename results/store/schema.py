"""The tables, indexes and views of the results file, as values.

sqlite-utils makes them (`make`), and it is loaded only there: a command that reads a file does not wait for it. Whoever
changes a table counts `VERSION` up, and says in `make.LACKING` what the rows of version 0.4 get.
"""

from typing import Any, NamedTuple

APPLICATION_ID = 0x43414C41
"""`CALA` in the file's header: by this a file is known as ours before it is opened as a database."""
VERSION = 6
OLDEST = 4
"""The schema of version 0.4 of the arena: files of an older one are refused."""


class Table(NamedTuple):
    """A strict table. A column whose type is a union with None may be NULL."""

    columns: dict[str, Any]
    key: str | tuple[str, ...]
    references: tuple[tuple[Any, str, Any], ...] = ()
    """Columns here, and the table and its columns that they name."""


class Index(NamedTuple):
    """An index of columns, over all rows."""

    table: str
    columns: tuple[str, ...]
    unique: bool = False


TABLES = {
    "runs": Table(
        {
            "seq": int,  # the order in which runs were begun
            "id": str,
            "name": str,
            "kind": str,
            "created_at": str,  # UTC, ISO 8601
            "config": str,  # JSON
            "seed": int,
            "games": int,  # that the schedule has
            "host": str,
            "versions": str,  # JSON
        },
        key="seq",
    ),
    "players": Table(
        {
            "run": str,
            "seat": int,  # from 0, as the run lists them
            "name": str,
            "version": str,
            "author": str,
            "command": str,  # JSON list of words
            "sha256": str,
            "family": str,
        },
        key=("run", "name"),
        references=(("run", "runs", "id"),),
    ),
    "withdrawn": Table(  # engines that were not to play on, so games that are missing for good
        {"run": str, "name": str, "reason": str},
        key=("run", "name"),
        references=(("run", "runs", "id"),),
    ),
    "games": Table(
        {
            "seq": int,  # the order in which games were stored
            "id": str,
            "run": str,
            "number": int,
            "round": int,
            "variant": str,
            "p1": str,
            "p2": str,
            "winner": str | None,  # p1, p2 or draw
            "termination": str,  # a word of the referee, or one by which the game itself says how it ended
            "ply_count": int,  # of all moves
            "tc": str,
            "seed": int,
            "started_at": str,  # UTC, ISO 8601
            "wall_ms": int,
            "clock": str,
            "measured": int,  # 0: moves were judged by wall time, because what the clock needs could not be had
            "flagged": int,  # 1: the machine was late in some ply
            "machine": int,  # 1: a time forfeit that only the machine caused
            "burns_idle": str,  # sides that burned CPU in their opponent's time, separated by blanks
            "p1_idle_us": int | None,
            "p2_idle_us": int | None,
            "line": int,  # digest of variant, fen and moves
            "disputed": int,  # plies of the longest stretch in which the engines judged in opposite ways
            "host": str,
            "detail": str,
            "fen": str,  # as the game writes positions
            "start_ply": int,  # plies before it, by its turn number and side to move: odd where p2 moves first
            "opening": str,  # moves, separated by blanks
            "moves": str,  # all of them, the opening's first, separated by blanks
            "plies": str,  # JSON, a list per ply played: wall_us, cpu_us, left_ms, depth, nodes, score, late_us
            "evidence": str | None,  # JSON, of a fault
            "pvs": str,  # principal variations, a line for each ply played; empty where there are none
        },
        key="seq",
        references=((("run", "p1"), "players", ("run", "name")), (("run", "p2"), "players", ("run", "name"))),
    ),
    "check_reports": Table(
        {
            "seq": int,
            "engine": str,
            "name": str,
            "fingerprint": str,
            "date": str,  # UTC, ISO 8601
            "specification": str,  # its version
            "suite": str,  # the version of the checks
            "grade": str,
            "complete": int,  # 0: only a part of the checks, or longer deadlines
            "report": str,  # JSON, as `arena check --json` prints it
        },
        key="seq",
    ),
}

FACTS = "games_facts"
INDEXES = {
    "runs_id": Index("runs", ("id",), unique=True),
    "games_id": Index("games", ("id",), unique=True),
    "games_run_number": Index("games", ("run", "number"), unique=True),
    # All by which games are counted, filtered and sorted: a query reads this narrow index, and no game but those that
    # are wanted. Its first columns are those by which results are grouped, so that counting needs no sorting.
    FACTS: Index(
        "games",
        (
            *("p1", "p2", "variant", "tc", "winner", "termination", "line", "flagged", "machine", "burns_idle"),
            *("run", "number", "started_at", "ply_count", "disputed"),
        ),
    ),
    "check_reports_once": Index("check_reports", ("fingerprint", "date", "report"), unique=True),
}

GONE_INDEXES = {"games_cell", "games_length", "games_disputed", "games_line", "games_started"}
"""Those of version 0.4."""

VIEWS = {
    # For people; no reader of ours uses them. One row of `sides` is one engine in one game, so that every table of
    # scores is a GROUP BY over it.
    "sides": """
        SELECT run, id AS game, variant, 'p1' AS side, p1 AS engine, p2 AS opponent, termination,
            winner = 'p1' AS won, winner = 'draw' AS drawn, winner = 'p2' AS lost
        FROM games
        UNION ALL
        SELECT run, id, variant, 'p2', p2, p1, termination, winner = 'p2', winner = 'draw', winner = 'p1'
        FROM games
    """,
    "scores": """
        SELECT run, engine, variant, side, count(won) AS games, total(won) + total(drawn) / 2 AS score,
            sum(won) AS wins, sum(drawn) AS draws, sum(lost) AS losses, sum(won IS NULL) AS unfinished
        FROM sides GROUP BY run, engine, variant, side
    """,
    "endings": """
        SELECT run, variant, termination, winner, count(*) AS games, round(avg(ply_count), 1) AS mean_plies
        FROM games GROUP BY run, variant, termination, winner
    """,
}

KINDS = {name: kind for table in TABLES.values() for name, kind in table.columns.items()}
"""The types of values that a column may hold, by its name; columns of one name hold the same."""
