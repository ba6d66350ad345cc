"""A stand-in for a referee: starts contained engines as it is told on stdin (JSON lines), says how each went (JSON).

A process of its own, so that an engine may try to kill it, and so that it can be an ordinary user's.
"""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from protocol.containment.watchdog import WATCH_MS, Watchdog

from protocol.containment.policy import Caps, Level, SandboxPolicy


def main() -> None:
    watchdog = Watchdog()
    for line in sys.stdin:
        print(json.dumps(play(watchdog, json.loads(line))), flush=True)


def play(watchdog: Watchdog, job: dict[str, Any]) -> dict[str, Any]:
    over = threading.Event()
    for _ in range(job["threads"]):
        threading.Thread(target=busy, args=(over,), daemon=True).start()
    argv = [word.replace("{python}", sys.executable).replace("{referee}", str(os.getpid())) for word in job["argv"]]
    policy = SandboxPolicy(
        Level(job["level"]),
        Caps(**job["caps"]),
        tuple(job["reads"]),
        job["environment"],
        closed=job["closed"],
        loopback=job["loopback"],
    )
    sandbox = watchdog.add(policy, argv)
    popen = subprocess.Popen(
        sandbox.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=sandbox.directory,
        env=sandbox.environment,
        preexec_fn=sandbox.enter,
        pass_fds=sandbox.pass_fds,
        start_new_session=True,
        **sandbox.identity,
    )
    sandbox.started(popen.pid)
    began_ns = time.monotonic_ns()
    assert popen.stdout is not None
    out = b""
    poll = select.poll()
    poll.register(popen.stdout, select.POLLIN)
    pidfd = os.pidfd_open(popen.pid)
    poll.register(pidfd, select.POLLIN)
    over.set()
    gone = False
    while not gone and time.monotonic_ns() - began_ns < job["deadline_ms"] * 1_000_000:
        watchdog.tick(time.monotonic_ns())
        for fd, _ in poll.poll(WATCH_MS):
            if fd == pidfd:
                gone = True
            else:
                out += os.read(fd, 4096)
                if job["hold"] and out:
                    print(sandbox.cpu_pid, flush=True)
    sandbox.reap()
    status = popen.wait(10)
    os.set_blocking(popen.stdout.fileno(), False)
    out += popen.stdout.read() or b""
    scratch = sandbox.scratch
    watchdog.release(sandbox)
    left = marked(job["mark"])
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    popen.stdout.close()
    os.close(pidfd)
    return {
        "status": sandbox.exit_status(status),
        "out": out.decode(errors="replace"),
        "ended_for": sandbox.ended_for,
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


def busy(over: threading.Event) -> None:
    while not over.is_set():
        json.dumps({"memory": [str(number) for number in range(100)]})


if __name__ == "__main__":
    main()
