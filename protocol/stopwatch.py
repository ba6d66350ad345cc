"""How the time of a move is measured: the engine's share of a wait, and the machine's.

Owns the three ways to judge a move (`wall`, `cpu`, `fair`; CLOCKS.md) and the CPU time of an idle engine. The time
and the figures of the kernel are handed in; it reads no clock. Independent of pipes, lines and rules.

`begin_reading`, `begin` and `stop` are in the inner loop. For an engine that answers at once they make one or two
system calls, which read its CPU time. A reading that is some microseconds old is used again: the error is at most its
age. More expensive readings are made only if the engine's CPU time and our own delay leave a millisecond unexplained.
"""

from typing import Final, Literal, Protocol

from protocol.faults import EngineFault, Fault, MachineLate, Times
from protocol.run_delay import CpuUsage

Kind = Literal["wall", "cpu", "fair"]

TRIVIAL_NS: Final = 1_000_000
"""Below this difference of wall and CPU time, in ns, the machine's share counts as 0 and is not measured."""
REUSE_CPU_NS: Final = 50_000
"""The largest age, in ns, of a CPU clock reading that a move may start from. Not used if CPU time is the limit."""
REUSE_MARK_NS: Final = 250_000
"""The largest age, in ns, of the marks for the machine's share, which may be too large by this much."""
SETTLE_NS: Final = 2_000_000
"""The shortest further wait, in ns, for an engine whose time is not used up."""
PATIENCE_FACTOR: Final = 10
PATIENCE_NS: Final = 10_000_000_000
"""The longest wait is PATIENCE_FACTOR budgets plus PATIENCE_NS, whatever the cause (`cpu`: twice that)."""
LEAVES_A_SECOND: Final = 100
LEAVES_AFTER_NS: Final = 500_000
"""An engine that had a CPU so often in each second, for so short a time on average, makes its waits itself. One that
the machine keeps waiting computes to the end of its timeslice, which is 0.7 ms at least and usually 3 ms."""

NEVER_NS: Final = 1 << 62


class CpuMeter(Protocol):
    """The kernel's figures of an engine; `protocol.run_delay.EngineTasks`."""

    cpus: int
    """On how many CPUs the engine may run."""

    def scan(self) -> bool: ...
    def scan_for_game(self) -> bool: ...
    def notice(self) -> None: ...
    def cpu_ns(self) -> int | None: ...
    def mark(self) -> None: ...
    def usage_since_mark(self, passed_ns: int) -> CpuUsage | None: ...


class OwnThreadMeter(Protocol):
    """The kernel's figures of our own thread; `protocol.run_delay.OwnThread`."""

    def mark(self) -> None: ...
    def waited_ns(self) -> int: ...
    def stops(self) -> int: ...


Spent = tuple[int, int, int | None, int | None]
"""The times of a move, in ns: wall time from just before the write of `go` to the read of the `bestmove` line; the time
that is judged and goes off its clock; CPU time; the machine's share of the wall time. None means unknown. It is a bare
tuple because one is made for each ply."""


