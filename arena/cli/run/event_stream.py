"""`--events`: the events of a run in a file or on stdout; a file names each stored game once."""

import contextlib
import sys
from collections.abc import Iterator, Sequence

from arena.cli.errors import BadInput
from arena.cli.options import OutputOptions
from arena.cli.output import STDOUT
from arena.planning.plan import Plan
from arena.play.event_log import EventLog, Events, NotAnEventLog, Write
from results.store.store import Store


def check(output: OutputOptions) -> None:
    """Raise BadInput for a file with other text in it, before anything is written."""
    path = output.events
    if path is not None and path != STDOUT and path.is_file():
        try:
            EventLog(path).close()
        except NotAnEventLog as wrong:
            raise BadInput(f"--events {str(path)!r}: {wrong}") from None


@contextlib.contextmanager
def opened(output: OutputOptions, plan: Plan, store: Store) -> Iterator[Sequence[Events]]:
    """The events of this run, which begins or goes on, to a file that was checked; nothing if none are asked for."""
    if output.events is None:
        yield ()
    elif output.events == STDOUT:
        yield [begun(plan, store, _to_stdout)]
    else:
        with contextlib.closing(EventLog(output.events)) as log:
            yield [begun(plan, store, log.write, log)]


def begun(plan: Plan, store: Store, write: Write, log: EventLog | None = None) -> Events:
    """The events of a run that begins, or goes on. First a file is made to agree with the store, which is right.

    They differ after a kill between the two writes, after a loss of power, and where another database is named.
    """
    run = next(run for run in store.runs() if run.id == plan.run_id)
    done, events = store.done(run.id), Events(run, write)
    events.run_began(run, [spec.name for spec in plan.engines], len(done))
    if log is not None:
        named = log.logged(run.id)
        for number in sorted(number for number in named if number not in done):
            events.lost(number)
        for number in done:
            if number not in named:
                events.game(store.game(number, run.id))
    return events


def _to_stdout(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
