"""A stand-in for a referee: starts contained engines as it is told on stdin (JSON lines), says how each went (JSON).

A process of its own, so that an engine may try to kill it, and so that it can be an ordinary user's.
"""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.process import Command, EngineProcess
from protocol.transport import TransportClosed, TransportTimeout


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(play(json.loads(line))), flush=True)


def play(job: dict[str, Any]) -> dict[str, Any]:
    argv = [word.replace("{python}", sys.executable).replace("{referee}", str(os.getpid())) for word in job["argv"]]
    policy = SandboxPolicy(
        Level(job["level"]),
        Caps(**job["caps"]),
        tuple(job["reads"]),
        job["environment"],
        closed=tuple(job["closed"]),
        loopback=job["loopback"],
    )
    process = EngineProcess.spawn(Command(tuple(argv), policy))
    scratch = process.box.scratch
    deadline_ns = time.monotonic_ns() + job["deadline_ms"] * 1_000_000
    out = b""
    with contextlib.suppress(TransportClosed, TransportTimeout):
        while True:
            out += process.receive(deadline_ns) + b"\n"
            if job["hold"]:
                print(process.box.pid, flush=True)
    process.wait(deadline_ns)
    status = process.exit_status()
    ended_for = process.box.end_clause()
    out += process.stderr_tail()
    end = process.kill()
    left = marked(job["mark"])
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return {
        "status": end.status if status is None else process.box.exit_status(status),
        "out": out.decode(errors="replace"),
        "ended_for": ended_for,
        "left": len(left),
        "scratch": scratch,
    }


def marked(mark: str) -> list[int]:
    """The processes with this mark on their command line, but our own."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            # A thread tells the command line also where the first one has ended.
            try:
                lines = [(task / "cmdline").read_bytes() for task in (folder / "task").iterdir()]
            except OSError:
                continue
            if any(mark.encode() in line for line in lines):
                found.append(int(folder.name))
    return found


if __name__ == "__main__":
    main()
