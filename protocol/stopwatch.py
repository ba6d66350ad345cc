"""The one clock (docs/reference/CLOCKS.md): how much of the wall time of a move is the engine's.

    charged = wall                                                  if wall < 1 ms
              max(wall - waits - own_wait, min(wall, cpu))          otherwise

`cpu` is the CPU time of the engine, `waits` the time for which it waited for a CPU, `own_wait` the time for which the
referee did. The time and the figures of the kernel are handed in; it reads no clock.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol

from protocol import stops
from protocol.faults import EngineFault, Fault, MachineLate, Times

TRIVIAL_NS: Final = 1_000_000
"""Of a shorter move all wall time is charged, and nothing is read."""
FRESH_NS: Final = 1_000_000
"""The largest age of the figures after a move that a move may start from. Its error is at most so large."""
FRESH_AMONG_SHORT_NS: Final = 10_000_000
"""The same after moves below TRIVIAL_NS, after which nothing is read."""
SETTLE_NS: Final = 2_000_000
"""The shortest further wait for an engine whose time is not used up."""
PATIENCE_FACTOR: Final = 10
PATIENCE_NS: Final = 10_000_000_000
"""The longest wait is PATIENCE_FACTOR budgets plus PATIENCE_NS, whatever the cause."""
LEAVES_A_SECOND: Final = 100
LEAVES_AFTER_NS: Final = 500_000
"""An engine that had a CPU so often in each second, for so short a time on average, makes its waits itself. One that
the machine keeps waiting computes to the end of its timeslice, which is 0.7 ms at least and usually 3 ms."""


Waits = tuple[Mapping[bytes, int], int | None]
"""How long each thread waited for a CPU, and for how long any of them did, None if unknown; in ns since some moment."""


class Meter(Protocol):
    """The kernel's figures of an engine: `protocol.cpu_meter.CpuMeter`."""

    def cpu_ns(self) -> int | None: ...
    def waits_ns(self) -> Waits | None: ...
    def timeslices(self) -> int: ...
    def wants_cpu(self) -> bool: ...


Spent = tuple[int, int, int | None, int | None]
"""The times of a move, in ns: wall time from just before the write of `go` to the read of the `bestmove` line; the time
that is judged and goes off its clock; CPU time; the machine's share of the wall time. None means unknown or, for the
CPU time of a move below TRIVIAL_NS, not read. It is a bare tuple because one is made for each ply."""


class _Figures(NamedTuple):
    cpu_ns: int | None
    waits_ns: Waits | None
    own_wait_ns: int


