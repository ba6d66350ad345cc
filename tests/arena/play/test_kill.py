"""The arena killed, or interrupted twice: what it says, and that nothing is left running (see test_kill_events.py)."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

from tests.running import running

ROOT = Path(__file__).parent.parent.parent.parent


class Cup:
    """A run of many games whose engines carry a mark by which they can be found."""

    def __init__(self, folder: Path) -> None:
        self.mark = f"mark-{folder.name}"
        self.db = folder / "cup.db"
        self.file = folder / "cup.toml"
        command = f'command=["{{python}}","-P","-m","engines.random","{self.mark}"]'
        engines = "".join(f'[[engines]]\nname="{name}"\n{command}\n' for name in "abc")
        head = '[tournament]\nvariants=["callanish-7","brandub"]\nrounds=5000\nmovetime=20\nmax_plies=60\n'
        self.file.write_text(head + engines)

    def start(self, stderr: IO[bytes]) -> contextlib.AbstractContextManager["subprocess.Popen[bytes]"]:
        words = ["tournament", str(self.file), "--no-smoke", "--db", str(self.db), "--concurrency", "1"]
        return running(
            [sys.executable, "-m", "arena.main", *words],
            cwd=self.file.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )

    def wait_for_a_game(self, process: "subprocess.Popen[bytes]") -> None:
        deadline = time.monotonic() + 30
        while process.poll() is None and self.count() == 0:
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
                with contextlib.suppress(OSError):
                    line = (entry / "cmdline").read_bytes()
                    found += [line.decode()] if self.mark.encode() in line else []
        return found


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
        "arena.cli.app.program = lambda: app\n"
        "arena.main.main()\n"
    )
    with running([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        for _ in range(2):
            assert process.stdout.readline() == b"here\n"
            process.send_signal(signal.SIGINT)
        assert process.wait(15) == 130
