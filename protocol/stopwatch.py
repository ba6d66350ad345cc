"""Takes the time of one engine's moves: how much of a wait was the engine's, how much the machine's.

Owns the three ways to judge a move (`wall`, `cpu`, `fair`; docs/CLOCKS.md) and what an engine burns while it should be
idle. It is told the time and reads no clock; what the kernel knows is handed in. Refuses to know pipes, lines and
rules.

`wake`, `begin` and `stop` are in the inner loop: for an engine of one thread that answers at once they are one system
call, the CPU clock after a move. A reading that has just been made is used again: in the microseconds since then
neither can the engine have computed nor the machine have been late for longer than those. Everything dearer waits
until a millisecond cannot be explained by the engine's own CPU time.
"""

from typing import Final, Literal, Protocol

from protocol.faults import EngineFault, Fault, MachineLate, Times
from protocol.run_delay import Look

Kind = Literal["wall", "cpu", "fair"]

TRIVIAL_NS: Final = 1_000_000
"""What is less than this late is not looked into: the machine's share counts as 0."""
REUSE_CPU_NS: Final = 50_000
"""So old may the reading of the CPU clock be from which a move counts. Not where CPU time is what it is judged by."""
REUSE_MARK_NS: Final = 250_000
"""So old may the marks be from which the machine's share counts: by so much it may be too large."""
SETTLE_NS: Final = 2_000_000
"""How soon to look again at an engine that is ready to run while its time is up."""
PATIENCE_FACTOR: Final = 10
PATIENCE_NS: Final = 10_000_000_000
"""A wait never takes longer than PATIENCE_FACTOR budgets and PATIENCE_NS, whoever is to blame."""


NEVER_NS: Final = 1 << 62


class CpuMeter(Protocol):
    """What the kernel knows of an engine; `protocol.run_delay.Tasks`."""

    cpus: int

    def survey(self) -> bool: ...
    def cpu_ns(self) -> int | None: ...
    def mark(self) -> None: ...
    def look(self, passed_ns: int) -> Look | None: ...


class OwnCpuMeter(Protocol):
    """What the kernel knows of ourselves; `protocol.run_delay.Own`."""

    def mark(self) -> None: ...
    def waited_ns(self) -> int: ...


Spent = tuple[int, int, int | None, int | None]
"""What a move took, in ns: wall time, from just before `go` is written to the newline of `bestmove` read; what it is
judged by, which goes off its clock; its CPU time; the machine's share of the wall time. None where that could not be
had. A bare tuple, because one is made for each ply."""


