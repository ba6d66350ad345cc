"""How the time of a move is measured, with made-up figures of the kernel."""

from collections.abc import Sequence

import pytest
from protocol.run_delay import CpuUsage

from protocol.faults import EngineFault, Fault, MachineLate
from protocol.session import Session
from protocol.stopwatch import (
    PATIENCE_FACTOR,
    PATIENCE_NS,
    REUSE_CPU_NS,
    REUSE_MARK_NS,
    Kind,
    Spent,
    Stopwatch,
)
from protocol.transport import TransportClosed
from tests.arena.play.wire import MS, Deed, Machine, Ourselves, Said, Time, Wire, scripted

BUDGET_MS = 100
KINDS: tuple[Kind, ...] = ("wall", "fair")


class Move:
    """One move of an engine that does these deeds and then says its move, or never does."""

    def __init__(
        self,
        deeds: Sequence[Deed],
        kind: Kind = "fair",
        answers: bool = True,
        own_ms: int = 0,
        known: bool = True,
    ) -> None:
        self.time = Time()
        total = sum(ms for _, ms in deeds)
        reply: list[Said] = [total, "bestmove d1c1"] if answers else [3_600_000]
        self.wire = Wire(scripted([reply]), self.time)
        self.session = Session(self.wire, now_ns=self.time)
        self.machine = Machine(self.time, deeds, known)
        self.watch = Stopwatch(kind, self.machine, Ourselves(own_ms))

    def play(self) -> Spent:
        return self.session.search(b"go movetime 50\n", BUDGET_MS * MS, Fault.TIME, self.watch)[1]

    def broken(self) -> EngineFault:
        with pytest.raises(EngineFault) as caught:
            self.play()
        return caught.value


def repeated(times: int, *deeds: Deed) -> list[Deed]:
    return [*deeds] * times


def test_fair_takes_off_what_the_engine_waited_for_a_cpu() -> None:
    """20 ms of work among 60 ms of waiting are 20 ms; wall, CPU and the machine's share are all told."""
    assert Move(repeated(4, ("wait", 15), ("run", 5))).play() == (80 * MS, 20 * MS, 20 * MS, 60 * MS)


@pytest.mark.parametrize("kind", ["fair", "wall"])
@pytest.mark.parametrize("deeds", [[("sleep", 101)], [("run", 101)], [("run", 50), ("sleep", 51)]])
def test_what_the_engine_does_itself_counts_in_full(kind: Kind, deeds: list[Deed]) -> None:
    """An engine that sleeps or computes beyond its budget loses, and the fault is its own."""
    broken = Move(deeds, kind).broken()
    assert broken.fault is Fault.TIME
    assert broken.times is not None and not broken.times.machine
    assert broken.times.allowed_ns == 100 * MS


def test_waiting_is_taken_off_sleeping_is_not() -> None:
    """90 ms of sleep and 60 ms of waiting are 90 ms; 101 of sleep lose though the machine was late too."""
    assert Move([("sleep", 90), ("wait", 60)]).play()[1] == 90 * MS
    assert Move([("wait", 60), ("sleep", 101)]).broken().fault is Fault.TIME


def test_fair_waits_on_where_the_machine_is_to_blame_and_no_longer() -> None:
    """A move that comes after 300 ms of which 240 were waits is in time; one that works 101 ms is not."""
    assert Move(repeated(12, ("wait", 20), ("run", 5))).play()[1] == 60 * MS
    move = Move([*repeated(20, ("wait", 20), ("run", 5)), ("run", 500)], answers=False)
    start_ns = move.time.ns
    assert move.broken().fault is Fault.TIME
    assert move.time.ns - start_ns <= (400 + 100 + 5) * MS


def test_an_engine_that_waits_for_a_cpu_when_its_time_is_up_is_judged_when_it_has_had_one() -> None:
    """The kernel counts a wait when it ends, so a wait across the deadline is known only later."""
    assert Move([("run", 10), ("wait", 400), ("run", 10)]).play() == (420 * MS, 20 * MS, 20 * MS, 400 * MS)


