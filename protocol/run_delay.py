"""What the kernel says about one engine's tasks: how long they ran, and how long they were ready and got no CPU.

Owns the reading of /proc/PID/schedstat, /task and /children; a task is a thread, an engine is its process with all its
threads and all processes below it, so a wrapper script counts with what it starts. Refuses to know clocks, budgets and
verdicts. On systems without these files every figure is None.

A line of schedstat has ns on a CPU, ns of waiting for one, and how often the task was put on one. A wait is added when
it ends, so the figures of a task that is waiting now are not complete. Lost are the waits of tasks that ended between
two looks, and processes that gave themselves another parent.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

PROC = "/proc"
MOST_TASKS = 1_000
"""An engine of more tasks is not measured: walking through them would cost the referee more than it tells."""

_LINE = 96
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_clock_ns: Final = time.clock_gettime_ns


class KernelTask(NamedTuple):
    """One thread at one look."""

    ran_ns: int
    waited_ns: int
    turns: int
    """How often it was put on a CPU."""


class Look(NamedTuple):
    """What an engine's tasks did since the mark."""

    cpu_ns: int
    """CPU time so far, not since the mark."""
    waited_ns: int
    """How long they waited for a CPU and it was not one of their own that had it."""
    turns: int
    """How often they were put on a CPU so far."""
    ready: bool
    """Is one of them running or waiting for a CPU now? Then `waited_ns` may lack the wait that is going on."""


def process_clock_ns(pid: int) -> int | None:
    """CPU time of all threads of a process since it started, ended ones included; None where it cannot be had."""
    try:
        return time.clock_gettime_ns(_clock_of(pid))
    except OSError:
        return None


def _clock_of(pid: int) -> int:
    return ((~pid) << 3) | 2


def available(proc: str = PROC) -> bool:
    """Does this system tell run delays at all?"""
    return _task(f"{proc}/self/schedstat") is not None


