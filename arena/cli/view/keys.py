"""Keys typed in a terminal, one by one: bytes become the names of keys, and the terminal is put back as it was.

Independent of what the keys are for.
"""

import codecs
import contextlib
import os
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

Keys = Callable[[], str]
"""Waits for a key and gives its name, as `KeyDecoder` has it; `resize` when the terminal got another size, and `eof`
when nothing more can be typed."""
Draw = Callable[[], None]
"""Draws the screen anew."""

ESCAPE_WAIT_S = 0.05
"""Terminals send a whole escape sequence at once. After so many seconds a bare escape is the key Esc."""

_ESC = "\x1b"
_SEQUENCE = re.compile(r"\x1b(?:\[(?P<number>[0-9]*)[0-?]*[ -/]*(?P<final>[@-~])|O(?P<letter>[@-~]))")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]{0,16}[ -/]{0,4}|O)?")
_BY_LETTER = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "M": "enter"}
_BY_NUMBER = {"1": "home", "7": "home", "4": "end", "8": "end", "5": "pgup", "6": "pgdn", "3": "delete"}
_CONTROLS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x03": "ctrl-c", "\x1a": "ctrl-z"}
_CONTROLS |= {"\x04": "eof"}


class KeyDecoder:
    """Turns what a terminal sends into names of keys: `left`, `pgdn`, `esc`, `enter`, or the character itself."""

    def __init__(self) -> None:
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def begun(self) -> bool:
        """Is there an escape that may be the beginning of a sequence?"""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[str]:
        """The keys that these bytes complete. Sequences of unknown keys are left out."""
        self._rest += self._text.decode(data)
        keys = []
        while self._rest:
            if self._rest[0] != _ESC:
                key, self._rest = self._rest[0], self._rest[1:]
                keys.append(_CONTROLS.get(key, key))
            elif sequence := _SEQUENCE.match(self._rest):
                self._rest = self._rest[sequence.end() :]
                if sequence["final"] == "~":
                    name = _BY_NUMBER.get(sequence["number"])
                else:
                    name = _BY_LETTER.get(sequence["final"] or sequence["letter"])
                keys += [name] if name else []
            elif _BEGUN.fullmatch(self._rest):
                break
            else:
                keys += self.give_up()
        return keys

    def give_up(self) -> list[str]:
        """What was begun is no sequence: the key Esc."""
        begun, self._rest = self._rest[:1], self._rest[1:]
        return ["esc"] if begun else []


@contextlib.contextmanager
def unechoed(source: int, signals: bool = True) -> Iterator[None]:
    """Let the terminal give each key at once and show none. Without `signals` Ctrl-C and Ctrl-Z are keys, too."""
    import termios
    import tty

    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source, termios.TCSADRAIN)
        if not signals:
            changed = termios.tcgetattr(source)
            changed[3] &= ~termios.ISIG
            termios.tcsetattr(source, termios.TCSADRAIN, changed)
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(source, termios.TCSADRAIN, before)


def can_step() -> bool:
    """Are stdin and stdout a terminal that can move its cursor, and are we in its foreground?"""
    if sys.stdin is None or sys.stdout is None or os.environ.get("TERM", "dumb") == "dumb":
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        # In the background, asking the terminal for anything would stop us.
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False


@contextlib.contextmanager
def typed(source: int) -> Iterator[Keys]:
    """The keys typed in the terminal `source` while the block runs. SIGTERM and SIGHUP end the block with SystemExit.

    Only the main thread may use it.
    """
    woken, wake = os.pipe()

    def resized(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(wake, b"w")

    def ended(number: int, frame: FrameType | None) -> None:
        # The terminal must be put back, which the signal's own action would not do.
        raise SystemExit(128 + number)

    handlers: dict[int, Callable[[int, FrameType | None], None]] = {
        signal.SIGWINCH: resized,
        signal.SIGTERM: ended,
        signal.SIGHUP: ended,
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        with unechoed(source, signals=False):
            yield _reader(source, woken)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(woken)
        os.close(wake)


def _reader(source: int, woken: int) -> Keys:
    decoder, keys = KeyDecoder(), list[str]()

    def read() -> str:
        while not keys:
            ready, _, _ = select.select([source, woken], [], [], ESCAPE_WAIT_S if decoder.begun else None)
            if not ready:
                keys.extend(decoder.give_up())
            if woken in ready:
                os.read(woken, 4096)
                keys.append("resize")
            if source in ready:
                try:
                    data = os.read(source, 1024)
                except OSError:  # the terminal is gone
                    data = b""
                keys.extend(decoder.feed(data) if data else ["eof"])
        return keys.pop(0)

    return read


def suspend() -> None:
    """Stop, as Ctrl-Z does: the whole job, so that the shell sees it. Returns when it goes on."""
    os.killpg(os.getpgrp(), signal.SIGTSTP)