def test_our_own_delay_is_not_the_engines() -> None:
    """A move that lay in the pipe for 45 ms while the referee had no CPU is 45 ms younger."""
    assert Move([("run", 50), ("sleep", 45)], own_ms=45).play() == (95 * MS, 50 * MS, 50 * MS, 45 * MS)


def test_no_more_is_taken_off_than_the_engine_did_not_run() -> None:
    """CPU time counts for the engine, whatever waits the kernel reports."""
    assert Move([("run", 90)], own_ms=500).play()[1] == 90 * MS
    assert Move([("run", 60), ("sleep", 10)], own_ms=500).play()[1] == 60 * MS


def test_wall_gives_the_forfeit_and_says_that_it_is_the_machines() -> None:
    """80 ms of waiting and 40 of work on a budget of 100 lose, and the detail says that the machine was late."""
    broken = Move(repeated(4, ("wait", 20), ("run", 10)), "wall").broken()
    assert broken.fault is Fault.TIME and "only the machine was late" in broken.detail
    assert broken.times == (100 * MS, 120 * MS, 40 * MS, 80 * MS, True)


def test_wall_takes_nothing_off() -> None:
    """In a move that is in time by the wall clock, the machine's share is only reported."""
    assert Move([("wait", 30), ("run", 10)], "wall").play() == (40 * MS, 40 * MS, 10 * MS, 30 * MS)


def test_cpu_counts_cpu_alone() -> None:
    """Sleeping and waiting cost nothing, computing does."""
    assert Move([("sleep", 300), ("run", 90)], "cpu").play()[1] == 90 * MS
    assert Move([("wait", 300), ("run", 101)], "cpu").broken().fault is Fault.TIME
    assert Move([("run", 500)], "cpu", answers=False).broken().fault is Fault.TIME


def test_cpu_looks_at_the_whole_tree_before_and_after_each_move() -> None:
    """A child that lives for one move must not compute for nothing."""
    move = Move([("run", 5)], "cpu")
    before = move.machine.scans
    move.play()
    assert move.machine.scans == before + 2


def test_an_engine_that_sleeps_for_ever_under_cpu_stalls() -> None:
    """The wait ends after the documented ten budgets and ten seconds."""
    move = Move([("run", 5), ("sleep", 10_000_000)], "cpu", answers=False)
    start_ns = move.time.ns
    broken = move.broken()
    assert broken.fault is Fault.STALL and "5 ms of its 100 ms of CPU time" in broken.detail
    patience_ns = PATIENCE_FACTOR * BUDGET_MS * MS + PATIENCE_NS
    assert patience_ns <= move.time.ns - start_ns <= patience_ns + 200 * MS


@pytest.mark.parametrize("kind", ["fair", "cpu"])
def test_a_machine_that_gives_no_cpu_at_all_ends_the_game_for_nobody(kind: Kind) -> None:
    """The hard end of a wait is no fault of the engine: it can be told apart and played again."""
    move = Move([("run", 5), ("wait", 10_000_000)], kind, answers=False)
    start_ns = move.time.ns
    with pytest.raises(EngineFault if kind == "cpu" else MachineLate):
        move.play()
    assert move.time.ns - start_ns < 30_000 * MS


@pytest.mark.parametrize("kind", ["fair", "cpu"])
@pytest.mark.parametrize(("deeds", "own"), [((("wait", 9), ("run", 0)), True), ((("wait", 300), ("run", 1)), False)])
def test_an_engine_that_leaves_the_cpu_whenever_it_has_one_makes_its_waits_itself(
    kind: Kind, deeds: tuple[Deed, ...], own: bool
) -> None:
    """By sched_yield or short sleeps an engine waits at no cost. It would void the games that it is losing."""
    with pytest.raises(MachineLate) as caught:
        Move(repeated(4_000, *deeds), kind, answers=False).play()
    assert (caught.value.own_fault is not None) == own
    if caught.value.own_fault is not None:
        assert caught.value.own_fault.fault is Fault.TIME and caught.value.own_fault.times is not None


def test_under_cpu_a_late_machine_is_told_from_a_sleeping_engine() -> None:
    """Waits that the kernel has counted are not counted against the engine."""
    with pytest.raises(MachineLate, match="machine was too late"):
        Move(repeated(30_000, ("wait", 100), ("sleep", 1)), "cpu", answers=False).play()


