"""A database that version 0.4 made is kept as text in `schemas`: it is upgraded; older and newer ones are refused.

Version 0.4.0 played and wrote it; the first lines of v4.sql name the commit. v4.told.json has the tables it printed.
"""

import json
import re
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner, Result

from arena.run import slots
from results.store import files, make, schema
from results.store.lookup import find_run
from results.store.store import Store, StoreError
from tests.arena import workers
from tests.command_line import program

SCHEMAS = Path(__file__).parent / "schemas"
TEXT = (SCHEMAS / "v4.sql").read_text()
"""A database as version 0.4 made it."""
KNOWN = schema.VERSION
OLD = schema.OLDEST
"""The version of that database."""
SECONDS = 30
"""The most that another process may take for its part."""

PLY = ("wall_us", "cpu_us", "left_ms", "depth", "nodes", "score", "late_us", "reading_us")
AS_STORED = (
    "id run number round p1 p2 variant fen winner termination detail wall_ms tc seed started_at host "
    "p1_idle_us p2_idle_us"
).split()
"""Keys of a JSON line that are columns of the same name."""
TRUTHS = ("measured", "flagged", "machine")


def restored(path: Path) -> Path:
    """The database as it was, in a file."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(TEXT)
    return path


def of_version(number: int, path: Path) -> Path:
    """The same with another number of its schema."""
    with closing(sqlite3.connect(restored(path))) as db:
        db.execute(f"PRAGMA user_version = {number}")
    return path


def dumped(path: Path) -> list[str]:
    """All that is in a database, as statements."""
    with closing(sqlite3.connect(path)) as db:
        return contents(db)


def contents(db: sqlite3.Connection) -> list[str]:
    """All that is in a database, as statements; what its header says first."""
    return [f"version {version(db)}", *db.iterdump()]


def version(db: sqlite3.Connection) -> int:
    """The schema's version as the file says it."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder, byte for byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def schema_of(path: Path) -> dict[str, object]:
    """All that two schemas can differ in, blanks, quotes and comments apart."""
    with closing(sqlite3.connect(path)) as db:
        made = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        return {
            "made": {name: re.sub(r'--[^\n]*|\s+|"', "", sql) for name, sql in made},
            "numbers": [db.execute(f"PRAGMA {word}").fetchone() for word in ("user_version", "application_id")],
            "journal": db.execute("PRAGMA journal_mode").fetchone(),
        }


def run(*words: str | Path) -> Result:
    """A command of the arena."""
    return CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(program(), [str(word) for word in words])


def said(*words: str | Path) -> str:
    """What a command prints that succeeds."""
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def rows(db: sqlite3.Connection, sql: str) -> list[dict[str, Any]]:
    """Rows by the names of their columns."""
    cursor = db.execute(sql)
    names = [column for column, *_ in cursor.description]
    return [dict(zip(names, values, strict=True)) for values in cursor]


def json_lines(path: Path) -> list[dict[str, object]]:
    """The games as `arena export --format jsonl` is to tell them, read from the tables without any code of ours."""
    with closing(sqlite3.connect(path)) as db:
        order = "ORDER BY (SELECT seq FROM runs WHERE id = run), number"
        return [_json_line(row) for row in rows(db, f"SELECT * FROM games {order}")]


def _json_line(row: dict[str, Any]) -> dict[str, object]:
    moves, opening, costs = row["moves"].split(), row["opening"].split(), json.loads(row["plies"])
    pvs = row["pvs"].split("\n") if row["pvs"] else [""] * len(costs)
    return {
        **{key: row[key] for key in AS_STORED},
        **{key: bool(row[key]) for key in TRUTHS},
        "clock": row["clock"],
        "burns_idle": row["burns_idle"].split(),
        "evidence": None if row["evidence"] is None else json.loads(row["evidence"]),
        "moves": moves,
        "opening": opening,
        "plies": len(moves),
        "ply_data": [
            # The last figure is left out where it is 0.
            {
                "move": move,
                **dict.fromkeys(PLY),
                "reading_us": 0,
                **dict(zip(PLY, cost, strict=False)),
                "pv": pv.split(),
            }
            for move, cost, pv in zip(moves[len(opening) :], costs, pvs, strict=True)
        ],
    }


