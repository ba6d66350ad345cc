"""Ctrl-C, SIGTERM and SIGHUP (a closed terminal) while games are played: they wait until the scheduler meets them.

So they never come between receiving a record and keeping it.
"""

import contextlib
import os
import signal
from collections.abc import Iterator

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_came = False
"""Has one come since the block of `held` began?"""


@contextlib.contextmanager
def held() -> Iterator[tuple[int, int]]:
    """A pipe's two ends, of which the first becomes readable when one of these signals comes."""
    global _came
    _came = False
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = {number: signal.signal(number, _hold) for number in _heard()}
    wakeup = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    try:
        yield read, write
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(read)
        os.close(write)


@contextlib.contextmanager
def at_once() -> Iterator[None]:
    """Within a block of `held`: here such a signal raises KeyboardInterrupt, and so does one that was held before.

    It is for waits outside the scheduler that may take long. Elsewhere it changes nothing.
    """
    numbers = [number for number in NUMBERS if signal.getsignal(number) is _hold]
    for number in numbers:
        signal.signal(number, _interrupt)
    try:
        if numbers and _came:
            raise KeyboardInterrupt
        yield
    finally:
        _hold_again()


def _heard() -> list[signal.Signals]:
    """All of them; but who starts us with nohup wants that we go on when the terminal closes."""
    is_deaf = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    return [number for number in NUMBERS if not (is_deaf and number == signal.SIGHUP)]


def _hold(*_: object) -> None:
    global _came
    _came = True


def _interrupt(*_: object) -> None:
    _hold_again()  # a second one must not break off how the run ends
    raise KeyboardInterrupt


def _hold_again() -> None:
    for number in NUMBERS:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, _hold)
