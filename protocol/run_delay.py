"""The run delay of an engine: how long its threads waited for a CPU. The stopwatch takes it off the time of a move.

`run_delay` is the kernel's name for it. Owns how long the engine ran, too: it reads its CPU counter
(`protocol.cpu_counter`), and /proc/PID/schedstat, /task and /children. A task is a thread. On systems that tell nothing
every figure is None.

The counter has the CPU time of all processes of the engine, ended ones too, wherever they are. Where the kernel gives
none, the clocks of the processes below the engine and of those that left it are added up: then the time of children
that nobody waited for is missing.

A line of schedstat has the ns on a CPU, the ns of waiting for one, and the number of timeslices. The kernel adds a wait
when it ends, so the figures of a waiting task are incomplete. Waits of tasks that ended between two readings are not
counted. Neither are those of a task of low priority, which waits because it wanted to.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

from protocol import stops, task_files
from protocol.task_files import LINE

PROC = "/proc"
MAX_TASKS = 1_000
"""An engine with more tasks is not measured, since reading them would cost the referee too much."""

LOOK_NS = 50_000_000
"""How long a move lasts at least between two looks at the engine's tasks."""

_IDLE_POLICY = 5
"""SCHED_IDLE: such a task runs only if no other one wants to."""
_LOST_NS = 5_000_000
"""By how many ns, and a sixteenth more, the processes of an engine may be ahead of its counter."""
_read: Final = os.read
_from_bytes: Final = int.from_bytes
_ORDER: Final = sys.byteorder


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
        return time.clock_gettime_ns(((~pid) << 3) | 2)
    except OSError:
        return None


def available(proc: str = PROC) -> bool:
    """True if this system tells run delays."""
    return task_files.task_times(f"{proc}/self/schedstat") is not None


class Source(Protocol):
    """What is known of an engine's processes where it was started; `protocol.containment.sandbox.Sandbox`."""

    counter: int
    """The descriptor of its CPU counter; -1 if it has none."""
    departed_ns: int
    """The CPU time of the processes that left its tree and have ended."""

    def detached_processes(self) -> list[int]: ...


