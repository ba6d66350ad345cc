"""The kernel's figures of an engine's tasks: how long they ran, and how long they waited for a CPU.

Owns the reading of /proc/PID/schedstat, /task and /children. A task is a thread. An engine is its process with all
threads and all processes below it, so a wrapper script counts with what it starts. Independent of clocks, budgets and
verdicts. On systems without these files every figure is None.

A line of schedstat has the ns on a CPU, the ns of waiting for one, and the number of timeslices. The kernel adds a wait
when it ends, so the figures of a waiting task are incomplete. Waits of tasks that ended between two readings, and
processes with another parent, are not counted.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

PROC = "/proc"
MAX_TASKS = 1_000
"""An engine with more tasks is not measured, since reading them would cost the referee too much."""

_LINE = 96
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_clock_ns: Final = time.clock_gettime_ns


class TaskTimes(NamedTuple):
    """The figures of one thread at one reading."""

    ran_ns: int
    waited_ns: int
    timeslices: int
    """How often it was put on a CPU."""


class CpuUsage(NamedTuple):
    """The figures of an engine's tasks since the mark."""

    cpu_ns: int
    """The CPU time since the start of the engine, not since the mark."""
    waited_ns: int
    """How long they waited for a CPU that none of them used."""
    timeslices: int
    """How often they were put on a CPU so far."""
    ready: bool
    """True if one of them runs or waits for a CPU now. Then `waited_ns` may lack a wait that still goes on."""


def process_clock_ns(pid: int) -> int | None:
    """The CPU time of all threads of a process since its start, ended ones included; None if unknown."""
    try:
        return time.clock_gettime_ns(_clock_of(pid))
    except OSError:
        return None


def _clock_of(pid: int) -> int:
    return ((~pid) << 3) | 2


def available(proc: str = PROC) -> bool:
    """True if this system tells run delays."""
    return _task(f"{proc}/self/schedstat") is not None


