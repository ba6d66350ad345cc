"""A terminal with a command in it, and what a person sees on its screen: for the walk through the documents."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyte
import pytest

SIZES = ((80, 24), (100, 30), (40, 20))
"""Columns and lines."""
_LEADER = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp("sh", ["sh", "-c", sys.argv[1]])
"""
"""A program that makes its stdin the terminal of its session, so that Ctrl-C arrives, and runs a command line."""
_SEVERAL = re.compile(r"[|;&<>]")
"""A command line with one of these wants a shell that stays."""


class _Screen(pyte.HistoryScreen):
    """A screen that keeps the lines that were too long for it: a terminal breaks them anywhere, as no person would."""

    def __init__(self, columns: int, lines: int) -> None:
        self.broken: list[str] = []
        self.cleared: list[str] = []
        self._drawing = False
        super().__init__(columns, lines, history=100_000)

    def draw(self, data: str) -> None:
        """Within this, only a full line makes a new one."""
        self._drawing = True
        super().draw(data)
        self._drawing = False

    def linefeed(self) -> None:
        """To the next line; a broken one is kept."""
        if self._drawing:
            self.broken.append(self.display[self.cursor.y])
        super().linefeed()


@dataclass
class Terminal:
    """A terminal of some size with a command line in it."""

    command: str
    process: "subprocess.Popen[bytes]"
    main: int
    screen: _Screen
    deadline_s: float
    written: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._stream = pyte.ByteStream(self.screen)

    @property
    def lines(self) -> list[str]:
        """What is on the screen now, without the spaces at the ends of lines."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    @property
    def text_written(self) -> str:
        """All that the command wrote, as it came."""
        return self.written.decode("utf-8", "replace")

    @property
    def history(self) -> list[str]:
        """The lines that have left the screen at its top, and those on it, up to the last that has text."""
        above = ["".join(line[x].data for x in range(self.screen.columns)) for line in self.screen.history.top]
        return "\n".join([line.rstrip() for line in above] + self.lines).rstrip().split("\n")

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
        self.written += data
        self._stream.feed(data)
        return bool(data)

    def until(self, wanted: str | Callable[[str], bool]) -> str:
        """The screen as soon as it has this text, or is as wanted."""
        seen = wanted if callable(wanted) else lambda text: wanted in text
        deadline = time.monotonic() + self.deadline_s
        while not seen(self.text):
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

    def resize(self, columns: int, lines: int) -> None:
        """As if a person had pulled at the corner of the window."""
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)


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
        [sys.executable, "-S", "-c", _LEADER, command if _SEVERAL.search(command) else f"exec {command}"],
        stdin=end,
        stdout=end,
        stderr=end,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
    )
    os.close(end)
    try:
        yield Terminal(command, process, main, _Screen(columns, lines), deadline_s)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(main)
