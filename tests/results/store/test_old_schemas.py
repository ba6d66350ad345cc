"""A database that version 0.4 made is kept as text in `schemas`: it is upgraded; older and newer ones are refused.

Version 0.4.0 played and wrote it; the first lines of v4.sql name the commit.
"""

import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.run import slots
from results.store import files, make, schema
from results.store.store import Store, StoreError
from tests.arena import workers
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.command_line import arena

SCHEMAS = Path(__file__).parent / "schemas"
TEXT = (SCHEMAS / "v4.sql").read_text()
"""A database as version 0.4 made it."""
QUICK = shlex.quote(str(ENGINE_IN_C)) if ENGINE_IN_C.exists() else "random"
KNOWN = schema.VERSION
OLD = schema.OLDEST
"""The version of that database."""

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


def said(*words: str | Path) -> str:
    """What a command prints that succeeds."""
    done = arena(*words)
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


def test_every_game_is_told_as_it_was_stored(tmp_path: Path) -> None:
    """Moves, their costs, results, clocks and evidence, in the schedule's order. The order of storing stays, too."""
    path = restored(tmp_path / "old.db")
    expected = json_lines(path)
    with closing(sqlite3.connect(path)) as db:
        stored = db.execute("SELECT id FROM games ORDER BY rowid").fetchall()
    assert [json.loads(line) for line in said("export", path, "--format", "jsonl").splitlines()] == expected
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT id FROM games ORDER BY rowid").fetchall() == stored


def test_a_database_of_version_0_4_takes_more_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run into it is counted with what is there."""
    monkeypatch.setattr(slots, "started", workers.started)  # the test is about no worker
    path = restored(tmp_path / "old.db")
    before = len(json_lines(path))
    words = ("--variant", "callanish-5", "--nodes", "1", "--games", "2", "--contain", "none", "--no-pin")
    done = arena("match", QUICK, f"{QUICK} greedy".removeprefix("random "), *words, "--seed", "1", "--db", path)
    assert done.exit_code == 0, done.stderr
    assert len(said("games", path, "--json").splitlines()) == before + 2
    table = json.loads(said("standings", path, "--json"))
    assert table["games"] + sum(line["winner"] is None for line in json_lines(path)) == before + 2


@pytest.mark.long
def test_a_ladder_of_version_0_4_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games are of the same run, numbered after those that it has."""
    monkeypatch.setattr(slots, "started", workers.started)
    path, file = restored(tmp_path / "old.db"), tmp_path / "ladder.toml"
    engines = "".join(f'[[engines]]\nname = "{name}"\n' for name in ("greedy", "random"))
    file.write_text(f'[tournament]\nname = "ladder"\nvariants = ["callanish-5"]\nopenings = 2\nnodes = 10\n{engines}')
    before = [line["number"] for line in json_lines(path) if line["run"] == "01b92798077d"]
    assert arena("ladder", file, "--games", "2", "--contain", "none", "--no-pin", "--db", path).exit_code == 0
    games = [json.loads(line) for line in said("export", path, "--format", "jsonl").splitlines()]
    ladder = [game["number"] for game in games if game["run"] == "01b92798077d"]
    assert before and ladder[:-2] == before and ladder[-2] > before[-1]


def test_a_database_of_another_version_or_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """One sentence names the file, what made it and the remedy; by commands that read, export and write."""
    newer, older = of_version(KNOWN + 1, tmp_path / "next.db"), of_version(3, tmp_path / "old.db")
    photos = restored(tmp_path / "photos.db")
    with closing(sqlite3.connect(photos)) as db:
        db.execute("PRAGMA application_id = 7")
    sentences = {
        newer: f"was written by a newer arena (its schema is version {KNOWN + 1}, this one knows {KNOWN}): "
        "update the arena, or choose another file",
        older: "was made by a version of the arena before 0.4 (its schema is version 3): open it with "
        "version 0.4 first, for example by 'arena standings', which brings it up to date and keeps a copy",
        photos: "is a database of another program: give a results file, ",
    }
    match = "match random greedy --variant callanish-7 --nodes 1 --db"
    before = files_of(tmp_path)
    for path, sentence in sentences.items():
        for words in ("standings", "export --format pgn", match):
            done = arena(*words.split(), path)
            remedy = ("or another name to make a new one" if words == match else "such as cup.db") * (path == photos)
            assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"arena: {path} {sentence}{remedy}\n")
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("reading", [False, True])
def test_a_database_is_upgraded_beside_its_copy(
    tmp_path: Path, reading: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """It has the schema of a new file afterwards, one sentence says so, and the copy is the database as it was."""
    path = restored(tmp_path / "old.db")
    path.chmod(0o640)
    before = dumped(path)
    caplog.set_level("INFO", "arena")
    for _ in range(2):
        (Store.open_existing if reading else Store.create_or_open)(path).close()
    backup = tmp_path / f"old.db.v{OLD}.backup"
    assert caplog.messages == [
        f"{path} was brought from schema version {OLD} to {KNOWN}; as it was it is kept as {backup}"
    ]
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


@pytest.mark.parametrize("reading", [False, True])
def test_a_failed_upgrade_leaves_the_old_database_and_no_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """The file is still the old one, so its copy is removed: many attempts do not fill the disk."""
    path = restored(tmp_path / "old.db")
    before = dumped(path)
    whole = make.upgrade

    def full(conn: sqlite3.Connection) -> None:
        whole(conn)
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(make, "upgrade", full)
    caplog.set_level("INFO", "arena")
    for _ in range(2):
        opener = files.open_existing if reading else files.create_or_open
        with pytest.raises(StoreError, match=r"old\.db cannot be used \(database or disk is full\)"):
            opener(path)
    assert (list(files_of(tmp_path)), caplog.messages) == (["old.db"], [])
    assert dumped(path) == before
    monkeypatch.setattr(make, "upgrade", whole)
    Store.open_existing(path).close()
    assert sorted(files_of(tmp_path)) == ["old.db", f"old.db.v{OLD}.backup"]
