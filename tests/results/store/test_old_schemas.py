"""A database that version 0.4 made is kept as text in `schemas`: it is upgraded; older and newer ones are refused.

Version 0.4.0 played and wrote it; the first lines of v4.sql name the commit.
"""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.run import slots
from results.store import files, make, schema
from results.store.store import Store, StoreError
from tests.arena import workers
from tests.command_line import arena
from tests.results.made import GAME, PLAYERS, RUN

SCHEMAS = Path(__file__).parent / "schemas"
TEXT = (SCHEMAS / "v4.sql").read_text()
"""A database as version 0.4 made it."""
KNOWN = schema.VERSION
OLD = schema.OLDEST
"""The version of that database."""
COLUMNS = (
    "id run number round p1 p2 variant fen opening moves plies pvs winner termination detail evidence clock wall_ms tc "
    "seed started_at host p1_idle_us p2_idle_us measured flagged machine burns_idle"
).split()


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
        return [str(db.execute("PRAGMA user_version").fetchone()), *db.iterdump()]


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


def stored(path: Path) -> list[tuple[object, ...]]:
    """The games in the order of storing, by the columns of version 0.4."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY rowid").fetchall()


def test_every_game_stays_as_it_was_stored(tmp_path: Path) -> None:
    """Moves, their costs, results, clocks and evidence, and the order of storing. All can be read and exported."""
    path = restored(tmp_path / "old.db")
    before = stored(path)
    games = [json.loads(line) for line in said("export", path, "--format", "jsonl").splitlines()]
    assert stored(path) == before
    moves = {row[COLUMNS.index("id")]: row[COLUMNS.index("moves")] for row in before}
    assert {game["id"]: " ".join(game["moves"]) for game in games} == moves


def test_a_database_of_version_0_4_takes_more_games(tmp_path: Path) -> None:
    """A run into it is counted with what is there."""
    path = restored(tmp_path / "old.db")
    before = len(stored(path))
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(GAME)
    with Store.open_existing(path) as store:
        assert sum(store.played().values()) == len(list(store.games())) == before + 1
        assert store.game(GAME.id) == GAME


@pytest.mark.long
def test_a_ladder_of_version_0_4_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games are of the same run, numbered after those that it has."""
    monkeypatch.setattr(slots, "started", workers.started)
    path, file = restored(tmp_path / "old.db"), tmp_path / "ladder.toml"
    engines = "".join(f'[[engines]]\nname = "{name}"\n' for name in ("greedy", "random"))
    file.write_text(f'[tournament]\nname = "ladder"\nvariants = ["callanish-5"]\nopenings = 2\nnodes = 10\n{engines}')
    with Store.open_existing(path) as store:
        before = [game.number for game in store.games("01b92798077d")]
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