def test_the_database_has_what_an_upgrade_can_get_wrong() -> None:
    """Variants, many terminations, games stored out of order, one game played twice, faults, a late machine."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TEXT)
        variants, terminations, runs = db.execute(
            "SELECT count(DISTINCT variant), count(DISTINCT termination), count(DISTINCT run) FROM games"
        ).fetchone()
        assert variants >= 3 and terminations >= 8 and runs >= 5
        kinds = {kind for (kind,) in db.execute("SELECT kind FROM runs")}
        assert kinds >= {"match", "tournament", "ladder", "import"}
        assert db.execute("SELECT 1 FROM games GROUP BY variant, p1, p2, fen, moves HAVING count(*) > 1").fetchone()
        order = "SELECT number FROM games WHERE run = (SELECT id FROM runs WHERE seq = 1) ORDER BY rowid"
        stored = db.execute(order).fetchall()
        assert stored != sorted(stored)
        for table in ("withdrawn", "check_reports", "machines"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
        for kind in ("evidence IS NOT NULL", "flagged = 1", "burns_idle <> ''", "time_factor > 0", "clock = 'wall'"):
            assert db.execute(f"SELECT 1 FROM games WHERE {kind}").fetchone(), kind


def test_every_game_is_told_as_it_was_stored(tmp_path: Path) -> None:
    """Moves, their costs, results, clocks and evidence, in the schedule's order. The order of storing stays, too."""
    path = restored(tmp_path / "old.db")
    expected = json_lines(path)
    with closing(sqlite3.connect(path)) as db:
        stored = db.execute("SELECT id FROM games ORDER BY rowid").fetchall()
    assert [json.loads(line) for line in said("export", path, "--format", "jsonl").splitlines()] == expected
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT id FROM games ORDER BY rowid").fetchall() == stored


def test_runs_players_and_who_was_withdrawn_are_told_as_they_were_stored(tmp_path: Path) -> None:
    """What a run was played with, who took part with which command, and why somebody did not play on."""
    path = restored(tmp_path / "old.db")
    with closing(sqlite3.connect(path)) as db:
        runs = rows(db, "SELECT * FROM runs ORDER BY seq")
        players = rows(db, "SELECT * FROM players ORDER BY run, seat")
        withdrawn = db.execute("SELECT run, name, reason FROM withdrawn").fetchall()
    with Store.open_existing(path) as store:
        assert [
            (one.id, one.name, one.kind, one.created_at, one.config, one.seed, one.games, one.host, one.versions)
            for one in store.runs()
        ] == [tuple(row.values())[1:] for row in runs]
        for one in runs:
            assert [
                (each.name, each.version, each.author, list(each.command), each.sha256, each.family)
                for each in store.players(one["id"])
            ] == [
                (
                    row["name"],
                    row["version"],
                    row["author"],
                    json.loads(row["command"]),
                    row["sha256"],
                    row["family"],
                )
                for row in players
                if row["run"] == one["id"]
            ]
        assert [(one["id"], *item) for one in runs for item in store.withdrawn(one["id"]).items()] == withdrawn
        assert all(find_run(store, one["id"]).settings.items() >= json.loads(one["config"]).items() for one in runs)


def scores(engine: dict[str, Any], columns: list[str]) -> list[object]:
    """A line of the standings without ratings: the way they are computed has changed."""
    flat = {**engine, **{f"{side}_{key}": value for side in ("p1", "p2") for key, value in engine[side].items()}}
    return [flat[column] for column in columns]


def test_tables_tell_what_the_arena_of_then_told(tmp_path: Path) -> None:
    """Scores of all games and of each variant, forfeits, who met whom, who was withdrawn, and the list of games."""
    path = restored(tmp_path / "old.db")
    then = json.loads((SCHEMAS / "v4.told.json").read_text())
    now = json.loads(said("standings", path, "--json"))
    for which, table in {"all": now, **now["variants"]}.items():
        lines = {engine["name"]: scores(engine, then["columns"]) for engine in table["engines"]}
        assert lines == then[f"standings {which}"]
    assert now["withdrawn"] == then["withdrawn"]
    cross = json.loads(said("standings", path, "--crosstable", "--json"))
    met = {
        one: {
            other: [cell[key] for key in ("games", "wins", "draws", "losses", "score")]
            for other, cell in zip(cross["engines"], line, strict=True)
            if cell
        }
        for one, line in zip(cross["engines"], cross["cells"], strict=True)
    }
    assert met == then["crosstable"]
    keys = ("id", "round", "p1", "p2", "variant", "winner", "termination", "plies")
    games = [json.loads(line) for line in said("games", path, "--json").splitlines()]
    assert [[game[key] for key in keys] for game in games] == then["games"]


COMMANDS = {
    "standings": ("standings", "--json"),
    "crosstable": ("standings", "--crosstable", "--json"),
    "stats": ("stats", "--json"),
    "games": ("games", "--json"),
    "jsonl": ("export", "--format", "jsonl"),
    "csv": ("export", "--format", "csv"),
    "pgn": ("export", "--format", "pgn"),
    "fen": ("export", "--format", "fen"),
}


