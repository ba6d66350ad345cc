"""Step 2 of the schema: games are counted as they come, so that tables of a million games read a few thousand rows.

Owns the SQL of that step. `counts` has a row for each group of games that are alike in variant, time control, players,
sides and ending; the column `cell` of a game is the id of its group. So a filter by those words becomes a list of
groups, and one narrow index, by group and number, finds the games of any filter in the schedule's order without reading
a game.

Counting is done by the store and not by triggers: a game's row must hold the id of its group when it is written, and a
trigger that wrote it afterwards would write the row, which is long, twice.
"""

import json
from typing import TYPE_CHECKING

from results.eval_disagreement import longest_dispute
from results.record import line_digest
from results.store import schema_v1

if TYPE_CHECKING:
    from sqlite_utils import Database


def add_counts(db: "Database") -> None:
    """More kinds of runs, families of engines, lines, disputes and counts."""
    db.conn.create_function("line_digest", 3, line_digest, deterministic=True)
    db.conn.create_function("longest_dispute", 1, _dispute_of, deterministic=True)
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'withdrawn'").fetchone() is None:
        for statement in DRAFT:
            db.execute(statement)
    for statement in STATEMENTS:
        db.execute(statement)


def _dispute_of(plies: str) -> int:
    """The longest dispute of a stored game; 0 where the row was changed by hand and cannot be read."""
    try:
        scores = [ply[5] for ply in json.loads(plies)]
    except (ValueError, TypeError, LookupError, RecursionError):
        return 0
    if not all(isinstance(score, str | None) for score in scores):
        return 0
    return longest_dispute(scores)


# The first files of version 1 were written before games had a clock, idle times and evidence. Their number is 1, too.
# So they are completed here. Their games get what `arena import` gives to games without these figures: the wall clock.
DRAFT = (
    "ALTER TABLE games ADD COLUMN clock TEXT NOT NULL DEFAULT 'wall'",
    "ALTER TABLE games ADD COLUMN measured INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE games ADD COLUMN flagged INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE games ADD COLUMN machine INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE games ADD COLUMN burns_idle TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE games ADD COLUMN p1_idle_us INTEGER",
    "ALTER TABLE games ADD COLUMN p2_idle_us INTEGER",
    "ALTER TABLE games ADD COLUMN evidence TEXT",
    # A ply had six figures; `late_us` is the seventh.
    """
    UPDATE games SET plies = (SELECT json_group_array(json_insert(value, '$[#]', NULL)) FROM json_each(plies))
    WHERE json_valid(plies)
    """,
    schema_v1.WITHDRAWN,
)
"""What such a file lacks to be of version 1. `STATEMENTS` makes `games` anew, so nothing of these defaults stays."""

_GAME = (
    "id, run, number, round, variant, p1, p2, winner, termination, detail, fen, opening, moves, plies, ply_count, tc, "
    "seed, started_at, wall_ms, host, clock, measured, flagged, machine, burns_idle, p1_idle_us, p2_idle_us, evidence"
)
_KEY = "run, variant, tc, p1, p2, winner, termination, flagged, machine, burns_idle"
_SAME = " AND ".join(f"counts.{name} = games.{name}" for name in _KEY.split(", ") if name != "winner")

