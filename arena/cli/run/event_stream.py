"""`--events`: opens what the events of a run are written to, a file or stdout."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.errors import BadInput
from arena.whole_file import check_target

if TYPE_CHECKING:
    from arena.cli.options import OutputOptions
    from arena.planning.event_stream import EventStream

STDOUT = Path("-")


def check(output: "OutputOptions") -> None:
    """Raise BadInput for a file that cannot take events, before anything is written."""
    path = output.events
    if path == STDOUT and output.as_json:
        raise BadInput("--events - and --json both want stdout: name a file for the events")
    if path is None or path == STDOUT:
        return
    check_target(path, "--events")
    if path.is_file():
        from arena.play.event_log import EventLog, NotAnEventLog

        try:
            EventLog(path).close()
        except NotAnEventLog as wrong:
            raise BadInput(f"--events {str(path)!r}: {wrong}") from None


@contextlib.contextmanager
def opened(output: "OutputOptions") -> "Iterator[EventStream]":
    """The stream that was asked for, of a file that was checked."""
    from arena.planning.event_stream import EventStream
    from arena.play.event_log import EventLog

    if output.events is None or output.events == STDOUT:
        yield EventStream(None if output.events is None else _to_stdout)
    else:
        with contextlib.closing(EventLog(output.events)) as log:
            yield EventStream(log.write, log)


def _to_stdout(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
