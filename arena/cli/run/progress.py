"""How a run is shown while it goes on: a live screen in a terminal, lines now and then in a log, nothing if quiet.

The screen takes keys, where stdin is that terminal: p begins no more games or goes on, q stops as Ctrl-C does.
"""

import contextlib
import os
import select
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.errors import BadInput
from arena.cli.options import OutputOptions
from arena.cli.output import LOG, SENTENCES, console, say
from arena.cli.run.ending import ending_line
from arena.cli.view import keys
from arena.live.file import EventFile, Telling, fields_of
from arena.live.state import LiveMachine, LiveRun, duration_text
from arena.planning.prepared_run import RunOptions
from arena.run.control import Control
from arena.run.events import Events, records, values
from results.record import faulty
from results.safe_text import harmless
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from rich.live import Live

EVERY = 100
"""Games between two lines in a log, if nobody knows how many there will be."""
EVERY_S = 60.0
"""Seconds after which the next game that ends has a line in any case."""
FIRST = 3
"""The first faults of each engine have a line each. Then the 10th, the 100th and so on have one."""
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
)
"""What the tables of a run need."""


class Shown:
    """A run that is shown while it is played."""

    def __init__(self, telling: Telling, options: RunOptions, snapshot_ms: int, quiet: bool, lines: bool) -> None:
        """With `lines`, a log is written. If `quiet`, not even faults are told."""
        self.snapshot_ms = snapshot_ms
        """How often running games must be looked at; 0: never."""
        self._telling = telling
        self._options = options
        self._faults: Counter[str] | None = None if quiet else Counter()
        self._log = Log(telling.state) if lines else None

    def tell(self, events: Events) -> None:
        """These events came together, and their games are stored."""
        if self._options.machines is not None:
            known = {each.host for each in self._telling.state.machines}
            for host, slots in self._options.machines.machines:
                if host not in known:
                    self._telling.say("machine", host=host, machine=fields_of(LiveMachine(host, slots)))
        self._telling.tell([values(self._telling.state.run, event) for event in events])
        if self._faults is not None:
            tell_faults(events, self._faults)
        if self._log is not None:
            self._log.look(self._telling.state)


class Log:
    """What a log has of a run: a line for every tenth of its games, or now and then."""

    def __init__(self, run: LiveRun, now: Callable[[], float] = time.monotonic) -> None:
        self._step = EVERY if run.games is None or run.status else max(10, run.games // 10)
        self._told, self._now, self._last_s = _counted(run), now, now()

    def look(self, run: LiveRun) -> None:
        """Say how far the run is, if it is time to."""
        late, counted = self._now() - self._last_s >= EVERY_S, _counted(run)
        if counted > self._told and (counted // self._step > self._told // self._step or late):
            self._told, self._last_s = counted, self._now()
            say(log_line(run, time.monotonic_ns()))


def _counted(run: LiveRun) -> int:
    return run.ended if run.counted is None else run.counted


def log_line(run: LiveRun, now_ns: int) -> str:
    """`30 of 100 games, about 0:02:20 to go`; of a test all of its figures."""
    if run.status:
        return " | ".join(part for line in run.status for part in line)
    if run.games is None:
        return some_games(run.ended)
    line, rate = f"{run.ended} of {'at most ' * run.may_end_early}{run.games} games", run.rate(now_ns)
    left = run.games - run.ended
    return f"{line}, about {duration_text(left / rate)} to go" if rate and left > 0 else line


def tell_faults(events: Events, faults: Counter[str]) -> None:
    """Report the games among these that engines lose by faults, and count them for each engine."""
    for record in records(events):
        if (loser := faulty(record)) is None:
            continue
        faults[loser] += 1
        if faults[loser] <= FIRST:
            LOG.info(ending_line(record))
        elif str(faults[loser]).strip("0") == "1":
            LOG.info(f"{loser}: {faults[loser]} faults by now, the last in game {record.number}, {record.termination}")


@contextlib.contextmanager
def shown(telling: Telling, control: Control, options: RunOptions, output: OutputOptions) -> Iterator[Shown]:
    """Show a run while the block plays it, also in its event file if that is wanted."""
    on_screen = has_screen() and not output.quiet
    drawing = screen(telling, control) if on_screen else contextlib.nullcontext()
    db = options.db if output.live else None
    every_ms = 0 if db is None and not on_screen else max(SNAPSHOT_MS, ALL_SNAPSHOTS_MS * options.games_at_once)
    with drawing, contextlib.nullcontext() if db is None else contextlib.closing(EventFile(db, telling)):
        yield Shown(telling, options, every_ms, output.quiet, not (output.quiet or on_screen))


def has_screen() -> bool:
    """Whether stderr is a terminal that can move its cursor."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def screen(telling: Telling, control: Control) -> Iterator[None]:
    """Show the run in the terminal while the block runs, and take keys for it."""
    from rich.live import Live

    from arena.cli.run.live_view import View

    out = console(stderr=True)

    def above(sentence: str) -> None:
        out.print(harmless(sentence), markup=False, highlight=False)

    def pressed(key: str) -> None:
        if key == "p":
            control.pause(not control.paused)
            telling.say("paused", paused=control.paused)
        elif key == "q":
            control.stop()

    # Not on the alternate screen: what was there last stays when the run is over. No key is shown in what is drawn.
    live = Live(View(lambda: telling.state), console=out, refresh_per_second=4, transient=False)
    with typed_keys(pressed), drawn(live), SENTENCES.printed_by(above):
        yield


@contextlib.contextmanager
def drawn(live: "Live") -> Iterator[None]:
    """Draw until the block ends. After a Ctrl-C that comes while the drawing begins, the cursor is shown again, too."""
    try:
        live.start(refresh=True)
        yield
    finally:
        live.stop()


def preload() -> None:
    """Load what the tables at the end need, while the first games are played. numpy alone takes as long as a match.

    Not for runs whose own process starts engines meanwhile: a fork amid loading copies locks that are never released.
    """
    threading.Thread(target=lambda: list(map(import_module, TABLES)), name="preload").start()


@contextlib.contextmanager
def typed_keys(pressed: Callable[[str], None]) -> Iterator[None]:
    """Give keys from the terminal to `pressed`, one by one and without showing them, until the block ends."""
    if sys.stdin is None or not sys.stdin.isatty() or not keys.in_foreground():
        yield
        return
    source = sys.stdin.fileno()
    over_read, over_write = os.pipe()
    thread = threading.Thread(target=_read, args=(source, over_read, pressed), name="keys", daemon=True)
    with keys.unechoed(source):
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
        for key in keys.read(source):
            if key == "eof":
                return
            pressed(key)


def check_serve(live: bool, is_kept: bool = True) -> None:
    """Refuse `--serve` where there would be nothing to show. Raises BadInput."""
    from arena.web.server import beside

    if not beside.is_installed():
        raise BadInput(f"--serve {beside.LACKING}")
    if not live:
        raise BadInput("--serve shows running games, and --no-live hides them: leave out one of the two")
    if not is_kept:
        raise BadInput("--serve shows a database, and --db none keeps no game: name a file")


def served(db: Path | None) -> AbstractContextManager[None]:
    """Serve this database in another process while the block runs."""
    from arena.web.server.beside import server_beside

    return server_beside(db, LOG.info)
