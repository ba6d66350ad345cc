"""Step 1 of the schema: runs, their players, their games, and three views for people.

Owns the SQL of that step. Step 2 uses parts of it again. Both steps are released, so these texts never change.
"""


def runs_table(table: str, kinds: str) -> str:
    """The statement that makes a table of runs of these kinds."""
    return f"""
    CREATE TABLE {table} (
        seq INTEGER PRIMARY KEY,      -- the order in which runs were begun
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ({kinds})),
        created_at TEXT NOT NULL,     -- UTC, ISO 8601
        config TEXT NOT NULL,         -- JSON
        seed INTEGER NOT NULL,
        games INTEGER NOT NULL,       -- that the schedule has
        host TEXT NOT NULL,
        versions TEXT NOT NULL        -- JSON
    ) STRICT
    """


# Columns and keys of `games`.
PAIRING_AND_RESULT = """run TEXT NOT NULL,
        number INTEGER NOT NULL,
        round INTEGER NOT NULL,
        variant TEXT NOT NULL,
        p1 TEXT NOT NULL,
        p2 TEXT NOT NULL,
        winner TEXT CHECK (winner IN ('p1', 'p2', 'draw')),
        termination TEXT NOT NULL CHECK (termination IN (
            'line', 'no-turn', 'king-escaped', 'king-captured', 'repetition', 'no-move',
            'resignation', 'draw-agreed', 'adjudication',
            'time', 'illegal-move', 'malformed-move', 'crash', 'stall', 'unfinished')),"""
MOVES = """detail TEXT NOT NULL,
        fen TEXT NOT NULL,
        opening TEXT NOT NULL,        -- moves, separated by blanks
        moves TEXT NOT NULL,          -- all of them, the opening's first, separated by blanks
        -- JSON, a list per ply played: wall_us, cpu_us, left_ms, depth, nodes, score, late_us
        plies TEXT NOT NULL,"""
LENGTH_AND_TIME = """ply_count INTEGER NOT NULL,   -- of all moves
        tc TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started_at TEXT NOT NULL,     -- UTC, ISO 8601
        wall_ms INTEGER NOT NULL,"""
CLOCK = """clock TEXT NOT NULL CHECK (clock IN ('wall', 'cpu', 'fair')),
        measured INTEGER NOT NULL,    -- 0: moves were judged by wall time, for what the clock needs could not be had
        flagged INTEGER NOT NULL,     -- 1: the machine was late in some ply
        machine INTEGER NOT NULL,     -- 1: a time forfeit that only the machine caused
        burns_idle TEXT NOT NULL,     -- sides that burned CPU in their opponent's time, separated by blanks
        p1_idle_us INTEGER,
        p2_idle_us INTEGER,"""
EVIDENCE_AND_KEYS = """evidence TEXT,                -- JSON, of a fault
        UNIQUE (run, number),
        FOREIGN KEY (run, p1) REFERENCES players (run, name),
        FOREIGN KEY (run, p2) REFERENCES players (run, name)"""

WITHDRAWN = """
    CREATE TABLE withdrawn (          -- engines that were not to play on, so games that are missing for good
        run TEXT NOT NULL REFERENCES runs (id),
        name TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (run, name)
    ) STRICT
    """
# One row of `sides` is one engine in one game, so that every table of scores is a GROUP BY over it.
SIDES = """
    CREATE VIEW sides AS
    SELECT run, id AS game, variant, 'p1' AS side, p1 AS engine, p2 AS opponent, termination,
        winner = 'p1' AS won, winner = 'draw' AS drawn, winner = 'p2' AS lost
    FROM games
    UNION ALL
    SELECT run, id, variant, 'p2', p2, p1, termination, winner = 'p2', winner = 'draw', winner = 'p1'
    FROM games
    """
ENDINGS = """
    CREATE VIEW endings AS
    SELECT run, variant, termination, winner, count(*) AS games, round(avg(ply_count), 1) AS mean_plies
    FROM games GROUP BY run, variant, termination, winner
    """

STATEMENTS = (
    runs_table("runs", "'match', 'tournament'"),
    """
    CREATE TABLE players (
        run TEXT NOT NULL REFERENCES runs (id),
        seat INTEGER NOT NULL,        -- from 0, as the run lists them
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        author TEXT NOT NULL,
        command TEXT NOT NULL,        -- JSON list of words
        sha256 TEXT NOT NULL,
        PRIMARY KEY (run, name)
    ) STRICT
    """,
    f"""
    CREATE TABLE games (
        id TEXT NOT NULL PRIMARY KEY,
        {PAIRING_AND_RESULT}
        {MOVES}
        {LENGTH_AND_TIME}
        host TEXT NOT NULL,
        {CLOCK}
        {EVIDENCE_AND_KEYS}
    ) STRICT
    """,
    "CREATE INDEX games_p1 ON games (p1)",
    "CREATE INDEX games_p2 ON games (p2)",
    "CREATE INDEX games_variant ON games (variant)",
    "CREATE INDEX games_termination ON games (termination)",
    WITHDRAWN,
    SIDES,
    """
    CREATE VIEW scores AS
    SELECT run, engine, variant, side, count(won) AS games, total(won) + total(drawn) / 2 AS score,
        CAST(total(won) AS INTEGER) AS wins, CAST(total(drawn) AS INTEGER) AS draws,
        CAST(total(lost) AS INTEGER) AS losses, count(*) - count(won) AS unfinished
    FROM sides GROUP BY run, engine, variant, side
    """,
    ENDINGS,
)
"""The SQL of step 1."""