class Stopwatch:
    """One engine's time in one game."""

    def __init__(self, kind: Kind, meter: CpuMeter, own: OwnCpuMeter) -> None:
        self.kind = kind
        self.measured = meter.survey()
        """Could all that `kind` needs be had, so far?"""
        self.idle_ns: int | None = None
        """CPU time between a bestmove and the next line that was sent, over all moves."""
        self._meter = meter
        self._own = own
        self._cpus = max(1, meter.cpus)
        self._cpu_ns: int | None = None
        self.fresh_until_ns = -NEVER_NS
        """Until then there is no need to `wake`: what it has burned is less than a reading costs."""
        self._began_ns = 0
        self._marks_until_ns = -NEVER_NS
        self._rest_ns: int | None = None
        """Its CPU clock when its last move had come; None where that is not known or used up."""
        self._budget_ns = 0
        self._seen: tuple[int, int, int] | None = None
        """The last look in this move that found the engine overdue: CPU time, turns, wall time."""
        self._ran_after_ns = 0
        self._starved = False
        """Did this move find no CPU in all the time that a wait may take?"""

    def wake(self, now_ns: int) -> None:
        """The engine is about to be spoken to: what it burned since its last move was burned in its opponent's time."""
        if now_ns <= self.fresh_until_ns:
            return
        rest_ns, self._rest_ns = self._rest_ns, None
        if rest_ns is None:
            return
        cpu_ns = self._meter.cpu_ns()
        if cpu_ns is not None:
            self.idle_ns = (self.idle_ns or 0) + max(0, cpu_ns - rest_ns)

    def begin(self, now_ns: int, budget_ns: int) -> None:
        """`go` is about to be written, for a move that may take `budget_ns`."""
        self._began_ns = now_ns
        self._budget_ns = budget_ns
        self._seen = None
        self._starved = False
        if now_ns <= self.fresh_until_ns:
            self._cpu_ns = self._rest_ns
        else:
            if self.kind == "cpu":
                self._meter.survey()
            self._cpu_ns = self._meter.cpu_ns()
            if self._cpu_ns is None and self.kind == "cpu":
                self.measured = False
        if now_ns > self._marks_until_ns:
            # Last: what they waited before is not in the time that is taken.
            self._meter.mark()
            self._own.mark()
            self._marks_until_ns = now_ns + REUSE_MARK_NS

    def stop(self, wall_ns: int, answered: bool = True) -> Spent:
        """The move has been read `wall_ns` after `go`, or will not be; then our own delay has made nobody late."""
        by_cpu = self.kind == "cpu"
        if by_cpu:
            self._meter.survey()
        self._rest_ns = now_ns = self._meter.cpu_ns()
        before_ns = self._cpu_ns
        if now_ns is None or before_ns is None:
            cpu_ns, ran_ns = None, 0
        else:
            cpu_ns = now_ns - before_ns
            ran_ns = cpu_ns // self._cpus
            if not by_cpu:
                self.fresh_until_ns = self._began_ns + wall_ns + REUSE_CPU_NS
                if self.idle_ns is None:
                    self.idle_ns = 0
                if ran_ns > wall_ns:
                    # Counted from a reading before `go`: more than there was cannot have been used in the move.
                    cpu_ns, ran_ns = wall_ns * self._cpus, wall_ns
        if wall_ns - ran_ns <= TRIVIAL_NS:
            return wall_ns, (cpu_ns if by_cpu and cpu_ns is not None else wall_ns), cpu_ns, 0
        late_ns, _, used_ns = self._late(wall_ns, self._own.waited_ns() if answered else 0)
        cpu_ns = cpu_ns if used_ns is None else used_ns
        if by_cpu and cpu_ns is not None:
            return wall_ns, cpu_ns, cpu_ns, late_ns
        return wall_ns, (wall_ns - (late_ns or 0) if self.kind == "fair" else wall_ns), cpu_ns, late_ns

    def times(self, wall_ns: int, spent: Spent | None = None) -> Times:
        """The figures of a move that ended in a fault, `wall_ns` after `go`."""
        _, _, cpu_ns, late_ns = spent or self.stop(wall_ns, answered=False)
        # Where wall time was asked for, the fair time tells whose fault it was.
        in_time = self._starved or wall_ns - (late_ns or 0) <= self._budget_ns
        machine = self.kind == "wall" and wall_ns > self._budget_ns and in_time
        return Times(self._budget_ns, wall_ns, cpu_ns, late_ns, machine)

    def more(self, wall_ns: int) -> int:
        """No move had come by `wall_ns`: how many ns longer to wait for it, 0 where its time is up.

        Raises MachineLate where that has been going on for too long, and EngineFault `stall` where the CPU time is
        the limit and the engine does not use it. `wall` waits as long as `fair`, to learn whose fault it was.
        """
        late_ns, look, cpu_ns = self._late(wall_ns, 0)
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
        elif look is None or late_ns is None:
            return 0
        else:
            pending_ns = self._pending_ns(look, wall_ns)
            most_ns = max(0, wall_ns - (cpu_ns or 0) // self._cpus)
            think_ns = wall_ns - min(late_ns + pending_ns, most_ns)
        if think_ns > self._budget_ns:
            return 0
        if wall_ns > (2 if self.kind == "cpu" else 1) * patience_ns:
            if self.kind == "wall":
                self._starved = True
                return 0
            raise MachineLate(
                f"the machine was too late to judge a move: {wall_ns / 1e6:.0f} ms after go, of which the engine "
                f"waited {(late_ns or 0) / 1e6:.0f} ms for a CPU, its {self._budget_ns / 1e6:.0f} ms were not used up"
            )
        ready = look is not None and look.ready
        return SETTLE_NS if ready else max(SETTLE_NS, self._budget_ns - think_ns)

    def _late(self, wall_ns: int, own_ns: int) -> tuple[int | None, Look | None, int | None]:
        """The machine's share of `wall_ns`, the look that told, and the CPU time of this move."""
        look = self._meter.look(wall_ns)
        if look is None:
            now_ns = self._meter.cpu_ns()
            if now_ns is not None and self.kind != "cpu":  # it is alive, and yet there is no figure
                self.measured = False
            return None, None, None if now_ns is None or self._cpu_ns is None else now_ns - self._cpu_ns
        cpu_ns = None if self._cpu_ns is None else max(0, look.cpu_ns - self._cpu_ns)
        most_ns = max(0, wall_ns - (cpu_ns or 0) // self._cpus)
        return min(look.waited_ns + own_ns, most_ns), look, cpu_ns

    def _pending_ns(self, look: Look, wall_ns: int) -> int:
        """At most so long has the engine been waiting for a CPU since the kernel added up its waits."""
        before, self._seen = self._seen, (look.cpu_ns, look.turns, wall_ns)
        if not look.ready:
            return 0
        if before is None:
            self._ran_after_ns = 0
        elif before[:2] != self._seen[:2]:
            self._ran_after_ns = before[2]
        return wall_ns - self._ran_after_ns
