"""How a run is shown while it goes on: a live screen in a terminal, lines now and then in a log, nothing if quiet.

The screen takes keys, where stdin is that terminal: p begins no more games or goes on, q stops as Ctrl-C does.
"""

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.cli.run.live_view import View
    from arena.play.observers import Observer
    from arena.play.scheduler import Scheduler
    from results.record import GameRecord

GLIMPSE_MS = 250


@dataclass(frozen=True, slots=True)
class Shown:
    """Who is told of the run, how often running games are looked at, and who is given the scheduler."""

    watchers: "Sequence[Observer]" = ()
    glimpse_ms: int = 0
    begun: "Callable[[Scheduler], None]" = lambda scheduler: None


@contextlib.contextmanager
def shown(name: str, games: int, done: int, *, quiet: bool) -> Iterator[Shown]:
    """What this stderr can carry."""
    if quiet:
        yield Shown()
    elif sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _screen(name, games, done) as screen:
            yield screen
    else:
        yield Shown([_lines(games, done)])


def _lines(games: int, done: int) -> "Observer":
    """A log has no screen, and should not have a line a game."""
    from arena.play.observers import GameObserver

    step = max(10, games // 10)

    def seen(record: "GameRecord") -> None:
        nonlocal done
        if record.winner is not None:
            done += 1
            if done % step == 0:
                print(f"{done} of {games} games", file=sys.stderr)

    return GameObserver(seen)


@contextlib.contextmanager
def _screen(name: str, games: int, done: int) -> Iterator[Shown]:
    from rich.console import Console
    from rich.live import Live

    from arena.cli.run.live_view import View

    view = View(name, games, done)
    keys = Keys(view)
    # Not on the alternate screen: what was there last stays when the run is over.
    with Live(view, console=Console(stderr=True), refresh_per_second=4, transient=False), keys.read():
        yield Shown([view], GLIMPSE_MS, keys.begun)


class Keys:
    """What is typed while a run goes on."""

    def __init__(self, view: "View") -> None:
        self._view = view
        self._scheduler: Scheduler | None = None

    def begun(self, scheduler: "Scheduler") -> None:
        """The run that the keys are for."""
        self._scheduler = scheduler

    def pressed(self, key: str) -> None:
        """p: begin no more games, or go on; q: stop, as Ctrl-C does."""
        if key == "p" and self._scheduler is not None:
            self._view.paused = not self._view.paused
            self._scheduler.pause(self._view.paused)
        elif key == "q":
            os.kill(os.getpid(), signal.SIGINT)

    @contextlib.contextmanager
    def read(self) -> Iterator[None]:
        """Take keys from the terminal, one by one and without showing them, until the block ends."""
        if sys.stdin is None or not sys.stdin.isatty() or os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp():
            yield  # in the background, asking the terminal for anything would stop us
            return
        import termios
        import tty

        source = sys.stdin.fileno()
        before = termios.tcgetattr(source)
        over_read, over_write = os.pipe()
        thread = threading.Thread(target=self._read, args=(source, over_read), name="keys", daemon=True)
        try:
            tty.setcbreak(source)
            thread.start()
            yield
        finally:
            os.close(over_write)
            thread.join(1.0)
            os.close(over_read)
            termios.tcsetattr(source, termios.TCSADRAIN, before)

    def _read(self, source: int, over: int) -> None:
        while True:
            ready, _, _ = select.select([source, over], [], [])
            if over in ready:
                return
            typed = os.read(source, 64)
            if not typed:
                return
            for key in typed.decode("utf-8", "replace"):
                self.pressed(key)