class EngineTasks:
    """The tasks of the engine that runs as `pid` on at most `cpus` CPUs. Close it.

    Without a `source` there is no counter, and processes that left its tree are unknown.
    """

    def __init__(
        self,
        pid: int,
        cpus: int,
        proc: str = PROC,
        clock_ns: Callable[[int], int | None] = process_clock_ns,
        boot_ns: Callable[[], int] | None = None,
        source: Source | None = None,
    ) -> None:
        self.pid = pid
        self.cpus = cpus
        self._source = source
        self._counter = -1 if source is None or source.counter < 0 else os.dup(source.counter)
        self._usual_nice = os.getpriority(os.PRIO_PROCESS, 0)
        self._next_look_ns = 0
        self._mark_ticks = 0
        self._proc = proc
        self._clock_ns = clock_ns
        self._boot_ns = boot_ns or _boot_ns
        self._single_task = True
        """True for one task in all, the usual engine. A mark is one system call then."""
        self._clocks_ns: dict[int, int] = {pid: clock_ns(pid) or 0}
        """The processes of the last scan, and their clocks."""
        self._ended_ns = 0
        """The CPU time of processes that have ended, as far as their parents or we waited for them."""
        self._counted_ns = self._read_counter() if self.has_counter else 0
        """The counter at the last scan."""
        self._ahead_ns = 0
        """What a counter that was given up had more than the processes."""
        self._started_process = False
        """True if, without a counter, it started a process since the mark: nobody knows how many more."""
        self._paths: dict[int, str] = {}
        self._line = b""
        self._unread = False
        """True if the mark's line is not parsed yet."""
        self._at_mark: dict[int, task_files.TaskTimes] = {}
        self._seen_tasks: dict[int, task_files.TaskTimes] = {}
        self._low: set[int] = set()
        """The tasks that have had a low priority."""
        self._fd = task_files.opened(f"{proc}/{pid}/schedstat")
        self._stat_fd = task_files.opened(f"{proc}/{pid}/stat")
        self._children_fd = task_files.opened(f"{proc}/{pid}/task/{pid}/children")
        alone = source is None or self.has_counter
        self._own_children_fd = -1 if alone else task_files.opened(f"{proc}/{os.getpid()}/task/{os.getpid()}/children")
        self._children = self._last_children()
        self._task_fd = task_files.opened(f"{proc}/{pid}/task")
        self._links = 0
        """The links of the folder `task` at the last scan, which count the threads."""

    @property
    def has_counter(self) -> bool:
        """True if the kernel counts the CPU time of all its processes."""
        return self._counter >= 0

    def close(self) -> None:
        """Close the files. A second call does nothing."""
        fds = self._fd, self._stat_fd, self._children_fd, self._own_children_fd, self._task_fd, self._counter
        # First: a worker may be stopped here and call `close` again.
        self._fd = self._stat_fd = self._children_fd = self._own_children_fd = self._task_fd = self._counter = -1
        for fd in fds:
            if fd >= 0:
                os.close(fd)

    def notice(self) -> None:
        """Without a counter, find new processes if the engine has other children than at the last scan, or we have."""
        if self._counter < 0 and self._last_children() != self._children:
            self._scan_tree()

    def look(self) -> None:
        """Called before each wait for the engine. In a long move, finds tasks that live only for a while."""
        now_ns = time.monotonic_ns()
        if not self._next_look_ns:
            self._next_look_ns = now_ns + LOOK_NS
            self._mark_ticks = self._boot_ns() // task_files.TICK_NS
        elif now_ns >= self._next_look_ns:
            self._next_look_ns = now_ns + LOOK_NS
            self._parse_mark()
            tasks = self._scan_tree()
            if tasks:
                self._states()
                self._note(tasks, self._mark_ticks)

    def scan(self) -> bool:
        """Find all tasks. False if the system does not tell or there are too many."""
        return bool(self._scan_tree())

    def scan_for_game(self) -> bool:
        """`scan`, before a game. One task that has still neither threads nor children is not scanned again."""
        return self._is_still_alone() or self.scan()

    def _is_still_alone(self) -> bool:
        """True if the last scan found one task, which has still neither threads nor children."""
        if not self._single_task or self._last_children() != self._children:
            return False
        try:
            return os.fstat(self._task_fd).st_nlink == self._links
        except OSError:
            return False

    def cpu_ns(self) -> int | None:
        """The CPU time of all its processes; without a counter, of those of the last scan and what they waited for."""
        if self._counter >= 0:
            return _from_bytes(_read(self._counter, 8), _ORDER)
        clocks = [self._clock_ns(pid) for pid in self._clocks_ns]
        if None in clocks:  # a process has ended; its time is now in its parent's figure for children
            self.scan()
            clocks = [self._clock_ns(pid) for pid in self._clocks_ns]
        known = [clock for clock in clocks if clock is not None]
        return sum(known) + self._ended_ns if known else None

    def _read_counter(self) -> int:
        return _from_bytes(_read(self._counter, 8), _ORDER)

    def mark(self) -> None:
        """Start the counting for `usage_since_mark`."""
        self._next_look_ns = 0
        self._started_process = False
        if self._single_task:
            try:
                self._line = os.pread(self._fd, LINE, 0)
            except OSError:
                self._line = b""
            self._unread = True
            return
        self._unread = False
        tasks = ((tid, task_files.task_times(path)) for tid, path in self._paths.items())
        self._at_mark = {tid: task for tid, task in tasks if task is not None}
        self._seen_tasks = {}

    def usage_since_mark(self, passed_ns: int) -> CpuUsage | None:
        """The figures since the mark, which was set `passed_ns` ago. None if the system does not tell."""
        if self._fd < 0:
            return None
        usage = self._usage_of_single_task()
        if usage is not None:
            return usage
        self._parse_mark()
        mark_ticks = (self._boot_ns() - passed_ns) // task_files.TICK_NS
        now = self._scan_tree()
        # Before `cpu_ns`, which may find the tree changed and scan it again.
        states = self._states() if now else {}
        cpu_ns = self.cpu_ns()
        if now is None or cpu_ns is None:
            return None
        self._note(now, mark_ticks)
        timeslices = sum(task.timeslices for task in self._seen_tasks.values())
        if self._started_process:
            return CpuUsage(cpu_ns, 0, timeslices, False)
        used = [(tid, task, self._at_mark[tid]) for tid, task in self._seen_tasks.items() if tid in self._at_mark]
        ran_ns = sum(task.ran_ns - before.ran_ns for _, task, before in used)
        # While one task ran, the others waited for it and not for the machine. So threads cannot gain time.
        waited_ns = sum(
            max(0, task.waited_ns - before.waited_ns - (ran_ns - task.ran_ns + before.ran_ns))
            for tid, task, before in used
            if tid not in self._low
        )
        ready = any(state.letter == "R" and tid not in self._low for tid, state in states.items())
        return CpuUsage(cpu_ns, waited_ns, timeslices, ready)

    def _usage_of_single_task(self) -> CpuUsage | None:
        """The same without a search of the process tree: a busy machine makes many moves wait, and most engines have
        one task. None if it has or had another one since the mark, or the kernel does not count its CPU time.
        """
        if not self._unread or self._counter < 0 or not self._is_still_alone():
            return None
        self._compare({self.pid: self._clock_ns(self.pid) or 0})
        try:
            now = task_files.parse(os.pread(self._fd, LINE, 0))
            state = task_files.parse_state(os.pread(self._stat_fd, task_files.STAT, 0))
        except OSError:
            return None
        before = task_files.parse(self._line)
        if self._counter < 0 or before is None or now is None:
            return None
        if self._is_low(state):
            self._low.add(self.pid)
        low = self.pid in self._low
        waited_ns = 0 if low else max(0, now.waited_ns - before.waited_ns)
        return CpuUsage(self._counted_ns, waited_ns, now.timeslices, state.letter == "R" and not low)

    def _is_low(self, state: task_files.State) -> bool:
        return state.nice > self._usual_nice or state.policy == _IDLE_POLICY

    def _states(self) -> dict[int, task_files.State]:
        """What the tasks of the last scan do. Those of low priority are kept, also for when they have ended."""
        states = {tid: task_files.state(path) for tid, path in self._paths.items()}
        self._low |= {tid for tid, state in states.items() if self._is_low(state)}
        return states

    def _parse_mark(self) -> None:
        if self._unread:
            self._unread = False
            task = task_files.parse(self._line)
            self._at_mark = {} if task is None else {self.pid: task}
            self._seen_tasks = {}

    def _note(self, tasks: dict[int, task_files.TaskTimes], mark_ticks: int) -> None:
        """Keep what was found of the tasks, some of which may have ended at the next reading."""
        for tid, task in tasks.items():
            before = self._at_mark.get(tid)
            if before is not None and task.ran_ns < before.ran_ns:
                # Another task has this number now, since the kernel gives numbers again. It began in this move.
                self._at_mark[tid] = task_files.TaskTimes(0, 0, 0)
            elif before is None:
                # A task that was there before the mark, but not known, counts only from the next mark on.
                born = tid in self._paths and task_files.state(self._paths[tid]).started_ticks >= mark_ticks
                self._at_mark[tid] = task_files.TaskTimes(0, 0, 0) if born else task
                if born and self._counter < 0 and tid in self._clocks_ns:
                    self._started_process = True
        self._seen_tasks |= tasks

    def _scan_tree(self) -> dict[int, task_files.TaskTimes] | None:
        """All tasks of the process tree with their figures, which are none after its end. None if there are too many.

        What left the tree is found only without a counter: it has no wait that is credited.
        """
        tasks: dict[int, task_files.TaskTimes] = {}
        paths: dict[int, str] = {}
        processes: set[int] = set()
        children = self._last_children()
        waiting = [self.pid]
        if self._source is not None and self._counter < 0:
            waiting += self._source.detached_processes()
        while waiting:
            pid = waiting.pop()
            if pid in processes:
                continue
            processes.add(pid)
            for tid in self._threads(pid):
                folder = f"{self._proc}/{pid}/task/{tid}"
                task = task_files.task_times(f"{folder}/schedstat")
                if task is None:
                    continue
                tasks[tid] = task
                paths[tid] = f"{folder}/schedstat"
                waiting += map(int, task_files.read(f"{folder}/children").split())
            if len(tasks) > MAX_TASKS or len(waiting) > MAX_TASKS:
                return None
        if tasks:
            self._paths, self._children, self._single_task = paths, children, len(tasks) == 1
            with contextlib.suppress(OSError):
                self._links = os.fstat(self._task_fd).st_nlink
            self._compare({pid: self._clock_ns(pid) or 0 for pid in processes})
        return tasks

    def _compare(self, clocks_ns: dict[int, int]) -> None:
        """Keep the clocks of all processes. If they are ahead of the counter, it has lost some: go on without it.

        The kernel takes the counter from a program that its user may run but not read, or that runs as somebody else.
        """
        before_ns, self._clocks_ns = self._clocks_ns, clocks_ns
        if self._counter >= 0:
            used_ns = sum(ns - before_ns[pid] for pid, ns in clocks_ns.items() if pid in before_ns)
            counted_ns = self._read_counter()
            if 16 * (used_ns - _LOST_NS) <= 17 * (counted_ns - self._counted_ns):
                self._counted_ns = counted_ns
                return
            counter, self._counter = self._counter, -1
            os.close(counter)
            self._ahead_ns = self._counted_ns + used_ns - sum(clocks_ns.values()) - self._known_ended_ns()
        self._ended_ns = self._known_ended_ns() + self._ahead_ns

    def _known_ended_ns(self) -> int:
        departed_ns = 0 if self._source is None else self._source.departed_ns
        states = (task_files.state(f"{self._proc}/{pid}/schedstat") for pid in self._clocks_ns)
        return departed_ns + sum(state.children_ns for state in states)

    def _last_children(self) -> tuple[bytes, bytes]:
        """The children of the engine's first thread and our own, as the kernel lists them."""
        return task_files.listed(self._children_fd), task_files.listed(self._own_children_fd)

    def _threads(self, pid: int) -> Iterator[int]:
        with contextlib.suppress(OSError):
            yield from map(int, os.listdir(f"{self._proc}/{pid}/task"))