def test_wall_gives_its_forfeit_however_late_the_machine_is() -> None:
    """Wall time is what was asked for."""
    broken = Move([("run", 5), ("wait", 10_000_000)], "wall", answers=False).broken()
    assert broken.fault is Fault.TIME
    assert broken.times is not None and broken.times.machine


def test_our_own_delay_does_not_excuse_a_move_that_never_came() -> None:
    """A referee that looked 5 ms late at a sleeping engine has made nobody late."""
    for kind in KINDS:
        broken = Move([("sleep", 500)], kind, answers=False, own_ms=5).broken()
        assert broken.times is not None and not broken.times.machine and broken.times.late_ns == 0


def test_a_stop_of_our_own_costs_nobody_time() -> None:
    """While the referee is stopped for 10 s, the engine's answer lies in the pipe: only its CPU time counts."""
    move = Move([("run", 30), ("sleep", 10_000)], answers=False)
    began_ns = move.time.ns
    stopped = Ourselves(stopped_at=lambda: int(move.time.ns > began_ns))
    move.watch = Stopwatch("fair", move.machine, stopped)
    move.watch.begin(began_ns, BUDGET_MS * MS)
    move.time.ns += 10_030 * MS
    assert move.watch.extra_wait_ns(10_030 * MS) == (BUDGET_MS - 30) * MS
    assert move.watch.stop(10_030 * MS)[1] == 30 * MS


@pytest.mark.parametrize("kind", ["fair", "wall", "cpu"])
def test_where_nothing_is_told_wall_time_is_used_and_said(kind: Kind) -> None:
    """On such a system the budget is one of wall time, and the stopwatch knows it."""
    move = Move([("wait", 60), ("run", 30)], kind, known=False)
    assert move.play() == (90 * MS, 90 * MS, None, None)
    assert not move.watch.measured
    assert Move([("wait", 101)], kind, known=False).broken().fault is Fault.TIME


@pytest.mark.parametrize(
    ("deeds", "own_ms", "charged_ms", "late_ms"), [([("run", 5), ("wait", 1)], 0, 6, 0), ([("run", 5)], 45, 6, 45)]
)
def test_small_delays_are_not_looked_into(deeds: list[Deed], own_ms: int, charged_ms: int, late_ms: int) -> None:
    """Where our own delay leaves less than a millisecond, the rest counts as 0, and no expensive reading is made."""

    def refuse(passed_ns: int) -> None:
        raise AssertionError("too dear")

    move = Move([*deeds, ("sleep", own_ms + 1)] if own_ms else deeds, own_ms=own_ms)
    move.machine.usage_since_mark = refuse  # type: ignore[method-assign]  # must not be called
    wall_ms = charged_ms + late_ms
    assert move.play() == (wall_ms * MS, charged_ms * MS, 5 * MS, late_ms * MS)


def test_cpu_used_in_the_opponents_time_is_added_up() -> None:
    """Idle time is CPU time between a move and the next sent line. CPU time in a move is not idle time."""
    time = Time()
    machine = Machine(time, [("run", 5)])
    watch = Stopwatch("fair", machine, Ourselves())
    watch.begin_reading(time.ns)
    assert watch.idle_ns is None
    for _ in range(3):
        watch.begin(time.ns, BUDGET_MS * MS)
        time.ns += 5 * MS
        watch.stop(5 * MS)
        machine._base_ns += 40 * MS
        time.ns += 40 * MS
        watch.begin_reading(time.ns)
    assert watch.idle_ns == 120 * MS


def test_a_crash_has_its_times() -> None:
    """Evidence of a death says how far the move had come."""
    move = Move([("run", 7)])
    move.wire = Wire(scripted([[7, TransportClosed]]), move.time)
    move.session = Session(move.wire, now_ns=move.time)
    broken = move.broken()
    assert broken.fault is Fault.CRASH
    assert broken.times is not None and broken.times[:3] == (100 * MS, 7 * MS, 7 * MS)


class Counting(Machine):
    """A machine whose readings are counted. The engine uses CPU all the time, also while it should be idle."""

    def __init__(self, time: Time) -> None:
        super().__init__(time)
        self.clocks = self.marks = 0

    def cpu_ns(self) -> int | None:
        self.clocks += 1
        return self._time.ns

    def mark(self) -> None:
        self.marks += 1


