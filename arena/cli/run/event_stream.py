"""`--events`: where the stream of events goes, and that a file of them names each stored game once."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.errors import BadInput
from arena.cli.output import check_target

if TYPE_CHECKING:
    from arena.cli.run.order import Order
    from arena.planning.plan import Plan
    from arena.play.event_log import EventLog, Events, Write
    from arena.play.observers import Observer
    from results.store.store import Store

STDOUT = Path("-")


class Stream:
    """The events of one command; without a place to go to they are not even made."""

    def __init__(self, write: "Write | None", log: "EventLog | None" = None) -> None:
        self._write = write
        self._log = log
        self._events: Events | None = None

    @property
    def watchers(self) -> "Sequence[Observer]":
        """Who is told of the run, once it has begun."""
        return () if self._events is None else (self._events,)

    def begin(self, plan: "Plan", store: "Store") -> None:
        """A run begins, or goes on. Where file and store differ the store is what counts, and the file is told first.

        A kill may come between the two. A loss of power may take games from the store, and so does another database.
        """
        if self._write is None:
            return
        from arena.play.event_log import Events

        run = next(run for run in store.runs() if run.id == plan.run_id)
        self._events = Events(run, self._write)
        self._events.run_began(run, [spec.name for spec in plan.engines], len(store.done(run.id)))
        if self._log is not None:
            done, named = store.done(run.id), self._log.logged(run.id)
            for number in sorted(number for number in named if number not in done):
                self._events.lost(number)
            for number in done:
                if number not in named:
                    self._events.game(store.game(number, run.id))

    def end(self, stored: int, *, interrupted: bool) -> None:
        """The run is over, or was stopped."""
        if self._events is not None:
            self._events.run_ended(stored, interrupted=interrupted)


@contextlib.contextmanager
def opened(order: "Order") -> Iterator[Stream]:
    """The stream that was asked for. Raises BadInput for a file that cannot be one, before anything is played."""
    if order.events is None:
        yield Stream(None)
        return
    if order.events == STDOUT:
        if order.as_json:
            raise BadInput("--events - and --json both want stdout: name a file for the events")
        yield Stream(_to_stdout)
        return
    check_target(order.events, "--events")
    from arena.play.event_log import EventLog, NotAnEventLog

    try:
        log = EventLog(order.events)
    except NotAnEventLog as wrong:
        raise BadInput(f"--events {str(order.events)!r}: {wrong}") from None
    try:
        yield Stream(log.write, log)
    finally:
        log.close()


def _to_stdout(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