class OwnThread:
    """How long our own thread delayed the reading of the engine's answer, once it had come. Close it.

    It waited for a CPU, or it looked at the engines: an opponent with many processes and files makes that slow. `mark`
    is called before `go`, unless the last mark is recent, and `mark_wait` before each wait. So `waited_ns` counts from
    the last wait. Earlier delays were over before the answer came.
    """

    def __init__(self, path: str = f"{PROC}/thread-self/schedstat") -> None:
        self._line = b""
        self._looked_ns = 0
        """The time of looks after which the answer was there."""
        self._fd = task_files.opened(path)

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        fd, self._fd = self._fd, -1  # first: a worker may be stopped here and call `close` again
        if fd >= 0:
            os.close(fd)

    def mark(self) -> None:
        """Call this before a wait for input."""
        self._looked_ns = 0
        try:
            self._line = os.pread(self._fd, LINE, 0)
        except OSError:
            self._line = b""

    def mark_wait(self, answered: Callable[[], bool], looked_ns: int = 0) -> None:
        """Call this before a wait for input; `answered` tells, without waiting, whether some has come.

        Then the last mark stays. The engine may have woken up at our write, taken our CPU, and answered while we waited
        to get it back: that wait delayed the reading. So did a look that took `looked_ns` until now.
        """
        before, looked_ns = self._line, self._looked_ns + looked_ns
        self.mark()
        # In this order, so that no wait lies between the two.
        if answered():
            self._line, self._looked_ns = before, looked_ns

    def stops(self) -> int:
        """How often this process was stopped and continued so far."""
        return stops.count

    def waited_ns(self) -> int:
        """The ns of waiting for a CPU since the mark, or of looks; 0 if the system does not tell."""
        before = task_files.parse(self._line)
        if before is None:
            return 0
        now = task_files.parse(os.pread(self._fd, LINE, 0))
        # A look has waits for a CPU in it.
        return 0 if now is None else max(self._looked_ns, now.waited_ns - before.waited_ns)


def _boot_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
