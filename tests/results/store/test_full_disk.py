"""A full disk, a quota or a largest size: what was stored stays readable, and a sentence says what is full."""

import subprocess
import sys
from pathlib import Path

import pytest

from results.store.merge import merge
from results.store.store import Store, StoreError
from tests.results.made import GAME, PLAYERS, RUN, numbered
from tests.small_disk import SmallDisk
from tests.small_disk import small_disk as small_disk

ROOT = Path(__file__).parents[3]
FULL = r"cannot be written \(No space left on device\): free space on the disk of {place}"
STORE = """
import os, resource, sys
from results.store.store import Store, StoreError
from tests.results.made import GAME, PLAYERS, RUN, numbered
"""


def begun(path: Path) -> Path:
    """A database with one game."""
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(GAME)
    return path


def run(code: str, *arguments: str | Path) -> str:
    """What a Python process prints."""
    command = [sys.executable, "-c", STORE + code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=ROOT).stdout


def test_a_database_on_a_full_disk_can_be_read(small_disk: SmallDisk) -> None:
    """Also the games that a killed run left in the log beside it; nothing is changed by that."""
    path = begun(small_disk.place / "r.db")
    small_disk.fill()
    with Store.open_existing(path) as store:
        assert [*store.games()] == [GAME]
    small_disk.free()
    run("store = Store.create_or_open(sys.argv[1]); store.add_game(numbered(2)); os._exit(0)", path)
    (small_disk.place / "r.db-shm").unlink()
    small_disk.fill()
    for _ in range(2):
        with Store.open_existing(path) as store:
            assert [*store.games()] == [GAME, numbered(2)]
    small_disk.free()
    with Store.create_or_open(path) as store:
        assert [*store.games()] == [GAME, numbered(2)]


def test_what_cannot_be_stored_is_said_with_file_and_disk(small_disk: SmallDisk) -> None:
    """Of a database that is opened, made, filled, or put together; the games before are safe, and nothing is left."""
    place = small_disk.place
    path, full = begun(place / "r.db"), FULL.format(place=place)
    with Store.create_or_open(path) as store:
        small_disk.fill()
        with pytest.raises(StoreError, match=rf"^{path}(: r.db-wal)? {full}, then resume; the games stored so far are"):
            store.add_games(map(numbered, range(2, 1_000)))
        small_disk.free()
        assert store.add_game(numbered(2))
    small_disk.fill()
    with pytest.raises(StoreError, match=f"^{path}: r.db-shm {full}$"):
        Store.create_or_open(path)
    with pytest.raises(StoreError, match=f"^{place}/new.db {full}$"):
        Store.create_or_open(place / "new.db")
    with pytest.raises(StoreError, match=f"^{place}/new.db {full}$"):
        merge(place / "new.db", [path])
    assert {"new.db", *small_disk.files()} - {"r.db-shm", "r.db-wal"} == {"new.db", "r.db"}
    small_disk.free()
    with Store.open_existing(path) as store:
        assert [*store.games()] == [GAME, numbered(2)]
