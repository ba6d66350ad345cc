"""What happened when in a worker: the arena's own `worker.main`, with every word to and from an engine noted by time.

The referee says what a fault was called; only its own pipes say when the engine was asked and which deadline it broke.
Wraps the calls of `EngineProcess` that the arena makes and changes nothing about them. Knows no verdict.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from arena.play import worker
from protocol.process import EngineProcess
from protocol.transport import TransportFlooded, TransportTimeout

DEED = b"info string zoo "
"""How the zoo says what became of a deed."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something between the worker and one engine. Times are `time.monotonic_ns`, which all processes share."""

    at_ns: int
    kind: str
    """`sent`, `late` (a wait's deadline has passed), `flooded` (a cap was broken), `said` (of a deed), `quit`."""
    faulty: bool
    deadline_ns: int
    text: str


def read(path: Path) -> list[Event]:
    """The events of a run, as they happened."""
    return [Event(*json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


def main(path: str, sign: str, connection: Any, specs: bytes, cpu: int | None) -> None:
    """`worker.main`, its events appended to the file `path`; an engine is faulty where `sign` is in its command."""
    with open(path, "a", buffering=1) as log:
        _watch(log, sign)
        worker.main(connection, specs, cpu)


def _watch(log: IO[str], sign: str) -> None:
    faulty: dict[int, bool] = {}

    def note(process: EngineProcess, kind: str, deadline_ns: int, text: bytes = b"") -> None:
        event = [time.monotonic_ns(), kind, faulty.get(process.pid, False), deadline_ns, text[:80].decode("latin-1")]
        log.write(json.dumps(event) + "\n")

    def waits(call: Callable[..., Any], process: EngineProcess, deadline_ns: int, *said: bytes) -> Any:
        try:
            answer = call(process, *said, deadline_ns)
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
        if line.startswith(DEED):
            note(self, "said", deadline_ns, line.removeprefix(DEED))
        return line

    def close(self: EngineProcess, *arguments: Any, **named: Any) -> Any:
        note(self, "quit", 0)
        return plain_close(self, *arguments, **named)

    for name, function in {"spawn": spawn, "send": send, "receive": receive, "close": close}.items():
        setattr(EngineProcess, name, function)
