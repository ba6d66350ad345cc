"""The live file: written while a run is played, read by other processes, believed by nobody."""

import errno
import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.live.file import MOST_BYTES, encoded, live_file, live_path, write
from arena.live.process import is_alive, this_process
from arena.live.reader import BadLiveFile, LiveFiles, read_live
from arena.live.state import LiveRun, LiveScore
from tests.arena.live.made import GAME, database, dead, full, head, job, observer, record, running, snapshot

FULL = full()


def keep(db: Path, run: LiveRun) -> Path:
    """The live file of a run that is not played here."""
    path = live_path(db, run.run)
    path.write_bytes(encoded(run))
    return path


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_a_run_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    """Every field of it. So a screen draws a run from within and from without."""
    path = keep(database(tmp_path), FULL)
    assert path.read_bytes().startswith(b'{"arena-live": 1, "name": "cup", "run": "abc"')
    assert read_live(path) == FULL


def test_a_name_that_is_no_text_spoils_nothing(tmp_path: Path) -> None:
    """A command line may hold any bytes. They become question marks."""
    path = keep(database(tmp_path), replace(FULL, name="a\udcffb\u2028\x1b[2J"))
    assert read_live(path).name == "a?b\u2028\x1b[2J"


def test_the_file_is_there_while_the_run_is_played_and_not_after(tmp_path: Path) -> None:
    """With the mode of the database, and with each change; Ctrl-C is an end like any other."""
    db, watched = database(tmp_path), observer()
    db.chmod(0o640)
    path = live_path(db, "abc")
    with pytest.raises(KeyboardInterrupt), live_file(db, watched, pytest.fail):
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert LiveFiles(db).look()[0].is_running
        watched.began(0, job(4))
        watched.progressed(0, snapshot(4, ("b6d5d7",)))
        until(lambda: [game.moves for game in read_live(path).playing] == [("b6d5d7",)])
        watched.ended(0, record(4, "p1"))
        until(lambda: read_live(path).done == 1)
        raise KeyboardInterrupt
    assert [each.name for each in tmp_path.iterdir()] == ["cup.db"]
    watched.ended(0, record(5, "p1"))  # nobody writes any more
    assert not path.exists()


def test_the_file_is_written_only_if_something_has_changed(tmp_path: Path) -> None:
    """Whoever looks at its number and time knows whether there is anything new."""
    db, watched = database(tmp_path), observer()
    path = live_path(db, "abc")
    with live_file(db, watched, pytest.fail):
        before = path.stat()
        watched.changed()  # nothing
        watched.changed()
        watched.pause(True)
        until(lambda: path.stat().st_ino != before.st_ino)
        assert read_live(path).paused


@pytest.mark.parametrize("there", ["another file", "a link", "a folder", "a pipe"])
def test_what_is_no_live_file_is_never_replaced(tmp_path: Path, there: str) -> None:
    """The run goes on without it, says so once, and leaves it as it was."""
    db, watched, said = database(tmp_path), observer(), list[str]()
    path, other = live_path(db, "abc"), tmp_path / "notes.txt"
    other.write_text("mine")
    if there == "another file":
        path.write_text("mine")
    elif there == "a link":
        path.symlink_to(other)
    elif there == "a folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    before = path.lstat()
    with live_file(db, watched, said.append):
        watched.pause(True)
    assert len(said) == 1 and str(path) in said[0] and "is not replaced" in said[0]
    assert path.lstat() == before and other.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["cup.db", path.name, "notes.txt"])


def test_the_file_of_a_killed_run_is_taken_over_by_the_run_that_goes_on(tmp_path: Path) -> None:
    """Its lock keeps two processes from playing one run."""
    db = database(tmp_path)
    path = keep(db, replace(FULL, process=dead()))
    with live_file(db, observer(), pytest.fail):
        assert read_live(path).process == this_process()
    assert not path.exists()