def all_told(path: Path) -> dict[str, object]:
    """What tables and exports say, without the names of runs and who was withdrawn: a file of games has neither."""
    told: dict[str, Any] = {key: said(words[0], path, *words[1:]).splitlines() for key, words in COMMANDS.items()}
    told["standings"] = {**json.loads("".join(told["standings"])), "withdrawn": None}
    told["pgn"] = [line for line in told["pgn"] if not line.startswith("[Event ")]
    return told


@pytest.mark.long
def test_an_old_database_tells_the_same_as_a_fresh_import_of_its_games(tmp_path: Path) -> None:
    """Its games agree with the rules; ratings, tables and exports of both files are equal."""
    path, games, fresh = restored(tmp_path / "old.db"), tmp_path / "games.jsonl", tmp_path / "fresh.db"
    expected = json_lines(path)
    games.write_text("".join(json.dumps(line) + "\n" for line in expected))
    assert said("import", games, "--into", fresh) == f"{len(expected)} games imported into {fresh}\n"
    assert all_told(path) == all_told(fresh)


def test_a_database_of_version_0_4_takes_more_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run into it is counted with what is there."""
    monkeypatch.setattr(slots, "started", workers.started)  # the test is about no worker
    path = restored(tmp_path / "old.db")
    before = len(json_lines(path))
    words = ("--variant", "callanish-5", "--nodes", "1", "--games", "2", "--contain", "none", "--no-pin")
    done = run("match", "random", "greedy", *words, "--seed", "1", "--db", path)
    assert done.exit_code == 0, done.stderr
    assert len(said("games", path, "--json").splitlines()) == before + 2
    table = json.loads(said("standings", path, "--json"))
    assert table["games"] + sum(line["winner"] is None for line in json_lines(path)) == before + 2


WAYS = {
    "reading": ("standings",),
    "exporting": ("export", "--format", "pgn"),
    "writing": ("match", "random", "greedy", "--variant", "callanish-7", "--nodes", "1", "--db"),
}


def asked(way: str, path: Path) -> Result:
    """A command that uses this file."""
    first, *rest = WAYS[way]
    return run(first, *rest, path) if rest[-1:] == ["--db"] else run(first, path, *rest)


def refused(way: str, path: Path) -> str:
    """The sentence of a command that refuses this file, and changes no byte and makes no file."""
    before = files_of(path.parent)
    done = asked(way, path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert files_of(path.parent) == before
    return done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_a_newer_database_is_refused_and_left_as_it_is(tmp_path: Path, way: str) -> None:
    """One sentence names the file, both versions and the remedy."""
    path = of_version(KNOWN + 1, tmp_path / "next.db")
    assert refused(way, path) == (
        f"arena: {path} was written by a newer arena (its schema is version {KNOWN + 1}, this one knows {KNOWN}): "
        "update the arena, or choose another file\n"
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_database_older_than_version_0_4_is_refused_and_left_as_it_is(tmp_path: Path, way: str) -> None:
    """One sentence names the file, what made it and the remedy."""
    path = of_version(3, tmp_path / "old.db")
    assert refused(way, path) == (
        f"arena: {path} was made by a version of the arena before 0.4 (its schema is version 3): open it with "
        "version 0.4 first, for example by 'arena standings', which brings it up to date and keeps a copy\n"
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_database_that_only_looks_like_ours_is_refused_and_left_as_it_is(tmp_path: Path, way: str) -> None:
    """It has our tables and a version that we know, but the number of another program in its header."""
    path = restored(tmp_path / "photos.db")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA application_id = 7")
    assert refused(way, path) == (
        f"arena: {path} is a database of another program: give a results file, or another name to make a new one\n"
    )


@pytest.mark.parametrize("reading", [False, True])
def test_a_database_is_upgraded_beside_its_copy(tmp_path: Path, reading: bool) -> None:
    """It has the schema of a new file afterwards, one sentence says so, and the copy is the database as it was."""
    path = restored(tmp_path / "old.db")
    path.chmod(0o640)
    before = dumped(path)
    told: list[str] = []
    for _ in range(2):
        (Store.open_existing if reading else Store.create_or_open)(path, told.append).close()
    backup = tmp_path / f"old.db.v{OLD}.backup"
    assert told == [f"{path} was brought from schema version {OLD} to {KNOWN}; as it was it is kept as {backup}"]
    assert sorted(files_of(tmp_path)) == [path.name, backup.name]
    assert dumped(backup) == before
    assert backup.stat().st_mode == path.stat().st_mode
    Store.create_or_open(tmp_path / "new.db").close()
    assert schema_of(path) == schema_of(tmp_path / "new.db")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_command_that_only_shows_a_database_upgrades_none(tmp_path: Path) -> None:
    """The sentence names the command that does."""
    path = restored(tmp_path / "old.db")
    before = files_of(tmp_path)
    with pytest.raises(StoreError, match=r"was written by an older arena .* run 'arena standings' on it once"):
        Store.open_existing(path, upgrade=False)
    assert files_of(tmp_path) == before


def test_a_copy_that_is_there_already_is_kept(tmp_path: Path) -> None:
    """A file that was restored and upgraded again gets a second copy."""
    path = tmp_path / "old.db"
    for _ in range(2):
        path.unlink(missing_ok=True)
        Store.create_or_open(restored(path)).close()
    assert sorted(files_of(tmp_path)) == ["old.db", f"old.db.v{OLD}.backup", f"old.db.v{OLD}.backup2"]


def test_where_no_copy_can_be_made_nothing_is_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stays of its version, and no half of a copy is left."""
    path = restored(tmp_path / "old.db")
    before = dumped(path)

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    with monkeypatch.context() as patched, pytest.raises(StoreError, match="No space left"):
        patched.setattr(Path, "replace", full)
        Store.create_or_open(path)
    assert list(files_of(tmp_path)) == ["old.db"] and dumped(path) == before


