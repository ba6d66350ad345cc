"""A run stopped in every way: database and event log agree to the game.

Ctrl-C goes to the arena's whole process group; `kill -9` hits the arena alone; and as when a machine is switched off,
all processes of the run are killed at once.
"""

import contextlib
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from arena.cli.run.event_stream import begun
from arena.run.event_log import EventLog, NotAnEventLog
from arena.run.events import GameEnded, public, values
from results.record import Player, Run, Winner
from results.store.store import Store
from tests.arena.cli.conftest import record
from tests.arena.conftest import QUICK, cup
from tests.running import running

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from arena.play.jobs import EngineSpec

ROOT = Path(__file__).parents[3]
GAMES = 200
SETTINGS = {"variants": ["callanish-5", "callanish-7"], "rounds": GAMES // 4, "nodes": 1, "seed": 1, "max_plies": 20}
LEFT_S = 10.0
"""How long processes may outlive a stop: some ms, but machines that run tests are busy."""

Ended = tuple[str, str]
"""The winner and the termination of a game."""


class Begun(NamedTuple):
    """What a stream of events asks of a plan."""

    run_id: str
    engines: "tuple[EngineSpec, ...]"
    games: int


def kept(db: Path) -> dict[int, Ended]:
    """How each game in the database ended, by its number, as a reader beside the arena sees it."""
    with contextlib.suppress(sqlite3.OperationalError):  # not made yet
        with contextlib.closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT number, winner, termination FROM games").fetchall()
            assert len({number for number, *_ in rows}) == len(rows), "a number twice"
            return {number: (winner, termination) for number, winner, termination in rows}
    return {}


def of_the_run(folder: Path) -> list[int]:
    """The arena, its workers and its engines: processes that name this folder in their environment or words."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if str(folder).encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def stop(process: "subprocess.Popen[bytes]", how: str, folder: Path) -> None:
    """Stop a run that is under way and wait for its end."""
    if how == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    elif how == "kill -9 of the arena":
        process.kill()
    else:
        for pid in of_the_run(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    process.wait(30)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_stopped_run_is_told_alike_by_its_database_and_its_log(tmp_path: Path) -> None:
    """Games that ended stay as they are, no process is left, and in the end each is stored once, and told once."""
    db, log = tmp_path / "cup.db", tmp_path / "cup.jsonl"
    engines = (f'name = "{name}"\ncommand = {json.dumps([*shlex.split(QUICK), str(tmp_path)])}' for name in "ab")
    (tmp_path / "cup.toml").write_text(cup(*engines, concurrency=2, move_limit=20, openings=3, **SETTINGS))
    play = [sys.executable, "-m", "arena.main", "tournament", "cup.toml", "--no-smoke", "--db", db, "--events", log]
    started = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT), "MARK": str(tmp_path)}}
    for how in ("Ctrl-C", "kill -9 of the arena", "kill -9 of everything"):
        before = kept(db)
        with running(play, **started, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:  # type: ignore[arg-type]
            while len(kept(db)) < len(before) + GAMES // 8:
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.01)
            stop(process, how, tmp_path)
            assert process.stderr is not None
            said = process.stderr.read().decode()
        assert process.returncode == (130 if how == "Ctrl-C" else -signal.SIGKILL), (how, said)
        assert f'File "{ROOT}/arena' not in said, said
        deadline = time.monotonic() + LEFT_S
        while left := of_the_run(tmp_path):
            assert time.monotonic() < deadline, (how, left)
        assert before.items() <= kept(db).items(), "a finished game was changed or lost"
        assert len(kept(db)) < GAMES
    with running(play, **started, stdout=subprocess.DEVNULL) as process:  # type: ignore[arg-type]
        assert process.wait(240) == 0
    assert sorted(kept(db)) == [*range(1, GAMES + 1)]
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert len({event["run"] for event in events}) == 1
    over = [event for event in events if event["event"] == "game" and event["winner"] is not None]
    assert len(over) == GAMES, "a game was told twice, or never"
    assert {event["number"]: (event["winner"], event["termination"]) for event in over} == kept(db)


def test_what_the_store_has_not_is_told_as_lost(tmp_path: Path) -> None:
    """A log names games that a loss of power took from the database: each is `lost`, and may be named once more."""
    run = Run("abc", "cup", "match", "2026-01-02", "{}", 1, 3, "box", "{}")
    file = tmp_path / "cup.jsonl"
    with Store.in_memory() as store, contextlib.closing(EventLog(file)) as log:
        store.add_run(run, [Player(name, "", "", (), "") for name in ("alpha", "beta")])
        store.add_game(record("abc", 1, "p1", "king-escaped"))

        def tell(number: int, winner: Winner) -> None:
            game = record("abc", number, winner, "king-escaped")
            log.write(json.dumps(public(values("abc", GameEnded(0, game)))) + "\n")

        tell(2, "p1")
        tell(3, "p1")
        for _ in range(2):  # what has been told is not told again
            begun(cast("Plan", Begun("abc", (), 3)), store, log.write, log)
        assert log.logged("abc") == {1}
        tell(3, "draw")
        assert log.logged("abc") == {1, 3}
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(event["event"], event.get("number")) for event in told] == [
        *(("game", 2), ("game", 3), ("run", None), ("lost", 2), ("lost", 3), ("game", 1), ("run", None), ("game", 3))
    ]


def test_a_file_of_something_else_is_no_log(tmp_path: Path) -> None:
    """It is refused and stays as it is, although it has no newline at its end."""
    file = tmp_path / "notes.txt"
    file.write_text("one\ntwo")
    with pytest.raises(NotAnEventLog):
        EventLog(file)
    assert file.read_text() == "one\ntwo"
    empty = tmp_path / "new.jsonl"
    empty.touch()
    EventLog(empty).close()
