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
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from arena.cli.errors import BadInput
from arena.cli.output import LOG, SENTENCES, console
from arena.cli.run.log_lines import FaultLines, LogLines
from arena.cli.view.keys import unechoed
from arena.live.file import Telling, event_file
from arena.live.fold import live_run
from arena.planning.plan import Plan
from arena.planning.prepared_run import PreparedRun, RunOptions
from arena.run.control import Control
from arena.run.events import Events
from arena.run.run import Run as GamesToPlay
from results.safe_text import harmless

if TYPE_CHECKING:
    from rich.live import Live

SNAPSHOT_MS = 200
"""How often running games are looked at, where they are few."""
ALL_SNAPSHOTS_MS = 10
"""All of them together send a snapshot every so many ms: the process that hands out games reads each of them."""
TABLES = (
    "results.one_thread",  # first: it loads numpy
    "results.ratings.posterior",
    "results.diagnostics",
    "results.tables.render",
    "arena.cli.view.rating_list_tables",
    "rich.console",
    "rich.table",
)
"""What the tables of a run need."""


Listener = Callable[[Events], None]
"""Is given the events that came together, after their games were stored."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What shows a run."""

    listeners: Sequence[Listener] = ()
    is_screen: bool = False
    """Are running games shown, so that they must be looked at?"""
    snapshot_ms: int = 0
    """How often running games are looked at; 0: never."""


Show = Callable[[Telling, Control], AbstractContextManager[Progress]]
"""Shows the run that is told of."""


def snapshot_ms(at_once: int) -> int:
    """How often each of so many running games is looked at."""
    return max(SNAPSHOT_MS, ALL_SNAPSHOTS_MS * at_once)


@contextlib.contextmanager
def followed(
    telling: Telling, control: Control, options: RunOptions, show: Show, *, live: bool, quiet: bool = False
) -> Iterator[Progress]:
    """Show a run while the block plays it, also in its event file if that is wanted, and each fault unless quiet."""
    live_db = options.db if live else None
    with show(telling, control) as shown, event_file(live_db, telling):
        faults = [] if quiet else [FaultLines()]
        every_ms = snapshot_ms(options.games_at_once) if shown.is_screen or live_db is not None else 0
        yield replace(shown, listeners=(*faults, *shown.listeners), snapshot_ms=every_ms)


@contextlib.contextmanager
def show_progress(
    run: PreparedRun[Plan], games: GamesToPlay, telling: Telling, control: Control, quiet: bool
) -> Iterator[Progress]:
    """The progress that this stderr can show."""
    plan = run.plan
    loading = [] if plan.is_large else [Preload()]  # of many engines some are started meanwhile
    if quiet:
        yield Progress(loading)
    elif has_screen():
        with screen(telling, control, loading) as progress:
            yield progress
    else:
        lines = LogLines(plan.games, run.done, plan.may_end_early)
        yield Progress([lines, *loading])
        lines.end()


def has_screen(stream: TextIO | None = None) -> bool:
    """Is this stream, or stderr, a terminal that can move its cursor?"""
    stream = stream or sys.stderr
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def screen(telling: Telling, control: Control, beside: Sequence[Listener] = ()) -> Iterator[Progress]:
    """Show the run in the terminal while the block runs, and take keys for it."""
    from rich.live import Live

    from arena.cli.run.live_view import View

    out, keys = console(stderr=True), Keys(telling, control)

    def above(sentence: str) -> None:
        out.print(harmless(sentence), markup=False, highlight=False)

    # Not on the alternate screen: what was there last stays when the run is over. No key is shown in what is drawn.
    live = Live(View(lambda: live_run(telling.state)), console=out, refresh_per_second=4, transient=False)
    with typed_keys(keys.pressed), drawn(live), SENTENCES.printed_by(above):
        yield Progress(beside, True)


@contextlib.contextmanager
def drawn(live: "Live") -> Iterator[None]:
    """Draw until the block ends. Ctrl-C that comes while the drawing begins is heard just after.

    So what is printed then begins on a line of its own, and the cursor is shown again.
    """
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        try:
            live.start(refresh=True)
        finally:
            signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)
        yield
    finally:
        live.stop()


class Preload:
    """Loads what the tables at the end need once the first game has been handed to a worker, for which we only wait.

    numpy alone takes as long as a quick match. Not for runs whose own process starts engines meanwhile: a fork amid
    loading copies locks that are never released.
    """

    def __init__(self) -> None:
        self._begun = False

    def __call__(self, events: Events) -> None:
        if not self._begun:
            self._begun = True
            threading.Thread(target=lambda: list(map(import_module, TABLES)), name="preload").start()


class Keys:
    """What is typed while a run goes on."""

    def __init__(self, telling: Telling, control: Control) -> None:
        self._telling = telling
        self._control = control

    def pressed(self, key: str) -> None:
        """p: begin no more games, or go on; q: stop, as Ctrl-C does."""
        if key == "p":
            self._control.pause(not self._control.paused)
            self._telling.say("paused", paused=self._control.paused)
        elif key == "q":
            self._control.stop()


@contextlib.contextmanager
def typed_keys(pressed: Callable[[str], None]) -> Iterator[None]:
    """Give keys from the terminal to `pressed`, one by one and without showing them, until the block ends."""
    if sys.stdin is None or not sys.stdin.isatty() or os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp():
        yield  # in the background, asking the terminal for anything would stop us
        return
    source = sys.stdin.fileno()
    over_read, over_write = os.pipe()
    thread = threading.Thread(target=_read, args=(source, over_read, pressed), name="keys", daemon=True)
    with unechoed(source):
        try:
            thread.start()
            yield
        finally:
            os.close(over_write)
            with contextlib.suppress(RuntimeError):  # Ctrl-C may come before it has begun
                thread.join(1.0)
            os.close(over_read)


def _read(source: int, over: int, pressed: Callable[[str], None]) -> None:
    while True:
        ready, _, _ = select.select([source, over], [], [])
        if over in ready:
            return
        typed = os.read(source, 64)
        if not typed:
            return
        for key in typed.decode("utf-8", "replace"):
            pressed(key)


def check_serve(serve: bool, live: bool, is_kept: bool) -> None:
    """Refuse `--serve` where there would be nothing to show. Raises BadInput."""
    if not serve:
        return
    from arena.web.server import beside

    if not beside.is_installed():
        raise BadInput(f"--serve {beside.LACKING}")
    if not live:
        raise BadInput("--serve shows running games, and --no-live hides them: leave out one of the two")
    if not is_kept:
        raise BadInput("--serve shows a database, and --db none keeps no game: name a file")


def served(serve: bool, db: Path | None) -> AbstractContextManager[None]:
    """Serve this database in another process while the block runs, if that was asked for."""
    if not serve:
        return contextlib.nullcontext()
    from arena.web.server.beside import server_beside

    return server_beside(db, LOG.info)