class Tasks:
    """The tasks of the engine that runs as `pid` on at most `cpus` CPUs. Close it."""

    def __init__(
        self,
        pid: int,
        cpus: int,
        proc: str = PROC,
        clock_ns: Callable[[int], int | None] | None = None,
        boot_ns: Callable[[], int] | None = None,
    ) -> None:
        self.pid = pid
        self.cpus = cpus
        self._proc = proc
        self._clock_ns = clock_ns or process_clock_ns
        self._clock = _clock_of(pid) if clock_ns is None else None
        """For the usual engine, whose clock is read three times a move."""
        self._boot_ns = boot_ns or _boot_ns
        self._alone = True
        """One task in all, as far as is known: the usual engine, for which a mark is one system call."""
        self._processes = [pid]
        self._paths: dict[int, str] = {}
        self._children_ns = 0
        self._line = b""
        self._unread = False
        """Is the mark still the bare line?"""
        self._before: dict[int, KernelTask] = {}
        self._ended: dict[int, KernelTask] = {}
        try:
            self._fd = os.open(f"{proc}/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1

    def close(self) -> None:
        """Give the file back. Again: nothing happens."""
        fd, self._fd = self._fd, -1  # before: a worker may be stopped in between, and closes again
        if fd >= 0:
            os.close(fd)

    def survey(self) -> bool:
        """Find out which tasks there are. False where the system does not tell or there are too many."""
        return self._walk() is not None

    def cpu_ns(self) -> int | None:
        """CPU time of all that the last survey found, and of their children that ended before it."""
        if self._alone:
            if self._clock is not None:
                try:
                    return _clock_ns(self._clock) + self._children_ns
                except OSError:
                    return None
            found = self._clock_ns(self.pid)
            return None if found is None else found + self._children_ns
        clocks = [self._clock_ns(pid) for pid in self._processes]
        if None in clocks:  # one has ended: its time is in its parent's children now
            self.survey()
            clocks = [self._clock_ns(pid) for pid in self._processes]
        known = [clock for clock in clocks if clock is not None]
        return sum(known) + self._children_ns if known else None

    def mark(self) -> None:
        """From here on, `look` counts."""
        if self._alone:
            try:
                self._line = os.pread(self._fd, _LINE, 0)
            except OSError:
                self._line = b""
            self._unread = True
            return
        self._unread = False
        found = ((tid, _task(path)) for tid, path in self._paths.items())
        self._before = {tid: task for tid, task in found if task is not None}
        self._ended = {}

    def look(self, passed_ns: int) -> Look | None:
        """What happened since the mark, which was set `passed_ns` ago. None where the system does not tell."""
        if self._unread:
            self._unread = False
            task = _parse(self._line)
            self._before = {} if task is None else {self.pid: task}
            self._ended = {}
        if not self._before:
            return None
        mark_ticks = (self._boot_ns() - passed_ns) // _TICK_NS
        now = self._walk()
        # Before the CPU time is asked for: that may find the tree changed and look at it anew.
        states = {tid: _state(path) for tid, path in self._paths.items()}
        cpu_ns = self.cpu_ns()
        if now is None or cpu_ns is None:
            return None
        for tid, task in now.items():
            if tid not in self._before:
                # What was there before the mark without being known counts from the next mark on.
                born = tid in states and states[tid].started_ticks >= mark_ticks
                self._before[tid] = KernelTask(0, 0, 0) if born else task
        self._ended |= now
        used = [(task, self._before[tid]) for tid, task in self._ended.items() if tid in self._before]
        ran_ns = sum(task.ran_ns - before.ran_ns for task, before in used)
        # While one of their own ran, the others waited for it and not for the machine: nobody gains time by threads.
        waited_ns = sum(
            max(0, task.waited_ns - before.waited_ns - (ran_ns - task.ran_ns + before.ran_ns) // self.cpus)
            for task, before in used
        )
        turns = sum(task.turns for task in self._ended.values())
        return Look(cpu_ns, waited_ns, turns, any(state.letter == "R" for state in states.values()))

    def _walk(self) -> dict[int, KernelTask] | None:
        """Every task of the tree with its figures."""
        found: dict[int, KernelTask] = {}
        paths: dict[int, str] = {}
        processes: list[int] = []
        waiting = [self.pid]
        while waiting:
            pid = waiting.pop()
            if pid in processes:
                continue
            processes.append(pid)
            for tid in self._threads(pid):
                folder = f"{self._proc}/{pid}/task/{tid}"
                task = _task(f"{folder}/schedstat")
                if task is None:
                    continue
                found[tid] = task
                paths[tid] = f"{folder}/schedstat"
                waiting += map(int, _read(f"{folder}/children").split())
            if len(found) > MOST_TASKS or len(waiting) > MOST_TASKS:
                return None
        if not found:
            return None
        self._processes, self._paths = processes, paths
        self._children_ns = sum(_state(f"{self._proc}/{pid}/schedstat").children_ns for pid in processes)
        self._alone = len(found) == 1
        return found

    def _threads(self, pid: int) -> Iterator[int]:
        with contextlib.suppress(OSError):
            yield from map(int, os.listdir(f"{self._proc}/{pid}/task"))


class Own:
    """How long this thread itself waited for a CPU after the engine had woken it. Close it.

    `mark` is called before each wait, but where that was done a moment ago, so that `waited_ns` counts from the last
    one: while we waited for a CPU before that, the engine had said nothing that mattered.
    """

    def __init__(self, path: str = f"{PROC}/thread-self/schedstat") -> None:
        self._line = b""
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1

    def close(self) -> None:
        """Give the file back. Again: nothing happens."""
        fd, self._fd = self._fd, -1  # before: a worker may be stopped in between, and closes again
        if fd >= 0:
            os.close(fd)

    def mark(self) -> None:
        """We are about to wait for something to read."""
        try:
            self._line = os.pread(self._fd, _LINE, 0)
        except OSError:
            self._line = b""

    def waited_ns(self) -> int:
        """ns of waiting for a CPU since the last wait began; 0 where the system does not tell."""
        before = _parse(self._line)
        if before is None:
            return 0
        now = _parse(os.pread(self._fd, _LINE, 0))
        return 0 if now is None else now.waited_ns - before.waited_ns


class _State(NamedTuple):
    letter: str
    started_ticks: int
    children_ns: int


def _state(schedstat: str) -> _State:
    """State, birth, and CPU time of children that ended, from the `stat` beside a schedstat."""
    # The name stands in brackets and may hold brackets and blanks itself.
    field = _read(schedstat.removesuffix("schedstat") + "stat").rpartition(b")")[2].split()
    if len(field) < 20:
        return _State("X", 0, 0)
    return _State(field[0].decode(), int(field[19]), (int(field[13]) + int(field[14])) * _TICK_NS)


def _task(path: str) -> KernelTask | None:
    return _parse(_read(path))


def _parse(line: bytes) -> KernelTask | None:
    words = line.split()
    return KernelTask(int(words[0]), int(words[1]), int(words[2])) if len(words) == 3 else None


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 65_536)
    except OSError:
        return b""
    finally:
        os.close(fd)


def _boot_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