class EngineTasks:
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
        """The clock of the usual engine, which is read three times a move."""
        self._boot_ns = boot_ns or _boot_ns
        self._single_task = True
        """True for one task in all, the usual engine. A mark is one system call then."""
        self._processes = [pid]
        self._paths: dict[int, str] = {}
        self._children_ns = 0
        self._line = b""
        self._unread = False
        """True if the mark's line is not parsed yet."""
        self._at_mark: dict[int, TaskTimes] = {}
        self._seen_tasks: dict[int, TaskTimes] = {}
        try:
            self._fd = os.open(f"{proc}/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        fd, self._fd = self._fd, -1  # first: a worker may be stopped here and call `close` again
        if fd >= 0:
            os.close(fd)

    def scan(self) -> bool:
        """Find all tasks. False if the system does not tell or there are too many."""
        return self._scan_tree() is not None

    def cpu_ns(self) -> int | None:
        """The CPU time of all processes of the last scan, and of their children that ended before it."""
        if self._single_task:
            if self._clock is not None:
                try:
                    return _clock_ns(self._clock) + self._children_ns
                except OSError:
                    return None
            found = self._clock_ns(self.pid)
            return None if found is None else found + self._children_ns
        clocks = [self._clock_ns(pid) for pid in self._processes]
        if None in clocks:  # a process has ended; its time is now in its parent's figure for children
            self.scan()
            clocks = [self._clock_ns(pid) for pid in self._processes]
        known = [clock for clock in clocks if clock is not None]
        return sum(known) + self._children_ns if known else None

    def mark(self) -> None:
        """Start the counting for `usage_since_mark`."""
        if self._single_task:
            try:
                self._line = os.pread(self._fd, _LINE, 0)
            except OSError:
                self._line = b""
            self._unread = True
            return
        self._unread = False
        found = ((tid, _task(path)) for tid, path in self._paths.items())
        self._at_mark = {tid: task for tid, task in found if task is not None}
        self._seen_tasks = {}

    def usage_since_mark(self, passed_ns: int) -> CpuUsage | None:
        """The figures since the mark, which was set `passed_ns` ago. None if the system does not tell."""
        if self._unread:
            self._unread = False
            task = _parse(self._line)
            self._at_mark = {} if task is None else {self.pid: task}
            self._seen_tasks = {}
        if not self._at_mark:
            return None
        mark_ticks = (self._boot_ns() - passed_ns) // _TICK_NS
        now = self._scan_tree()
        # Before `cpu_ns`, which may find the tree changed and scan it again.
        states = {tid: _state(path) for tid, path in self._paths.items()}
        cpu_ns = self.cpu_ns()
        if now is None or cpu_ns is None:
            return None
        for tid, task in now.items():
            if tid not in self._at_mark:
                # A task that was there before the mark, but not known, counts only from the next mark on.
                born = tid in states and states[tid].started_ticks >= mark_ticks
                self._at_mark[tid] = TaskTimes(0, 0, 0) if born else task
        self._seen_tasks |= now
        used = [(task, self._at_mark[tid]) for tid, task in self._seen_tasks.items() if tid in self._at_mark]
        ran_ns = sum(task.ran_ns - before.ran_ns for task, before in used)
        # While one task ran, the others waited for it and not for the machine. So threads cannot gain time.
        waited_ns = sum(
            max(0, task.waited_ns - before.waited_ns - (ran_ns - task.ran_ns + before.ran_ns) // self.cpus)
            for task, before in used
        )
        timeslices = sum(task.timeslices for task in self._seen_tasks.values())
        return CpuUsage(cpu_ns, waited_ns, timeslices, any(state.letter == "R" for state in states.values()))

    def _scan_tree(self) -> dict[int, TaskTimes] | None:
        """All tasks of the process tree with their figures. None if there are none or too many."""
        found: dict[int, TaskTimes] = {}
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
            if len(found) > MAX_TASKS or len(waiting) > MAX_TASKS:
                return None
        if not found:
            return None
        self._processes, self._paths = processes, paths
        self._children_ns = sum(_state(f"{self._proc}/{pid}/schedstat").children_ns for pid in processes)
        self._single_task = len(found) == 1
        return found

    def _threads(self, pid: int) -> Iterator[int]:
        with contextlib.suppress(OSError):
            yield from map(int, os.listdir(f"{self._proc}/{pid}/task"))


class OwnThread:
    """How long our own thread waited for a CPU after the engine woke it. Close it.

    `mark` is called before each wait, unless the last mark is recent, so `waited_ns` counts from the last wait. Earlier
    waits for a CPU did not delay the reading of the engine's answer.
    """

    def __init__(self, path: str = f"{PROC}/thread-self/schedstat") -> None:
        self._line = b""
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        fd, self._fd = self._fd, -1  # first: a worker may be stopped here and call `close` again
        if fd >= 0:
            os.close(fd)

    def mark(self) -> None:
        """Call this before a wait for input."""
        try:
            self._line = os.pread(self._fd, _LINE, 0)
        except OSError:
            self._line = b""

    def waited_ns(self) -> int:
        """The ns of waiting for a CPU since the mark; 0 if the system does not tell."""
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
    """State, start time, and CPU time of ended children, from the `stat` file beside a schedstat."""
    # The process name is in brackets and may itself contain brackets and blanks.
    field = _read(schedstat.removesuffix("schedstat") + "stat").rpartition(b")")[2].split()
    if len(field) < 20:
        return _State("X", 0, 0)
    return _State(field[0].decode(), int(field[19]), (int(field[13]) + int(field[14])) * _TICK_NS)


def _task(path: str) -> TaskTimes | None:
    return _parse(_read(path))


def _parse(line: bytes) -> TaskTimes | None:
    words = line.split()
    return TaskTimes(int(words[0]), int(words[1]), int(words[2])) if len(words) == 3 else None


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