class Stopwatch:
    """One engine's time in one game."""

    def __init__(self, kind: Kind, meter: CpuMeter, own_thread: OwnThreadMeter) -> None:
        self.kind = kind
        self.measured = meter.scan() if kind == "cpu" else meter.scan_for_game()
        """True while every figure that `kind` needs was available."""
        self.idle_ns: int | None = None
        """The CPU time between bestmoves and the next sent lines, over all moves."""
        self._meter = meter
        self._own_thread = own_thread
        self._cpus = max(1, meter.cpus)
        self._cpu_before_ns: int | None = None
        self.fresh_until_ns = -NEVER_NS
        """Until this time the CPU clock is not read again: the last reading is good enough."""
        self.start_ns = 0
        """When its last move began, by the clock of whoever calls `begin`; 0 before the first one."""
        self._marks_until_ns = -NEVER_NS
        self._cpu_after_move_ns: int | None = None
        """The CPU clock at the end of its last move, None if unknown or already used."""
        self._rest_cpu_ns = meter.cpu_ns()
        """The CPU clock at the end of its last move, or at the start of the game."""
        self._budget_ns = 0
        self._last_usage: tuple[int, int, int] | None = None
        """The last reading in this move after its time was up: CPU time, timeslices, wall time."""
        self._first_usage: tuple[int, int, int] | None = None
        """The first reading in this move after its time was up."""
        self._last_ran_ns = 0
        self._stops = 0
        """How often this process had been stopped when the move began."""
        self._starved = False
        """True if this move got too little CPU during the longest wait."""

    def begin_reading(self, now_ns: int) -> None:
        """A position is about to be written: the CPU time since the last move was idle, and a measurement begins.

        `stop` ends it. It is only called where the engine took longer than is free.
        """
        if now_ns > self.fresh_until_ns:
            if self.kind == "cpu":
                self._meter.scan()
            elif now_ns > self._marks_until_ns:
                self._meter.notice()
            cpu_ns, rest_ns = self._meter.cpu_ns(), self._cpu_after_move_ns
            if cpu_ns is not None and rest_ns is not None:
                self.idle_ns = (self.idle_ns or 0) + max(0, cpu_ns - rest_ns)
            # `go` usually follows within the time in which this reading may be used again.
            self._cpu_after_move_ns = cpu_ns
            if self.kind != "cpu":
                self.fresh_until_ns = now_ns + REUSE_CPU_NS
        self.start_ns = now_ns
        self._cpu_before_ns = self._cpu_after_move_ns
        self._mark(now_ns)

    def begin(self, now_ns: int, budget_ns: int) -> None:
        """`go` is about to be written, for a move that may take `budget_ns`."""
        self.start_ns = now_ns
        self._budget_ns = budget_ns
        self._stops = self._own_thread.stops()
        self._last_usage = self._first_usage = None
        self._starved = False
        if now_ns <= self.fresh_until_ns:
            self._cpu_before_ns = self._cpu_after_move_ns
        else:
            if self.kind == "cpu":
                self._meter.scan()
            elif now_ns > self._marks_until_ns:
                self._meter.notice()
            self._cpu_before_ns = self._meter.cpu_ns()
            if self._cpu_before_ns is None and self.kind == "cpu":
                self.measured = False
        # Last, since waits before this moment do not belong to the move.
        self._mark(now_ns)

    def _mark(self, now_ns: int) -> None:
        if now_ns > self._marks_until_ns:
            self._meter.mark()
            self._own_thread.mark()
            self._marks_until_ns = now_ns + REUSE_MARK_NS

    def stop(self, wall_ns: int, answered: bool = True) -> Spent:
        """The move was read `wall_ns` after `go`. Without an answer, our own delay is not counted."""
        by_cpu = self.kind == "cpu"
        if by_cpu:
            self._meter.scan()
        self._cpu_after_move_ns = self._rest_cpu_ns = now_ns = self._meter.cpu_ns()
        before_ns = self._cpu_before_ns
        if now_ns is None or before_ns is None:
            cpu_ns, ran_ns = None, 0
        else:
            cpu_ns = now_ns - before_ns
            ran_ns = cpu_ns
            if not by_cpu:
                self.fresh_until_ns = self.start_ns + wall_ns + REUSE_CPU_NS
                if self.idle_ns is None:
                    self.idle_ns = 0
                # The reading was made before `go`, so the figure may be more than the move can have used.
                cpu_ns = min(cpu_ns, wall_ns * self._cpus)
        if wall_ns - ran_ns <= TRIVIAL_NS:
            return wall_ns, (cpu_ns if by_cpu and cpu_ns is not None else wall_ns), cpu_ns, 0
        own_ns = self._own_thread.waited_ns() if answered else 0
        late_ns: int | None = own_ns
        # A busy machine makes the referee wait in most moves. Where that is all, the engine's tasks are not read.
        if by_cpu or not 0 <= wall_ns - ran_ns - own_ns <= TRIVIAL_NS:
            late_ns, _, used_ns = self._machine_share(wall_ns, own_ns)
            cpu_ns = cpu_ns if used_ns is None else used_ns
        if by_cpu and cpu_ns is not None:
            return wall_ns, cpu_ns, cpu_ns, late_ns
        return wall_ns, (wall_ns - (late_ns or 0) if self.kind == "fair" else wall_ns), cpu_ns, late_ns

    def times(self, wall_ns: int, spent: Spent | None = None) -> Times:
        """The times of a move that ended in a fault `wall_ns` after `go`."""
        _, _, cpu_ns, late_ns = spent or self.stop(wall_ns, answered=False)
        # With wall time as the limit, the fair time tells whether the engine or the machine was late.
        in_time = self._starved or wall_ns - (late_ns or 0) <= self._budget_ns
        machine = self.kind == "wall" and wall_ns > self._budget_ns and in_time
        return Times(self._budget_ns, wall_ns, cpu_ns, late_ns, machine)

    def is_overdue(self, times: Times) -> bool:
        """True if, by these figures, a move that has not come has used up its time."""
        if self.kind == "cpu" and times.cpu_ns is not None:
            return times.cpu_ns >= times.allowed_ns
        late_ns = (times.late_ns or 0) if self.kind == "fair" else 0
        return times.wall_ns - late_ns >= times.allowed_ns

    def held_the_cpu(self, wall_ns: int) -> int | None:
        """Its CPU time since its last move, if it is at least half of what its CPUs had in these `wall_ns`.

        None if it is less or unknown. Called when the machine was too late to judge the opponent's move.
        """
        self._meter.scan()
        now_ns = self._meter.cpu_ns()
        if now_ns is None or self._rest_cpu_ns is None:
            return None
        used_ns = now_ns - self._rest_cpu_ns
        return used_ns if 0 < wall_ns * self._cpus <= 2 * used_ns else None

    def extra_wait_ns(self, wall_ns: int) -> int:
        """How many ns longer to wait for a move that has not come by `wall_ns`. 0 if its time is up.

        Raises MachineLate if the wait has been too long, and EngineFault `stall` if CPU time is the limit and the
        engine does not use it. `wall` waits as long as `fair`, to find out whether the engine or the machine is late.
        """
        late_ns, usage, cpu_ns = self._machine_share(wall_ns, 0)
        if usage is not None and self._first_usage is None:
            self._first_usage = usage.cpu_ns, usage.timeslices, wall_ns
        patience_ns = PATIENCE_FACTOR * self._budget_ns + PATIENCE_NS
        if self.kind == "cpu":
            if cpu_ns is None:
                return 0
            if wall_ns - (late_ns or 0) > patience_ns:
                raise EngineFault(
                    Fault.STALL,
                    f"no bestmove within {patience_ns / 1e6:.0f} ms of go, in which it used {cpu_ns / 1e6:.0f} ms of "
                    f"its {self._budget_ns / 1e6:.0f} ms of CPU time",
                    self.times(wall_ns),
                )
            think_ns = cpu_ns
        elif usage is None or late_ns is None:
            return 0
        else:
            pending_ns = self._unaccounted_wait_ns(usage, wall_ns)
            most_ns = max(0, wall_ns - (cpu_ns or 0))
            think_ns = wall_ns - min(late_ns + pending_ns, most_ns)
        if think_ns > self._budget_ns:
            return 0
        if wall_ns > (2 if self.kind == "cpu" else 1) * patience_ns:
            if self.kind == "wall":
                self._starved = True
                return 0
            raise MachineLate(
                f"the machine was too late to judge a move: {wall_ns / 1e6:.0f} ms after go, of which the engine "
                f"waited {(late_ns or 0) / 1e6:.0f} ms for a CPU, its {self._budget_ns / 1e6:.0f} ms were not used up",
                wall_ns,
                None if usage is None else self._leaving(usage, wall_ns, late_ns or 0),
            )
        ready = usage is not None and usage.ready
        return SETTLE_NS if ready else max(SETTLE_NS, self._budget_ns - think_ns)

    def _leaving(self, usage: CpuUsage, wall_ns: int, late_ns: int) -> EngineFault | None:
        """The fault of an engine that, since its time was up, left the CPU each time that it had one."""
        cpu_before_ns, before, since_ns = self._first_usage or (usage.cpu_ns, usage.timeslices, wall_ns)
        cpu_ns, often, seconds = usage.cpu_ns - cpu_before_ns, usage.timeslices - before, (wall_ns - since_ns) / 1e9
        if often < LEAVES_A_SECOND * seconds or cpu_ns >= often * LEAVES_AFTER_NS:
            return None
        return EngineFault(
            Fault.TIME,
            f"no bestmove within {wall_ns / 1e6:.0f} ms of go; it made its waits for a CPU itself: in {seconds:.1f} s "
            f"it had one {often} times and left it after {cpu_ns / often / 1e6:.3f} ms on average",
            Times(self._budget_ns, wall_ns, cpu_ns, late_ns, False),
        )

    def _machine_share(self, wall_ns: int, own_ns: int) -> tuple[int | None, CpuUsage | None, int | None]:
        """The machine's share of `wall_ns`, the reading behind it, and the CPU time of this move."""
        usage = self._meter.usage_since_mark(wall_ns)
        if usage is None:
            now_ns = self._meter.cpu_ns()
            if now_ns is not None and self.kind != "cpu":  # it runs, but the kernel gives no figure
                self.measured = False
            return None, None, None if now_ns is None or self._cpu_before_ns is None else now_ns - self._cpu_before_ns
        cpu_ns = None if self._cpu_before_ns is None else max(0, usage.cpu_ns - self._cpu_before_ns)
        if self._own_thread.stops() != self._stops:
            own_ns = wall_ns  # nobody knows how long its answer was in the pipe
        most_ns = max(0, wall_ns - (cpu_ns or 0))
        return min(usage.waited_ns + own_ns, most_ns), usage, cpu_ns

    def _unaccounted_wait_ns(self, usage: CpuUsage, wall_ns: int) -> int:
        """An upper bound of a wait for a CPU that still goes on, which the kernel has not counted yet."""
        before, self._last_usage = self._last_usage, (usage.cpu_ns, usage.timeslices, wall_ns)
        if not usage.ready:
            return 0
        if before is None:
            self._last_ran_ns = 0
        elif before[:2] != self._last_usage[:2]:
            self._last_ran_ns = before[2]
        return wall_ns - self._last_ran_ns
