"""The kernel's figures of an engine's tasks: how long they ran, and how long they waited for a CPU.

Owns the reading of /proc/PID/schedstat, /task and /children. A task is a thread. An engine is its process with all
threads, all processes below it, so a wrapper script counts with what it starts, and those that left it. Independent of
clocks, budgets and verdicts. On systems without these files every figure is None.

A line of schedstat has the ns on a CPU, the ns of waiting for one, and the number of timeslices. The kernel adds a wait
when it ends, so the figures of a waiting task are incomplete. Waits of tasks that ended between two readings are not
counted. Neither are those of a task of low priority, which waits because it wanted to.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

from protocol import stops, task_files
from protocol.hidden_time import HiddenTime, ProcessTimes
from protocol.task_files import LINE

PROC = "/proc"
MAX_TASKS = 1_000
"""An engine with more tasks is not measured, since reading them would cost the referee too much."""

LOOK_NS = 50_000_000
"""How long a move lasts at least between two looks at the engine's processes."""

_IDLE_POLICY = 5
"""SCHED_IDLE: such a task runs only if no other one wants to."""
_clock_ns: Final = time.clock_gettime_ns


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
    return task_files.task_times(f"{proc}/self/schedstat") is not None


class Leavers(Protocol):
    """The processes that left an engine's tree; `protocol.containment.sandbox.Sandbox`."""

    departed_ns: int
    """The CPU time of those that have ended."""

    def leavers(self) -> list[int]: ...


