"""Clocks that blame the right one, and what is kept of a fault: referee and worker with a made-up machine."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.games import variants
from arena.games.game import Game
from arena.play import worker
from arena.play.engine_pool import EnginePool
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.referee import GameEnd, LoggedPly, Seat, play, plies_of
from arena.play.snapshots import Finished
from arena.play.worker import RunningGame
from arena.timing.time_control import parse
from protocol.faults import CannotStart, EngineFault, Fault, LastWords, MachineLate, Times
from protocol.session import Reply
from results.record import Termination
from tests.arena.play.wire import MS, Deed, Machine, Said, Time, scripted, seat
from tests.arena.run.playing import script

TERMS = Terms(parse("1+0.1"))
LATE: list[Deed] = [("wait", 400), ("run", 300)]
"""A move of 300 ms that took 700."""


def against_the_machine(deeds: Sequence[Deed], *said: Said) -> tuple[GameEnd, list[LoggedPly], list[str]]:
    """A game whose p1 does these deeds over each move and then says so; verdict, sheet, and what p1 was told."""
    time = Time()
    game = Game(*variants.resolve("scottish"))
    took = sum(ms for _, ms in deeds)
    first, wire = seat(scripted([[took, each] for each in said]), time, Machine(time, deeds))
    second, _ = seat(scripted([["bestmove d3c3"], ["bestmove c3d3"], ["bestmove d5c5"]]), time)
    sheet: list[LoggedPly] = []
    verdict = play(game, (first, second), TERMS, sheet)
    return verdict, sheet, [line for line in wire.heard if line.startswith("go")]


def test_the_clock_runs_by_what_moves_are_judged_by() -> None:
    """700 ms, of which 400 of waiting for a CPU, from 1 s and 0.1: the next go says so."""
    _, sheet, told = against_the_machine(LATE, "bestmove d1c1", "bestmove a1a1")
    assert told[1].split()[2] == "800"
    ply = plies_of(sheet)[0]
    assert (ply.wall_us, ply.cpu_us, ply.late_us, ply.left_ms) == (700_000, 300_000, 400_000, 800)


def test_nobody_loses_by_the_machines_delays() -> None:
    """The second move of 700 ms is over the clock of 400 ms by wall time only."""
    moves = ("bestmove d1c1", "bestmove c1d1", "bestmove a1a1")
    assert against_the_machine(LATE, *moves)[0].termination == Termination.ILLEGAL_MOVE


class Ice:
    """Two seats that note when they are frozen and thawed, beside what they are told."""

    def __init__(self, replies: Sequence[Sequence[list[Said]]]) -> None:
        self.log: list[str] = []
        time = Time()
        self.seats = [self._seat(number, scripted(reply), time) for number, reply in enumerate(replies, 1)]

    def _seat(self, number: int, answer: Any, time: Time) -> Seat:
        def noted(line: str) -> Any:
            self.log.append(f"{number} {line.split()[0]}")
            return answer(line)

        made, _ = seat(noted, time)
        freeze, thaw = (lambda word=word: self.log.append(f"{number} {word}") for word in ("freeze", "thaw"))
        return replace(made, freeze=freeze, thaw=thaw)


def test_idle_engines_are_stopped_between_their_move_and_their_next_line() -> None:
    """Frozen once the bestmove is read, thawed before the position; at the end both are thawed."""
    ice = Ice([[["bestmove d1c1"], ["bestmove x"]], [["bestmove d3c3"]]])
    play(Game(*variants.resolve("scottish")), (ice.seats[0], ice.seats[1]), TERMS, [])
    turn = ["thaw", "position", "isready", "go"]
    assert ice.log[2:] == [
        *(f"1 {word}" for word in [*turn, "freeze"]),
        *(f"2 {word}" for word in [*turn, "freeze"]),
        *(f"1 {word}" for word in [*turn, "freeze"]),
        "1 thaw",
        "2 thaw",
    ]


def test_a_bug_of_ours_leaves_nobody_frozen() -> None:
    """Whatever ends the game, both are thawed."""
    ice = Ice([[["bestmove d1c1"]], []])
    with pytest.raises(StopIteration):
        play(Game(*variants.resolve("scottish")), (ice.seats[0], ice.seats[1]), TERMS, [])
    assert ice.log[-2:] == ["1 thaw", "2 thaw"]


JOB = GameJob("run-1", 1, 1, "scottish", None, 0, "", "a", "b", 7, TERMS)


class FakePool:
    """A pool whose engines are always ready, and which notes whom it dropped."""

    def __init__(self, idle_used_ms: int = 0) -> None:
        self.dropped: list[str] = []
        self._idle_used_ms = idle_used_ms

    def pair(self, one: str, two: str) -> None: ...

    def drop_others(self, names: Iterable[str]) -> None:
        self.dropped.append("the others")

    def get(self, name: str) -> Any:
        time = Time()
        machine = Machine(time, [("run", self._idle_used_ms)])
        made, _ = seat(scripted([]), time, machine)
        machine.go()
        time.ns += self._idle_used_ms * MS
        return SimpleNamespace(announce=lambda *_: None, seat=lambda terms: made, trace=None)

    def is_remote(self, name: str) -> bool:
        return False

    def drop(self, name: str) -> LastWords:
        self.dropped.append(name)
        return LastWords((f"{name} <- go",), "last words", "exit status 3")


def table(
    monkeypatch: pytest.MonkeyPatch, *outcomes: GameEnd | Exception, idle_used_ms: int = 0
) -> tuple[Finished, FakePool]:
    """A job whose attempts end so, each after one ply of a second; `b`, which moved never, used so much CPU."""
    waiting, now_ns = iter(outcomes), [0]
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic_ns=lambda: now_ns[0]))

    def attempt(game: Game, seats: object, terms: Terms, sheet: list[LoggedPly]) -> GameEnd:
        sheet.append(("d1c1", Reply("d1c1", b"bestmove d1c1", None, False), (5, 5, None, None), None, 0))
        now_ns[0] += 1_000 * MS
        outcome = next(waiting)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(worker, "play", attempt)
    pool = FakePool(idle_used_ms)
    return RunningGame(JOB).play(pool, []), pool  # type: ignore[arg-type]  # the methods that it uses


WON = GameEnd("p1", "king-captured")


def test_a_game_that_the_machine_was_too_late_to_judge_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, from the first move, with fresh engines; nobody is at fault."""
    finished, pool = table(monkeypatch, MachineLate("the machine was too late"), WON)
    assert (finished.record.winner, finished.faulty, len(finished.record.plies)) == ("p1", None, 1)
    assert finished.record.wall_ms == 1_000, "the void attempt does not count"
    assert pool.dropped == ["a", "b", "the others"]


