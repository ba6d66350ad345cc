"""Keys: what a terminal sends becomes names, and the terminal is put back."""

import os
import pty
import signal
import sys
import termios
import threading
from types import SimpleNamespace

import pytest

from arena.cli.run.progress import typed_keys
from arena.cli.view.keys import KeyDecoder, typed


@pytest.mark.parametrize(
    ("sent", "names"),
    [
        (b"\x1b[D\x1b[C\x1b[A\x1b[B", ["left", "right", "up", "down"]),
        (b"\x1bOD\x1bOH\x1bOF", ["left", "home", "end"]),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        (b"\x1b[5~\x1b[6~\x1b[1;5C", ["pgup", "pgdn", "right"]),
        (b"12\rq\x7f", ["1", "2", "enter", "q", "backspace"]),
        (b"\x03\x1a\x04", ["ctrl-c", "ctrl-z", "eof"]),
        (b"\x1b[24~\x1b[200~x", ["x"]),
        ("é石".encode(), ["é", "石"]),
        (b"\x1bq", ["esc", "q"]),
        (b"\x1b" + b"[" + b"1" * 100, ["esc", "[", *["1"] * 100]),
    ],
)
def test_what_terminals_send_has_a_name(sent: bytes, names: list[str]) -> None:
    """Arrows in both modes, with modifiers too; keys that nobody asked for are left out; nothing grows for ever."""
    assert KeyDecoder().feed(sent) == names


def test_a_sequence_may_come_in_pieces_and_an_escape_alone_is_a_key() -> None:
    """What has begun is kept; whoever has waited long enough takes it as Esc."""
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1b") == [] and decoder.begun
    assert decoder.feed(b"[") == [] and decoder.feed(b"D") == ["left"]
    assert not decoder.begun
    assert decoder.feed(b"\x1b") == [] and decoder.give_up() == ["esc"]
    assert not decoder.begun and decoder.give_up() == []


def test_keys_are_read_from_a_terminal_which_is_as_before_afterwards() -> None:
    """Also after an exception. A bare Esc, a new size and the end of the input are told."""
    main, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)
        handler = signal.getsignal(signal.SIGWINCH)
        with pytest.raises(ZeroDivisionError), typed(terminal) as read:
            assert not termios.tcgetattr(terminal)[3] & (termios.ECHO | termios.ICANON | termios.ISIG)
            os.write(main, b"\x1b[D\x1b")
            assert [read(), read()] == ["left", "esc"]
            os.kill(os.getpid(), signal.SIGWINCH)
            assert read() == "resize"
            os.write(main, b"\x03")
            assert read() == "ctrl-c"
            raise ZeroDivisionError
        assert termios.tcgetattr(terminal) == before
        assert signal.getsignal(signal.SIGWINCH) is handler
        with pytest.raises(SystemExit) as ended, typed(terminal) as read:
            os.kill(os.getpid(), signal.SIGTERM)
            read()
        assert ended.value.code == 128 + signal.SIGTERM
        assert termios.tcgetattr(terminal) == before
        with typed(terminal) as read:
            os.close(main)
            main = -1
            assert read() == "eof"
    finally:
        os.close(terminal)
        if main >= 0:
            os.close(main)


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