class Stopwatch:
    """One engine's time in one game."""

    def __init__(self, meter: Meter, own_wait_ns: Callable[[], int], cpus: int = 1) -> None:
        """`cpus`: on how many CPUs the engine may run."""
        self._meter = meter
        self._own_wait_ns = own_wait_ns
        self._cpus = max(1, cpus)
        self.idle_ns: int | None = None
        """The CPU time between its moves, over all of them; None while nothing is known."""
        self.start_ns = 0
        """When its last move began, by the clock of the caller of `begin`; 0 before the first one."""
        self._last = _Figures(meter.cpu_ns(), None, 0)
        """The figures from which its move is measured: the last ones that were read. Before the first move only the
        CPU time is known, for `idle_ns`."""
        self.measured = True
        """True while every figure that the rule needs was there."""
        self._fresh_until_ns = 0
        self._short_ns = 0
        """The wall time of the moves since the last reading, which may have used so much CPU time."""
        self._budget_ns = 0
        self._stops = 0
        """How often this process had been stopped when the move began."""
        self._first_late: tuple[int, int, int] | None = None
        """At the first look after the time of this move was up: CPU time, timeslices, wall time."""
        self._last_late: tuple[_Figures, int, int] | None = None
        """At the last such look: the figures, the wall time, and the wall time at which it ran last."""

    def _read(self) -> _Figures:
        return _Figures(self._meter.cpu_ns(), self._meter.waits_ns(), self._own_wait_ns())

    def begin(self, now_ns: int, budget_ns: int = 0) -> None:
        """A position or `go` is about to be written; the move may take `budget_ns`."""
        self.start_ns = now_ns
        self._budget_ns = budget_ns
        self._stops = stops.count
        self._first_late = self._last_late = None
        if now_ns > self._fresh_until_ns:
            before_ns, self._last = self._last.cpu_ns, self._read()
            self.measured &= None not in self._last
            if before_ns is not None and self._last.cpu_ns is not None:
                self.idle_ns = (self.idle_ns or 0) + max(0, self._last.cpu_ns - before_ns - self._short_ns)
            self._short_ns = 0
            self._fresh_until_ns = now_ns + FRESH_AMONG_SHORT_NS

    def stop(self, wall_ns: int) -> Spent:
        """The answer was read `wall_ns` after `begin`."""
        if wall_ns < TRIVIAL_NS:
            self._short_ns += wall_ns
            return wall_ns, wall_ns, None, 0
        now = self._read()
        spent = self._judge(wall_ns, now)
        self._last = now
        self._short_ns = 0
        self._fresh_until_ns = self.start_ns + wall_ns + FRESH_NS
        return spent

    def _judge(self, wall_ns: int, now: _Figures, answered: bool = True, pending_ns: int = 0) -> Spent:
        """Without an answer, our own wait is not counted, but `pending_ns` of the engine's."""
        before = self._last
        if now.cpu_ns is None or now.waits_ns is None or before.cpu_ns is None or before.waits_ns is None:
            self.measured = False
            return wall_ns, wall_ns, None, None
        used_ns = max(0, now.cpu_ns - before.cpu_ns)
        waited_ns = _waited_ns(before.waits_ns, now.waits_ns) + pending_ns
        if self._stops != stops.count:
            waited_ns = wall_ns  # we were stopped: nobody knows how long its answer was in the pipe
        elif answered:
            waited_ns += now.own_wait_ns - before.own_wait_ns
        late_ns = min(waited_ns, max(0, wall_ns - used_ns))
        return wall_ns, wall_ns - late_ns, used_ns, late_ns

    def times(self, wall_ns: int, spent: Spent | None = None) -> Times:
        """The times of a move that ended in a fault `wall_ns` after `begin`."""
        _, _, cpu_ns, late_ns = spent or self._judge(wall_ns, self._read(), answered=False)
        return Times(self._budget_ns, wall_ns, cpu_ns, late_ns)

    def held_the_cpu(self, wall_ns: int) -> int | None:
        """Its CPU time since its last move, if it is at least half of what its CPUs had in these `wall_ns`.

        None if it is less or unknown. Called when the machine was too late to judge the opponent's move.
        """
        now_ns = self._meter.cpu_ns()
        if now_ns is None or self._last.cpu_ns is None:
            return None
        used_ns = now_ns - self._last.cpu_ns
        return used_ns if 0 < wall_ns * self._cpus <= 2 * used_ns else None

    def extra_wait_ns(self, wall_ns: int) -> int:
        """How many ns longer to wait for a move that has not come by `wall_ns`. 0 if its time is up.

        Raises MachineLate if the wait has been too long.
        """
        now = self._read()
        _, charged_ns, used_ns, late_ns = self._judge(wall_ns, now, False, self._pending_ns(now, wall_ns))
        if charged_ns > self._budget_ns or used_ns is None:
            return 0
        slices = self._meter.timeslices()
        self._first_late = self._first_late or (used_ns, slices, wall_ns)
        if wall_ns > PATIENCE_FACTOR * self._budget_ns + PATIENCE_NS:
            raise MachineLate(
                f"the machine was too late to judge a move: {wall_ns / 1e6:.0f} ms after go, of which the engine "
                f"waited {(late_ns or 0) / 1e6:.0f} ms for a CPU, its {self._budget_ns / 1e6:.0f} ms were not used up",
                wall_ns,
                self._leaving(used_ns, slices, wall_ns, late_ns or 0),
            )
        return max(SETTLE_NS, self._budget_ns - charged_ns)

    def _pending_ns(self, now: _Figures, wall_ns: int) -> int:
        """An upper bound of a wait for a CPU that still goes on, which the kernel has not counted yet."""
        ran_ns = 0
        if self._last_late is not None:
            before, before_ns, ran_ns = self._last_late
            ran_ns = ran_ns if before.cpu_ns == now.cpu_ns else before_ns
        self._last_late = now, wall_ns, ran_ns
        return wall_ns - ran_ns if self._meter.wants_cpu() else 0

    def _leaving(self, cpu_ns: int, slices: int, wall_ns: int, late_ns: int) -> EngineFault | None:
        """The fault of an engine that, since its time was up, left the CPU each time that it had one."""
        cpu_before_ns, slices_before, since_ns = self._first_late or (cpu_ns, slices, wall_ns)
        used_ns, often, seconds = cpu_ns - cpu_before_ns, slices - slices_before, (wall_ns - since_ns) / 1e9
        if often < LEAVES_A_SECOND * seconds or used_ns >= often * LEAVES_AFTER_NS:
            return None
        return EngineFault(
            Fault.TIME,
            f"no bestmove within {wall_ns / 1e6:.0f} ms of go; it made its waits for a CPU itself: in {seconds:.1f} s "
            f"it had one {often} times and left it after {used_ns / often / 1e6:.3f} ms on average",
            Times(self._budget_ns, wall_ns, cpu_ns, late_ns, False),
        )


def _waited_ns(before: Waits, now: Waits) -> int:
    """How long an engine waited for a CPU: as long as one thread, or as any of them by the pressure.

    Each may be too little, so the longer one counts. The waits of all threads together are no measure: 160 threads that
    wake at once wait 8 s for each other in a tenth of a second. They count only if there is no pressure.
    """
    by_thread = [waited - before[0].get(thread, 0) for thread, waited in now[0].items()]
    if now[1] is None or before[1] is None:
        return sum(by_thread)
    return max(now[1] - before[1], *by_thread, 0)
