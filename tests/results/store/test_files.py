"""Which files a store takes, makes and refuses."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from results.store import files, make, schema
from results.store.store import Store, StoreError
from tests.results.made import GAME, PLAYERS, RUN, numbered

Opener = Callable[[Path], Store]
BOTH: list[Opener] = [Store.create_or_open, Store.open_existing]


KNOWN = schema.VERSION


def fail_halfway(conn: sqlite3.Connection) -> None:
    """A made-up schema that breaks off half-way."""
    conn.execute("CREATE TABLE half (id)")
    raise RuntimeError("broken schema")


def content(folder: Path) -> dict[str, bytes]:
    """All files of a folder, byte for byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    """`file` and every browser for SQLite can tell it by its header."""
    Store.create_or_open(tmp_path / "r.db").close()
    header = (tmp_path / "r.db").read_bytes()[:100]
    assert header[68:72] == b"CALA"
    assert int.from_bytes(header[60:64], "big") == KNOWN


def test_an_empty_file_is_taken_for_a_new_one(tmp_path: Path) -> None:
    """What mktemp or a killed first start leaves is no obstacle to a run; a reader is told that there is nothing."""
    path = tmp_path / "r.db"
    path.touch()
    with pytest.raises(StoreError, match=r"r\.db is empty: give the results file"):
        Store.open_existing(path)
    with Store.create_or_open(path) as store:
        assert sum(store.played().values()) == 0


def test_a_new_database_takes_up_no_games_of_one_that_was_removed(tmp_path: Path) -> None:
    """A killed run left its last games beside it; SQLite would write their pages into the new file."""
    path = tmp_path / "r.db"
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(GAME)
        for name in ("r.db", "r.db-wal"):
            shutil.copyfile(tmp_path / name, tmp_path / f"killed-{name}")
    path.unlink()
    (tmp_path / "killed-r.db-wal").rename(tmp_path / "r.db-wal")
    said = r"r\.db is not there, but r\.db-wal is, .* put that database back, remove r\.db-wal"
    for opener in BOTH:
        with pytest.raises(StoreError, match=said):
            opener(path)
    with pytest.raises(StoreError, match=said), files.new_file(path):
        pass
    (tmp_path / "killed-r.db").rename(path)
    with Store.open_existing(path) as store:
        assert [*store.games()] == [GAME]


def test_a_database_is_read_whose_log_was_half_taken_up(tmp_path: Path) -> None:
    """A full disk or a kill ended that: the header already tells of pages that are in the log alone."""
    path = tmp_path / "killed.db"
    with Store.create_or_open(tmp_path / "r.db") as store:
        store.add_run(RUN, PLAYERS)
        store._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.add_games([numbered(number) for number in range(1, 60)])
        for end in ("", "-wal"):
            shutil.copyfile(tmp_path / f"r.db{end}", tmp_path / f"killed.db{end}")
    data = bytearray(path.read_bytes())
    pages = int.from_bytes(data[28:32], "big")
    data[28:32] = (pages + 9).to_bytes(4, "big")
    path.write_bytes(data)
    for opener in BOTH:
        with opener(path) as store:
            assert len(store.done(RUN.id)) == 59


def test_a_missing_file_is_not_made_by_reading(tmp_path: Path) -> None:
    """A misspelt name makes no file."""
    with pytest.raises(StoreError, match=r"r\.db does not exist: check the name"):
        Store.open_existing(tmp_path / "r.db")
    assert content(tmp_path) == {}


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path, mode: str) -> None:
    """It is refused by name, no byte of it changes and no file appears beside it."""
    path = tmp_path / "photos.db"
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA journal_mode = {mode}")
    other.execute("CREATE TABLE games (id)")
    other.commit()
    other.close()
    before = content(tmp_path)
    for opener in BOTH:
        with pytest.raises(StoreError, match=r"photos\.db is a database of another program"):
            opener(path)
    assert content(tmp_path) == before


