"""`--events`: opens what the events of a run are written to, a file or stdout."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.errors import BadInput
from arena.cli.output import check_target

if TYPE_CHECKING:
    from arena.cli.options import OutputOptions
    from arena.planning.event_stream import EventStream

STDOUT = Path("-")


@contextlib.contextmanager
def opened(output: "OutputOptions") -> "Iterator[EventStream]":
    """The stream that was asked for. Raises BadInput for a file that cannot be one, before anything is played."""
    from arena.planning.event_stream import EventStream
    from arena.play.event_log import Log, NoLog

    path = output.events
    if path is None:
        yield EventStream(None)
    elif path == STDOUT:
        if output.as_json:
            raise BadInput("--events - and --json both want stdout: name a file for the events")
        yield EventStream(_to_stdout)
    else:
        check_target(path, "--events")
        try:
            log = Log(path)
        except NoLog as wrong:
            raise BadInput(f"--events {str(path)!r}: {wrong}") from None
        with contextlib.closing(log):
            yield EventStream(log.write, log)


def _to_stdout(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
