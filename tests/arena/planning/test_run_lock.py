"""A run is played by one process at a time."""

import errno
import fcntl
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from arena.planning import run_lock
from arena.planning.errors import PlanError
from arena.planning.run_lock import lock_path
from tests.running import running

ROOT = Path(__file__).parents[3]
HOLDS = """
import sys
from pathlib import Path
from arena.planning.run_lock import run_lock
with run_lock(Path(sys.argv[1]), "ab12", "cup"):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(db: Path) -> str:
    """Take the lock of a run in this process; the sentence of the refusal, or none."""
    try:
        with run_lock.run_lock(db, "ab12", "cup"):
            return ""
    except PlanError as refused:
        return str(refused)


def test_the_second_process_is_told_who_plays_the_run_and_since_when(tmp_path: Path) -> None:
    """Whatever its temporary folder is, and by whatever link it names the database. A killed one holds nothing up."""
    db, link = tmp_path / "cup.db", tmp_path / "link.db"
    link.symlink_to(db)
    words = [sys.executable, "-c", HOLDS, str(link)]
    env = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with running(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        said = hold(db)
        assert said.startswith(f"{db}: the run 'cup' is being played by process {other.pid} since 20")
        assert "stop that one first or wait for its end, or give another --db" in said
        with run_lock.run_lock(db, "cd34", "another"), run_lock.run_lock(tmp_path / "b.db", "ab12", "b"):
            locks = {path.name for path in tmp_path.glob("*.lock")}
            assert locks == {"b.db-ab12.lock", "cup.db-ab12.lock", "cup.db-cd34.lock"}
        other.kill()
        other.wait(10)
    assert list(tmp_path.glob("*.lock")) == [lock_path(db, "ab12")]
    assert hold(db) == "" and not list(tmp_path.glob("*.lock"))


def test_the_machine_of_the_other_process_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of a process says nothing on another machine."""
    db = tmp_path / "cup.db"
    with run_lock.run_lock(db, "ab12", "cup"):
        monkeypatch.setattr(platform, "node", lambda: "elsewhere")
        assert f"process {os.getpid()} on " in hold(db)
        lock_path(db, "ab12").write_text("")
        assert "is being played by another process: stop" in hold(db)


def test_the_lock_that_is_taken_is_the_one_that_has_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process before removes the file at its end, maybe just between our opening it and our locking it."""
    db, flock, opened = tmp_path / "cup.db", fcntl.flock, list[int]()

    def late(file: int, how: int) -> None:
        opened.append(file)
        if len(opened) == 1:
            lock_path(db, "ab12").unlink()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with run_lock.run_lock(db, "ab12", "cup"):
        assert len(opened) == 2 and lock_path(db, "ab12").exists()
        assert "is being played" in hold(db)


def test_a_folder_that_cannot_be_written_is_named_and_not_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a read-only disk there is no lock that somebody could remove."""

    def read_only(*_: object) -> NoReturn:
        raise OSError(errno.EROFS, "Read-only file system")

    db = tmp_path / "cup.db"
    monkeypatch.setattr(run_lock, "_locked", read_only)
    with pytest.raises(PlanError) as refused, run_lock.run_lock(db, "ab12", "cup"):
        pass
    assert str(refused.value) == (
        f"{db}: its folder cannot be written (Read-only file system): check the folder's permissions, or name a "
        "database in another folder"
    )