def test_a_damaged_file_is_said_to_be_damaged(tmp_path: Path) -> None:
    """A file whose pages are garbage behind a good header ends in a sentence, not in a trace."""
    path = tmp_path / "r.db"
    Store.create_or_open(path).close()
    good = path.read_bytes()
    for bad in (good[:100] + b"\xff" * (len(good) - 100), good.replace(b"TABLE", b"\xff" * 5)):
        path.write_bytes(bad)
        for opener in BOTH:
            with pytest.raises(StoreError, match=r"r\.db cannot be used \(.*\): restore it"):
                opener(path)


def test_damage_that_shows_later_is_a_sentence(tmp_path: Path) -> None:
    """So is a file whose page of games is garbage, when its games are read, or more are stored."""
    path = tmp_path / "r.db"
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(GAME)
        page = store._conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()[0]
        size = store._conn.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)
    with Store.open_existing(path) as store, pytest.raises(StoreError, match=r"r\.db cannot be used"):
        list(store.games())
    with Store.create_or_open(path) as store, pytest.raises(StoreError, match=r"r\.db cannot be used"):
        store.add_game(numbered(9))


def test_a_failed_start_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When making the schema fails, the half-made file is removed."""
    monkeypatch.setattr(make, "create", fail_halfway)
    with pytest.raises(RuntimeError, match="broken schema"):
        files.create_or_open(tmp_path / "r.db")
    assert content(tmp_path) == {}


@pytest.mark.parametrize("name", [":memory:", "file::memory:?cache=shared"])
def test_names_that_mean_something_to_sqlite_are_names_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What is said to be kept is kept."""
    monkeypatch.chdir(tmp_path)
    with Store.create_or_open(name) as store:
        store.add_run(RUN, PLAYERS)
    with Store.open_existing(name) as store:
        assert store.runs() == [RUN]
    assert list(content(tmp_path)) == [name]


def test_a_copy_in_a_read_only_place_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file can be made beside it, none is needed."""
    path = tmp_path / "r.db"
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with Store.open_existing(path) as store:
        assert store.runs() == [RUN]
        assert list(content(tmp_path)) == ["r.db"]


def descriptors() -> list[str]:
    """What this process has open."""
    return sorted(os.readlink(each) for each in Path("/proc/self/fd").iterdir() if each.is_symlink())


def replaced(path: Path) -> None:
    """Put another database in the place of this one."""
    Store.create_or_open(path.with_name("new.db")).close()
    path.with_name("new.db").rename(path)


@pytest.mark.parametrize(
    "lose",
    [
        lambda path: path.unlink(),
        lambda path: path.rename(path.with_name("moved.db")),
        replaced,
        lambda path: os.truncate(path, 0),
        lambda path: path.parent.rename(path.parent.with_name("elsewhere")),
        lambda path: path.with_name("cup.db-wal").unlink(),
        lambda path: path.with_name("cup.db-shm").unlink(),
    ],
    ids=["removed", "moved", "replaced", "cut short", "folder", "log", "index"],
)
def test_a_store_knows_whether_its_file_still_has_its_name(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """Otherwise nobody would see what is stored. Not a descriptor is opened for it, which could cost the locks."""
    path = tmp_path / "cups" / "cup.db"
    path.parent.mkdir()
    (tmp_path / "link.db").symlink_to(path)
    with Store.create_or_open(tmp_path / "link.db") as store:
        store.add_run(RUN, PLAYERS)
        with Store.open_existing(path) as reader:
            assert reader.runs() == [RUN]
        before = descriptors()
        assert store.still_there() and descriptors() == before
        lose(path)
        assert not store.still_there()


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """So are the two files beside it: whoever can open one of them can lock it. A mode that is there already stays."""
    before = os.umask(0o022)
    try:
        for name, mode in (("new.db", 0o600), ("old.db", 0o644)):
            path = tmp_path / name
            if mode != 0o600:
                path.touch(mode)
            with Store.create_or_open(path) as store:
                store.add_run(RUN, PLAYERS)
                beside = [path, *tmp_path.glob(f"{name}-*")]
                assert [each.stat().st_mode & 0o777 for each in beside] == [mode] * 3
    finally:
        os.umask(before)
