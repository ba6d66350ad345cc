"""Keys typed in a terminal, one by one, as names: `left`, `pgdn`, `esc`, `enter`, or the character itself."""

import contextlib
import os
import re
import sys
from collections.abc import Iterator

_KEY = re.compile(r"\x1b\[[0-9;]*[@-~]|\x1bO[@-~]|.", re.DOTALL)
_BY_END = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_BY_NUMBER = {"1": "home", "7": "home", "4": "end", "8": "end", "5": "pgup", "6": "pgdn"}
_CONTROLS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x1b": "esc", "\x04": "eof"}


def names(typed: str) -> list[str]:
    """What a terminal sent, as names of keys."""
    keys = []
    for key in _KEY.findall(typed):
        if len(key) == 1:
            keys.append(_CONTROLS.get(key, key))
        elif key[-1] == "~":
            keys.append(_BY_NUMBER.get(key[2:-1], ""))
        else:
            keys.append(_BY_END.get(key[-1], ""))
    return [key for key in keys if key]


def can_step() -> bool:
    """Whether stdin and stdout are a terminal that can move its cursor, and we are in its foreground."""
    if sys.stdin is None or sys.stdout is None or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and in_foreground()


def in_foreground() -> bool:
    """Whether the terminal of stdin belongs to this program. In the background, asking it for anything stops us."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False


@contextlib.contextmanager
def unechoed(source: int) -> Iterator[None]:
    """Let the terminal give each key at once and show none while the block runs."""
    import termios
    import tty

    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source, termios.TCSADRAIN)
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(source, termios.TCSADRAIN, before)


def read(source: int) -> list[str]:
    """Wait for keys; `eof` when nothing more can be typed."""
    try:
        typed = os.read(source, 64)
    except OSError:  # the terminal is gone
        typed = b""
    return names(typed.decode("utf-8", "replace")) if typed else ["eof"]
