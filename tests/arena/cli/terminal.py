"""A command line in a terminal of its own, for the few tests that need a real one."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEADLINE_S = 60.0
_IN_TERMINAL = """\
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from arena.main import main
main()
"""
"""A program that makes its stdin the terminal of its session, as a shell would, and runs the command line."""


@dataclass
class Terminal:
    """A terminal of 80 columns and 24 lines with a program in it."""

    process: subprocess.Popen[bytes]
    main: int
    end: int
    rest: str = ""

    def until(self, text: str) -> str:
        """All that was shown since the last call, up to this text."""
        deadline = time.monotonic() + DEADLINE_S
        while text not in self.rest:
            ready = select.select([self.main], [], [], max(0.0, deadline - time.monotonic()))[0]
            assert ready, f"no {text!r} in {self.rest!r}"
            self.rest += os.read(self.main, 65536).decode("utf-8", "replace")
        before, found, self.rest = self.rest.partition(text)
        return before + found

    def type(self, keys: bytes) -> None:
        os.write(self.main, keys)

    def state(self) -> list[object]:
        """How the terminal treats keys."""
        return list(termios.tcgetattr(self.end))


@contextlib.contextmanager
def in_terminal(*words: str | Path) -> Iterator[tuple[Terminal, list[object]]]:
    """`arena` with these words, and the state of its terminal before it began."""
    main, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 80))
    before = list(termios.tcgetattr(end))
    environment = {key: value for key, value in os.environ.items() if key not in ("LINES", "COLUMNS")}
    process = subprocess.Popen(
        [sys.executable, "-c", _IN_TERMINAL, *map(str, words)],
        stdin=end,
        stdout=end,
        stderr=end,
        env={**environment, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    try:
        yield Terminal(process, main, end), before
    finally:
        process.kill()
        process.wait(DEADLINE_S)
        os.close(main)
        os.close(end)
