-- A results file of schema version 4, as text.
-- Played and written by version 0.4.0 of the arena, commit 0fc684c5.
-- Tournaments of each kind that this version had, one of them with an engine that is withdrawn; matches, by each clock, of
-- a variant of a user's own, and of a cluster with normalised times; a sequential test, a ladder, an imported game that
-- nobody finished, and a report of checks.
-- Host, folders and platform are made up; all the rest is as it was written.
PRAGMA journal_mode = wal;
PRAGMA application_id = 1128352833;
PRAGMA user_version = 4;
BEGIN TRANSACTION;
CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT);
INSERT INTO "_sqlite_migrations" VALUES(1,'arena','0001_first','2026-11-28 05:06:39.950464+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'arena','0002_second','2026-11-28 05:06:39.950464+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'arena','0003_machines','2026-11-28 05:06:39.950464+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'arena','0004_pvs','2026-11-28 05:06:39.950464+00:00');
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
INSERT INTO "check_reports" VALUES(1,'random','Random 0.1','ac61817156eff5a3b3325e7466bd5b3ab18a2f2fa6388b22e633bb76d67838aa','2026-11-28T05:08:31Z','1.2','0.4.0','clean',0,'{"engine": "random", "grade": "clean", "checks": [{"id": "A1", "clause": "3.1", "severity": "F", "variant": null, "verdict": "pass", "measured": "alive after 200 ms", "evidence": null, "title": "it starts, and lives on while nothing is said to it", "area": "protocol", "elapsed_ms": 0}, {"id": "A2", "clause": "3.4", "severity": "m", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "it says nothing before `ugi`", "area": "protocol", "elapsed_ms": 0}, {"id": "A3", "clause": "3.1", "severity": "F", "variant": null, "verdict": "pass", "measured": "7 ms", "evidence": null, "title": "`ugi` is answered by `ugiok` in time", "area": "protocol", "elapsed_ms": 0}, {"id": "A4", "clause": "3.2", "severity": "m", "variant": null, "verdict": "pass", "measured": "Random", "evidence": null, "title": "it says one `id name`, and it has a value", "area": "protocol", "elapsed_ms": 0}, {"id": "A5", "clause": "3.2", "severity": "m", "variant": null, "verdict": "pass", "measured": "the Callanish Arena project", "evidence": null, "title": "it says one `id author`", "area": "protocol", "elapsed_ms": 0}, {"id": "A6", "clause": "2.6", "severity": "m", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "`ugiok` is the whole of its line", "area": "protocol", "elapsed_ms": 0}, {"id": "A7", "clause": "3.4", "severity": "m", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "between `ugi` and `ugiok` there is nothing but id, option and info string", "area": "protocol", "elapsed_ms": 0}, {"id": "A8", "clause": "3.5", "severity": "m", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "a second `ugi` is answered like the first", "area": "protocol", "elapsed_ms": 684}, {"id": "A9", "clause": "3.1", "severity": "N", "variant": null, "verdict": "pass", "measured": "7 ms", "evidence": null, "title": "the handshake takes less than a second", "area": "time", "elapsed_ms": 20}, {"id": "A10", "clause": "14.2", "severity": "M", "variant": null, "verdict": "pass", "measured": "131 ms", "evidence": null, "title": "`quit` right behind `ugiok` ends it", "area": "protocol", "elapsed_ms": 835}, {"id": "A11", "clause": "2.1", "severity": "m", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "it starts in a foreign directory that it cannot write to, with PATH as its only environment", "area": "protocol", "elapsed_ms": 765}, {"id": "D1", "clause": "6.4", "severity": "F", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "each `isready` is answered by one `readyok`", "area": "protocol", "elapsed_ms": 1475}, {"id": "E1", "clause": "6.1", "severity": "F", "variant": "callanish-5", "verdict": "pass", "measured": "a4", "evidence": null, "title": "from the start position it gives a legal move", "area": "rules", "elapsed_ms": 599}, {"id": "G1", "clause": "8.1", "severity": "F", "variant": null, "verdict": "pass", "measured": "depth 3 ms, nodes 0 ms, movetime 0 ms, p1time 0 ms", "evidence": null, "title": "each kind of limit brings a bestmove", "area": "protocol", "elapsed_ms": 561}, {"id": "G3", "clause": "8.1", "severity": "F", "variant": null, "verdict": "pass", "measured": "", "evidence": null, "title": "each `go` brings exactly one bestmove, and nothing behind it", "area": "protocol", "elapsed_ms": 962}, {"id": "G4", "clause": "14.1", "severity": "F", "variant": null, "verdict": "pass", "measured": "0 ms", "evidence": null, "title": "`stop` ends a search within 2 s", "area": "time", "elapsed_ms": 615}, {"id": "K1", "clause": "14.2", "severity": "M", "variant": null, "verdict": "pass", "measured": "13 ms", "evidence": null, "title": "`quit` ends it, with status 0", "area": "protocol", "elapsed_ms": 286}], "causes": [], "grades": {"rules": "clean", "protocol": "clean", "time": "clean"}, "complete": false, "left_out": ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B15", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "D2", "D3", "D4", "D5", "D6", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11", "E12", "E13", "E14", "E15", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "G2", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14", "G15", "G16", "G17", "G18", "G19", "G20", "G21", "G22", "G23", "G24", "G25", "G26", "G27", "G28", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "H11", "I1", "I2", "I3", "I4", "I5", "J1", "J2", "J4", "J5", "J6", "J7", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9"], "specification": {"version": "1.2", "sha256": "fb7d12de0e1cdfa95f22b1a2c1028ccbe968ff952a36cf67393988fdb8f2e660"}, "suite": {"version": "0.4.0", "sha256": "cf28b992d5103424aa399e83805e1c303a0c62958bc06df9e613d211c2faa93a", "checks": 129}, "says": {"name": "Random", "author": "the Callanish Arena project", "version": "0.1"}, "fingerprint": "ac61817156eff5a3b3325e7466bd5b3ab18a2f2fa6388b22e633bb76d67838aa", "files": [{"name": "python3", "sha256": "f1ee188b790e43cac8701a497db3c780abc4557ec9c5f55b0d11a49de3958347"}, {"name": "random.py", "sha256": "c18013d41639c5c616f87a3b64d11aa582afd9fd5f0398fe378e4e00baba3fec"}, {"name": "common.py", "sha256": "ab1bd7c1487854f9fe803f46bea971a2f114e4b90022dad25d869d3474b73da3"}, {"name": "scores.py", "sha256": "80614bced04efa7beb8359e1c8340c1a7c1ad11bfb781bbe5851bc686bd6a1d4"}], "date": "2026-11-28T05:08:31Z", "machine": {"system": "Linux", "cpu": "A CPU", "cpus": 2, "python": "3.11.7"}, "settings": {"level": "smoke", "profile": null, "concurrency": 4, "seed": 1, "slow": 1.0, "thorough": false, "containment": "none", "options": {}}, "variants": ["callanish-5"], "clauses": [{"clause": "2.1", "pass": 1, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "2.6", "pass": 1, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "3.1", "pass": 3, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "3.2", "pass": 2, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "3.4", "pass": 2, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "3.5", "pass": 1, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "6.1", "pass": 1, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "6.4", "pass": 1, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "8.1", "pass": 2, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "14.1", "pass": 1, "fail": 0, "warning": 0, "skipped": 0, "error": 0}, {"clause": "14.2", "pass": 2, "fail": 0, "warning": 0, "skipped": 0, "error": 0}]}');
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
INSERT INTO "counts" VALUES(1,'90c8f4d31d2a','callanish-5','2+0.02','random','crasher','p1','crash',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(2,'90c8f4d31d2a','callanish-5','2+0.02','crasher','random','p2','crash',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(3,'90c8f4d31d2a','callanish-5','1+0.01 | 2+0.02','greedy','resigner','p1','resignation',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(4,'90c8f4d31d2a','callanish-5','2+0.02','resigner','random','p2','resignation',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(5,'90c8f4d31d2a','callanish-5','2+0.02','random','resigner','p1','resignation',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(6,'90c8f4d31d2a','callanish-5','2+0.02 | 1+0.01','random','greedy','p2','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(7,'90c8f4d31d2a','callanish-5','1+0.01 | 2+0.02','greedy','random','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(8,'90c8f4d31d2a','brandub','1+0.01 | 2+0.02','greedy','resigner','p1','king-captured',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(9,'90c8f4d31d2a','brandub','2+0.02 | 1+0.01','resigner','greedy','p2','king-escaped',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(10,'90c8f4d31d2a','brandub','2+0.02','resigner','random','p2','resignation',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(11,'90c8f4d31d2a','brandub','2+0.02','random','resigner','p1','resignation',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(12,'90c8f4d31d2a','brandub','2+0.02 | 1+0.01','random','greedy','p2','king-escaped',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(13,'90c8f4d31d2a','brandub','1+0.01 | 2+0.02','greedy','random','p1','king-captured',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(14,'90c8f4d31d2a','callanish-5','2+0.02 | 1+0.01','resigner','greedy','p2','resignation',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(15,'4df1108a7d2a','callanish-5','movetime=100','zoo overuse','random','p2','time',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(16,'4df1108a7d2a','callanish-5','movetime=100','random','zoo overuse','p1','time',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(17,'7cef94db5511','brandub','nodes=50','zoo illegal-move','greedy','p2','illegal-move',1,0,'',1,1,1);
INSERT INTO "counts" VALUES(18,'7cef94db5511','brandub','nodes=50','greedy','zoo illegal-move','p1','illegal-move',1,0,'',1,1,1);
INSERT INTO "counts" VALUES(19,'047845eb6504','brandub','2+0.02','python','python-2','draw','draw-agreed',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(20,'047845eb6504','brandub','2+0.02','python-2','python','draw','draw-agreed',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(21,'7d67de5d0be1','callanish-5','nodes=10','zoo','zoo-2','p2','line',0,0,'',2,1,1);
INSERT INTO "counts" VALUES(22,'7d67de5d0be1','callanish-5','nodes=10','zoo-2','zoo','p2','line',0,0,'',2,1,1);
INSERT INTO "counts" VALUES(23,'6786e5ad7a3c','brandub','nodes=60','alphabeta','mcts','p2','king-escaped',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(24,'6786e5ad7a3c','brandub','nodes=60','mcts','alphabeta','draw','adjudication',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(25,'ff113abc2296','callanish-5','movetime=300','zoo burns-idle','zoo sleeps','p2','line',0,0,'p1',1,1,1);
INSERT INTO "counts" VALUES(26,'ff113abc2296','callanish-5','movetime=300','zoo sleeps','zoo burns-idle','p2','line',0,0,'p2',1,1,1);
INSERT INTO "counts" VALUES(27,'67cba0f81ab3','callanish-5','nodes=10','greedy','random','p1','line',0,0,'',2,2,2);
INSERT INTO "counts" VALUES(28,'67cba0f81ab3','callanish-5','nodes=10','random','greedy','p2','line',0,0,'',2,2,2);
INSERT INTO "counts" VALUES(29,'f16950c647b0','callanish-5','nodes=10','random','greedy','p2','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(30,'f16950c647b0','callanish-5','nodes=10','greedy','random','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(31,'f16950c647b0','callanish-5','nodes=10','again','greedy','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(32,'f16950c647b0','callanish-5','nodes=10','greedy','again','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(33,'9ade54fe5149','callanish-5','nodes=10','greedy','again','p2','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(34,'9ade54fe5149','callanish-5','nodes=10','again','greedy','p2','line',0,0,'',2,2,2);
INSERT INTO "counts" VALUES(35,'9ade54fe5149','callanish-5','nodes=10','greedy','again','p1','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(36,'9ade54fe5149','callanish-5','nodes=10','random','greedy','p2','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(37,'9ade54fe5149','callanish-5','nodes=10','greedy','random','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(38,'8062e1149d20','callanish-5','nodes=10','random','greedy','p2','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(39,'8062e1149d20','callanish-5','nodes=10','greedy','random','p1','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(40,'fdff37a5cebd','callanish-5','nodes=10','random','greedy','p2','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(41,'fdff37a5cebd','callanish-5','nodes=10','greedy','random','p1','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(42,'fdff37a5cebd','callanish-5','nodes=10','again','greedy','p1','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(43,'fdff37a5cebd','callanish-5','nodes=10','greedy','again','p1','line',0,0,'',1,0,1);
INSERT INTO "counts" VALUES(44,'01b92798077d','callanish-5','nodes=10','random','greedy','p2','line',1,0,'',1,1,1);
INSERT INTO "counts" VALUES(45,'01b92798077d','callanish-5','nodes=10','greedy','random','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(46,'d20acd678822','brandub','-','Ann','Bob "B."','','unfinished',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(47,'736e7ff4d0fc','callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7','nodes=5','greedy','random','p1','line',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(48,'736e7ff4d0fc','callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7','nodes=5','random','greedy','draw','adjudication',0,0,'',1,1,1);
INSERT INTO "counts" VALUES(49,'247a0f8ff9c6','brandub','0.5+0','alphabeta','greedy','draw','adjudication',1,0,'',1,1,1);
INSERT INTO "counts" VALUES(50,'247a0f8ff9c6','brandub','0.5+0','greedy','alphabeta','draw','adjudication',1,0,'',1,1,1);
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
    termination TEXT NOT NULL CHECK (termination IN (
        'line', 'no-turn', 'king-escaped', 'king-captured', 'encircled', 'fort', 'repetition', 'no-move',
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
    time_factor REAL,             -- NULL where it was played as `tc` says
    pvs TEXT NOT NULL,            -- principal variations, a line for each ply played; empty where there are none
    UNIQUE (run, number),
    FOREIGN KEY (run, p1) REFERENCES players (run, name),
    FOREIGN KEY (run, p2) REFERENCES players (run, name)
) STRICT;
INSERT INTO "games" VALUES(1,'90c8f4d31d2a-1','90c8f4d31d2a',1,1,'callanish-5','random','crasher','p1','crash',5,'2+0.02',59491310,'2026-11-28T05:06:41.776+00:00',492,'fair',1,0,0,'',0,0,-3075457268257682721,0,1,'box','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','a3 b4','a3 b4 a3b5c4 b4a2d5 b5a3d4','[[1598,150,2019,1,1,"cp 0",1414],[1685,209,2019,1,1,"cp 0",1475],[144,104,2039,1,1,"cp 0",0]]','{"side": "p2", "fault": "crash", "detail": "the engine ended with exit status 1 when a bestmove was due", "exit": "exit status 1", "transcript": ["crasher <- ugi", "crasher -> id name zoo exit-1", "crasher -> id author Callanish Arena", "crasher -> option name UGI_Variant type combo default callanish-9 var callanish var callanish-corners var callanish-5 var callanish-7 var callanish-9 var callanish-11 var callanish-13 var callanish-15 var callanish-17 var callanish-19 var callanish-21 var callanish-23 var callanish-25 var scottish var scottish-armed var scottish-king1 var scottish-king2 var scottish-king3 var brandub var brandub-nielsen var ard-ri var ard-ri-two var tawlbwrdd var tawlbwrdd-bell var tawlbwrdd-lewis var sea-battle-9 var sea-battle-9-wtf var sea-battle-11 var tablut-saami var tablut-ashton var fetlar var computer-fetlar var copenhagen", "crasher -> option name UGI_Rules type string default <empty>", "crasher -> option name Seed type spin default 0 min 0 max 9223372036854775807", "crasher -> option name UGI_Queries type string default legalmoves islegal fen perft", "crasher -> option name UGI_Resign type check default true", "crasher -> option name UGI_Draw type check default true", "crasher -> option name UGI_GameOver type check default true", "crasher -> option name UGI_MovesToGo type check default true", "crasher -> ugiok", "crasher <- setoption name UGI_Variant value callanish-5", "crasher <- setoption name UGI_Rules value <empty>", "crasher <- setoption name Seed value 59491311", "crasher <- uginewgame", "crasher <- isready", "crasher -> readyok", "crasher <- position startpos moves a3 b4 a3b5c4", "crasher <- isready", "crasher -> readyok", "crasher <- go p1time 2019 p2time 2000 p1inc 20 p2inc 20", "crasher -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv b4a2d5", "crasher -> bestmove b4a2d5", "crasher <- position startpos moves a3 b4 a3b5c4 b4a2d5 b5a3d4", "crasher <- isready", "crasher -> readyok", "crasher <- go p1time 2039 p2time 2019 p1inc 20 p2inc 20"], "stderr": "", "allowed_us": 2069790, "wall_us": 2020, "cpu_us": 72, "late_us": 466, "machine": false}',NULL,'a3b5c4
b4a2d5
b5a3d4');
INSERT INTO "games" VALUES(2,'90c8f4d31d2a-2','90c8f4d31d2a',2,1,'callanish-5','crasher','random','p2','crash',4,'2+0.02',1745533489,'2026-11-28T05:06:41.838+00:00',633,'fair',1,0,0,'',0,0,-5612729504548804677,0,2,'box','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','a3 b4','a3 b4 a3b5c4 b4a2d5','[[3222,366,2019,1,1,"cp 0",2856],[370,241,2019,1,1,"cp 0",0]]','{"side": "p1", "fault": "crash", "detail": "the engine ended with exit status 1 when a bestmove was due", "exit": "exit status 1", "transcript": ["crasher <- ugi", "crasher -> id name zoo exit-1", "crasher -> id author Callanish Arena", "crasher -> option name UGI_Variant type combo default callanish-9 var callanish var callanish-corners var callanish-5 var callanish-7 var callanish-9 var callanish-11 var callanish-13 var callanish-15 var callanish-17 var callanish-19 var callanish-21 var callanish-23 var callanish-25 var scottish var scottish-armed var scottish-king1 var scottish-king2 var scottish-king3 var brandub var brandub-nielsen var ard-ri var ard-ri-two var tawlbwrdd var tawlbwrdd-bell var tawlbwrdd-lewis var sea-battle-9 var sea-battle-9-wtf var sea-battle-11 var tablut-saami var tablut-ashton var fetlar var computer-fetlar var copenhagen", "crasher -> option name UGI_Rules type string default <empty>", "crasher -> option name Seed type spin default 0 min 0 max 9223372036854775807", "crasher -> option name UGI_Queries type string default legalmoves islegal fen perft", "crasher -> option name UGI_Resign type check default true", "crasher -> option name UGI_Draw type check default true", "crasher -> option name UGI_GameOver type check default true", "crasher -> option name UGI_MovesToGo type check default true", "crasher -> ugiok", "crasher <- setoption name UGI_Variant value callanish-5", "crasher <- setoption name UGI_Rules value <empty>", "crasher <- setoption name Seed value 1745533489", "crasher <- uginewgame", "crasher <- isready", "crasher -> readyok", "crasher <- position startpos moves a3 b4", "crasher <- isready", "crasher -> readyok", "crasher <- go p1time 2000 p2time 2000 p1inc 20 p2inc 20", "crasher -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv a3b5c4", "crasher -> bestmove a3b5c4", "crasher <- position startpos moves a3 b4 a3b5c4 b4a2d5", "crasher <- isready", "crasher -> readyok", "crasher <- go p1time 2019 p2time 2019 p1inc 20 p2inc 20"], "stderr": "", "allowed_us": 2069633, "wall_us": 6338, "cpu_us": 121, "late_us": 3926, "machine": false}',NULL,'a3b5c4
b4a2d5');
INSERT INTO "games" VALUES(3,'90c8f4d31d2a-3','90c8f4d31d2a',3,1,'callanish-5','greedy','resigner','p1','resignation',7,'1+0.01 | 2+0.02',963219688,'2026-11-28T05:06:42.271+00:00',405,'fair',1,0,0,'',0,0,-2072054723000824728,0,3,'box','','5/5/5/5/5 p1 1','c2 c5','c2 c5 c2a3e3 c5d3e4 e3c2c4 d3b4c1 c2b4d4','[[694,621,1009,1,15,"cp 43",0],[1699,246,2019,1,1,"cp 0",1422],[578,216,1018,1,12,"cp 87",0],[172,142,2039,1,1,"cp 0",0],[479,385,1028,1,21,"mate 2",0]]',NULL,NULL,'c2a3e3
c5d3e4
e3c2c4
d3b4c1
c2b4d4');
INSERT INTO "games" VALUES(4,'90c8f4d31d2a-7','90c8f4d31d2a',7,1,'callanish-5','resigner','random','p2','resignation',8,'2+0.02',1601516094,'2026-11-28T05:06:42.678+00:00',8,'fair',1,0,0,'',0,0,3174056879688735669,0,4,'box','','5/5/5/5/5 p1 1','e1 a4','e1 a4 e1c2d3 a4b2c5 d3b2e1 c5b3e4 c2b4d4 b3a1d2','[[1194,175,2019,1,1,"cp 0",1019],[160,124,2019,1,1,"cp 0",0],[260,178,2039,1,1,"cp 0",0],[198,145,2039,1,1,"cp 0",0],[1656,206,2059,1,1,"cp 0",1449],[164,120,2059,1,1,"cp 0",0]]',NULL,NULL,'e1c2d3
a4b2c5
d3b2e1
c5b3e4
c2b4d4
b3a1d2');
INSERT INTO "games" VALUES(5,'90c8f4d31d2a-8','90c8f4d31d2a',8,1,'callanish-5','random','resigner','p1','resignation',7,'2+0.02',1080744868,'2026-11-28T05:06:42.689+00:00',6,'fair',1,0,0,'',0,0,-1091736280735900207,0,5,'box','','5/5/5/5/5 p1 1','e1 a4','e1 a4 e1c2d3 a4c3c5 d3e1e5 c3a2d5 e5c4d3','[[243,141,2019,1,1,"cp 0",0],[228,194,2019,1,1,"cp 0",0],[131,102,2039,1,1,"cp 0",0],[1158,207,2038,1,1,"cp 0",0],[138,107,2059,1,1,"cp 0",0]]',NULL,NULL,'e1c2d3
a4c3c5
d3e1e5
c3a2d5
e5c4d3');
INSERT INTO "games" VALUES(6,'90c8f4d31d2a-11','90c8f4d31d2a',11,1,'callanish-5','random','greedy','p2','line',7,'2+0.02 | 1+0.01',64339234,'2026-11-28T05:06:42.697+00:00',7,'fair',1,0,0,'',0,0,2937587243937868597,0,6,'box','','5/5/5/5/5 p1 1','d1 c5','d1 c5 d1b2c3 c5b3d3 c3b1d1 d3b2b4 b1a3c3','[[210,119,2019,1,1,"cp 0",0],[1260,385,1008,1,6,"cp 9",0],[1610,129,2039,1,1,"cp 0",1481],[517,442,1018,1,30,"mate 2",0],[127,96,2059,1,1,"cp 0",0]]',NULL,NULL,'d1b2c3
c5b3d3
c3b1d1
d3b2b4
b1a3c3');
INSERT INTO "games" VALUES(7,'90c8f4d31d2a-12','90c8f4d31d2a',12,1,'callanish-5','greedy','random','p1','line',6,'1+0.01 | 2+0.02',346957019,'2026-11-28T05:06:42.708+00:00',4,'fair',1,0,0,'',0,0,3686701635655386987,0,7,'box','','5/5/5/5/5 p1 1','d1 c5','d1 c5 d1c3e3 c5d3e4 c3e2e4 d3b4e1','[[341,305,1009,1,3,"cp 59",0],[212,170,2019,1,1,"cp 0",0],[572,488,1019,1,34,"mate 2",0],[105,75,2039,1,1,"cp 0",0]]',NULL,NULL,'d1c3e3
c5d3e4
c3e2e4
d3b4e1');
INSERT INTO "games" VALUES(8,'90c8f4d31d2a-15','90c8f4d31d2a',15,1,'brandub','greedy','resigner','p1','king-captured',5,'1+0.01 | 2+0.02',340907924,'2026-11-28T05:06:42.750+00:00',88,'fair',1,0,0,'',39,0,2699279225377768481,0,8,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d2f2 d5c5','d2f2 d5c5 d6d5 d3b3 d1d3','[[9765,3935,993,1,42,"cp 303",5829,12635],[3009,1419,2018,1,1,"cp 0",1590],[1124,1071,1002,1,38,"mate 1",0]]',NULL,NULL,'d6d5
d3b3
d1d3');
INSERT INTO "games" VALUES(9,'90c8f4d31d2a-16','90c8f4d31d2a',16,1,'brandub','resigner','greedy','p2','king-escaped',8,'2+0.02 | 1+0.01',2139160617,'2026-11-28T05:06:42.840+00:00',23,'fair',1,0,0,'',22,0,-500766612790170729,0,9,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d2f2 d5c5','d2f2 d5c5 g4g3 d4d5 g3f3 d5g5 d1d2 g5g1','[[1187,364,2018,1,1,"cp 0",0],[9482,2599,1007,1,24,"cp -272",6865],[298,251,2038,1,1,"cp 0",0],[2059,936,1016,1,22,"mate 3",1083],[1750,292,2058,1,1,"cp 0",1423],[2326,739,1025,1,30,"mate 1",1586]]',NULL,NULL,'g4g3
d4d5
g3f3
d5g5
d1d2
g5g1');
INSERT INTO "games" VALUES(10,'90c8f4d31d2a-19','90c8f4d31d2a',19,1,'brandub','resigner','random','p2','resignation',8,'2+0.02',702927643,'2026-11-28T05:06:42.864+00:00',61,'fair',1,0,0,'',49,16,8876458437084383914,0,10,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d7e7 e4e2','d7e7 e4e2 a4a2 c4c3 d1c1 c3c2 c1f1 d5f5','[[394,284,2019,1,1,"cp 0",0],[7891,1201,2005,1,1,"cp 0",6689,12851],[327,276,2039,1,1,"cp 0",0],[219,136,2025,1,1,"cp 0",0],[227,195,2059,1,1,"cp 0",0],[183,111,2045,1,1,"cp 0",0]]',NULL,NULL,'a4a2
c4c3
d1c1
c3c2
c1f1
d5f5');
INSERT INTO "games" VALUES(11,'90c8f4d31d2a-20','90c8f4d31d2a',20,1,'brandub','random','resigner','p1','resignation',7,'2+0.02',691584453,'2026-11-28T05:06:42.930+00:00',8,'fair',1,0,0,'',17,25,6628904207940418257,0,11,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d7e7 e4e2','d7e7 e4e2 e7e3 d5c5 d1b1 d3a3 b1b3','[[681,191,2019,1,1,"cp 0",0],[392,277,2019,1,1,"cp 0",0],[247,158,2039,1,1,"cp 0",0],[1772,247,2039,1,1,"cp 0",1525],[242,155,2058,1,1,"cp 0",0]]',NULL,NULL,'e7e3
d5c5
d1b1
d3a3
b1b3');
INSERT INTO "games" VALUES(12,'90c8f4d31d2a-23','90c8f4d31d2a',23,1,'brandub','random','greedy','p2','king-escaped',10,'2+0.02 | 1+0.01',633364653,'2026-11-28T05:06:42.941+00:00',18,'fair',1,0,0,'',32,0,6027652802771473399,0,12,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d1c1 d3c3','d1c1 d3c3 a4a2 c3a3 f4f2 a3a4 d2c2 d4d1 f2f4 d1g1','[[286,176,2019,1,1,"cp 0",0],[5615,2408,1007,1,23,"cp -198",3188],[216,136,2039,1,1,"cp 0",0],[2445,958,1016,1,29,"cp -102",1407],[195,125,2059,1,1,"cp 0",0],[2670,1181,1025,1,26,"cp 78",1489],[172,130,2079,1,1,"cp 0",0],[2429,987,1034,1,30,"mate 1",1417]]',NULL,NULL,'a4a2
c3a3
f4f2
a3a4
d2c2
d4d1
f2f4
d1g1');
INSERT INTO "games" VALUES(13,'90c8f4d31d2a-24','90c8f4d31d2a',24,1,'brandub','greedy','random','p1','king-captured',17,'1+0.01 | 2+0.02',1127398674,'2026-11-28T05:06:42.960+00:00',28,'fair',1,0,0,'',0,34,-7143877889256805710,0,13,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d1c1 d3c3','d1c1 d3c3 d2d3 c3c2 d3c3 e4e7 f4f7 d5b5 d6b6 d4d1 f7f1 d1e1 c3f3 c4c3 f3f1 c3a3 d7d1','[[5412,2555,1007,1,43,"cp 306",2843],[193,125,2019,1,1,"cp 0",0],[825,738,1016,1,42,"cp 378",0],[203,125,2039,1,1,"cp 0",0],[2646,1151,1025,1,41,"cp 477",1494],[162,120,2059,1,1,"cp 0",0],[2861,1343,1034,1,42,"cp 576",1499],[149,112,2079,1,1,"cp 0",0],[556,515,1043,1,45,"cp 606",0],[150,112,2099,1,1,"cp 0",0],[4849,1747,1051,1,41,"mate -2",3081],[214,137,2118,1,1,"cp 0",0],[595,543,1061,1,47,"cp 500",0],[175,101,2138,1,1,"cp 0",0],[1195,1107,1069,1,47,"mate 1",0]]',NULL,NULL,'d2d3
c3c2
d3c3
e4e7
f4f7
d5b5
d6b6
d4d1
f7f1
d1e1
c3f3
c4c3
f3f1
c3a3
d7d1');
INSERT INTO "games" VALUES(14,'90c8f4d31d2a-4','90c8f4d31d2a',4,1,'callanish-5','resigner','greedy','p2','resignation',8,'2+0.02 | 1+0.01',1225205270,'2026-11-28T05:06:42.478+00:00',593,'fair',1,0,0,'',0,0,6549174096492009966,0,14,'box','','5/5/5/5/5 p1 1','c2 c5','c2 c5 c2a1b4 c5b3d3 b4d3d5 b3a1c1 d3e1e5 d3b2e1','[[4653,454,2019,1,1,"cp 0",4199],[3170,1073,1007,1,6,"cp 33",1111],[671,303,2038,1,1,"cp 0",0],[5499,417,1017,1,15,"cp -12",5082],[305,248,2058,1,1,"cp 0",0],[497,451,1027,1,14,"mate 2",0]]',NULL,NULL,'c2a1b4
c5b3d3
b4d3d5
b3a1c1
d3e1e5
d3b2e1');
INSERT INTO "games" VALUES(15,'4df1108a7d2a-1','4df1108a7d2a',1,1,'callanish-5','zoo overuse','random','p2','time',4,'movetime=100',764524298,'2026-11-28T05:06:46.575+00:00',561,'fair',1,0,0,'',40,0,6890797068745042405,0,15,'box','no bestmove within 150.000 ms of go','5/5/5/5/5 p1 1','e1 d1','e1 d1 e1c2d3 d1b2c3','[[379,274,null,1,1,"cp 0",0],[1680,211,null,1,1,"cp 0",1424]]','{"side": "p1", "fault": "time", "detail": "no bestmove within 150.000 ms of go", "exit": "still running, ended by the referee", "transcript": ["zoo overuse <- ugi", "zoo overuse -> id name zoo overuse", "zoo overuse -> id author Callanish Arena", "zoo overuse -> option name UGI_Variant type combo default callanish-9 var callanish var callanish-corners var callanish-5 var callanish-7 var callanish-9 var callanish-11 var callanish-13 var callanish-15 var callanish-17 var callanish-19 var callanish-21 var callanish-23 var callanish-25 var scottish var scottish-armed var scottish-king1 var scottish-king2 var scottish-king3 var brandub var brandub-nielsen var ard-ri var ard-ri-two var tawlbwrdd var tawlbwrdd-bell var tawlbwrdd-lewis var sea-battle-9 var sea-battle-9-wtf var sea-battle-11 var tablut-saami var tablut-ashton var fetlar var computer-fetlar var copenhagen", "zoo overuse -> option name UGI_Rules type string default <empty>", "zoo overuse -> option name Seed type spin default 0 min 0 max 9223372036854775807", "zoo overuse -> option name UGI_Queries type string default legalmoves islegal fen perft", "zoo overuse -> option name UGI_Resign type check default true", "zoo overuse -> option name UGI_Draw type check default true", "zoo overuse -> option name UGI_GameOver type check default true", "zoo overuse -> option name UGI_MovesToGo type check default true", "zoo overuse -> ugiok", "zoo overuse <- setoption name UGI_Variant value callanish-5", "zoo overuse <- setoption name UGI_Rules value <empty>", "zoo overuse <- setoption name Seed value 764524298", "zoo overuse <- uginewgame", "zoo overuse <- isready", "zoo overuse -> readyok", "zoo overuse <- position startpos moves e1 d1", "zoo overuse <- isready", "zoo overuse -> readyok", "zoo overuse <- go movetime 100", "zoo overuse -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv e1c2d3", "zoo overuse -> bestmove e1c2d3", "zoo overuse <- position startpos moves e1 d1 e1c2d3 d1b2c3", "zoo overuse <- isready", "zoo overuse -> readyok", "zoo overuse <- go movetime 100"], "stderr": "", "allowed_us": 150000, "wall_us": 151894, "cpu_us": 87, "late_us": 15, "machine": false}',NULL,'e1c2d3
d1b2c3');
INSERT INTO "games" VALUES(16,'4df1108a7d2a-2','4df1108a7d2a',2,1,'callanish-5','random','zoo overuse','p1','time',5,'movetime=100',2140106185,'2026-11-28T05:06:47.141+00:00',430,'fair',1,0,0,'',0,0,-7947942937169589064,0,16,'box','no bestmove within 150.000 ms of go','5/5/5/5/5 p1 1','e1 d1','e1 d1 e1c2d3 d1c3e3 c2d4e3','[[190,136,null,1,1,"cp 0",0],[366,304,null,1,1,"cp 0",0],[179,134,null,1,1,"cp 0",0]]','{"side": "p2", "fault": "time", "detail": "no bestmove within 150.000 ms of go", "exit": "still running, ended by the referee", "transcript": ["zoo overuse <- ugi", "zoo overuse -> id name zoo overuse", "zoo overuse -> id author Callanish Arena", "zoo overuse -> option name UGI_Variant type combo default callanish-9 var callanish var callanish-corners var callanish-5 var callanish-7 var callanish-9 var callanish-11 var callanish-13 var callanish-15 var callanish-17 var callanish-19 var callanish-21 var callanish-23 var callanish-25 var scottish var scottish-armed var scottish-king1 var scottish-king2 var scottish-king3 var brandub var brandub-nielsen var ard-ri var ard-ri-two var tawlbwrdd var tawlbwrdd-bell var tawlbwrdd-lewis var sea-battle-9 var sea-battle-9-wtf var sea-battle-11 var tablut-saami var tablut-ashton var fetlar var computer-fetlar var copenhagen", "zoo overuse -> option name UGI_Rules type string default <empty>", "zoo overuse -> option name Seed type spin default 0 min 0 max 9223372036854775807", "zoo overuse -> option name UGI_Queries type string default legalmoves islegal fen perft", "zoo overuse -> option name UGI_Resign type check default true", "zoo overuse -> option name UGI_Draw type check default true", "zoo overuse -> option name UGI_GameOver type check default true", "zoo overuse -> option name UGI_MovesToGo type check default true", "zoo overuse -> ugiok", "zoo overuse <- setoption name UGI_Variant value callanish-5", "zoo overuse <- setoption name UGI_Rules value <empty>", "zoo overuse <- setoption name Seed value 2140106186", "zoo overuse <- uginewgame", "zoo overuse <- isready", "zoo overuse -> readyok", "zoo overuse <- position startpos moves e1 d1 e1c2d3", "zoo overuse <- isready", "zoo overuse -> readyok", "zoo overuse <- go movetime 100", "zoo overuse -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv d1c3e3", "zoo overuse -> bestmove d1c3e3", "zoo overuse <- position startpos moves e1 d1 e1c2d3 d1c3e3 c2d4e3", "zoo overuse <- isready", "zoo overuse -> readyok", "zoo overuse <- go movetime 100"], "stderr": "", "allowed_us": 150000, "wall_us": 153809, "cpu_us": 72, "late_us": 9, "machine": false}',NULL,'e1c2d3
d1c3e3
c2d4e3');
INSERT INTO "games" VALUES(17,'7cef94db5511-1','7cef94db5511',1,1,'brandub','zoo illegal-move','greedy','p2','illegal-move',6,'nodes=50',510165710,'2026-11-28T05:06:51.132+00:00',1067,'fair',1,1,0,'',0,0,6106673577792974787,0,17,'box','a1b1 at ply 7 is not legal in 3a3/6a/2d1d2/aa1k2a/3dd2/3a3/3a3 p1 4','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6b6 c4c5 b6g6 e4e3','d6b6 c4c5 b6g6 e4e3 f4e4 d5e5','[[1393,953,null,1,1,"cp 0",0],[19627,3997,null,1,20,"cp -176",15629,9769]]','{"side": "p1", "fault": "illegal-move", "detail": "a1b1 at ply 7 is not legal in 3a3/6a/2d1d2/aa1k2a/3dd2/3a3/3a3 p1 4", "exit": "still running, ended by the referee", "transcript": ["zoo illegal-move <- ugi", "zoo illegal-move -> id name zoo illegal-move", "zoo illegal-move -> id author Callanish Arena", "zoo illegal-move -> option name UGI_Variant type combo default callanish-9 var callanish var callanish-corners var callanish-5 var callanish-7 var callanish-9 var callanish-11 var callanish-13 var callanish-15 var callanish-17 var callanish-19 var callanish-21 var callanish-23 var callanish-25 var scottish var scottish-armed var scottish-king1 var scottish-king2 var scottish-king3 var brandub var brandub-nielsen var ard-ri var ard-ri-two var tawlbwrdd var tawlbwrdd-bell var tawlbwrdd-lewis var sea-battle-9 var sea-battle-9-wtf var sea-battle-11 var tablut-saami var tablut-ashton var fetlar var computer-fetlar var copenhagen", "zoo illegal-move -> option name UGI_Rules type string default <empty>", "zoo illegal-move -> option name Seed type spin default 0 min 0 max 9223372036854775807", "zoo illegal-move -> option name UGI_Queries type string default legalmoves islegal fen perft", "zoo illegal-move -> option name UGI_Resign type check default true", "zoo illegal-move -> option name UGI_Draw type check default true", "zoo illegal-move -> option name UGI_GameOver type check default true", "zoo illegal-move -> option name UGI_MovesToGo type check default true", "zoo illegal-move -> ugiok", "zoo illegal-move <- setoption name UGI_Variant value brandub", "zoo illegal-move <- setoption name UGI_Rules value <empty>", "zoo illegal-move <- setoption name Seed value 510165710", "zoo illegal-move <- uginewgame", "zoo illegal-move <- isready", "zoo illegal-move -> readyok", "zoo illegal-move <- position startpos moves d6b6 c4c5 b6g6 e4e3", "zoo illegal-move <- isready", "zoo illegal-move -> readyok", "zoo illegal-move <- go nodes 50", "zoo illegal-move -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv f4e4", "zoo illegal-move -> bestmove f4e4", "zoo illegal-move <- position startpos moves d6b6 c4c5 b6g6 e4e3 f4e4 d5e5", "zoo illegal-move <- isready", "zoo illegal-move -> readyok", "zoo illegal-move <- go nodes 50", "zoo illegal-move -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv b4b3", "zoo illegal-move -> bestmove a1b1"], "stderr": "", "allowed_us": 60000000, "wall_us": 978, "cpu_us": 420, "late_us": 0, "machine": false}',NULL,'f4e4
d5e5');
INSERT INTO "games" VALUES(18,'7cef94db5511-2','7cef94db5511',2,1,'brandub','greedy','zoo illegal-move','p1','illegal-move',5,'nodes=50',1019641950,'2026-11-28T05:06:52.200+00:00',759,'fair',1,1,0,'',0,0,-2540406618947950286,0,18,'box','a1b1 at ply 6 is not legal in 3a3/6a/2dd3/a1ak1aa/3dd2/3a3/3a3 p2 3','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6b6 c4c5 b6g6 e4e3','d6b6 c4c5 b6g6 e4e3 b4c4','[[14356,3060,null,1,43,"cp 299",11231]]','{"side": "p2", "fault": "illegal-move", "detail": "a1b1 at ply 6 is not legal in 3a3/6a/2dd3/a1ak1aa/3dd2/3a3/3a3 p2 3", "exit": "still running, ended by the referee", "transcript": ["zoo illegal-move <- ugi", "zoo illegal-move -> id name zoo illegal-move", "zoo illegal-move -> id author Callanish Arena", "zoo illegal-move -> option name UGI_Variant type combo default callanish-9 var callanish var callanish-corners var callanish-5 var callanish-7 var callanish-9 var callanish-11 var callanish-13 var callanish-15 var callanish-17 var callanish-19 var callanish-21 var callanish-23 var callanish-25 var scottish var scottish-armed var scottish-king1 var scottish-king2 var scottish-king3 var brandub var brandub-nielsen var ard-ri var ard-ri-two var tawlbwrdd var tawlbwrdd-bell var tawlbwrdd-lewis var sea-battle-9 var sea-battle-9-wtf var sea-battle-11 var tablut-saami var tablut-ashton var fetlar var computer-fetlar var copenhagen", "zoo illegal-move -> option name UGI_Rules type string default <empty>", "zoo illegal-move -> option name Seed type spin default 0 min 0 max 9223372036854775807", "zoo illegal-move -> option name UGI_Queries type string default legalmoves islegal fen perft", "zoo illegal-move -> option name UGI_Resign type check default true", "zoo illegal-move -> option name UGI_Draw type check default true", "zoo illegal-move -> option name UGI_GameOver type check default true", "zoo illegal-move -> option name UGI_MovesToGo type check default true", "zoo illegal-move -> ugiok", "zoo illegal-move <- setoption name UGI_Variant value brandub", "zoo illegal-move <- setoption name UGI_Rules value <empty>", "zoo illegal-move <- setoption name Seed value 1019641951", "zoo illegal-move <- uginewgame", "zoo illegal-move <- isready", "zoo illegal-move -> readyok", "zoo illegal-move <- position startpos moves d6b6 c4c5 b6g6 e4e3 b4c4", "zoo illegal-move <- isready", "zoo illegal-move -> readyok", "zoo illegal-move <- go nodes 50", "zoo illegal-move -> info depth 1 seldepth 1 score cp 0 nodes 1 time 0 nps 1000 pv c5c6", "zoo illegal-move -> bestmove a1b1"], "stderr": "", "allowed_us": 60000000, "wall_us": 10809, "cpu_us": 1578, "late_us": 9231, "machine": false}',NULL,'b4c4');
INSERT INTO "games" VALUES(19,'047845eb6504-1','047845eb6504',1,1,'brandub','python','python-2','draw','draw-agreed',8,'2+0.02',726149498,'2026-11-28T05:07:02.120+00:00',889,'fair',1,0,0,'',20,19,-8322011178875315897,0,19,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6f6 c4c3 f4f5 c3c2','d6f6 c4c3 f4f5 c3c2 g4g6 c2a2 f6d6 a2a3','[[834,708,2019,1,1,"cp 0",0],[858,778,2019,1,1,"cp 0",0],[322,195,2038,1,1,"cp 0",0],[273,176,2038,1,1,"cp 0",0]]',NULL,NULL,'g4g6
c2a2
f6d6
a2a3');
INSERT INTO "games" VALUES(20,'047845eb6504-2','047845eb6504',2,1,'brandub','python-2','python','draw','draw-agreed',8,'2+0.02',7443121,'2026-11-28T05:07:03.012+00:00',5,'fair',1,0,0,'',13,17,-4134097685340509266,0,20,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6f6 c4c3 f4f5 c3c2','d6f6 c4c3 f4f5 c3c2 a4a2 d3e3 a2a3 e4e7','[[387,253,2019,1,1,"cp 0",0],[698,629,2019,1,1,"cp 0",0],[521,335,2039,1,1,"cp 0",0],[247,161,2039,1,1,"cp 0",0]]',NULL,NULL,'a4a2
d3e3
a2a3
e4e7');
INSERT INTO "games" VALUES(21,'7d67de5d0be1-1','7d67de5d0be1',1,1,'callanish-5','zoo','zoo-2','p2','line',11,'nodes=10',892358908,'2026-11-28T05:07:05.868+00:00',437,'fair',1,0,0,'',49,49,3309692560191104316,0,21,'box','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[522,355,null,1,1,"cp 0",0],[376,253,null,1,1,"cp 0",0],[390,267,null,1,1,"cp 0",0],[331,245,null,1,1,"cp 0",0],[346,239,null,1,1,"cp 0",0],[291,196,null,1,1,"cp 0",0],[297,200,null,1,1,"cp 0",0],[306,218,null,1,1,"cp 0",0],[286,188,null,1,1,"cp 0",0],[296,212,null,1,1,"cp 0",0],[250,171,null,1,1,"cp 0",0]]',NULL,NULL,'a1
a2
a1b3c2
a2b4c1
b3a1a5
b4a2c2
a5b3c4
a2b4c3
b3a5c1
b4a2d3
c1a2b3');
INSERT INTO "games" VALUES(22,'7d67de5d0be1-2','7d67de5d0be1',2,1,'callanish-5','zoo-2','zoo','p2','line',11,'nodes=10',1596988228,'2026-11-28T05:07:06.309+00:00',5,'fair',1,0,0,'',17,14,3309692560191104316,0,22,'box','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[279,233,null,1,1,"cp 0",0],[270,185,null,1,1,"cp 0",0],[189,154,null,1,1,"cp 0",0],[304,168,null,1,1,"cp 0",0],[227,152,null,1,1,"cp 0",0],[150,117,null,1,1,"cp 0",0],[204,132,null,1,1,"cp 0",0],[199,130,null,1,1,"cp 0",0],[230,151,null,1,1,"cp 0",0],[242,161,null,1,1,"cp 0",0],[298,213,null,1,1,"cp 0",0]]',NULL,NULL,'a1
a2
a1b3c2
a2b4c1
b3a1a5
b4a2c2
a5b3c4
a2b4c3
b3a5c1
b4a2d3
c1a2b3');
INSERT INTO "games" VALUES(23,'7d67de5d0be1-3','7d67de5d0be1',3,2,'callanish-5','zoo','zoo-2','p2','line',11,'nodes=10',1713292300,'2026-11-28T05:07:06.316+00:00',5,'fair',1,0,0,'',0,37,3309692560191104316,0,21,'box','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[193,150,null,1,1,"cp 0",0],[267,175,null,1,1,"cp 0",0],[212,137,null,1,1,"cp 0",0],[198,116,null,1,1,"cp 0",0],[220,140,null,1,1,"cp 0",0],[184,111,null,1,1,"cp 0",0],[223,140,null,1,1,"cp 0",0],[217,137,null,1,1,"cp 0",0],[204,132,null,1,1,"cp 0",0],[218,134,null,1,1,"cp 0",0],[221,136,null,1,1,"cp 0",0]]',NULL,NULL,'a1
a2
a1b3c2
a2b4c1
b3a1a5
b4a2c2
a5b3c4
a2b4c3
b3a5c1
b4a2d3
c1a2b3');
INSERT INTO "games" VALUES(24,'7d67de5d0be1-4','7d67de5d0be1',4,2,'callanish-5','zoo-2','zoo','p2','line',11,'nodes=10',546706551,'2026-11-28T05:07:06.324+00:00',4,'fair',1,0,0,'',0,19,3309692560191104316,0,22,'box','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[201,157,null,1,1,"cp 0",0],[180,143,null,1,1,"cp 0",0],[148,110,null,1,1,"cp 0",0],[148,114,null,1,1,"cp 0",0],[248,208,null,1,1,"cp 0",0],[166,129,null,1,1,"cp 0",0],[211,119,null,1,1,"cp 0",0],[204,123,null,1,1,"cp 0",0],[209,134,null,1,1,"cp 0",0],[187,115,null,1,1,"cp 0",0],[220,141,null,1,1,"cp 0",0]]',NULL,NULL,'a1
a2
a1b3c2
a2b4c1
b3a1a5
b4a2c2
a5b3c4
a2b4c3
b3a5c1
b4a2d3
c1a2b3');
INSERT INTO "games" VALUES(25,'6786e5ad7a3c-1','6786e5ad7a3c',1,1,'brandub','alphabeta','mcts','p2','king-escaped',16,'nodes=60',1087087553,'2026-11-28T05:07:08.730+00:00',417,'fair',1,0,0,'',97,77,-833368181099956935,1,23,'box','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','g4g3 d5a5 b4b6 e4e3','g4g3 d5a5 b4b6 e4e3 b6a6 d4d5 f4f5 d5b5 d6b6 b5b2 a4a2 d3a3 d1b1 b2a2 a6a5 a2a1','[[5002,4689,null,1,43,"cp 391",0,12177],[37876,37577,null,5,60,"cp -177",0,12774],[2646,2566,null,1,39,"cp 393",0],[35944,35513,null,5,60,"cp -197",0],[2771,2604,null,1,60,"cp 345",0],[31680,31243,null,5,60,"cp -290",0],[2632,2352,null,1,60,"cp 255",0],[31278,30071,null,4,60,"cp -13",1199],[2182,2113,null,1,60,"mate -4",0],[1135,1017,null,2,2,"mate 3",0],[936,821,null,1,53,"mate -2",0],[729,630,null,1,1,"mate 1",0]]',NULL,NULL,'b6a6
d4d5 f4f5 d5b5 d6b6 b5b3
f4f5
d5b5 d6b6 b5b3 d2b2 b3c3
d6b6 b5b3
b5b2 a4a2 d3a3 d1b1 b2a2
a4a2 d3a3
d3a3 f5f4 b2a2
d1b1 b2a2
b2a2 a6a5
a6a5
a2a1');
INSERT INTO "games" VALUES(26,'6786e5ad7a3c-2','6786e5ad7a3c',2,1,'brandub','mcts','alphabeta','draw','adjudication',16,'nodes=60',730033809,'2026-11-28T05:07:09.150+00:00',206,'fair',1,0,0,'',15,68,7106950163443047138,0,24,'box','stopped after 16 plies','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','g4g3 d5a5 b4b6 e4e3','g4g3 d5a5 b4b6 e4e3 b6a6 d4d5 g3g5 d5b5 d6b6 b5b3 d2b2 b3c3 b6b3 c4e4 a4c4 d3d5','[[35884,35513,null,5,60,"cp 313",0],[4257,3992,null,1,60,"cp -393",0],[40949,33297,null,5,60,"cp 172",7652],[2251,2117,null,1,25,"cp -328",0],[39101,38655,null,5,60,"cp 316",0],[1854,1799,null,1,30,"cp -345",0],[36862,32028,null,5,60,"cp 301",4833],[1728,1608,null,1,24,"cp -353",0],[34109,32292,null,4,60,"cp 402",1816],[1789,1712,null,1,18,"cp -362",0],[819,710,null,2,2,"mate 3",0],[440,353,null,1,12,"mate -2",0]]',NULL,NULL,'b6a6 d4d5 f4f5 d5b5 d6b6
d4d5 f4f5
g3g5 d5b5 d6b6 b5b3
d5b5
d6b6 b5b3 d2b2 b3c3 b6b3
b5b3
d2b2 b3c3 b6b3 c4e4 a4c4
b3c3
b6b3 c4c6 b2c2 c3c5
c4e4
a4c4 d3d5
d3d5');
INSERT INTO "games" VALUES(27,'ff113abc2296-1','ff113abc2296',1,1,'callanish-5','zoo burns-idle','zoo sleeps','p2','line',15,'movetime=300',764524298,'2026-11-28T05:07:11.547+00:00',1155,'cpu',1,0,0,'p1',695155,0,-3212009612439348603,0,25,'box','','5/5/5/5/5 p1 1','e1 d1','e1 d1 e1c2d3 d1c3e3 c2e1e3 c3a2b1 e3c2d5 e3c4d1 c2b4e3 a2b4c1 e3c4d1 b4a2d5 c4a5b2 c4a5e5 d3c1c5','[[1379,1277,null,1,1,"cp 0",0],[120836,570,null,1,1,"cp 0",45],[531,355,null,1,1,"cp 0",0,66],[124313,758,null,1,1,"cp 0",3341],[414,286,null,1,1,"cp 0",0],[120699,426,null,1,1,"cp 0",46],[446,303,null,1,1,"cp 0",0],[120823,574,null,1,1,"cp 0",40],[5112,4825,null,1,1,"cp 0",0],[123225,442,null,1,1,"cp 0",2824],[4880,3184,null,1,1,"cp 0",1695],[123189,428,null,1,1,"cp 0",2557],[7471,7161,null,1,1,"cp 0",0,338]]',NULL,NULL,'e1c2d3
d1c3e3
c2e1e3
c3a2b1
e3c2d5
e3c4d1
c2b4e3
a2b4c1
e3c4d1
b4a2d5
c4a5b2
c4a5e5
d3c1c5');
INSERT INTO "games" VALUES(28,'ff113abc2296-2','ff113abc2296',2,1,'callanish-5','zoo sleeps','zoo burns-idle','p2','line',11,'movetime=300',2140106185,'2026-11-28T05:07:12.704+00:00',648,'cpu',1,0,0,'p2',0,345423,2747235922021100693,0,26,'box','','5/5/5/5/5 p1 1','e1 d1','e1 d1 e1c2d3 d1c3e3 d3b4e5 c3b1d1 c2a1e1 d1b2c3 a1b3c2 c3e2e4 b3a1c5','[[120619,390,null,1,1,"cp 0",34],[458,268,null,1,1,"cp 0",0,79],[120657,410,null,1,1,"cp 0",40],[283,190,null,1,1,"cp 0",0,1706],[120640,378,null,1,1,"cp 0",36],[404,266,null,1,1,"cp 0",0],[120608,355,null,1,1,"cp 0",37],[378,263,null,1,1,"cp 0",0],[120656,377,null,1,1,"cp 0",37]]',NULL,NULL,'e1c2d3
d1c3e3
d3b4e5
c3b1d1
c2a1e1
d1b2c3
a1b3c2
c3e2e4
b3a1c5');
INSERT INTO "games" VALUES(29,'67cba0f81ab3-1','67cba0f81ab3',1,1,'callanish-5','greedy','random','p1','line',12,'nodes=10',764524298,'2026-11-28T05:07:15.718+00:00',159,'fair',1,0,0,'',50,16,8632296686015101603,0,27,'box','','5/5/5/5/5 p1 1','e1 d1 e1c2d3 d1b2c3','e1 d1 e1c2d3 d1b2c3 c2a3e3 b2a4d3 e3c2c4 c3b5d1 a3b1b5 d3b4c5 c2a1b4 c5b3d3','[[432,358,null,1,10,"cp 92",0],[189,124,null,1,1,"cp 0",0],[197,139,null,1,10,"cp -9",0],[129,72,null,1,1,"cp 0",0],[181,146,null,1,10,"cp 27",0],[117,65,null,1,1,"cp 0",0],[237,184,null,1,10,"mate 2",0],[191,121,null,1,1,"cp 0",0]]',NULL,NULL,'c2a3e3
b2a4d3
e3c2c4
c3b5d1
a3b1b5
d3b4c5
c2a1b4
c5b3d3');
INSERT INTO "games" VALUES(30,'67cba0f81ab3-2','67cba0f81ab3',2,1,'callanish-5','random','greedy','p2','line',11,'nodes=10',2140106185,'2026-11-28T05:07:15.880+00:00',2,'fair',1,0,0,'',0,0,4920783938304609326,0,28,'box','','5/5/5/5/5 p1 1','e1 d1 e1c2d3 d1b2c3','e1 d1 e1c2d3 d1b2c3 c2a1d4 b2c4d3 d4b3e2 c3a2e2 b3a5c5 c4a3e3 a5b3c4','[[86,62,null,1,1,"cp 0",0],[235,212,null,1,10,"cp 117",0],[158,133,null,1,1,"cp 0",0],[144,122,null,1,10,"cp 127",0],[73,52,null,1,1,"cp 0",0],[164,143,null,1,10,"mate 2",0],[88,65,null,1,1,"cp 0",0]]',NULL,NULL,'c2a1d4
b2c4d3
d4b3e2
c3a2e2
b3a5c5
c4a3e3
a5b3c4');
INSERT INTO "games" VALUES(31,'67cba0f81ab3-3','67cba0f81ab3',3,2,'callanish-5','greedy','random','p1','line',8,'nodes=10',256312363,'2026-11-28T05:07:15.882+00:00',1,'fair',1,0,0,'',0,0,3942767192209403187,0,27,'box','','5/5/5/5/5 p1 1','d4 a5 d4c2e2 a5b3c4','d4 a5 d4c2e2 a5b3c4 c2a1e1 b3c5d4 e2c1c3 d4b3b5','[[225,201,null,1,10,"cp 84",0],[77,56,null,1,1,"cp 0",0],[125,103,null,1,5,"mate 2",0],[68,48,null,1,1,"cp 0",0]]',NULL,NULL,'c2a1e1
b3c5d4
e2c1c3
d4b3b5');
INSERT INTO "games" VALUES(32,'67cba0f81ab3-4','67cba0f81ab3',4,2,'callanish-5','random','greedy','p2','line',7,'nodes=10',2038164745,'2026-11-28T05:07:15.884+00:00',0,'fair',1,0,0,'',0,0,5723850684783045697,0,28,'box','','5/5/5/5/5 p1 1','d4 a5 d4c2e2 a5b3c4','d4 a5 d4c2e2 a5b3c4 c2b4e3 b3c1c5 b4a2d5','[[72,49,null,1,1,"cp 0",0],[206,183,null,1,10,"cp 17",0],[72,51,null,1,1,"cp 0",0]]',NULL,NULL,'c2b4e3
b3c1c5
b4a2d5');
INSERT INTO "games" VALUES(33,'f16950c647b0-1','f16950c647b0',1,1,'callanish-5','random','greedy','p2','line',7,'nodes=10',2069022466,'2026-11-28T05:07:20.122+00:00',156,'fair',1,0,0,'',0,36,-5914582081293864599,0,29,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1d2 c2b4d4 d2c4e4 d4b3b5 c4b2e3','[[321,228,null,1,1,"cp 0",0],[1026,612,null,1,10,"cp 9",0],[322,165,null,1,1,"cp 0",0],[601,440,null,1,10,"cp 8",0],[329,204,null,1,1,"cp 0",0]]',NULL,NULL,'b3c1d2
c2b4d4
d2c4e4
d4b3b5
c4b2e3');
INSERT INTO "games" VALUES(34,'f16950c647b0-2','f16950c647b0',2,1,'callanish-5','greedy','random','p1','line',10,'nodes=10',280788380,'2026-11-28T05:07:20.280+00:00',3,'fair',1,0,0,'',0,0,5926931015928092632,0,30,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1c5 c2d4e1 c1b3d3 d4b3e2 d3c1e1 b3a5c1 b3a1a5 c1b3d3','[[376,331,null,1,10,"cp 35",0],[145,84,null,1,1,"cp 0",0],[265,207,null,1,10,"cp 99",0],[120,70,null,1,1,"cp 0",0],[208,155,null,1,10,"cp 96",0],[137,74,null,1,1,"cp 0",0],[257,194,null,1,10,"cp 140",0],[192,110,null,1,1,"cp 0",0]]',NULL,NULL,'b3c1c5
c2d4e1
c1b3d3
d4b3e2
d3c1e1
b3a5c1
b3a1a5
c1b3d3');
INSERT INTO "games" VALUES(35,'f16950c647b0-3','f16950c647b0',3,2,'callanish-5','again','greedy','p1','line',12,'nodes=10',829836023,'2026-11-28T05:07:20.287+00:00',188,'fair',1,0,0,'',21,14,977131467111886231,0,31,'box','','5/5/5/5/5 p1 1','a3 d3','a3 d3 a3b1b5 d3c1c5 b1a3c3 c5b3d3 a3b1c2 b3d2d4 b1a3d2 c1b3e2 a3b1c4 b3a5c5','[[324,223,null,1,1,"cp 0",0],[310,281,null,1,10,"cp 8",0],[183,122,null,1,1,"cp 0",0],[205,153,null,1,10,"cp 0",0],[243,161,null,1,1,"cp 0",0],[295,189,null,1,10,"cp 8",0],[253,193,null,1,1,"cp 0",0],[168,109,null,1,10,"cp -36",0],[176,111,null,1,1,"cp 0",0],[162,103,null,1,10,"mate -1",0]]',NULL,NULL,'a3b1b5
d3c1c5
b1a3c3
c5b3d3
a3b1c2
b3d2d4
b1a3d2
c1b3e2
a3b1c4
b3a5c5');
INSERT INTO "games" VALUES(36,'f16950c647b0-4','f16950c647b0',4,2,'callanish-5','greedy','again','p1','line',8,'nodes=10',1388663948,'2026-11-28T05:07:20.475+00:00',2,'fair',1,0,0,'',0,0,1140955686161429095,0,32,'box','','5/5/5/5/5 p1 1','a3 d3','a3 d3 a3c2c4 d3b2b4 c2b4d4 b2a4c4 d4b3b5 a4b2c3','[[260,232,null,1,6,"cp 51",0],[120,96,null,1,1,"cp 0",0],[206,152,null,1,10,"cp 151",0],[158,124,null,1,1,"cp 0",0],[144,112,null,1,10,"mate 2",0],[231,155,null,1,1,"cp 0",0]]',NULL,NULL,'a3c2c4
d3b2b4
c2b4d4
b2a4c4
d4b3b5
a4b2c3');
INSERT INTO "games" VALUES(37,'9ade54fe5149-1','9ade54fe5149',1,1,'callanish-5','greedy','again','p2','line',9,'nodes=10',2069022466,'2026-11-28T05:07:25.344+00:00',1839,'fair',1,0,0,'',15,56,2504773196931443711,0,33,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1c5 c2a1a3 c5b3d3 a1b3c2 d3c5e5 a3b1b5 c5a4e4','[[4825,709,null,1,10,"cp 35",3995],[546,374,null,1,1,"cp 0",0],[543,372,null,1,10,"cp 90",0],[342,228,null,1,1,"cp 0",0],[307,257,null,1,10,"cp 0",0],[316,219,null,1,1,"cp 0",0],[288,202,null,1,7,"mate -1",0]]',NULL,NULL,'b3c1c5
c2a1a3
c5b3d3
a1b3c2
d3c5e5
a3b1b5
c5a4e4');
INSERT INTO "games" VALUES(38,'9ade54fe5149-2','9ade54fe5149',2,1,'callanish-5','again','greedy','p2','line',11,'nodes=10',280788380,'2026-11-28T05:07:27.186+00:00',5,'fair',1,0,0,'',44,14,6502856489878214245,0,34,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3a1a5 c2a1a3 a5b3c4 a3b1c4 b3a5c1 b1a3c3 c1a2b3 c3a2d1 b3c1c5','[[236,186,null,1,1,"cp 0",0],[560,456,null,1,10,"cp 52",0],[269,182,null,1,1,"cp 0",0],[344,256,null,1,7,"cp 135",0],[266,182,null,1,1,"cp 0",0],[398,307,null,1,10,"cp 153",0],[247,165,null,1,1,"cp 0",0],[397,314,null,1,10,"mate 2",0],[256,161,null,1,1,"cp 0",0]]',NULL,NULL,'b3a1a5
c2a1a3
a5b3c4
a3b1c4
b3a5c1
b1a3c3
c1a2b3
c3a2d1
b3c1c5');
INSERT INTO "games" VALUES(39,'9ade54fe5149-3','9ade54fe5149',3,1,'callanish-5','greedy','again','p1','line',8,'nodes=10',829836023,'2026-11-28T05:07:27.193+00:00',3,'fair',1,0,0,'',0,0,1140955686161429095,0,35,'box','','5/5/5/5/5 p1 1','a3 d3','a3 d3 a3c2c4 d3b2b4 c2b4d4 b2a4c4 d4b3b5 a4b2c3','[[372,329,null,1,6,"cp 51",0],[175,142,null,1,1,"cp 0",0],[337,248,null,1,10,"cp 151",0],[216,140,null,1,1,"cp 0",0],[207,178,null,1,10,"mate 2",0],[222,147,null,1,1,"cp 0",0]]',NULL,NULL,'a3c2c4
d3b2b4
c2b4d4
b2a4c4
d4b3b5
a4b2c3');
INSERT INTO "games" VALUES(40,'9ade54fe5149-4','9ade54fe5149',4,1,'callanish-5','again','greedy','p2','line',15,'nodes=10',1388663948,'2026-11-28T05:07:27.198+00:00',6,'fair',1,0,0,'',40,12,-6592744239767888427,0,34,'box','','5/5/5/5/5 p1 1','a3 d3','a3 d3 a3b1b5 d3b2b4 b1a3c3 b4a2c2 a3b1c2 a2b4c3 b1a3d2 b2a4c4 a3b1c4 b4d3d5 b5a3d4 a4b2c5 c2a1b4','[[157,122,null,1,1,"cp 0",0],[391,352,null,1,10,"cp 8",0],[214,135,null,1,1,"cp 0",0],[323,235,null,1,10,"cp 17",0],[217,141,null,1,1,"cp 0",0],[365,200,null,1,9,"cp 0",0],[245,162,null,1,1,"cp 0",0],[305,210,null,1,10,"cp 26",0],[248,161,null,1,1,"cp 0",0],[218,153,null,1,10,"cp -36",0],[234,154,null,1,1,"cp 0",0],[173,137,null,1,10,"cp -27",0],[248,166,null,1,1,"cp 0",0]]',NULL,NULL,'a3b1b5
d3b2b4
b1a3c3
b4a2c2
a3b1c2
a2b4c3
b1a3d2
b2a4c4
a3b1c4
b4d3d5
b5a3d4
a4b2c5
c2a1b4');
INSERT INTO "games" VALUES(41,'9ade54fe5149-5','9ade54fe5149',5,2,'callanish-5','random','greedy','p2','line',7,'nodes=10',335767208,'2026-11-28T05:07:27.206+00:00',86,'fair',1,0,0,'',16,0,-7894828495468005044,0,36,'box','','5/5/5/5/5 p1 1','c3 e3','c3 e3 c3d1e4 e3c2d1 e4c3d2 c2a1e1 d2b1c4','[[359,257,null,1,1,"cp 0",0],[435,375,null,1,6,"cp 51",0],[133,96,null,1,1,"cp 0",0],[252,216,null,1,10,"mate 2",0],[182,107,null,1,1,"cp 0",0]]',NULL,NULL,'c3d1e4
e3c2d1
e4c3d2
c2a1e1
d2b1c4');
INSERT INTO "games" VALUES(42,'9ade54fe5149-6','9ade54fe5149',6,2,'callanish-5','greedy','random','p1','line',10,'nodes=10',890741373,'2026-11-28T05:07:27.294+00:00',4,'fair',1,0,0,'',13,12,-8326107290709497983,0,37,'box','','5/5/5/5/5 p1 1','c3 e3','c3 e3 c3a2a4 e3c2d1 a4b2c3 c2e1e3 b2d1d3 e3c4d5 c3b1d5 c4a5e3','[[471,375,null,1,10,"cp 35",0],[142,107,null,1,1,"cp 0",0],[274,189,null,1,6,"cp 87",0],[128,93,null,1,1,"cp 0",0],[317,235,null,1,10,"cp 126",0],[209,99,null,1,1,"cp 0",0],[322,238,null,1,10,"cp 171",0],[127,92,null,1,1,"cp 0",0]]',NULL,NULL,'c3a2a4
e3c2d1
a4b2c3
c2e1e3
b2d1d3
e3c4d5
c3b1d5
c4a5e3');
INSERT INTO "games" VALUES(43,'8062e1149d20-1','8062e1149d20',1,1,'callanish-5','random','greedy','p2','line',7,'nodes=10',2069022466,'2026-11-28T05:07:29.560+00:00',400,'fair',1,0,0,'',0,0,-5914582081293864599,0,38,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1d2 c2b4d4 d2c4e4 d4b3b5 c4b2e3','[[4603,285,null,1,1,"cp 0",4250],[3220,723,null,1,10,"cp 9",2497],[179,134,null,1,1,"cp 0",0],[297,250,null,1,10,"cp 8",0],[159,118,null,1,1,"cp 0",0]]',NULL,NULL,'b3c1d2
c2b4d4
d2c4e4
d4b3b5
c4b2e3');
INSERT INTO "games" VALUES(44,'8062e1149d20-2','8062e1149d20',2,1,'callanish-5','greedy','random','p1','line',10,'nodes=10',280788380,'2026-11-28T05:07:29.965+00:00',11,'fair',1,0,0,'',0,0,5926931015928092632,0,39,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1c5 c2d4e1 c1b3d3 d4b3e2 d3c1e1 b3a5c1 b3a1a5 c1b3d3','[[446,393,null,1,10,"cp 35",0],[165,126,null,1,1,"cp 0",0],[635,450,null,1,10,"cp 99",0],[191,148,null,1,1,"cp 0",0],[418,308,null,1,10,"cp 96",0],[143,109,null,1,1,"cp 0",0],[378,256,null,1,10,"cp 140",0],[135,100,null,1,1,"cp 0",0]]',NULL,NULL,'b3c1c5
c2d4e1
c1b3d3
d4b3e2
d3c1e1
b3a5c1
b3a1a5
c1b3d3');
INSERT INTO "games" VALUES(45,'fdff37a5cebd-1','fdff37a5cebd',1,1,'callanish-5','random','greedy','p2','line',7,'nodes=10',2069022466,'2026-11-28T05:07:35.395+00:00',643,'fair',1,0,0,'',0,0,-5914582081293864599,0,40,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1d2 c2b4d4 d2c4e4 d4b3b5 c4b2e3','[[249,190,null,1,1,"cp 0",0],[4712,677,null,1,10,"cp 9",4035],[195,143,null,1,1,"cp 0",0],[331,281,null,1,10,"cp 8",0],[272,175,null,1,1,"cp 0",0]]',NULL,NULL,'b3c1d2
c2b4d4
d2c4e4
d4b3b5
c4b2e3');
INSERT INTO "games" VALUES(46,'fdff37a5cebd-2','fdff37a5cebd',2,1,'callanish-5','greedy','random','p1','line',10,'nodes=10',280788380,'2026-11-28T05:07:36.050+00:00',8,'fair',1,0,0,'',0,0,5926931015928092632,0,41,'box','','5/5/5/5/5 p1 1','b3 c2','b3 c2 b3c1c5 c2d4e1 c1b3d3 d4b3e2 d3c1e1 b3a5c1 b3a1a5 c1b3d3','[[443,392,null,1,10,"cp 35",0],[168,128,null,1,1,"cp 0",0],[217,181,null,1,10,"cp 99",0],[155,113,null,1,1,"cp 0",0],[325,280,null,1,10,"cp 96",0],[136,98,null,1,1,"cp 0",0],[365,239,null,1,10,"cp 140",0],[145,110,null,1,1,"cp 0",0]]',NULL,NULL,'b3c1c5
c2d4e1
c1b3d3
d4b3e2
d3c1e1
b3a5c1
b3a1a5
c1b3d3');
INSERT INTO "games" VALUES(47,'fdff37a5cebd-3','fdff37a5cebd',3,2,'callanish-5','again','greedy','p1','line',12,'nodes=10',829836023,'2026-11-28T05:07:36.070+00:00',559,'fair',1,0,0,'',0,0,977131467111886231,0,42,'box','','5/5/5/5/5 p1 1','a3 d3','a3 d3 a3b1b5 d3c1c5 b1a3c3 c5b3d3 a3b1c2 b3d2d4 b1a3d2 c1b3e2 a3b1c4 b3a5c5','[[5742,349,null,1,1,"cp 0",5393],[426,373,null,1,10,"cp 8",0],[237,204,null,1,1,"cp 0",0],[203,173,null,1,10,"cp 0",0],[197,148,null,1,1,"cp 0",0],[220,190,null,1,10,"cp 8",0],[183,148,null,1,1,"cp 0",0],[146,118,null,1,10,"cp -36",0],[163,129,null,1,1,"cp 0",0],[143,114,null,1,10,"mate -1",0]]',NULL,NULL,'a3b1b5
d3c1c5
b1a3c3
c5b3d3
a3b1c2
b3d2d4
b1a3d2
c1b3e2
a3b1c4
b3a5c5');
INSERT INTO "games" VALUES(48,'fdff37a5cebd-4','fdff37a5cebd',4,2,'callanish-5','greedy','again','p1','line',8,'nodes=10',1388663948,'2026-11-28T05:07:36.634+00:00',21,'fair',1,0,0,'',0,0,1140955686161429095,0,43,'box','','5/5/5/5/5 p1 1','a3 d3','a3 d3 a3c2c4 d3b2b4 c2b4d4 b2a4c4 d4b3b5 a4b2c3','[[4131,383,null,1,6,"cp 51",3747],[292,197,null,1,1,"cp 0",0],[290,256,null,1,10,"cp 151",0],[156,127,null,1,1,"cp 0",0],[363,292,null,1,10,"mate 2",0],[303,249,null,1,1,"cp 0",0]]',NULL,NULL,'a3c2c4
d3b2b4
c2b4d4
b2a4c4
d4b3b5
a4b2c3');
INSERT INTO "games" VALUES(49,'01b92798077d-1','01b92798077d',1,1,'callanish-5','random','greedy','p2','line',7,'nodes=10',1405379837,'2026-11-28T05:07:47.963+00:00',1312,'fair',1,1,0,'',0,0,-9205982858406315353,0,44,'box','','5/5/5/5/5 p1 1','a5 e1','a5 e1 a5b3c4 e1c2d3 c4a3b2 c2a3e3 b3d2d4','[[2701,304,null,1,1,"cp 0",2322],[14320,522,null,1,1,"cp 0",13798],[245,168,null,1,1,"cp 0",0],[469,412,null,1,10,"cp 100",0],[162,116,null,1,1,"cp 0",0]]',NULL,NULL,'a5b3c4
e1c2d3
c4a3b2
c2a3e3
b3d2d4');
INSERT INTO "games" VALUES(50,'01b92798077d-2','01b92798077d',2,1,'callanish-5','greedy','random','p1','line',12,'nodes=10',1483013124,'2026-11-28T05:07:49.294+00:00',44,'fair',1,0,0,'',0,0,-7995223364556418080,0,45,'box','','5/5/5/5/5 p1 1','a5 e1','a5 e1 a5b3c4 e1c2d3 b3c1c5 d3b4c5 c1a2e2 c2a3d4 c4a3e3 b4c2d3 a3c2c4 d3b2b4','[[5967,340,null,1,1,"cp 58",5534],[5017,283,null,1,1,"cp 0",4657],[518,443,null,1,10,"cp 92",0],[176,137,null,1,1,"cp 0",0],[315,248,null,1,10,"cp -9",0],[173,136,null,1,1,"cp 0",0],[384,345,null,1,10,"cp 45",0],[162,98,null,1,1,"cp 0",0],[4007,412,null,1,10,"cp 44",3566],[167,130,null,1,1,"cp 0",0]]',NULL,NULL,'a5b3c4
e1c2d3
b3c1c5
d3b4c5
c1a2e2
c2a3d4
c4a3e3
b4c2d3
a3c2c4
d3b2b4');
INSERT INTO "games" VALUES(51,'d20acd678822-1','d20acd678822',1,1,'brandub','Ann','Bob "B."',NULL,'unfinished',2,'-',0,'',0,'wall',1,0,0,'',NULL,NULL,9195782939228503701,0,46,'','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','a4a3 d5c5','a4a3 d5c5','[]',NULL,NULL,'');
INSERT INTO "games" VALUES(52,'736e7ff4d0fc-1','736e7ff4d0fc',1,1,'callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7','greedy','random','p1','line',10,'nodes=5',1639117359,'2026-11-28T05:07:58.908+00:00',318,'wall',1,0,0,'',0,0,-812207096106267059,0,47,'box','','7/7/2*1*2/7/2*1*2/7/7 p1 1','a7 f2','a7 f2 a7b5c6 f2e4g4 b5a7c7 g4f2f6 c6a5e7 f6d5g4 a5b7c4 d5b6f4','[[5315,435,null,1,1,"cp 42",4879],[354,223,null,1,1,"cp 0",0],[337,293,null,1,5,"cp 86",0],[188,101,null,1,1,"cp 0",0],[228,190,null,1,5,"cp 37",0],[188,107,null,1,1,"cp 0",0],[258,225,null,1,5,"cp 58",0],[190,105,null,1,1,"cp 0",0]]',NULL,NULL,'a7b5c6
f2e4g4
b5a7c7
g4f2f6
c6a5e7
f6d5g4
a5b7c4
d5b6f4');
INSERT INTO "games" VALUES(53,'736e7ff4d0fc-2','736e7ff4d0fc',2,1,'callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7','random','greedy','draw','adjudication',12,'nodes=5',1837742974,'2026-11-28T05:07:59.234+00:00',3,'wall',1,0,0,'',0,0,4540614220410186198,0,48,'box','stopped after 12 plies','7/7/2*1*2/7/2*1*2/7/7 p1 1','a7 f2','a7 f2 a7b5c6 f2d3e4 c6a7e7 d3b2e1 b5a3d6 b2a4c4 d6c4f5 e1d3f3 a7b5c6 d3b2b4','[[113,80,null,1,1,"cp 0",0],[345,319,null,1,5,"cp 8",0],[139,74,null,1,1,"cp 0",0],[136,113,null,1,5,"cp 4",0],[112,64,null,1,1,"cp 0",0],[127,106,null,1,5,"cp 23",0],[127,76,null,1,1,"cp 0",0],[126,104,null,1,5,"cp -18",0],[112,65,null,1,1,"cp 0",0],[102,80,null,1,5,"cp -31",0]]',NULL,NULL,'a7b5c6
f2d3e4
c6a7e7
d3b2e1
b5a3d6
b2a4c4
d6c4f5
e1d3f3
a7b5c6
d3b2b4');
INSERT INTO "games" VALUES(54,'247a0f8ff9c6-1','247a0f8ff9c6',1,1,'brandub','alphabeta','greedy','draw','adjudication',10,'0.5+0',510165710,'2026-11-28T05:08:17.728+00:00',852,'fair',1,1,0,'',37,14,-5886685413596924719,0,49,'box','stopped after 10 plies','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','b4b5 e4e6 f4f3 d5c5','b4b5 e4e6 f4f3 d5c5 f3f6 d4e4 d6d5 e4e3 d2e2 e3f3','[[34774,9492,479,2,196,"cp 337",25282,11147],[17317,4495,482,1,19,"cp -337",12822,12733],[15040,5060,474,2,152,"cp 435",9931],[923,813,481,1,21,"cp -435",0],[18982,6620,467,2,230,"cp 458",12361],[739,612,481,1,19,"cp -458",0]]',NULL,1.0,'f3f6 d4e4
d4e4
d6d5 e4e3
e4e3
d2e2 e3f3
e3f3');
INSERT INTO "games" VALUES(55,'247a0f8ff9c6-2','247a0f8ff9c6',2,1,'brandub','greedy','alphabeta','draw','adjudication',10,'0.5+0',1019641950,'2026-11-28T05:08:18.587+00:00',111,'fair',1,1,0,'',0,14,6320244373019442916,0,50,'box','stopped after 10 plies','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','b4b5 e4e6 f4f3 d5c5','b4b5 e4e6 f4f3 d5c5 d6d5 d4e4 f3e3 e4e5 g4g5 c4c5','[[11317,3162,496,1,44,"cp 402",8121],[23362,7734,492,2,276,"cp -386",15608],[10747,1677,495,1,46,"cp 401",9004],[36896,8708,483,3,331,"cp -294",28187],[1447,1390,493,1,41,"cp 405",0],[8025,2492,480,2,111,"mate -4",5483]]',NULL,1.0,'d6d5
d4e4 d2e2
f3e3
e4e5 g4g5 c4c5
g4g5
c4c5 d7d5 d3c3');
CREATE TABLE machines (           -- each measurement of a machine's speed, in the order in which they were stored
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
INSERT INTO "machines" VALUES(1,'247a0f8ff9c6','box',1,'alphabeta',13000,5.63302282734547843595e+04,5.63302282734547843595e+04,1.0,'2026-11-28T05:08:15.627+00:00');
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
INSERT INTO "players" VALUES('90c8f4d31d2a',0,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('90c8f4d31d2a',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('90c8f4d31d2a',2,'resigner','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--resign", "7"]','f90811fe396677ee7deafdddfc8d54ac16b925a42f35bf6cb6702a488f23f492','');
INSERT INTO "players" VALUES('90c8f4d31d2a',3,'crasher','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--fault", "exit-1", "--at", "mid", "--ply", "4"]','57993b97626268b61c1047acf2f91f1f8311c50c7206b5240a10d1d70e054897','');
INSERT INTO "players" VALUES('4df1108a7d2a',0,'zoo overuse','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--fault", "overuse", "--at", "mid", "--ply", "4"]','67a162eec6a0eef41ff61154dbd8b8e2348bab852345504e2ed0937ade227799','');
INSERT INTO "players" VALUES('4df1108a7d2a',1,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('7cef94db5511',0,'zoo illegal-move','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--fault", "illegal-move", "--at", "mid", "--ply", "5"]','3de563de711dfa2b7929c96b469892b667e376b46adaec98cafb558c13b2b74d','');
INSERT INTO "players" VALUES('7cef94db5511',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('047845eb6504',0,'python','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--offer", "6"]','70458702dd71b457f34aa9ef0790b278b3ad2efefbf5f19a1721c4d1421b26bf','');
INSERT INTO "players" VALUES('047845eb6504',1,'python-2','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--offer", "6", "--mover", "first"]','1664ddb93961d13fae3d96297b27ec3ae34f1e32c6ff382b3b14c454312e81cb','');
INSERT INTO "players" VALUES('7d67de5d0be1',0,'zoo','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--mover", "first"]','3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9','');
INSERT INTO "players" VALUES('7d67de5d0be1',1,'zoo-2','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--mover", "first"]','3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9','');
INSERT INTO "players" VALUES('6786e5ad7a3c',0,'alphabeta','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.alphabeta"]','c1458cc15e30f26b14de3ab467e154f77fe8eda7294a88972a84c30faf3d56b2','');
INSERT INTO "players" VALUES('6786e5ad7a3c',1,'mcts','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.mcts"]','4f2edc97c6aa87db8dbcd8accc0bb93c05449dccceb10d61653207a65f6c77be','');
INSERT INTO "players" VALUES('ff113abc2296',0,'zoo burns-idle','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--fault", "burns-idle"]','2e12128f35bfd3ccfe5ee4cd39c588911b51661e60bd3f1ba915bf8cd5ff8747','');
INSERT INTO "players" VALUES('ff113abc2296',1,'zoo sleeps','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--fault", "sleeps", "--think", "120"]','b1195e90c067438af0424818fc4af7472cfc028fbdab8c23c6a2089832a5a619','');
INSERT INTO "players" VALUES('67cba0f81ab3',0,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('67cba0f81ab3',1,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('f16950c647b0',0,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('f16950c647b0',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('f16950c647b0',2,'again','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--mover", "first"]','3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9','');
INSERT INTO "players" VALUES('9ade54fe5149',0,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('9ade54fe5149',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('9ade54fe5149',2,'again','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--mover", "first"]','3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9','');
INSERT INTO "players" VALUES('8062e1149d20',0,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('8062e1149d20',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('8062e1149d20',2,'again','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--mover", "first"]','3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9','');
INSERT INTO "players" VALUES('fdff37a5cebd',0,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('fdff37a5cebd',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('fdff37a5cebd',2,'again','','Callanish Arena','["python3", "-P", "-m", "tests.zoo", "--mover", "first"]','3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9','');
INSERT INTO "players" VALUES('01b92798077d',0,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','f731287420034d89fa9b2e7731889734be05a4542149ea1cdb790e74ec3a55b9','greedy');
INSERT INTO "players" VALUES('01b92798077d',1,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','3790e129a6d9a7ccb3c854dadb40f56f2a4cfa2a3eb5228e56f47d86ddb5334b','random');
INSERT INTO "players" VALUES('d20acd678822',0,'Ann','','','[]','','');
INSERT INTO "players" VALUES('d20acd678822',1,'Bob "B."','','','[]','','');
INSERT INTO "players" VALUES('736e7ff4d0fc',0,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
INSERT INTO "players" VALUES('736e7ff4d0fc',1,'random','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.random"]','ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0','');
INSERT INTO "players" VALUES('247a0f8ff9c6',0,'alphabeta','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.alphabeta"]','c1458cc15e30f26b14de3ab467e154f77fe8eda7294a88972a84c30faf3d56b2','');
INSERT INTO "players" VALUES('247a0f8ff9c6',1,'greedy','0.1','the Callanish Arena project','["python33", "-P", "-m", "engines.greedy"]','62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a','');
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
INSERT INTO "runs" VALUES(1,'90c8f4d31d2a','winter cup','tournament','2026-11-28T05:06:40+00:00','{"kind": "tournament", "name": "winter cup", "engines": [{"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": "1+0.01", "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "resigner", "command": ["python3", "-P", "-m", "tests.zoo", "--resign", "7"], "options": {}, "limit": null, "sha256": "f90811fe396677ee7deafdddfc8d54ac16b925a42f35bf6cb6702a488f23f492"}, {"name": "crasher", "command": ["python3", "-P", "-m", "tests.zoo", "--fault", "exit-1", "--at", "mid", "--ply", "4"], "options": {}, "limit": null, "sha256": "57993b97626268b61c1047acf2f91f1f8311c50c7206b5240a10d1d70e054897"}], "starts": [["callanish-5", null], ["brandub", null]], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 24, "openings": 2, "limit": "2+0.02", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 24, "clock": "fair", "freeze": false, "seed": 7, "reading_ms": 5, "fault_budget": 2, "containment": {"random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "resigner": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "crasher": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',7,24,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(2,'4df1108a7d2a','zoo overuse against random','match','2026-11-28T05:06:45+00:00','{"kind": "match", "name": "zoo overuse against random", "engines": [{"name": "zoo overuse", "command": ["python3", "-P", "-m", "tests.zoo", "--fault", "overuse", "--at", "mid", "--ply", "4"], "options": {}, "limit": null, "sha256": "67a162eec6a0eef41ff61154dbd8b8e2348bab852345504e2ed0937ade227799"}, {"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}], "starts": [["callanish-5", null]], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "movetime=100", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 3, "reading_ms": 5, "fault_budget": 5, "containment": {"python": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',3,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(3,'7cef94db5511','zoo illegal-move against greedy','match','2026-11-28T05:06:49+00:00','{"kind": "match", "name": "zoo illegal-move against greedy", "engines": [{"name": "zoo illegal-move", "command": ["python3", "-P", "-m", "tests.zoo", "--fault", "illegal-move", "--at", "mid", "--ply", "5"], "options": {}, "limit": null, "sha256": "3de563de711dfa2b7929c96b469892b667e376b46adaec98cafb558c13b2b74d"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}], "starts": [["brandub", null]], "book": ["f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "nodes=50", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 4, "reading_ms": 5, "fault_budget": 5, "books": [{"variant": "brandub", "name": "brandub", "openings": 200, "sha256": "f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"}], "containment": {"python": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',4,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(4,'047845eb6504','python against python-2','match','2026-11-28T05:06:58+00:00','{"kind": "match", "name": "python against python-2", "engines": [{"name": "python", "command": ["python3", "-P", "-m", "tests.zoo", "--offer", "6"], "options": {}, "limit": null, "sha256": "70458702dd71b457f34aa9ef0790b278b3ad2efefbf5f19a1721c4d1421b26bf"}, {"name": "python-2", "command": ["python3", "-P", "-m", "tests.zoo", "--offer", "6", "--mover", "first"], "options": {}, "limit": null, "sha256": "1664ddb93961d13fae3d96297b27ec3ae34f1e32c6ff382b3b14c454312e81cb"}], "starts": [["brandub", null]], "book": ["f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "2+0.02", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 20, "clock": "fair", "freeze": false, "seed": 5, "reading_ms": 5, "fault_budget": 5, "books": [{"variant": "brandub", "name": "brandub", "openings": 200, "sha256": "f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"}], "containment": {"python": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "python-2": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',5,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(5,'7d67de5d0be1','zoo against zoo-2','match','2026-11-28T05:07:05+00:00','{"kind": "match", "name": "zoo against zoo-2", "engines": [{"name": "zoo", "command": ["python3", "-P", "-m", "tests.zoo", "--mover", "first"], "options": {}, "limit": null, "sha256": "3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9"}, {"name": "zoo-2", "command": ["python3", "-P", "-m", "tests.zoo", "--mover", "first"], "options": {}, "limit": null, "sha256": "3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9"}], "starts": [["callanish-5", null]], "format": "round-robin", "rounds": 2, "games_per_pairing": 2, "games": 4, "openings": 0, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 6, "reading_ms": 5, "fault_budget": 5, "containment": {"python": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "python-2": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',6,4,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(6,'6786e5ad7a3c','alphabeta against mcts','match','2026-11-28T05:07:07+00:00','{"kind": "match", "name": "alphabeta against mcts", "engines": [{"name": "alphabeta", "command": ["python33", "-P", "-m", "engines.alphabeta"], "options": {"Hash": "64"}, "limit": null, "sha256": "c1458cc15e30f26b14de3ab467e154f77fe8eda7294a88972a84c30faf3d56b2"}, {"name": "mcts", "command": ["python33", "-P", "-m", "engines.mcts"], "options": {"Hash": "64"}, "limit": null, "sha256": "4f2edc97c6aa87db8dbcd8accc0bb93c05449dccceb10d61653207a65f6c77be"}], "starts": [["brandub", null]], "book": ["f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "nodes=60", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 16, "clock": "fair", "freeze": false, "seed": 2, "reading_ms": 5, "fault_budget": 5, "books": [{"variant": "brandub", "name": "brandub", "openings": 200, "sha256": "f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"}], "containment": {"alphabeta": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "mcts": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',2,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(7,'ff113abc2296','zoo burns-idle against zoo sleeps','match','2026-11-28T05:07:10+00:00','{"kind": "match", "name": "zoo burns-idle against zoo sleeps", "engines": [{"name": "zoo burns-idle", "command": ["python3", "-P", "-m", "tests.zoo", "--fault", "burns-idle"], "options": {}, "limit": null, "sha256": "2e12128f35bfd3ccfe5ee4cd39c588911b51661e60bd3f1ba915bf8cd5ff8747"}, {"name": "zoo sleeps", "command": ["python3", "-P", "-m", "tests.zoo", "--fault", "sleeps", "--think", "120"], "options": {}, "limit": null, "sha256": "b1195e90c067438af0424818fc4af7472cfc028fbdab8c23c6a2089832a5a619"}], "starts": [["callanish-5", null]], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "movetime=300", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "cpu", "freeze": false, "seed": 3, "reading_ms": 5, "fault_budget": 5, "containment": {"python": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "python-2": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',3,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(8,'67cba0f81ab3','greedy tested against random','match','2026-11-28T05:07:15+00:00','{"kind": "match", "name": "greedy tested against random", "engines": [{"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}], "starts": [["callanish-5", null]], "format": "round-robin", "rounds": 2, "games_per_pairing": 2, "games": 4, "openings": 4, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 3, "sprt": {"elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "model": "normalized"}, "reading_ms": 5, "fault_budget": 5, "containment": {"greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',3,4,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(9,'f16950c647b0','swiss cup','tournament','2026-11-28T05:07:18+00:00','{"kind": "tournament", "name": "swiss cup", "engines": [{"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "again", "command": ["python3", "-P", "-m", "tests.zoo", "--mover", "first"], "options": {}, "limit": null, "sha256": "3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9"}], "starts": [["callanish-5", null]], "format": "swiss", "rounds": 2, "games_per_pairing": 2, "tie_breaks": null, "games": 4, "openings": 2, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 9, "reading_ms": 5, "fault_budget": 5, "containment": {"random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "again": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',9,4,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(10,'9ade54fe5149','knockout cup','tournament','2026-11-28T05:07:22+00:00','{"kind": "tournament", "name": "knockout cup", "engines": [{"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "again", "command": ["python3", "-P", "-m", "tests.zoo", "--mover", "first"], "options": {}, "limit": null, "sha256": "3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9"}], "starts": [["callanish-5", null]], "format": "knockout", "best_of": 2, "tie_breaks": null, "games": 20, "openings": 2, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 9, "reading_ms": 5, "fault_budget": 5, "containment": {"random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "again": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',9,20,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(11,'8062e1149d20','king-of-the-hill cup','tournament','2026-11-28T05:07:28+00:00','{"kind": "tournament", "name": "king-of-the-hill cup", "engines": [{"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "again", "command": ["python3", "-P", "-m", "tests.zoo", "--mover", "first"], "options": {}, "limit": null, "sha256": "3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9"}], "starts": [["callanish-5", null]], "format": "king-of-the-hill", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 9, "reading_ms": 5, "fault_budget": 5, "containment": {"random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "again": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',9,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(12,'fdff37a5cebd','contest cup','tournament','2026-11-28T05:07:33+00:00','{"kind": "tournament", "name": "contest cup", "engines": [{"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "again", "command": ["python3", "-P", "-m", "tests.zoo", "--mover", "first"], "options": {}, "limit": null, "sha256": "3f48bfed61385e0c85733e51182406c04657ffa2979ad56fd26ffecbf016a1f9"}], "starts": [["callanish-5", null]], "format": "contest", "groups": 1, "groups_by": "rating", "games_per_pairing": 2, "go_on": 1, "seeds_by": "groups", "best_of": 2, "champion": "again", "points": "1-0.5-0", "tie_breaks": null, "games": 8, "openings": 2, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 9, "reading_ms": 5, "fault_budget": 5, "containment": {"random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "again": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',9,8,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(13,'01b92798077d','ladder','ladder','2026-11-28T05:07:42+00:00','{"kind": "ladder", "name": "ladder", "starts": [["callanish-5", null]], "openings": 2, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "clock": "fair", "freeze": false, "seed": 8, "reading_ms": 5, "fault_budget": 5, "containment": {"greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}, "batch": 16}',8,0,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(14,'d20acd678822','club','import','','{}',0,0,'','{}');
INSERT INTO "runs" VALUES(15,'736e7ff4d0fc','greedy against random','match','2026-11-28T05:07:57+00:00','{"kind": "match", "name": "greedy against random", "engines": [{"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}, {"name": "random", "command": ["python33", "-P", "-m", "engines.random"], "options": {}, "limit": null, "sha256": "ace4f80a6d5fcbbe250a7fdab23920dab6bb83b9356786b29aa716852334cfe0"}], "starts": [["callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7", null]], "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "nodes=5", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 12, "clock": "wall", "freeze": false, "seed": 1, "reading_ms": 5, "fault_budget": 5, "containment": {"greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "random": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',1,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(16,'247a0f8ff9c6','alphabeta against greedy','match','2026-11-28T05:08:15+00:00','{"kind": "match", "name": "alphabeta against greedy", "engines": [{"name": "alphabeta", "command": ["python33", "-P", "-m", "engines.alphabeta"], "options": {"Hash": "64"}, "limit": null, "sha256": "c1458cc15e30f26b14de3ab467e154f77fe8eda7294a88972a84c30faf3d56b2"}, {"name": "greedy", "command": ["python33", "-P", "-m", "engines.greedy"], "options": {}, "limit": null, "sha256": "62248bd698fdb69c8a7b7dea6dd9a7c09bd3b875de8e8e0b98ed7101b93f838a"}], "starts": [["brandub", null]], "book": ["f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"], "normalise": true, "format": "round-robin", "rounds": 1, "games_per_pairing": 2, "games": 2, "openings": 2, "limit": "0.5+0", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 10, "clock": "fair", "freeze": false, "seed": 4, "reading_ms": 5, "fault_budget": 5, "books": [{"variant": "brandub", "name": "brandub", "openings": 200, "sha256": "f0c7377a7e64b4bc904d532af4d505f711c75d613af18ba31d4f68b30b80e320"}], "containment": {"alphabeta": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}, "greedy": {"level": "none", "caps": {"memory_mb": 2048, "processes": 64, "threads": 512, "disk_mb": 256, "files": 256, "address_space_mb": null}, "reads": ["/home/ann/arena"], "works": [], "missing": [], "cpu_counter": true, "landlock_abi": 0}}}',4,2,'box','{"arena": "0.4.0", "compiled": false, "python": "3.11.7", "platform": "Linux"}');
CREATE TABLE withdrawn (          -- engines that were not to play on, so games that are missing for good
    run TEXT NOT NULL REFERENCES runs (id),
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT;
INSERT INTO "withdrawn" VALUES('90c8f4d31d2a','crasher','2 faults in a row, the last: crash');
CREATE UNIQUE INDEX idx__sqlite_migrations_migration_set_name ON _sqlite_migrations (migration_set, name);
CREATE INDEX games_cell ON games (cell, number);
CREATE INDEX games_length ON games (cell, ply_count);
CREATE INDEX games_disputed ON games (cell, disputed) WHERE disputed > 0;
CREATE INDEX games_line ON games (line, cell);
CREATE INDEX games_started ON games (started_at, cell, number, line);
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
COMMIT;
