"""The arena killed at any instant: the database opens, each finished game is there once, nothing is left running."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import IO, Literal

import pytest

from tests.running import running

ROOT = Path(__file__).parent.parent.parent.parent
GAMES = 60
LEFT_MS = 10_000
"""How long engines may outlive the arena: some ms, but machines that run tests are busy."""

Games = dict[str, tuple[object, ...]]


Kind = Literal["tournament", "sprt", "ladder"]


class Cup:
    """A run of 60 games whose engines carry a mark by which they can be found. A ladder plays 60 more each time."""

    def __init__(self, folder: Path, seed: int, kind: Kind = "tournament") -> None:
        self.kind = kind
        self.mark = f"mark-{folder.name}-{seed}"
        self.db = folder / f"cup-{seed}.db"
        self.file = folder / f"cup-{seed}.toml"
        engines = "".join(
            f'[[engines]]\nname="{name}"\ncommand=["{{python}}","-P","-m","engines.random","{self.mark}"]\n'
            for name in ("a", "b", "c")
        )
        rounds = "" if kind == "ladder" else "rounds=5\n"
        self.file.write_text(
            f'[tournament]\nvariants=["callanish-7","brandub"]\n{rounds}movetime=20\nseed={seed}\nmax_plies=60\n{engines}'
        )
        engine = f"{sys.executable} -P -m engines.random {self.mark}"
        self.words = {
            "tournament": ["tournament", str(self.file), "--no-smoke", "--resume"],
            "ladder": ["ladder", str(self.file), "--games", str(GAMES)],
            "sprt": [
                "sprt",
                engine,
                f"{engine} other",
                "--variant",
                "callanish-7",
                "--movetime",
                "20",
                "--seed",
                str(seed),
                "--games",
                str(GAMES),
                "--elo0",
                "0",
                "--elo1",
                "1",
            ],
        }[kind]

    def start(
        self, stderr: int | IO[bytes] = subprocess.DEVNULL, concurrency: int = 2
    ) -> contextlib.AbstractContextManager["subprocess.Popen[bytes]"]:
        words = [*self.words, "--db", str(self.db), "--concurrency", str(concurrency)]
        return running(
            [sys.executable, "-m", "arena.main", *words],
            cwd=self.file.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )

    def games(self) -> Games:
        """The games that are kept, whole; the database must be sound."""
        if not self.db.exists():
            return {}
        with closing(sqlite3.connect(self.db)) as db, db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'games'").fetchone()[0]:
                return {}
            rows = db.execute("SELECT id, number, p1, p2, moves, winner, termination, plies FROM games").fetchall()
        found = {str(row[0]): tuple(row[1:]) for row in rows}
        assert len({row[0] for row in found.values()}) == len(rows), "a number twice"
        return found

    def wait_for_more(self, games: int, process: "subprocess.Popen[bytes]") -> None:
        """Until there are more games than so many, or the run has ended."""
        deadline = time.monotonic() + 30
        while process.poll() is None and self.count() <= games:
            assert time.monotonic() < deadline, "no game in half a minute"
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.01)

    def count(self) -> int:
        """How many games are kept, as a reader beside the arena sees it."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as db:
                return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:  # not made yet
            return 0

    def left(self) -> list[str]:
        """Processes that still carry the mark."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    line = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if self.mark.encode() in line:
                    found.append(line.decode())
        return found


def kill_again_and_again(folder: Path, kills: int, seed: int, kind: Kind = "tournament") -> int:
    """Kill a run at random instants and resume it, so often; of the kills, how many came after a new game.

    A run that is played out before that is checked, and another one begun.
    """
    chance = random.Random(seed)
    done = amid = 0
    cup, before = Cup(folder, seed, kind), dict[str, tuple[object, ...]]()
    while done < kills:
        with cup.start() as process:
            try:
                if done % 2:  # in the midst of games, however slow the machine is
                    cup.wait_for_more(len(before), process)
                    process.wait(chance.uniform(0.0, 0.3))
                else:
                    process.wait(chance.uniform(0.1, 2.5))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                done += 1
                deadline = time.monotonic() + LEFT_MS / 1000
                while left := cup.left():
                    assert time.monotonic() < deadline, left
        assert process.returncode in (0, -signal.SIGKILL)
        after = cup.games()
        assert before.items() <= after.items(), "a finished game was changed or lost"
        amid += process.returncode != 0 and len(before) < len(after)
        before = after
        if process.returncode == 0:
            assert len(after) == GAMES or kind == "ladder"
            cup, before = Cup(folder, seed + done, kind), {}
    with cup.start() as process:
        assert process.wait(60) == 0
    assert len(cup.games()) == GAMES or (kind == "ladder" and len(cup.games()) > len(before))
    assert before.items() <= cup.games().items()
    return amid


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("kind", ["tournament", "sprt", "ladder"])
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, kind: Kind) -> None:
    """Two kills -9 at random instants: sixty games at the end, each once, none changed, no engine left."""
    assert kill_again_and_again(tmp_path, 2, 1, kind) > 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers do not learn that the main process ended")
def test_a_killed_arena_does_not_end_without_a_word(tmp_path: Path) -> None:
    """A main process that is killed says nothing, so its first worker says it, once, and ends.

    There is only this worker: a second one may end its first game before this one has loaded its modules. And the run
    is so long that it is not over before the kill.
    """
    cup = Cup(tmp_path, 7)
    cup.file.write_text(cup.file.read_text().replace("rounds=5", "rounds=5000"))
    with open(tmp_path / "said", "wb") as said, cup.start(said, concurrency=1) as process:
        cup.wait_for_more(0, process)
        process.kill()
        assert process.wait(10) == -signal.SIGKILL
        deadline = time.monotonic() + LEFT_MS / 1000
        while left := cup.left():
            assert time.monotonic() < deadline, left
    words = (tmp_path / "said").read_text()
    assert words.count("the main process was killed: what was stored is safe") == 1 and "Traceback" not in words


def test_a_second_ctrl_c_ends_what_the_first_did_not() -> None:
    """Where the exception of the first was lost on the way, as some of C's code does, nobody has to look for kill."""
    program = (
        "import signal, arena.main, arena.cli.app\n"
        "def app(prog_name):\n"
        "    for _ in range(3):\n"
        "        try:\n"
        "            print('here', flush=True)\n"
        "            signal.sigtimedwait([signal.SIGUSR1], 20)\n"
        "        except KeyboardInterrupt:\n"
        "            pass\n"
        "arena.cli.app.program = lambda named: app\n"
        "arena.main.main()\n"
    )
    with running([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        for _ in range(2):
            assert process.stdout.readline() == b"here\n"
            process.send_signal(signal.SIGINT)
        assert process.wait(15) == 130


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_two_hundred_kills_change_nothing(tmp_path: Path) -> None:
    """The same, two hundred times."""
    assert kill_again_and_again(tmp_path, 200, 100) > 50
