"""A run stopped in every way, again and again: database and event log agree to the game.

Ctrl-C goes to the arena's whole process group; `kill -9` hits the arena alone; and as when a machine is switched off,
all processes of the run are killed at once, whichever of them is hit first.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from arena.cli.run.event_stream import begun
from arena.run.event_log import EventLog, NotAnEventLog
from arena.run.events import GameEnded, public, values
from results.record import Player, Run, Winner
from results.store.store import Store
from tests.arena.cli.conftest import record
from tests.running import running

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from arena.play.jobs import EngineSpec

ROOT = Path(__file__).parent.parent.parent.parent
ENGINE = ROOT / "engines" / "bin" / "independent"
LEFT_S = 10.0
"""How long processes may outlive a stop: some ms, but machines that run tests are busy."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

Ended = tuple[str, str]
"""The winner and the termination of a game."""


class Begun(NamedTuple):
    """What a stream of events asks of a plan."""

    run_id: str
    engines: "tuple[EngineSpec, ...]"
    games: int


class Stop(Enum):
    """How a run is stopped."""

    CTRL_C = "Ctrl-C"
    KILL = "kill -9 of the arena"
    REBOOT = "kill -9 of everything"


class Cup:
    """A tournament of two engines whose command lines, as that of the arena itself, name the test's own folder."""

    def __init__(self, folder: Path, games: int, seed: int) -> None:
        self.folder = folder
        self.games = games
        self.db = folder / "cup.db"
        self.log = folder / "cup.jsonl"
        self.file = folder / "cup.toml"
        self.file.write_text(
            f'[tournament]\nvariants=["callanish-5","callanish-7"]\nrounds={games // 4}\nnodes=1\nseed={seed}\n'
            + "max_plies=20\nmove_limit=20\nopenings=3\nconcurrency=2\n"
            + "".join(f'[[engines]]\nname="{name}"\ncommand={self._engine(name)}\n' for name in ("a", "b"))
        )

    def _engine(self, name: str) -> str:
        """A command as TOML has it: a copy of the engine in C where it was built, else the one that is random."""
        if not ENGINE.exists():
            return json.dumps(["{python}", "-P", "-m", "engines.random", str(self.folder / name)])
        return json.dumps([str(shutil.copy(ENGINE, self.folder / name))])

    def start(self) -> contextlib.AbstractContextManager["subprocess.Popen[bytes]"]:
        """Play, or go on, in a process group of its own."""
        words = ["tournament", self.file, "--no-smoke", "--db", self.db, "--events", self.log]
        return running(
            [sys.executable, "-m", "arena.main", *map(str, words)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def stored(self) -> int:
        """How many games are kept, as a reader beside the arena sees it."""
        with contextlib.suppress(sqlite3.OperationalError):  # not made yet
            with contextlib.closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as db:
                return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
        return 0

    def kept(self) -> dict[int, Ended]:
        """How each game in the database ended, by its number; the file must be sound and have none twice."""
        if not self.stored():
            return {}
        with contextlib.closing(sqlite3.connect(self.db)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows = db.execute("SELECT number, winner, termination FROM games").fetchall()
        found = {number: (winner, termination) for number, winner, termination in rows}
        assert len(found) == len(rows), "a number twice"
        return found

    def left(self) -> set[int]:
        """Processes that are still there and name the folder: the arena and the engines."""
        return {pid for pid, line in _processes("cmdline").items() if str(self.folder).encode() in line}


def _processes(file: str) -> dict[int, bytes]:
    """This file of every process."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                found[int(entry.name)] = (entry / file).read_bytes()
    return found


def family(pid: int) -> list[int]:
    """A process and all its descendants: of an arena its workers and their engines."""
    parents = {child: int(stat.rpartition(b")")[2].split()[1]) for child, stat in _processes("stat").items()}
    found = [pid]
    for known in found:  # grows as it goes
        found += [child for child, parent in parents.items() if parent == known]
    return found


def stop(process: "subprocess.Popen[bytes]", how: Stop, chance: random.Random) -> None:
    """Stop a run that is under way and wait for its end; nobody else's process is touched."""
    match how:
        case Stop.CTRL_C:
            os.killpg(process.pid, signal.SIGINT)
            # Python itself loses one in a hundred that come while modules are loaded; a person presses again.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
                return
            os.killpg(process.pid, signal.SIGINT)
        case Stop.KILL:
            process.kill()
        case Stop.REBOOT:
            everyone = family(process.pid)
            chance.shuffle(everyone)
            for pid in everyone:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    process.wait(30)


def stopped_again_and_again(cup: Cup, stops: int, seed: int) -> int:
    """Play a cup to its end, stopped so often; how many of the stops came amid games.

    Every fifth stop comes soon after the start, where a run is only being gone on with; the others when some more games
    are there.
    """
    chance = random.Random(seed)
    amid = 0
    kinds = [list(Stop)[number % 3] for number in range(stops)]
    chance.shuffle(kinds)
    for number, how in enumerate(kinds):
        kept = cup.kept()
        before = len(kept)
        with cup.start() as process:
            assert process.stderr is not None
            if number % 5 == 4:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(chance.uniform(0.05, 1.0))
            else:
                wait_for_games(cup, process, before + chance.randrange(1, 2 * cup.games // (stops + 6)))
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(chance.uniform(0.0, 0.02))
            if process.poll() is None:
                stop(process, how, chance)
            said = process.stderr.read().decode()
        # Killed while it starts a worker, an arena leaves that worker's own start-up, by Python, to complain.
        complaint = "Traceback" if how is Stop.CTRL_C else f'File "{ROOT}/arena'
        assert complaint not in said, said
        if process.returncode == 0:  # this machine looked too late: it had ended
            break
        # Interrupted while it makes a class, Python leaves by the signal itself, which shells call 130, too.
        ends = (130, -signal.SIGINT) if how is Stop.CTRL_C else (-signal.SIGKILL,)
        assert process.returncode in ends, (how, process.returncode, said)
        deadline = time.monotonic() + LEFT_S
        while left := cup.left():
            assert time.monotonic() < deadline, (how, left)
        after = cup.kept()
        assert kept.items() <= after.items(), "a finished game was changed or lost"
        amid += before < len(after) < cup.games
    with cup.start() as process:
        _, said_at_last = process.communicate(timeout=240)
    assert process.returncode == 0, said_at_last.decode()
    return amid


def wait_for_games(cup: Cup, process: "subprocess.Popen[bytes]", games: int) -> None:
    """Until so many are stored, or the run has ended."""
    deadline = time.monotonic() + 60
    while process.poll() is None and cup.stored() < games:
        assert time.monotonic() < deadline, "no more games in a minute"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.005)


def logged(log: bytes) -> dict[int, Ended]:
    """How games ended by the log: every line is an event, and no game has two that name a winner."""
    assert log.endswith(b"\n")
    events = [json.loads(line) for line in log.splitlines()]
    assert len({event["run"] for event in events}) == 1
    assert events[0]["event"] == "run"
    assert events[-1]["event"] == "end"
    over = [event for event in events if event["event"] == "game" and event["winner"] is not None]
    twice = [number for number, times in Counter(event["number"] for event in over).items() if times > 1]
    assert not twice, f"games named twice: {twice}"
    return {event["number"]: (event["winner"], event["termination"]) for event in over}


@pytest.mark.long
def test_a_stopped_run_is_told_alike_by_its_database_and_its_log(tmp_path: Path) -> None:
    """200 games stopped by Ctrl-C, kill -9 and a kill of everything: each is stored once, and told once."""
    cup = Cup(tmp_path, 200, 1)
    assert stopped_again_and_again(cup, 3, 1) > 0
    kept = cup.kept()
    assert sorted(kept) == [*range(1, cup.games + 1)] and logged(cup.log.read_bytes()) == kept


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
