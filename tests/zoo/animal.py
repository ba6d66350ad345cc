"""A zoo on pipes for tests: text in, lines out, a deadline on everything, and nothing left behind."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ZOO = (sys.executable, "-P", "-m", "tests.zoo")
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
WAIT_S = 60.0
GO = "position startpos\ngo nodes 1"


class Animal:
    """A running zoo: text in, lines out, a deadline on everything. Its whole session is killed at the end."""

    def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
        assert popen.stdin is not None and popen.stderr is not None
        self.popen = popen
        self.pid = popen.pid
        self.stdin, self.stdout, self.stderr = popen.stdin, popen.stdout, popen.stderr
        self.buffer = b""

    def send(self, text: str) -> None:
        os.write(self.stdin.fileno(), text.encode())

    def read(self, seconds: float = WAIT_S) -> bytes:
        """What it wrote next; nothing where it closed its output. Fails where nothing came in time."""
        assert self.stdout is not None
        ready, _, _ = select.select([self.stdout], [], [], seconds)
        assert ready, f"nothing came in {seconds} s after {self.buffer!r}"
        return os.read(self.stdout.fileno(), 1 << 16)

    def lines(self, last: str) -> list[str]:
        """Its lines up to one that starts with `last`."""
        found: list[str] = []
        while not (found and found[-1].startswith(last)):
            while b"\n" not in self.buffer:
                chunk = self.read()
                assert chunk, f"its output ended after {found} {self.buffer!r}"
                self.buffer += chunk
            line, self.buffer = self.buffer.split(b"\n", 1)
            found.append(line.decode("latin-1"))
        return found

    def ask(self, text: str, last: str) -> str:
        """Send a line; the line of the answer that starts with `last`."""
        self.send(text + "\n")
        return self.lines(last)[-1]

    def rest(self) -> bytes:
        """All that it writes until it closes its output."""
        while chunk := self.read():
            self.buffer += chunk
        return self.buffer

    def silent(self, seconds: float = 0.15) -> bool:
        """True if it writes nothing in this time."""
        assert self.stdout is not None
        return not self.buffer and not select.select([self.stdout], [], [], seconds)[0]

    def lives(self) -> bool:
        """True if the process still runs."""
        return self.popen.poll() is None

    def status(self) -> int:
        """Its exit status."""
        return self.popen.wait(WAIT_S)

    def end(self) -> None:
        """Kill whatever is left of its group."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.popen.wait(WAIT_S)
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                pipe.close()


Start = Callable[..., Animal]


@contextmanager
def cage(directory: Path) -> Iterator[Start]:
    """A function that starts a zoo by its arguments, `before` them a program that starts it in turn."""
    running: list[Animal] = []

    def begin(*arguments: str, before: tuple[str, ...] = (), stdout: int = subprocess.PIPE) -> Animal:
        popen = subprocess.Popen(
            (*before, *ZOO, *arguments),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=ENVIRONMENT,
            start_new_session=True,
        )
        running.append(Animal(popen))
        return running[-1]

    try:
        yield begin
    finally:
        for animal in running:
            animal.end()


def field(pid: int, name: str) -> str:
    """A field of /proc/PID/status."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith(f"{name}:"))


def cpu_s(pid: int) -> float:
    """CPU time of a process, all threads, on its own clock."""
    return time.clock_gettime(((~pid) << 3) | 2)


def report(animal: Animal) -> str:
    """Its report of its attack: `done ...` or `refused ...`."""
    line = animal.lines("info string zoo")[-1]
    return line.split(" ", 4)[4]


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for what another process does by itself: there is no event to wait for."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.005)
