"""The event file: written while a run is played, read by other processes, believed by nobody."""

import errno
import json
import os
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.live import file as files
from arena.live.file import EventFile, events_path, fields_of
from arena.live.reader import LiveFiles
from arena.live.state import LiveRun
from arena.run.events import GameEnded, GameStarted, Plies
from tests.arena.live.made import Told, beginning, database, job, record, snapshot, written


def read(db: Path) -> LiveRun | None:
    """What other processes see of the run."""
    found = LiveFiles(db).look()
    return found[0].run if found else None


def test_a_reader_follows_a_run_event_by_event(tmp_path: Path) -> None:
    """It sees what the run's own screen shows, with the mode of the database; only what is new is read."""
    db, told = database(tmp_path), Told()
    db.chmod(0o640)
    files = LiveFiles(db)
    with closing(EventFile(db, told)):
        assert stat.S_IMODE(events_path(db, "abc").stat().st_mode) == 0o640
        for event in (GameStarted(0, job(4)), Plies(0, snapshot(4, ("b6d5d7",))), GameEnded(0, record(4, "p1"))):
            told.hear(event)
            (found,) = files.look()
            assert found.state == "running" and found.run == told.run
        assert files.look()[0].run is files.look()[0].run
    assert read(db) == told.run


def test_the_file_of_weeks_stays_bounded_and_tells_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins anew with the state: a reader that follows it, and one that comes late, see no difference."""
    monkeypatch.setattr(files, "MOST_BYTES", 20_000)
    db, told = database(tmp_path), Told(games=None)
    path, follower, largest = events_path(db, "abc"), LiveFiles(db), 0
    with closing(EventFile(db, told)):
        for number in range(4, 400):
            told.hear(GameStarted(0, job(number)), GameEnded(0, record(number, "draw")))
            largest = max(largest, path.stat().st_size)
            if number % 7 == 0:
                assert follower.look()[0].run == told.run
    assert 15_000 < largest < 25_000
    assert read(db) == told.run and told.run.done == 396


@pytest.mark.parametrize("there", ["another file", "a link", "a folder", "a pipe"])
def test_what_is_no_event_file_is_never_replaced(tmp_path: Path, there: str, sentences: list[str]) -> None:
    """The run goes on without it, says so once, and leaves it as it was."""
    db, told = database(tmp_path), Told()
    path, other = events_path(db, "abc"), tmp_path / "notes.txt"
    other.write_text("mine")
    if there == "another file":
        path.write_text("mine")
    elif there == "a link":
        path.symlink_to(other)
    elif there == "a folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    before = path.lstat().st_ino, path.lstat().st_mtime_ns
    with closing(EventFile(db, told)):
        told.say("paused", paused=True)
    assert len(sentences) == 1 and str(path) in sentences[0] and "is not replaced" in sentences[0]
    assert (path.lstat().st_ino, path.lstat().st_mtime_ns) == before and other.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["cup.db", path.name, "notes.txt"])


def test_a_full_disk_ends_the_file_and_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentences: list[str]
) -> None:
    """It is said once, and the run is told of as before on its own screen."""
    db, told = database(tmp_path), Told()

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with closing(EventFile(db, told)):
        monkeypatch.setattr(os, "write", full)
        told.say("paused", paused=True)
        told.say("paused", paused=False)
    monkeypatch.undo()
    assert len(sentences) == 1 and "No space left on device" in sentences[0] and "goes on" in sentences[0]
    assert not list(tmp_path.glob("*.part")) and not told.run.paused


def test_several_runs_in_one_database_have_a_file_each(tmp_path: Path) -> None:
    """Those that are played come first; a link to the database leads there, too."""
    db = database(tmp_path)
    for run, began_ns, is_played in (("aa", 9, False), ("bb", 5, True), ("cc", 7, True)):
        written(db, replace(beginning(), run=run, began_ns=began_ns), is_played=is_played)
    written(tmp_path / "cup.db-2.db", replace(beginning(), run="dd"))
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(db)
    found = LiveFiles(link).look()
    states = {each.run.run: each.state for each in found if each.run}
    assert [*states.items()] == [("cc", "running"), ("bb", "running"), ("aa", "stopped")]


def changed(**fields: object) -> bytes:
    """The first line of a file, with these fields of the state."""
    state = {**fields_of(beginning()), **fields}
    return json.dumps({"event": "state", "version": 3, "state": state}).encode() + b"\n"


HEAD = changed()
PLAYING = b'{"event": "start", "slot": 0, "game": "abc-4"}\n'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not a file of an arena's events"),
        (HEAD + b"[]\n", "is damaged"),
        (HEAD + PLAYING, "is damaged ('number' is missing)"),
        (HEAD.replace(b'"name": "cup"', b'"name": ' + b"[" * 100_000), "is damaged"),
        (HEAD.replace(b'"version": 3', b'"version": 32'), "was written by another version of the arena"),
        (HEAD.replace(b'"done": 0', b'"done": 1' + b"0" * 5000), "is damaged"),
        (HEAD.replace(b'"done": 0', b'"done": 1e999'), "is damaged"),
        (HEAD.replace(b'"done": 0', b'"done": NaN'), "is damaged"),
        (changed(done="9"), "is damaged (done"),
        (changed(scores={"ann": ["1"]}), "is damaged"),
    ],
)
def test_what_cannot_be_used_is_ignored_and_said(tmp_path: Path, data: bytes, said: str) -> None:
    """In one sentence that names the file. Nothing of it is shown."""
    db = database(tmp_path)
    path = events_path(db, "abc")
    path.write_bytes(data)
    looking = LiveFiles(db)
    for _ in range(2):
        (found,) = looking.look()
        assert found.run is None and found.problem.startswith(f"{path}: {said}")
        assert found.problem.endswith("so it is ignored")
