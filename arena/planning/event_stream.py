"""The events of a run in a file, a pipe or anything else that takes lines; a file names each stored game once."""

from collections.abc import Sequence

from arena.planning.plan import Plan
from arena.play.event_log import EventLog, Events, Write
from arena.play.observers import Observer
from results.store.store import Store


class EventStream:
    """The events of one run. Without `write` none are made; `log` is the file behind it, if it is one."""

    def __init__(self, write: Write | None, log: EventLog | None = None) -> None:
        self._write = write
        self._log = log
        self._events: Events | None = None

    @property
    def observers(self) -> Sequence[Observer]:
        """What must see the run, once it has begun."""
        return () if self._events is None else (self._events,)

    def begin(self, plan: Plan, store: Store) -> None:
        """A run begins, or goes on. First the file is made to agree with the store, which is right where they differ.

        They differ after a kill between the two writes, after a loss of power, and where another database is named.
        """
        if self._write is None:
            return
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
        if self._events is not None:
            self._events.run_ended(stored, interrupted=interrupted)