def test_a_full_disk_ends_the_file_and_not_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said once, and what was half-written is removed."""
    db, watched, said = database(tmp_path), observer(), list[str]()
    path = live_path(db, "abc")

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with live_file(db, watched, said.append):
        monkeypatch.setattr(os, "write", full)
        watched.pause(True)
        until(lambda: bool(said))
        watched.pause(False)
        assert not path.with_name(path.name + ".part").exists()
    monkeypatch.undo()
    assert len(said) == 1 and "No space left on device" in said[0] and "goes on" in said[0]
    assert [each.name for each in tmp_path.iterdir()] == ["cup.db"]


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    """It is gone, say."""
    said = list[str]()
    with live_file(tmp_path / "gone" / "cup.db", observer(), said.append):
        pass
    assert len(said) == 1 and "nobody can watch this run from outside" in said[0]


def test_a_run_in_memory_has_no_file() -> None:
    """There is nothing beside which it could lie."""
    with live_file(None, observer(), pytest.fail):
        pass


def test_the_file_of_a_thousand_games_at_once_stays_small(tmp_path: Path) -> None:
    """The first games are told with their moves, others without, and the number of all of them in any case."""
    moves = ("b6d5d7",) * 400
    games = [replace(GAME, slot=slot, moves=moves, plies=400, scores=("cp -100",) * 400) for slot in range(1000)]
    scores = tuple(LiveScore(f"engine {number}") for number in range(2000))
    path = keep(database(tmp_path), running(*games, standings=scores, engines=2000))
    assert path.stat().st_size < MOST_BYTES
    run = read_live(path)
    assert run.at_once == 1000 and run.playing[0].moves == moves
    assert run.playing[-1].moves is None and run.playing[-1].plies == 400
    long = running(*(replace(GAME, slot=slot, p1="x" * 9_999) for slot in range(1000)))
    assert len(encoded(long)) < MOST_BYTES


def test_several_runs_in_one_database_have_a_file_each(tmp_path: Path) -> None:
    """Those that are played come first; a link to the database leads there, too."""
    db = database(tmp_path)
    keep(db, replace(FULL, run="aa", process=dead()))
    keep(db, replace(FULL, run="bb", began_ns=5))
    keep(db, replace(FULL, run="cc", began_ns=7))
    keep(tmp_path / "cup.db-2.db", replace(FULL, run="dd"))
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(db)
    found = LiveFiles(link).look()
    assert [(each.run.run, each.is_running) for each in found if each.run] == [
        ("cc", True),
        ("bb", True),
        ("aa", False),
    ]


DEEP = b'{"arena-live": 1, "name": ' + b"[" * 100_000
ONE = json.loads(encoded(FULL))


def changed(**fields: object) -> bytes:
    return json.dumps(ONE | fields).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is no live file of an arena"),
        (b'{"arena": 1}', "is no live file of an arena"),
        (encoded(FULL)[:300], "is damaged"),
        (encoded(FULL) + b" " * MOST_BYTES, "is longer than 1048576 bytes"),
        (DEEP, "is damaged (it is nested too deeply)"),
        (b'{"arena-live"\xff', "is damaged"),
        (b'{"arena-live": 1}', "is damaged (name: Field required)"),
        (changed(**{"arena-live": 2}), "was written by another version of the arena"),
        (changed(done="9" * 99), "is damaged (done"),
        (encoded(FULL).replace(b'"done": 0', b'"done": 1' + b"0" * 5000), "is damaged"),
        (encoded(FULL).replace(b'"done": 0', b'"done": 1e999'), "is damaged (a number is no whole number)"),
        (encoded(FULL).replace(b'"done": 0', b'"done": NaN'), "is damaged (a number is no whole number)"),
        (encoded(FULL).replace(b'"turn": 1', b'"turn": 7'), "is damaged (playing.0.turn"),
        (encoded(FULL).replace(b'"left_ms": [', b'"left_ms": [5, '), "is damaged (playing.0.left_ms"),
        (changed(playing=None), "is damaged (playing"),
    ],
)
def test_what_cannot_be_used_is_ignored_and_said(tmp_path: Path, data: bytes, said: str) -> None:
    """In one sentence that names the file. Nothing of it is shown."""
    db = database(tmp_path)
    path = live_path(db, "abc")
    path.write_bytes(data)
    with pytest.raises(BadLiveFile) as caught:
        read_live(path)
    assert str(caught.value).startswith(f"{path}: {said}") and str(caught.value).endswith("so it is ignored")
    (found,) = LiveFiles(db).look()
    assert found.run is None and found.problem == str(caught.value)


def test_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Nobody is led to another file, and nobody waits."""
    db = database(tmp_path)
    (tmp_path / "secret").write_bytes(encoded(FULL))
    live_path(db, "aa").symlink_to(tmp_path / "secret")
    os.mkfifo(live_path(db, "bb"))
    assert [each.run for each in LiveFiles(db).look()] == [None, None]


def test_what_a_newer_arena_adds_does_no_harm(tmp_path: Path) -> None:
    """Keys may be added without another version."""
    path = live_path(database(tmp_path), "abc")
    path.write_bytes(changed(weather="fine"))
    assert read_live(path) == FULL


def test_a_file_is_read_again_only_if_it_has_changed(tmp_path: Path) -> None:
    """A server may look many times a second."""
    db = database(tmp_path)
    path = keep(db, FULL)
    files = LiveFiles(db)
    first, second = files.look()[0].run, files.look()[0].run
    assert first is not None and first is second
    write(path, tmp_path / "part", encoded(replace(FULL, done=7)), db)
    third = files.look()[0].run
    assert third is not None and third.done == 7
    path.unlink()
    assert files.look() == ()


def test_a_killed_process_is_known_as_such(tmp_path: Path) -> None:
    """Also if another one got its number, if it waits for its parent, or if the machine was restarted."""
    own = this_process()
    assert is_alive(own)
    assert not is_alive(replace(own, started=own.started - 1)), "another process with its number"
    assert not is_alive(replace(own, boot="before the restart"))
    for pid in (0, -1, 1 << 40):
        assert not is_alive(replace(own, pid=pid))
    assert not is_alive(dead())
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        lives = replace(own, pid=child.pid, started=0)
        assert is_alive(lives)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        stat_file = Path(f"/proc/{child.pid}/stat")
        if stat_file.exists():
            assert not is_alive(replace(lives, started=5))


def test_a_run_that_begins_knows_its_process() -> None:
    """The file needs no more than that to be told from one that a killed process left."""
    assert head().process == this_process()
