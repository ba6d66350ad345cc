"""Runs the arena's own `worker.main` and logs, with times, what is sent to its engines and which deadlines they break.

The record names a fault; only the pipes show when the engine was asked and which deadline it broke. Wraps methods of
`EngineProcess` and changes nothing about them. Independent of verdicts.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from arena.play import worker
from protocol.process import EngineProcess
from protocol.transport import TransportFlooded, TransportTimeout

DEED_REPORT = b"info string zoo "
"""The zoo begins its report of a deed with these words."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event between the worker and one engine. Times are `time.monotonic_ns`, which all processes share."""

    at_ns: int
    kind: str
    """`sent`, `late` (a deadline has passed), `flooded` (a cap was broken), `said` (a report of a deed), `quit`.

    `worker` is the begin of a worker, with its pid.
    """
    faulty: bool
    deadline_ns: int
    text: str


def read(path: Path) -> list[Event]:
    """The events of a run, in their order."""
    return [Event(*json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


def main(path: str, sign: str, connection: Any, cpu: int | None) -> None:
    """Run `worker.main` and append its events to the file `path`. An engine with `sign` in its command is faulty."""
    with open(path, "a", buffering=1) as log:
        log.write(json.dumps([time.monotonic_ns(), "worker", False, 0, str(os.getpid())]) + "\n")
        _watch(log, sign)
        worker.main(connection, cpu)


def _watch(log: IO[str], sign: str) -> None:
    faulty: dict[int, bool] = {}

    def note(process: EngineProcess, kind: str, deadline_ns: int, text: bytes = b"") -> None:
        event = [time.monotonic_ns(), kind, faulty.get(process.pid, False), deadline_ns, text[:80].decode("latin-1")]
        log.write(json.dumps(event) + "\n")

    def waits(call: Callable[..., Any], process: EngineProcess, deadline_ns: int, *data: bytes) -> Any:
        try:
            answer = call(process, *data, deadline_ns)
        except TransportTimeout:
            note(process, "late", deadline_ns)
            raise
        except TransportFlooded:
            note(process, "flooded", deadline_ns)
            raise
        if time.monotonic_ns() > deadline_ns:
            note(process, "late", deadline_ns)
        return answer

    plain_spawn, plain_send, plain_receive = EngineProcess.spawn, EngineProcess.send, EngineProcess.receive
    plain_close = EngineProcess.close

    def spawn(*arguments: Any, **named: Any) -> EngineProcess:
        process = plain_spawn(*arguments, **named)
        faulty[process.pid] = sign in repr((arguments, named))
        return process

    def send(self: EngineProcess, data: bytes, deadline_ns: int) -> None:
        note(self, "sent", deadline_ns, data)
        waits(plain_send, self, deadline_ns, data)

    def receive(self: EngineProcess, deadline_ns: int) -> bytes:
        line: bytes = waits(plain_receive, self, deadline_ns)
        if line.startswith(DEED_REPORT):
            note(self, "said", deadline_ns, line.removeprefix(DEED_REPORT))
        return line

    def close(self: EngineProcess, *arguments: Any, **named: Any) -> Any:
        note(self, "quit", 0)
        return plain_close(self, *arguments, **named)

    for name, function in {"spawn": spawn, "send": send, "receive": receive, "close": close}.items():
        setattr(EngineProcess, name, function)
