"""`--events`: the events of a run in a file or on stdout; a file names each stored game once."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.cli.errors import BadInput
from arena.cli.output import STDOUT, read_or_not
from arena.planning.plan import Plan
from arena.run.event_log import EventLog, NotAnEventLog
from arena.run.events import GameEnded, now, public, values
from results.store.store import Store


def check(path: Path) -> None:
    """Raise BadInput for a file with other text in it, before anything is written."""
    if path != STDOUT and path.is_file():
        try:
            EventLog(path).close()
        except NotAnEventLog as wrong:
            raise BadInput(f"--events {str(path)!r}: {wrong}") from None


Listener = Callable[[Sequence[Mapping[str, Any]]], None]


@contextlib.contextmanager
def opened(path: Path, plan: Plan, store: Store) -> Iterator[Sequence[Listener]]:
    """The events of this run, which begins or goes on, to a file that was checked."""
    if path == STDOUT:
        yield [begun(plan, store, to_stdout)]
    else:
        with contextlib.closing(EventLog(path)) as log:
            yield [begun(plan, store, log.write, log)]


def begun(plan: Plan, store: Store, write: Callable[[str], None], log: EventLog | None = None) -> Listener:
    """Writes the events of a run that begins, or goes on. First a file is made to agree with the store, which is right.

    They differ after a kill between the two writes, after a loss of power, and where another database is named.
    """
    run = next(run for run in store.runs() if run.id == plan.run_id)
    done, engines = store.done(run.id), [spec.name for spec in plan.engines]

    def listen(events: Sequence[Mapping[str, Any]]) -> None:
        for event in map(public, events):
            if event is not None:
                write(json.dumps(event) + "\n")

    head = {"name": run.name, "kind": run.kind, "games": plan.games, "stored": len(done), "seed": run.seed}
    listen([{"event": "run", "time": now(), "run": run.id, **head, "engines": engines}])
    if log is not None:
        named = log.logged(run.id)
        for number in sorted(number for number in named if number not in done):
            listen([{"event": "lost", "time": now(), "run": run.id, "game": f"{run.id}-{number}", "number": number}])
        for number in done:
            if number not in named:
                listen([values(run.id, GameEnded(0, store.game(number, run.id)))])
    return listen


def to_stdout(line: str) -> None:
    """Write a line to stdout as long as somebody reads it."""
    with read_or_not():
        sys.stdout.write(line)