def stalled_upgrade(path: Path, half_way: Connection) -> None:
    """Upgrade a database; wait for a word between the last statement and the commit. Runs in its own process."""
    whole = make.upgrade

    def stalled(conn: sqlite3.Connection) -> None:
        whole(conn)
        half_way.send("half-way")
        half_way.recv()

    make.upgrade = stalled
    files.create_or_open(path).close()


class Upgrade(NamedTuple):
    """A database whose upgrade stands half-way, and the process that does it."""

    path: Path
    process: SpawnProcess
    half_way: Connection


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Upgrade]:
    """An upgrade that has run all its statements and has committed nothing yet."""
    path = restored(tmp_path / "old.db")
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=stalled_upgrade, args=(path, theirs))
    process.start()
    theirs.close()
    try:
        assert ours.poll(SECONDS)
        assert ours.recv() == "half-way"
        yield Upgrade(path, process, ours)
    finally:
        process.kill()
        process.join(SECONDS)
        process.close()
        ours.close()


def test_a_killed_upgrade_leaves_the_old_database(started: Upgrade) -> None:
    """It is of its version with all that was in it, and the next command upgrades it."""
    path, process, _ = started
    process.kill()
    process.join(SECONDS)
    assert process.exitcode == -signal.SIGKILL
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TEXT)
        expected = contents(db)
    assert dumped(path) == expected
    assert dumped(path.with_name(f"old.db.v{OLD}.backup")) == expected
    games = json_lines(path)
    assert [json.loads(line) for line in said("export", path, "--format", "jsonl").splitlines()] == games
    with closing(sqlite3.connect(path)) as db:
        assert version(db) == KNOWN


@pytest.mark.long
def test_of_two_upgrades_at_once_one_is_made(started: Upgrade, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second program waits until the first has finished, makes no second copy and says nothing."""
    asked = threading.Event()
    its_version = files._version

    def heard(db: sqlite3.Connection) -> int:
        found = its_version(db)
        asked.set()
        return found

    monkeypatch.setattr(files, "_version", heard)
    told: list[str] = []
    second = threading.Thread(target=lambda: Store.create_or_open(started.path, told.append).close())
    second.start()
    # It has read the old version by then.
    assert asked.wait(SECONDS)
    started.half_way.send("go on")
    second.join(SECONDS)
    started.process.join(SECONDS)
    assert (second.is_alive(), started.process.exitcode, told) == (False, 0, [])
    # Two that close at once may both leave SQLite's own files to the next one.
    found = {name for name in files_of(started.path.parent) if not name.endswith(("-shm", "-wal"))}
    assert found == {"old.db", f"old.db.v{OLD}.backup"}
    with closing(sqlite3.connect(started.path)) as db:
        assert version(db) == KNOWN


@pytest.mark.parametrize("reading", [False, True])
def test_a_failed_upgrade_leaves_the_old_database_and_no_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: bool
) -> None:
    """The file is still the old one, so its copy is removed: many attempts do not fill the disk."""
    path = restored(tmp_path / "old.db")
    before = dumped(path)
    whole = make.upgrade

    def full(conn: sqlite3.Connection) -> None:
        whole(conn)
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(make, "upgrade", full)
    told: list[str] = []
    for _ in range(2):
        opener = files.open_existing if reading else files.create_or_open
        with pytest.raises(StoreError, match=r"old\.db cannot be used \(database or disk is full\)"):
            opener(path, told.append)
    assert (list(files_of(tmp_path)), told) == (["old.db"], [])
    assert dumped(path) == before
    monkeypatch.setattr(make, "upgrade", whole)
    Store.open_existing(path).close()
    assert sorted(files_of(tmp_path)) == ["old.db", f"old.db.v{OLD}.backup"]
