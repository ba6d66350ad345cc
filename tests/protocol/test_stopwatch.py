"""How the time of a move is judged, with made-up figures of the kernel."""

from collections.abc import Sequence

import pytest

from protocol import stops
from protocol.faults import EngineFault, Fault, MachineLate
from protocol.session import Session
from protocol.stopwatch import (
    FRESH_AMONG_SHORT_NS,
    PATIENCE_FACTOR,
    PATIENCE_NS,
    TRIVIAL_NS,
    Spent,
    Stopwatch,
    Waits,
)
from protocol.transport import TransportClosed
from tests.arena.play.wire import MS, Deed, Machine, Said, Time, Wire, scripted

BUDGET_MS = 100


class Move:
    """One move of an engine that does these deeds and then says its move, or never does."""

    def __init__(self, deeds: Sequence[Deed], *, answers: bool = True, own_ms: int = 0, known: bool = True) -> None:
        """`own_ms`: how long the referee waits for a CPU meanwhile."""
        self.time = Time()
        self.began_ns = self.time.ns
        self.own_ms = own_ms
        reply: list[Said] = [sum(ms for _, ms in deeds), "bestmove d1c1"] if answers else [3_600_000]
        self.replies = [reply]
        self.use(Machine(self.time, deeds, known))

    def use(self, machine: Machine) -> None:
        self.machine = machine
        self.session = Session(Wire(scripted(self.replies), self.time, machine), now_ns=self.time)
        self.watch = Stopwatch(machine, lambda: self.own_ms * MS * (self.time.ns > self.began_ns))

    def play(self) -> Spent:
        return self.session.search(b"go movetime 50\n", BUDGET_MS * MS, Fault.TIME, self.watch)[1]

    def broken(self) -> EngineFault:
        with pytest.raises(EngineFault) as caught:
            self.play()
        return caught.value


def repeated(times: int, *deeds: Deed) -> list[Deed]:
    return [*deeds] * times


def test_waits_for_a_cpu_are_taken_off() -> None:
    """20 ms of work among 60 ms of waiting are 20 ms; wall time, CPU time and the machine's share are all told."""
    assert Move(repeated(4, ("wait", 15), ("run", 5))).play() == (80 * MS, 20 * MS, 20 * MS, 60 * MS)


def test_what_the_engine_does_itself_counts_in_full() -> None:
    """An engine that sleeps or computes beyond its budget loses, also if the machine was late as well."""
    own: list[list[Deed]] = [
        [("sleep", 101)],
        [("run", 101)],
        [("run", 50), ("sleep", 51)],
        [("wait", 60), ("sleep", 101)],
    ]
    for deeds in own:
        broken = Move(deeds).broken()
        assert broken.fault is Fault.TIME and broken.times is not None and not broken.times.machine, deeds
        assert broken.times.allowed_ns == 100 * MS
    assert Move([("sleep", 90), ("wait", 60)]).play()[1] == 90 * MS


def test_we_wait_on_where_the_machine_is_to_blame_and_no_longer() -> None:
    """A move that comes after 300 ms of which 240 were waits is in time; one that works 101 ms is not."""
    assert Move(repeated(12, ("wait", 20), ("run", 5))).play()[1] == 60 * MS
    move = Move([*repeated(20, ("wait", 20), ("run", 5)), ("run", 500)], answers=False)
    assert move.broken().fault is Fault.TIME
    assert move.time.ns - move.began_ns <= (400 + 100 + 5) * MS


def test_an_engine_that_waits_for_a_cpu_when_its_time_is_up_is_judged_when_it_has_had_one() -> None:
    """The kernel counts a wait when it ends, so a wait across the deadline is known only later."""
    assert Move([("run", 10), ("wait", 400), ("run", 10)]).play() == (420 * MS, 20 * MS, 20 * MS, 400 * MS)


class Pressed(Machine):
    """The kernel tells of waits by the pressure alone, also of one that still goes on."""

    def waits_ns(self) -> Waits | None:
        return {}, self._time.ns - self._sums()[0] - Time().ns


def test_each_of_several_long_waits_is_taken_off() -> None:
    """An engine that has a CPU for 1 ms after each 300 ms is not blamed while it waits for the next time."""
    deeds = repeated(3, ("wait", 300), ("run", 1))
    move, pressed = Move(deeds), Move(deeds)
    pressed.use(Pressed(pressed.time, deeds))
    assert move.play() == pressed.play() == (903 * MS, 3 * MS, 3 * MS, 900 * MS)


class Crowded(Machine):
    """160 threads that all waited at the same moments, and the pressure, which counts such a moment once."""

    def waits_ns(self) -> Waits | None:
        waited_ns = self._sums()[1]
        return dict.fromkeys((b"%d" % thread for thread in range(160)), waited_ns), waited_ns


