"""While this process has a database open, SQLite alone opens the file: to close it again would lose the locks."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.run.event_log import EventLog, NotAnEventLog
from arena.whole_file import CannotWrite, check_target, write_whole
from protocol.containment import landlock
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command, EngineProcess
from results.store import files
from results.store.store import Store, merge
from tests.arena.cli.conftest import Arena
from tests.results.made import GAME, PLAYERS, RUN


def locks(path: Path) -> list[str]:
    """The locks of this process on a file, as the kernel tells them."""
    inode = f":{path.stat().st_ino}"
    table = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return [" ".join(words[1:]) for words in table if words[4] == str(os.getpid()) and words[5].endswith(inode)]


def event_log(path: Path) -> None:
    with pytest.raises(NotAnEventLog, match="is a database"):
        EventLog(path)


def written_over(path: Path) -> None:
    with pytest.raises(CannotWrite, match="would destroy the database"):
        check_target(path, "--pgn")
    with pytest.raises(CannotWrite, match="would destroy the database"):
        write_whole(path, "x")


def beside_an_engine(path: Path) -> None:
    engine = path.with_name("engine")
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    for closed in ((), (str(path),)):
        EngineProcess.spawn(Command((str(engine),), SandboxPolicy(Level.BASIC, closed=closed))).kill()


@pytest.mark.parametrize(
    "use",
    [
        lambda path: Store.create_or_open(path).close(),
        lambda path: Store.open_existing(path).close(),
        lambda path: merge(path.with_name("merged.db"), [path, path]),
        lambda path: files.is_database(path),
        files.has_games,
        files.removed,
        event_log,
        written_over,
        beside_an_engine,
    ],
)
@pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="the kernel does not tell its locks")
def test_a_database_stays_locked_whatever_else_this_process_does_with_the_file(
    tmp_path: Path, use: Callable[[Path], object]
) -> None:
    """Without the lock a reader of another process removes the log, and with it the games stored from then on."""
    path = tmp_path / "cup.db"
    with Store.create_or_open(path) as store:
        store.add_run(RUN, PLAYERS)
        before = locks(path)
        assert before
        use(path)
        assert locks(path) == before
        store.add_game(GAME)
    with Store.open_existing(path) as store:
        assert list(store.games()) == [GAME]


def test_an_engine_that_names_the_database_of_its_run_is_refused(arena: Arena, tmp_path: Path) -> None:
    """It may not open the file, and its fingerprint would change with every game."""
    db = tmp_path / "cup.db"
    Store.create_or_open(db).close()
    for engine in (f"true {db}", f"true --book={db}"):
        done = arena("match", engine, "random", "--db", db, "--variant", "callanish-5")
        assert done.exit_code == 2 and "names" in done.stderr and "leave it out, or name a copy" in done.stderr


@pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
def test_the_games_that_a_match_keeps_by_itself_are_closed_to_its_engines(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that can open their file can lock it, and so end the run. It lies in a folder that the engine reads."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    spy = tmp_path / "spy.py"
    spy.write_text(f"import glob\nprint('it opens', *map(open, glob.glob('{tmp_path}/*/*.db')))")
    done = arena("match", f"{{python}} {spy}", "random", "--variant", "callanish-5")
    assert "Permission denied: " in done.stderr and "it opens" not in done.stderr


def test_a_database_is_not_imported(arena: Arena, tmp_path: Path) -> None:
    """The sentence names the command that puts databases together."""
    db = tmp_path / "cup.db"
    Store.create_or_open(db).close()
    done = arena("import", db, "--into", db)
    assert done.exit_code == 2 and "is a database" in done.stderr and "arena merge" in done.stderr


def test_pgn_replaces_no_file_but_games_of_the_arena(arena: Arena, tmp_path: Path) -> None:
    """It might be the tournament's file, a book or an engine."""
    play = "match random greedy --games 2 --variant callanish-5 --nodes 1 --db none --pgn".split()
    pgn = tmp_path / "games.pgn"
    book = tmp_path / "book.txt"
    book.write_text("a4 d2\n")
    refused = arena(*play, book)
    assert refused.exit_code == 2 and "without games of the arena is there" in refused.stderr.replace("\n", " ")
    assert book.read_text() == "a4 d2\n"
    assert [arena(*play, pgn).exit_code for _ in range(2)] == [0, 0]
    assert pgn.read_text().count("[GameId ") == 2


@pytest.mark.parametrize("option", ["--events", "--pgn"])
def test_a_database_that_is_still_to_be_made_is_no_other_output(arena: Arena, tmp_path: Path, option: str) -> None:
    """Nothing is written."""
    db = tmp_path / "cup.db"
    done = arena("match", "random", "greedy", "--db", db, option, db)
    assert done.exit_code == 2 and f"{option} {db}: that is the database" in done.stderr.replace("\n", " ")
    assert not any(tmp_path.iterdir())