def moves(kind: Kind, gap_ns: int, times: int = 10) -> tuple[Counting, Stopwatch, list[Spent]]:
    """Some moves of 5 us, with a fixed time between one move and the next."""
    time = Time()
    machine = Counting(time)
    watch = Stopwatch(kind, machine, Ourselves())
    spent = []
    for _ in range(times):
        watch.begin_reading(time.ns)
        watch.begin(time.ns, BUDGET_MS * MS)
        time.ns += 5_000
        spent.append(watch.stop(5_000))
        time.ns += gap_ns
    return machine, watch, spent


def test_a_reading_that_has_just_been_made_is_used_again() -> None:
    """Moves in quick turn cost one reading of the CPU clock each, and a game one more.

    No CPU time beyond the wall time is told of them.
    """
    machine, watch, spent = moves("fair", REUSE_CPU_NS)
    assert (machine.clocks, machine.marks) == (2 + 10, 2)
    assert set(spent) == {(5_000, 5_000, 5_000, 0)}
    assert watch.idle_ns == 0


def test_an_older_reading_is_made_anew() -> None:
    """Then the CPU time in between is idle time, to the nanosecond."""
    machine, watch, _ = moves("fair", REUSE_CPU_NS + 1)
    assert machine.clocks == 1 + 10 * 2
    assert watch.idle_ns == 9 * (REUSE_CPU_NS + 1)
    machine, _, _ = moves("fair", REUSE_MARK_NS)
    assert machine.marks == 10


def test_where_cpu_time_is_judged_each_move_is_measured_by_itself() -> None:
    """No reading is used again."""
    machine, _, spent = moves("cpu", 0)
    assert machine.clocks == 1 + 10 * 3
    assert set(spent) == {(5_000, 5_000, 5_000, 0)}


@pytest.mark.parametrize(("kind", "judged_ms"), [("fair", 30), ("wall", 70), ("cpu", 20)])
def test_the_reading_of_a_position_is_measured_as_a_move_is(kind: Kind, judged_ms: int) -> None:
    """40 ms of waiting for a CPU, 20 of work, 10 of sleep before `readyok`; the move after it starts from nothing."""
    time = Time()
    machine = Machine(time, [("wait", 40), ("run", 20), ("sleep", 10)])
    answers: dict[str, list[Said]] = {"ugi": ["ugiok"], "isready": [70, "readyok"], "go": ["bestmove d1c1"]}
    session = Session(Wire(lambda line: answers.get(line.split()[0], []), time), now_ns=time)
    session.handshake()
    watch = Stopwatch(kind, machine, Ourselves())
    spent = session.prepare(b"position startpos", watch, 5 * MS)
    assert spent is not None and spent[:2] == (70 * MS, judged_ms * MS)
    assert session.prepare(b"position startpos", watch, judged_ms * MS) is None
    assert session.search(b"go movetime 50\n", BUDGET_MS * MS, Fault.TIME, watch)[1][:2] == (0, 0)


class LateToTell(Machine):
    """A machine that once reads a task's waits just before one is counted, and its state after it went to sleep."""

    told = False

    def usage_since_mark(self, passed_ns: int) -> CpuUsage | None:
        usage = super().usage_since_mark(passed_ns)
        if usage is None or not usage.waited_ns or self.told:
            return usage
        self.told = True
        return usage._replace(waited_ns=0, ready=False)


@pytest.mark.parametrize("kind", ["fair", "wall"])
def test_the_figures_of_a_verdict_agree_with_it(kind: Kind) -> None:
    """Under `fair` there is no `time` whose own figures say that the machine was late; `wall` names the machine."""
    deeds: list[Deed] = [("run", 2), ("wait", 300), ("sleep", 3_000)]
    move = Move(deeds, kind, answers=False)
    move.watch = Stopwatch(kind, LateToTell(move.time, deeds), Ourselves())
    times = move.broken().times
    assert times is not None and times.late_ns == 300 * MS
    assert times.machine == (times.wall_ns < 400 * MS) == (kind == "wall")