def test_threads_that_wait_at_the_same_moment_wait_once() -> None:
    """An engine that woke 160 threads at once and then slept had its sleep excused, and voided the game."""
    deeds: list[Deed] = [("wait", 60), ("run", 20), ("sleep", 5_000)]
    move = Move(deeds, answers=False)
    move.use(Crowded(move.time, deeds))
    assert move.broken().fault is Fault.TIME
    assert move.time.ns - move.began_ns <= 200 * MS


def test_our_own_delay_is_not_the_engines() -> None:
    """A move that lay in the pipe for 45 ms while the referee had no CPU is 45 ms younger."""
    assert Move([("run", 50), ("sleep", 45)], own_ms=45).play() == (95 * MS, 50 * MS, 50 * MS, 45 * MS)


def test_our_own_delay_does_not_excuse_a_move_that_never_came() -> None:
    """A referee that looked 5 ms late at a sleeping engine has made nobody late."""
    times = Move([("sleep", 500)], answers=False, own_ms=5).broken().times
    assert times is not None and not times.machine and times.late_ns == 0


def test_no_more_is_taken_off_than_the_engine_did_not_run() -> None:
    """CPU time counts for the engine, whatever waits the kernel reports."""
    assert Move([("run", 90)], own_ms=500).play()[1] == 90 * MS
    assert Move([("run", 60), ("sleep", 10)], own_ms=500).play()[1] == 60 * MS


class Pretender(Machine):
    """An engine that sleeps, and wants a CPU for a moment whenever somebody looks."""

    def cpu_ns(self) -> int | None:
        return self._time.ns // 1_000

    def wants_cpu(self) -> bool:
        return True


def test_an_engine_that_only_looks_as_if_it_waited_gains_no_time() -> None:
    """A wait that goes on began after the last look at which the engine had run."""
    move = Move([("sleep", 60_000)], answers=False)
    move.use(Pretender(move.time))
    assert move.broken().fault is Fault.TIME
    assert move.time.ns - move.began_ns < 3 * BUDGET_MS * MS


def test_a_machine_that_gives_no_cpu_at_all_ends_the_game_for_nobody() -> None:
    """The hard end of a wait is no fault of the engine: it can be told apart, and the game is played again."""
    move = Move([("run", 5), ("wait", 10_000_000)], answers=False)
    with pytest.raises(MachineLate, match="machine was too late") as caught:
        move.play()
    patience_ns = PATIENCE_FACTOR * BUDGET_MS * MS + PATIENCE_NS
    assert patience_ns <= move.time.ns - move.began_ns <= patience_ns + 200 * MS
    assert caught.value.own_fault is None


def test_an_engine_that_leaves_the_cpu_whenever_it_has_one_makes_its_waits_itself() -> None:
    """By sched_yield or short sleeps an engine waits at no cost. It would void the games that it is losing."""
    for wait_ms, run_ms, is_own in ((9, 0, True), (300, 1, False)):
        with pytest.raises(MachineLate) as caught:
            Move(repeated(4_000, ("wait", wait_ms), ("run", run_ms)), answers=False).play()
        fault = caught.value.own_fault
        assert (fault is not None) == is_own
        assert fault is None or (fault.fault is Fault.TIME and fault.times is not None)


def test_a_stop_of_our_own_costs_nobody_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the referee is stopped for 10 s, the engine's answer lies in the pipe: only its CPU time counts."""
    move = Move([("run", 30), ("sleep", 10_000)], answers=False)
    move.watch.begin(move.time.ns, BUDGET_MS * MS)
    move.machine.go()
    monkeypatch.setattr(stops, "count", stops.count + 1)
    move.time.ns += 10_030 * MS
    assert move.watch.extra_wait_ns(10_030 * MS) == (BUDGET_MS - 30) * MS
    assert move.watch.stop(10_030 * MS)[1] == 30 * MS


def test_where_nothing_is_told_wall_time_counts() -> None:
    """On such a system the budget is one of wall time, and the stopwatch says so."""
    move = Move([("wait", 60), ("run", 30)], known=False)
    assert move.play() == (90 * MS, 90 * MS, None, None)
    assert not move.watch.measured
    assert Move([("wait", 101)], known=False).broken().fault is Fault.TIME


def test_a_crash_has_its_times() -> None:
    """Evidence of a death says how far the move had come."""
    move = Move([("run", 7)])
    move.replies = [[7, TransportClosed]]
    move.use(move.machine)
    broken = move.broken()
    assert broken.fault is Fault.CRASH
    assert broken.times is not None and broken.times[:3] == (100 * MS, 7 * MS, 7 * MS)


