"""A terminal with a command in it, and what a person sees on its screen."""

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyte
import pytest

_LEADER = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp("sh", ["sh", "-c", sys.argv[1]])
"""
"""A program that makes its stdin the terminal of its session, so that Ctrl-C arrives, and runs a command line."""


@dataclass
class Terminal:
    """A terminal of some size with a command line in it."""

    command: str
    process: "subprocess.Popen[bytes]"
    main: int
    screen: pyte.Screen
    deadline_s: float

    def __post_init__(self) -> None:
        self._stream = pyte.ByteStream(self.screen)

    @property
    def text(self) -> str:
        """What is on the screen now, without the blanks at the ends of lines."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def picture(self) -> str:
        """The screen in a frame, for the message of a failing test."""
        edge = "+" + "-" * self.screen.columns + "+"
        return "\n".join([f"$ {self.command}", edge, *(f"|{line}|" for line in self.screen.display), edge])

    def _read(self, deadline: float) -> bool:
        """Show what comes next; False if the command has closed the terminal."""
        if not select.select([self.main], [], [], max(0.0, deadline - time.monotonic()))[0]:
            pytest.fail(f"nothing came within {self.deadline_s:g} s:\n{self.picture()}")
        try:
            data = os.read(self.main, 65536)
        except OSError:  # Linux's way to say that nobody has the terminal open any more
            return False
        self._stream.feed(data)
        return bool(data)

    def until(self, wanted: str) -> str:
        """The screen as soon as it has this text."""
        deadline = time.monotonic() + self.deadline_s
        while wanted not in self.text:
            if time.monotonic() > deadline or not self._read(deadline):
                pytest.fail(f"{wanted!r} was never on the screen:\n{self.picture()}")
        return self.text

    def end(self) -> int:
        """The exit code; all that the command wrote has been shown."""
        deadline = time.monotonic() + self.deadline_s
        while self._read(deadline):
            if time.monotonic() > deadline:
                pytest.fail(f"no end within {self.deadline_s:g} s:\n{self.picture()}")
        return self.process.wait(max(1.0, deadline - time.monotonic()))

    def type(self, keys: str) -> None:
        """As if a person had pressed these keys."""
        os.write(self.main, keys.encode())


@contextlib.contextmanager
def in_terminal(
    command: str,
    size: tuple[int, int],
    folder: Path,
    environment: Mapping[str, str],
    *,
    deadline_s: float = 120.0,
) -> Iterator[Terminal]:
    """A shell's command line in a terminal of this size; when the block ends, nothing of it is left."""
    main, end = pty.openpty()
    columns, lines = size
    termios.tcsetwinsize(end, (lines, columns))
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", _LEADER, f"exec {command}"],
        stdin=end,
        stdout=end,
        stderr=end,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
    )
    os.close(end)
    try:
        yield Terminal(command, process, main, pyte.Screen(columns, lines), deadline_s)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(main)
