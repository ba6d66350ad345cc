-- The schema of the results file as it is today: all tables, indexes and views.
--
-- Whoever changes a table changes it here, counts `VERSION` of `schema.py` up, and says in `upgrade.py` what the rows of
-- version 0.4 get.

CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT);

CREATE TABLE runs (
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
) STRICT;

CREATE TABLE players (
    run TEXT NOT NULL REFERENCES runs (id),
    seat INTEGER NOT NULL,        -- from 0, as the run lists them
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    author TEXT NOT NULL,
    command TEXT NOT NULL,        -- JSON list of words
    sha256 TEXT NOT NULL,
    family TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, name)
) STRICT;

CREATE TABLE withdrawn (          -- engines that were not to play on, so games that are missing for good
    run TEXT NOT NULL REFERENCES runs (id),
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT;

CREATE TABLE machines (           -- of version 0.4 only, which measured the speed of machines; nobody reads it
    seq INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id),
    host TEXT NOT NULL,
    slots INTEGER NOT NULL,
    engine TEXT NOT NULL,         -- that was measured with
    nodes INTEGER NOT NULL,       -- of each search
    nps REAL NOT NULL,            -- nodes a second on each slot, with all slots busy
    reference_nps REAL NOT NULL,
    factor REAL NOT NULL,         -- the reference divided by nps
    measured_at TEXT NOT NULL,    -- UTC, ISO 8601
    UNIQUE (run, host, measured_at)
) STRICT;

-- `counts` has a row for each group of games that are alike in variant, time control, players, sides and ending, so that
-- tables of a million games read a few thousand rows. The column `cell` of a game is the id of its group. A filter by
-- those words becomes a list of groups, and one narrow index, by group and number, finds the games of any filter in the
-- schedule's order without reading a game. The store counts, and no trigger: a game's row must hold the id of its group
-- when it is written. A trigger would write the row, which is long, twice.
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
) STRICT;

CREATE TABLE games (
    seq INTEGER PRIMARY KEY,      -- the order in which games were stored
    id TEXT NOT NULL UNIQUE,
    run TEXT NOT NULL,
    number INTEGER NOT NULL,
    round INTEGER NOT NULL,
    variant TEXT NOT NULL,
    p1 TEXT NOT NULL,
    p2 TEXT NOT NULL,
    winner TEXT CHECK (winner IN ('p1', 'p2', 'draw')),
    -- a word of the referee, or one by which the game itself says how it ended
    termination TEXT NOT NULL CHECK (termination GLOB '[a-z]*' AND termination NOT GLOB '*[^a-z0-9-]*'),
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
    fen TEXT NOT NULL,            -- as the game writes positions
    start_ply INTEGER NOT NULL,   -- plies before it, by its turn number and side to move: odd where p2 moves first
    opening TEXT NOT NULL,        -- moves, separated by blanks
    moves TEXT NOT NULL,          -- all of them, the opening's first, separated by blanks
    -- JSON, a list per ply played: wall_us, cpu_us, left_ms, depth, nodes, score, late_us
    plies TEXT NOT NULL,
    evidence TEXT,                -- JSON, of a fault
    time_factor REAL,             -- of version 0.4 only: what it multiplied the times in `tc` by; nobody reads it
    pvs TEXT NOT NULL,            -- principal variations, a line for each ply played; empty where there are none
    UNIQUE (run, number),
    FOREIGN KEY (run, p1) REFERENCES players (run, name),
    FOREIGN KEY (run, p2) REFERENCES players (run, name)
) STRICT;

-- Made with the first report, so that a file without reports stays as it was.
CREATE TABLE check_reports (
    seq INTEGER PRIMARY KEY,
    engine TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    date TEXT NOT NULL,           -- UTC, ISO 8601
    specification TEXT NOT NULL,  -- its version
    suite TEXT NOT NULL,          -- the version of the checks
    grade TEXT NOT NULL,
    complete INTEGER NOT NULL,    -- 0: only a part of the checks, or longer deadlines
    report TEXT NOT NULL,         -- JSON, as `arena check --json` prints it
    UNIQUE (fingerprint, date, report)
) STRICT;

CREATE UNIQUE INDEX idx__sqlite_migrations_migration_set_name ON _sqlite_migrations (migration_set, name);
CREATE INDEX games_cell ON games (cell, number);
CREATE INDEX games_length ON games (cell, ply_count);
CREATE INDEX games_disputed ON games (cell, disputed) WHERE disputed > 0;
CREATE INDEX games_line ON games (line, cell);
CREATE INDEX games_started ON games (started_at, cell, number, line);

-- The views are for people; no reader of ours uses them. One row of `sides` is one engine in one game, so that every
-- table of scores is a GROUP BY over it.
CREATE VIEW sides AS
SELECT run, id AS game, variant, 'p1' AS side, p1 AS engine, p2 AS opponent, termination,
    winner = 'p1' AS won, winner = 'draw' AS drawn, winner = 'p2' AS lost
FROM games
UNION ALL
SELECT run, id, variant, 'p2', p2, p1, termination, winner = 'p2', winner = 'draw', winner = 'p1'
FROM games;

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
GROUP BY run, engine, variant, side;

CREATE VIEW endings AS
SELECT run, variant, termination, winner, count(*) AS games, round(avg(ply_count), 1) AS mean_plies
FROM games GROUP BY run, variant, termination, winner;