def test_a_second_time_nobody_has_won(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record is unfinished and names the machine."""
    finished, _ = table(monkeypatch, *[MachineLate("the machine was too late")] * 2)
    record = finished.record
    assert (record.winner, record.termination, record.detail) == (None, "unfinished", "the machine was too late")
    assert finished.faulty is None


@pytest.mark.parametrize(("used_ms", "blamed"), [(19_000, True), (9_000, False)])
def test_a_loser_does_not_void_its_games(monkeypatch: pytest.MonkeyPatch, used_ms: int, blamed: bool) -> None:
    """The second time, the engine has lost whose processes had most of the CPU in its opponent's move of 20 s."""
    late = [MachineLate("the machine was too late", 20_000 * MS) for _ in range(2)]
    finished, _ = table(monkeypatch, *late, idle_used_ms=used_ms)
    record = finished.record
    if not blamed:
        assert (record.winner, record.termination, finished.faulty, record.evidence) == (None, "unfinished", None, None)
        return
    idle = record.p1 if finished.faulty == record.p1 else record.p2
    assert (finished.faulty, record.termination) == (idle, "crash")
    assert "used 19.0 s of CPU while its opponent waited 20.0 s" in record.detail
    assert record.evidence is not None and record.evidence.side != record.winner and record.evidence.exit


def test_an_engine_that_waits_for_a_cpu_on_purpose_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time, as for any other cause: the first time the game is played again."""
    late = [MachineLate("too late", 20_000 * MS, EngineFault(Fault.TIME, "it left", times(False))) for _ in range(2)]
    finished, _ = table(monkeypatch, *late)
    record = finished.record
    assert (record.winner, record.termination, record.detail, finished.faulty) == ("p2", "time", "it left", "a")
    assert record.evidence is not None and record.evidence.side == "p1" and record.evidence.exit == "exit status 3"


def test_a_forfeit_of_the_machines_does_not_count_towards_withdrawal(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine is withdrawn for its own faults."""
    for machine, faulty in ((True, None), (False, "b")):
        broken = EngineFault(Fault.TIME, "late", times(machine))
        finished, _ = table(monkeypatch, GameEnd("p1", Termination.TIME, "late", broken))
        assert finished.faulty == faulty
        assert finished.record.machine == machine == finished.record.flagged


def times(machine: bool) -> Times:
    return Times(100 * MS, 120 * MS, 40 * MS, 80 * MS, machine)


def test_evidence_is_kept_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose fault, how it ended, what was said and what was measured."""
    broken = EngineFault(Fault.CRASH, "gone", times(False))
    kept = table(monkeypatch, GameEnd("p2", Termination.CRASH, "gone", broken))[0].record.evidence
    assert kept is not None
    assert (kept.side, kept.fault, kept.detail, kept.exit) == ("p1", "crash", "gone", "exit status 3")
    assert (kept.transcript, kept.stderr) == (("a <- go",), "last words")
    assert (kept.allowed_us, kept.wall_us, kept.cpu_us, kept.late_us) == (100_000, 120_000, 40_000, 80_000)
    assert table(monkeypatch, WON)[0].record.evidence is None


def test_a_real_engine_leaves_its_last_words_and_its_end(tmp_path: Path) -> None:
    """Dialogue, stderr and exit of a process that only played badly."""
    deed = "if line.startswith('go'): os.write(2, b'out of cheese'); say('bestmove a1a1'); continue"
    pool = EnginePool({name: script(tmp_path, name, deed) for name in "ab"})
    try:
        kept = RunningGame(JOB).play(pool, []).record.evidence
    finally:
        pool.kill()
    assert kept is not None
    assert (kept.side, kept.fault, kept.stderr) == ("p1", "illegal-move", "out of cheese")
    assert kept.exit == "still running, ended by the referee"
    assert [line for line in kept.transcript if line.startswith("a <- go")]
    assert kept.wall_us is not None and kept.allowed_us == 1_050_000


def test_an_engine_that_cannot_be_started_leaves_no_open_trace(tmp_path: Path) -> None:
    """Such an engine is tried again for each of its games, and a process may have only so many files open."""
    before = len(os.listdir("/dev/fd"))
    pool = EnginePool({"a": EngineSpec("a", (str(tmp_path / "gone"),), trace=str(tmp_path))})
    with pytest.raises(CannotStart):
        pool.get("a")
    assert len(os.listdir("/dev/fd")) == before