class EngineTasks:
    """The tasks of the engine that runs as `pid` on at most `cpus` CPUs. Close it.

    `spread` is the number of CPUs over which the kernel is sure to spread its threads: more than 1 only if it cannot
    place them itself. `left` knows the processes that left its tree.
    """

    def __init__(
        self,
        pid: int,
        cpus: int,
        proc: str = PROC,
        clock_ns: Callable[[int], int | None] | None = None,
        boot_ns: Callable[[], int] | None = None,
        spread: int = 1,
        left: Leavers | None = None,
    ) -> None:
        self.pid = pid
        self.cpus = cpus
        self.spread = spread
        self._left = left
        self.hides = False
        """True if its processes used CPU time that cannot be measured."""
        self._hidden = HiddenTime()
        self._usual_nice = _nice()
        self._next_look_ns = 0
        self._mark_ticks = 0
        self._own_children = f"{proc}/{os.getpid()}/task/{os.getpid()}/children"
        self._proc = proc
        self._clock_ns = clock_ns or process_clock_ns
        self._clock = _clock_of(pid) if clock_ns is None else None
        """The clock of the usual engine, which is read three times a move."""
        self._boot_ns = boot_ns or _boot_ns
        self._single_task = True
        """True for one task in all, the usual engine. A mark is one system call then."""
        self._processes = [pid]
        self._paths: dict[int, str] = {}
        self._ended_ns = 0
        """The CPU time of processes that have ended."""
        self._line = b""
        self._unread = False
        """True if the mark's line is not parsed yet."""
        self._at_mark: dict[int, task_files.TaskTimes] = {}
        self._seen_tasks: dict[int, task_files.TaskTimes] = {}
        self._low: set[int] = set()
        """The tasks that have had a low priority."""
        self._fd = task_files.opened(f"{proc}/{pid}/schedstat")
        self._children_fd = task_files.opened(f"{proc}/{pid}/task/{pid}/children")
        self._own_children_fd = -1 if left is None else task_files.opened(self._own_children)
        self._children = self._last_children()
        self._stat_fd = task_files.opened(f"{proc}/{pid}/stat")
        self._children_ns = -1
        """The CPU time of its ended children at the last scan; -1 where it is not one task."""
        self._task_fd = task_files.opened(f"{proc}/{pid}/task")
        self._threads_seen = 0
        """The threads at the last scan, as the links of the folder `task` count them."""
        self._stat_until_ns = 0
        """Until this time a scan for a new game does not read `stat` again."""

    def close(self) -> None:
        """Close the files. A second call does nothing."""
        fds = self._fd, self._children_fd, self._own_children_fd, self._stat_fd, self._task_fd
        # First: a worker may be stopped here and call `close` again.
        self._fd = self._children_fd = self._own_children_fd = self._stat_fd = self._task_fd = -1
        for fd in fds:
            if fd >= 0:
                os.close(fd)

    def notice(self) -> None:
        """Find new processes if the engine has other children than at the last scan, or we have."""
        if self._last_children() != self._children:
            self._scan_tree()

    def look(self) -> None:
        """Called before each wait for the engine. In a long move, finds processes that live only for a while."""
        now_ns = time.monotonic_ns()
        if not self._next_look_ns:
            self._next_look_ns = now_ns + LOOK_NS
            self._mark_ticks = self._boot_ns() // task_files.TICK_NS
        elif now_ns >= self._next_look_ns:
            self._next_look_ns = now_ns + LOOK_NS
            self._parse_mark()
            found = self._scan_tree()
            if found is not None and self._at_mark:
                self._note(found, self._mark_ticks)

    def scan(self) -> bool:
        """Find all tasks. False if the system does not tell or there are too many."""
        return self._is_unchanged() or self._scan_tree() is not None

    def scan_for_game(self) -> bool:
        """`scan`, before a game. Children that lived and ended within LOOK_NS before may be found later."""
        return self._is_unchanged(lately=True) or self._scan_tree() is not None

    def _is_unchanged(self, *, lately: bool = False) -> bool:
        """Is it one task without children since the last scan, and waited for none? Then a scan would find the same.

        With `lately`, ended children are looked for only every LOOK_NS: that takes most of the time.
        """
        if self._children_ns < 0 or self._last_children() != self._children:
            return False
        now_ns = time.monotonic_ns()
        try:
            threads = os.fstat(self._task_fd).st_nlink
            if lately and now_ns < self._stat_until_ns:
                return threads == self._threads_seen
            state = task_files.parse_state(os.pread(self._stat_fd, task_files.STAT, 0))
        except OSError:
            return False
        self._threads_seen, self._stat_until_ns = threads, now_ns + LOOK_NS
        return state.threads == 1 and state.children_ns == self._children_ns

    def cpu_ns(self) -> int | None:
        """The CPU time of all processes of the last scan, and of their children that ended before it."""
        if self._single_task:
            if self._clock is not None:
                try:
                    return _clock_ns(self._clock) + self._ended_ns
                except OSError:
                    return None
            found = self._clock_ns(self.pid)
            return None if found is None else found + self._ended_ns
        clocks = [self._clock_ns(pid) for pid in self._processes]
        if None in clocks:  # a process has ended; its time is now in its parent's figure for children
            self.scan()
            clocks = [self._clock_ns(pid) for pid in self._processes]
        known = [clock for clock in clocks if clock is not None]
        return sum(known) + self._ended_ns if known else None

    def mark(self) -> None:
        """Start the counting for `usage_since_mark`."""
        self._next_look_ns = 0
        if self._single_task:
            try:
                self._line = os.pread(self._fd, LINE, 0)
            except OSError:
                self._line = b""
            self._unread = True
            return
        self._unread = False
        found = ((tid, task_files.task_times(path)) for tid, path in self._paths.items())
        self._at_mark = {tid: task for tid, task in found if task is not None}
        self._seen_tasks = {}

    def usage_since_mark(self, passed_ns: int) -> CpuUsage | None:
        """The figures since the mark, which was set `passed_ns` ago. None if the system does not tell."""
        self._parse_mark()
        if not self._at_mark:
            return None
        mark_ticks = (self._boot_ns() - passed_ns) // task_files.TICK_NS
        now = self._scan_tree()
        # Before `cpu_ns`, which may find the tree changed and scan it again.
        states = {tid: task_files.state(path) for tid, path in self._paths.items()}
        cpu_ns = self.cpu_ns()
        if now is None or cpu_ns is None:
            return None
        for tid, state in states.items():
            if state.nice > self._usual_nice or state.policy == _IDLE_POLICY:
                self._low.add(tid)
        self._note(now, mark_ticks)
        used = [(tid, task, self._at_mark[tid]) for tid, task in self._seen_tasks.items() if tid in self._at_mark]
        ran_ns = sum(task.ran_ns - before.ran_ns for _, task, before in used)
        # While one task ran, the others waited for it and not for the machine. So threads cannot gain time.
        waited_ns = sum(
            max(0, task.waited_ns - before.waited_ns - (ran_ns - task.ran_ns + before.ran_ns) // self.spread)
            for tid, task, before in used
            if tid not in self._low
        )
        timeslices = sum(task.timeslices for task in self._seen_tasks.values())
        ready = any(state.letter == "R" and tid not in self._low for tid, state in states.items())
        return CpuUsage(cpu_ns, waited_ns, timeslices, ready)

    def _parse_mark(self) -> None:
        if self._unread:
            self._unread = False
            task = task_files.parse(self._line)
            self._at_mark = {} if task is None else {self.pid: task}
            self._seen_tasks = {}

    def _note(self, found: dict[int, task_files.TaskTimes], mark_ticks: int) -> None:
        """Keep what was found of the tasks, some of which may have ended at the next reading."""
        for tid, task in found.items():
            if tid not in self._at_mark:
                # A task that was there before the mark, but not known, counts only from the next mark on.
                born = tid in self._paths and task_files.state(self._paths[tid]).started_ticks >= mark_ticks
                self._at_mark[tid] = task_files.TaskTimes(0, 0, 0) if born else task
        self._seen_tasks |= found

    def _scan_tree(self) -> dict[int, task_files.TaskTimes] | None:
        """All tasks of the process tree with their figures. None if there are none or too many."""
        found: dict[int, task_files.TaskTimes] = {}
        paths: dict[int, str] = {}
        processes: list[int] = []
        children = self._last_children()
        waiting = [self.pid]
        if self._left is not None:
            waiting += self._left.leavers()
        while waiting:
            pid = waiting.pop()
            if pid in processes:
                continue
            processes.append(pid)
            for tid in self._threads(pid):
                folder = f"{self._proc}/{pid}/task/{tid}"
                task = task_files.task_times(f"{folder}/schedstat")
                if task is None:
                    continue
                found[tid] = task
                paths[tid] = f"{folder}/schedstat"
                waiting += map(int, task_files.read(f"{folder}/children").split())
            if len(found) > MAX_TASKS or len(waiting) > MAX_TASKS:
                return None
        if not found:
            return None
        self._processes, self._paths, self._children = processes, paths, children
        states = {pid: task_files.state(f"{self._proc}/{pid}/schedstat") for pid in processes}
        departed_ns = 0 if self._left is None else self._left.departed_ns
        self._ended_ns = departed_ns + sum(state.children_ns for state in states.values())
        self._single_task = len(found) == 1
        self._children_ns = states[self.pid].children_ns if self._single_task and processes == [self.pid] else -1
        self._hidden.look(
            {
                pid: ProcessTimes(state.parent, self._clock_ns(pid) or 0, state.children_ns)
                for pid, state in states.items()
            },
            departed_ns,
        )
        self.hides = self._hidden.found
        return found

    def _last_children(self) -> tuple[bytes, bytes]:
        """The children of the engine's first thread and our own, as the kernel lists them."""
        return task_files.listed(self._children_fd), task_files.listed(self._own_children_fd)

    def _threads(self, pid: int) -> Iterator[int]:
        with contextlib.suppress(OSError):
            yield from map(int, os.listdir(f"{self._proc}/{pid}/task"))


class OwnThread:
    """How long our own thread waited for a CPU after the engine woke it. Close it.

    `mark` is called before `go`, unless the last mark is recent, and `mark_wait` before each wait. So `waited_ns`
    counts from the last wait. Earlier waits for a CPU did not delay the reading of the engine's answer.
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
            self._line = os.pread(self._fd, LINE, 0)
        except OSError:
            self._line = b""

    def mark_wait(self, answered: Callable[[], bool]) -> None:
        """Call this before a wait for input; `answered` tells, without waiting, whether some has come.

        Then the last mark stays. The engine may have woken up at our write, taken our CPU, and answered while we waited
        to get it back: that wait delayed the reading.
        """
        before = self._line
        self.mark()
        # In this order, so that no wait lies between the two.
        if answered():
            self._line = before

    def stops(self) -> int:
        """How often this process was stopped and continued so far."""
        return stops.count

    def waited_ns(self) -> int:
        """The ns of waiting for a CPU since the mark; 0 if the system does not tell."""
        before = task_files.parse(self._line)
        if before is None:
            return 0
        now = task_files.parse(os.pread(self._fd, LINE, 0))
        return 0 if now is None else now.waited_ns - before.waited_ns


def _nice() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def _boot_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
