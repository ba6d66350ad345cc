"""Keys: what a terminal sends becomes names, and the terminal is put back."""

import os
import pty
import sys
import termios
import threading
from types import SimpleNamespace

import pytest

from arena.cli.run.progress import typed_keys
from arena.cli.view.keys import names


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[D\x1b[C\x1b[A\x1b[B", ["left", "right", "up", "down"]),
        ("\x1bOD\x1bOH\x1bOF", ["left", "home", "end"]),
        ("\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        ("\x1b[5~\x1b[6~\x1b[1;5C", ["pgup", "pgdn", "right"]),
        ("12\rq\x7f\x04\x1b", ["1", "2", "enter", "q", "backspace", "eof", "esc"]),
        ("\x1b[24~\x1b[200~é石", ["é", "石"]),
    ],
)
def test_what_terminals_send_has_a_name(sent: str, keys: list[str]) -> None:
    """Arrows in both modes, with modifiers too; keys that nobody asked for are left out."""
    assert names(sent) == keys


def test_ctrl_c_before_the_first_key_can_be_read_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while the thread that reads keys is being started."""

    def interrupted(thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    main, terminal = pty.openpty()
    try:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True, fileno=lambda: terminal))
        monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp())
        monkeypatch.setattr(threading.Thread, "start", interrupted)
        before = termios.tcgetattr(terminal)
        with pytest.raises(KeyboardInterrupt), typed_keys(lambda key: None):
            pass
        assert termios.tcgetattr(terminal) == before
    finally:
        os.close(main)
        os.close(terminal)