class LateToTell(Machine):
    """A machine that is asked for the waits just before it counts one, and for the state just after that one ended."""

    told = False

    def waits_ns(self) -> Waits | None:
        waits = super().waits_ns()
        if waits is None or not any(waits[0].values()) or self.told:
            return waits
        self.told = True
        return {}, 0


def test_the_figures_of_a_verdict_agree_with_it() -> None:
    """No engine loses on time by figures that say that the machine was late."""
    deeds: list[Deed] = [("run", 2), ("wait", 300), ("sleep", 3_000)]
    move = Move(deeds, answers=False)
    move.use(LateToTell(move.time, deeds))
    times = move.broken().times
    assert times is not None and times.late_ns == 300 * MS and times.wall_ns >= 400 * MS


class Busy(Machine):
    """An engine that uses CPU all the time, also while it should be idle. Counts how often it is looked at."""

    looks = 0

    def cpu_ns(self) -> int | None:
        self.looks += 1
        return self._time.ns


def moves(wall_ns: int, gap_ns: int) -> tuple[Busy, Stopwatch, set[Spent]]:
    """Ten moves of this wall time, with a time between one and the next."""
    time = Time()
    machine = Busy(time)
    watch = Stopwatch(machine, lambda: 0)
    spent = set()
    for _ in range(10):
        watch.begin(time.ns, BUDGET_MS * MS)
        time.ns += wall_ns
        spent.add(watch.stop(wall_ns))
        time.ns += gap_ns
    return machine, watch, spent


def test_nothing_is_read_after_a_move_below_a_millisecond() -> None:
    """All of its wall time is charged. Its CPU time is not taken for time that was used while the opponent thought."""
    wall_ns = TRIVIAL_NS - 1
    machine, watch, spent = moves(wall_ns, 1_000)
    assert spent == {(wall_ns, wall_ns, None, 0)}
    assert machine.looks == 1 + 1 and watch.idle_ns == 0
    machine._time.ns += FRESH_AMONG_SHORT_NS
    watch.begin(machine._time.ns)
    assert machine.looks == 1 + 2 and watch.idle_ns == 10 * 1_000 + FRESH_AMONG_SHORT_NS


def test_cpu_time_in_the_opponents_time_is_added_up() -> None:
    """It is told to the nanosecond, and the CPU time of a move is no part of it."""
    machine, watch, spent = moves(5 * MS, 40 * MS)
    assert machine.looks == 1 + 10 * 2 and watch.idle_ns == 9 * 40 * MS
    assert {each[:3] for each in spent} == {(5 * MS, 5 * MS, 5 * MS)}


def test_the_cpu_time_to_read_a_position_is_no_idle_time() -> None:
    """It is free, and an engine that reads slowly is not marked as one that computes in its opponent's time."""
    time = Time()
    answers: dict[str, list[Said]] = {"ugi": ["ugiok"], "isready": [3, "readyok"], "go": ["bestmove d1c1"]}
    session = Session(Wire(lambda line: answers.get(line.split()[0], []), time), now_ns=time)
    session.handshake()
    watch = Stopwatch(Busy(time), lambda: 0)
    for _ in range(10):
        assert session.prepare(b"position startpos", watch, 5 * MS) is None
        session.search(b"go movetime 50\n", BUDGET_MS * MS, Fault.TIME, watch)
        time.ns += 2 * MS
    assert watch.idle_ns == 9 * 2 * MS


def test_an_engine_that_takes_the_cpu_from_its_opponent_is_named() -> None:
    """Half of what its CPUs had since its last move is enough; less is not."""
    time = Time()
    watches = [Stopwatch(Busy(time), lambda: 0, cpus) for cpus in (1, 2, 3)]
    time.ns += 100 * MS
    assert [watch.held_the_cpu(100 * MS) for watch in watches] == [100 * MS, 100 * MS, None]


def test_the_reading_of_a_position_is_measured_as_a_move_is() -> None:
    """40 ms of waiting for a CPU, 20 of work, 10 of sleep before `readyok`; the move after it starts from nothing."""
    time = Time()
    machine = Machine(time, [("wait", 40), ("run", 20), ("sleep", 10)])

    def answer(line: str) -> list[Said]:
        if line.startswith("position"):
            machine.go()
        answers: dict[str, list[Said]] = {"ugi": ["ugiok"], "isready": [70, "readyok"], "go": ["bestmove d1c1"]}
        return answers.get(line.split()[0], [])

    session = Session(Wire(answer, time), now_ns=time)
    session.handshake()
    watch = Stopwatch(machine, lambda: 0)
    spent = session.prepare(b"position startpos", watch, 5 * MS)
    assert spent is not None and spent[:2] == (70 * MS, 30 * MS)
    assert session.prepare(b"position startpos", watch, 30 * MS) is None
    assert session.search(b"go movetime 50\n", BUDGET_MS * MS, Fault.TIME, watch)[1][:2] == (0, 0)
