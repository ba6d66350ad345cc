"""To version 2: games are counted as they come, runs have more kinds, engines have families."""

import json
from typing import TYPE_CHECKING

from results.eval_disagreement import longest_dispute
from results.record import line_digest

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
    """
    CREATE TABLE withdrawn (          -- engines that were not to play on, so games that are missing for good
        run TEXT NOT NULL REFERENCES runs (id),
        name TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (run, name)
    ) STRICT
    """,
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
    """
    CREATE TABLE newer_runs (
        seq INTEGER PRIMARY KEY,      -- the order in which runs were begun
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament', 'sprt', 'ladder', 'import')),
        created_at TEXT NOT NULL,     -- UTC, ISO 8601
        config TEXT NOT NULL,         -- JSON
        seed INTEGER NOT NULL,
        games INTEGER NOT NULL,       -- that the schedule has
        host TEXT NOT NULL,
        versions TEXT NOT NULL        -- JSON
    ) STRICT
    """,
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
    """
    CREATE TABLE newer_games (
        seq INTEGER PRIMARY KEY,      -- the order in which games were stored
        id TEXT NOT NULL UNIQUE,
        run TEXT NOT NULL,
        number INTEGER NOT NULL,
        round INTEGER NOT NULL,
        variant TEXT NOT NULL,
        p1 TEXT NOT NULL,
        p2 TEXT NOT NULL,
        winner TEXT CHECK (winner IN ('p1', 'p2', 'draw')),
        termination TEXT NOT NULL CHECK (termination IN (
            'line', 'no-turn', 'king-escaped', 'king-captured', 'repetition', 'no-move',
            'resignation', 'draw-agreed', 'adjudication',
            'time', 'illegal-move', 'malformed-move', 'crash', 'stall', 'unfinished')),
        ply_count INTEGER NOT NULL,   -- of all moves
        tc TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started_at TEXT NOT NULL,     -- UTC, ISO 8601
        wall_ms INTEGER NOT NULL,
        clock TEXT NOT NULL CHECK (clock IN ('wall', 'cpu', 'fair')),
        measured INTEGER NOT NULL,    -- 0: moves were judged by wall time, for what the clock needs could not be had
        flagged INTEGER NOT NULL,     -- 1: the machine was late in some ply
        machine INTEGER NOT NULL,     -- 1: a time forfeit that only the machine caused
        burns_idle TEXT NOT NULL,     -- sides that burned CPU in their opponent's time, separated by blanks
        p1_idle_us INTEGER,
        p2_idle_us INTEGER,
        line INTEGER NOT NULL,        -- digest of variant, fen and moves
        disputed INTEGER NOT NULL,    -- plies of the longest stretch in which the engines judged in opposite ways
        cell INTEGER NOT NULL REFERENCES counts (id),
        host TEXT NOT NULL,
        detail TEXT NOT NULL,
        fen TEXT NOT NULL,
        opening TEXT NOT NULL,        -- moves, separated by blanks
        moves TEXT NOT NULL,          -- all of them, the opening's first, separated by blanks
        -- JSON, a list per ply played: wall_us, cpu_us, left_ms, depth, nodes, score, late_us
        plies TEXT NOT NULL,
        evidence TEXT,                -- JSON, of a fault
        UNIQUE (run, number),
        FOREIGN KEY (run, p1) REFERENCES players (run, name),
        FOREIGN KEY (run, p2) REFERENCES players (run, name)
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
    """
    CREATE VIEW sides AS
    SELECT run, id AS game, variant, 'p1' AS side, p1 AS engine, p2 AS opponent, termination,
        winner = 'p1' AS won, winner = 'draw' AS drawn, winner = 'p2' AS lost
    FROM games
    UNION ALL
    SELECT run, id, variant, 'p2', p2, p1, termination, winner = 'p2', winner = 'draw', winner = 'p1'
    FROM games
    """,
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
    """
    CREATE VIEW endings AS
    SELECT run, variant, termination, winner, count(*) AS games, round(avg(ply_count), 1) AS mean_plies
    FROM games GROUP BY run, variant, termination, winner
    """,
)