STATEMENTS = (
    "DROP VIEW sides",
    "DROP VIEW scores",
    "DROP VIEW endings",
    schema_v1.runs_table("newer_runs", "'match', 'tournament', 'sprt', 'ladder', 'import'"),
    "INSERT INTO newer_runs SELECT seq, id, name, kind, created_at, config, seed, games, host, versions FROM runs",
    "DROP TABLE runs",
    "ALTER TABLE newer_runs RENAME TO runs",
    "ALTER TABLE players ADD COLUMN family TEXT NOT NULL DEFAULT ''",
    """
    CREATE TABLE counts (             -- kept in the transaction of each game; what games have in common
        id INTEGER PRIMARY KEY,
        run TEXT NOT NULL,
        variant TEXT NOT NULL,
        tc TEXT NOT NULL,
        p1 TEXT NOT NULL,
        p2 TEXT NOT NULL,
        winner TEXT NOT NULL,         -- empty where nobody won
        termination TEXT NOT NULL,
        flagged INTEGER NOT NULL,
        machine INTEGER NOT NULL,
        burns_idle TEXT NOT NULL,
        games INTEGER NOT NULL,
        first_lines INTEGER NOT NULL, -- of these, the first of their line in this file, variant and pairing
        run_lines INTEGER NOT NULL,   -- the same within the run
        UNIQUE (run, variant, tc, p1, p2, winner, termination, flagged, machine, burns_idle)
    ) STRICT
    """,
    f"""
    CREATE TABLE newer_games (
        seq INTEGER PRIMARY KEY,      -- the order in which games were stored
        id TEXT NOT NULL UNIQUE,
        {schema_v1.PAIRING_AND_RESULT}
        {schema_v1.LENGTH_AND_TIME}
        {schema_v1.CLOCK}
        line INTEGER NOT NULL,        -- digest of variant, fen and moves
        disputed INTEGER NOT NULL,    -- plies of the longest stretch in which the engines judged in opposite ways
        cell INTEGER NOT NULL REFERENCES counts (id),
        host TEXT NOT NULL,
        {schema_v1.MOVES}
        {schema_v1.EVIDENCE_AND_KEYS}
    ) STRICT
    """,
    f"""
    INSERT INTO counts ({_KEY}, games, first_lines, run_lines)
    SELECT run, variant, tc, p1, p2, ifnull(winner, ''), termination, flagged, machine, burns_idle,
        count(*), sum(in_file = 1), sum(in_run = 1)
    FROM (
        SELECT {_KEY},
            row_number() OVER (PARTITION BY line, p1, p2 ORDER BY place) AS in_file,
            row_number() OVER (PARTITION BY line, p1, p2, run ORDER BY place) AS in_run
        FROM (SELECT {_KEY}, rowid AS place, line_digest(variant, fen, moves) AS line FROM games)
    )
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    """,
    f"""
    INSERT INTO newer_games ({_GAME}, line, disputed, cell)
    SELECT {", ".join(f"games.{name}" for name in _GAME.split(", "))},
        line_digest(games.variant, games.fen, games.moves),
        longest_dispute(games.plies),
        counts.id
    FROM games JOIN counts ON {_SAME} AND counts.winner = ifnull(games.winner, '')
    ORDER BY games.rowid
    """,
    "DROP TABLE games",
    "ALTER TABLE newer_games RENAME TO games",
    "CREATE INDEX games_cell ON games (cell, number)",
    "CREATE INDEX games_length ON games (cell, ply_count)",
    "CREATE INDEX games_disputed ON games (cell, disputed) WHERE disputed > 0",
    "CREATE INDEX games_line ON games (line, cell)",
    "CREATE INDEX games_started ON games (started_at, cell, number, line)",
    schema_v1.SIDES,
    """
    CREATE VIEW scores AS
    SELECT run, engine, variant, side, sum(wins) + sum(draws) + sum(losses) AS games,
        sum(wins) + sum(draws) / 2.0 AS score, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,
        sum(unfinished) AS unfinished
    FROM (
        SELECT run, p1 AS engine, variant, 'p1' AS side, games * (winner = 'p1') AS wins,
            games * (winner = 'draw') AS draws, games * (winner = 'p2') AS losses, games * (winner = '') AS unfinished
        FROM counts
        UNION ALL
        SELECT run, p2, variant, 'p2', games * (winner = 'p2'),
            games * (winner = 'draw'), games * (winner = 'p1'), games * (winner = '')
        FROM counts
    )
    GROUP BY run, engine, variant, side
    """,
    schema_v1.ENDINGS,
)
"""The SQL of step 2."""
