"""`arena show` in a terminal, where one steps through the game."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from arena.cli import keys
from arena.cli.view import game_stepper
from tests.arena.cli.conftest import Arena

DEADLINE_S = 60.0
IN_TERMINAL = """\
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from arena.main import main
main()
"""
"""A program that makes its stdin the terminal of its session, as a shell would, and runs the command line."""


class Shown:
    """What a terminal was sent."""

    def __init__(self, main: int) -> None:
        self._main = main
        self._rest = ""

    def until(self, text: str) -> str:
        """All up to this text."""
        deadline = time.monotonic() + DEADLINE_S
        while text not in self._rest:
            ready = select.select([self._main], [], [], max(0.0, deadline - time.monotonic()))[0]
            assert ready, f"no {text!r} in {self._rest!r}"
            self._rest += os.read(self._main, 65536).decode("utf-8", "replace")
        before, found, self._rest = self._rest.partition(text)
        return before + found


@pytest.mark.parametrize(
    ("options", "steps"),
    [([], True), (["--ascii"], True), (["--no-step"], False), (["--all"], False), (["--ply", "2"], False)],
)
def test_a_terminal_steps_unless_something_else_is_asked_for(
    arena: Arena, db: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], steps: bool
) -> None:
    """A board that is asked for is printed at once."""
    stepped: list[object] = []
    monkeypatch.setattr(keys, "can_step", lambda: True)
    monkeypatch.setattr(game_stepper, "step_through", stepped.append)
    done = arena("show", db, "1", *options)
    assert (done.exit_code, len(stepped), "king-escaped" in done.stdout) == (0, steps, not steps), done.stderr


def test_a_reader_steps_through_a_game_and_finds_his_terminal_as_it_was(db: Path) -> None:
    """An arrow and a number go to plies. Ctrl-Z draws anew after the stop, and Esc leaves without a trace."""
    main, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    before = termios.tcgetattr(terminal)
    environment = {key: value for key, value in os.environ.items() if key not in ("LINES", "COLUMNS")}
    process = subprocess.Popen(
        [sys.executable, "-c", IN_TERMINAL, "show", str(db), "1"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**environment, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    try:
        shown = Shown(main)
        assert "ply 6 of 6" in shown.until("q quit")
        for typed, ply in ((b"\x1b[D", 5), (b"2\r", 2)):
            os.write(main, typed)
            assert f"ply {ply} of 6" in shown.until(f"ply {ply} of 6")
        shown.until("q quit")
        os.write(main, b"\x1a")
        assert "\x1b[?1049l" in shown.until("\x1b[?1049h")
        assert "ply 2 of 6" in shown.until("q quit")
        os.write(main, b"\x1b")
        assert "\x1b[?1049l" in shown.until("\x1b[?25h")
        assert process.wait(DEADLINE_S) == 0
        assert termios.tcgetattr(terminal) == before
    finally:
        process.kill()
        process.wait(DEADLINE_S)
        os.close(main)
        os.close(terminal)
