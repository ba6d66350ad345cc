"""The checks of time: what a clock demands, and which engines lose on time."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.conformance import runner
from arena.conformance.catalogue import CHECKS
from arena.conformance.certificate.certificate import grades
from arena.conformance.check import Area, CheckVerdict, Finding, Grade, grade
from arena.conformance.checks.g_time import BULLET
from arena.conformance.context import CheckRun, CheckSettings
from arena.conformance.timed_game import CheckedClocks, LostOnTime, PlayedGame, confirmed
from arena.conformance.violation import NotApplicable
from arena.timing.time_control import Limit, parse
from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import MachineLate
from protocol.process import Command

ROOT = Path(__file__).parents[3]
ZOO = (sys.executable, "-P", "-m", "tests.zoo")
BUSY = "while True: pass"
TIMED = ("G8", "G9", "G10", "G26", "G27", "G28")


def findings(fault: str, ids: tuple[str, ...]) -> dict[str, Finding]:
    """What some checks find in the zoo with a fault, by their ids."""
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    command = Command((*ZOO, *(("--fault", *fault.split()) if fault else ())), box)
    checks = [check for check in CHECKS if check.id in ids]
    check_run = CheckRun(CheckSettings(command, {}), "scottish")
    todo = runner.tasks(checks, ("scottish",), "scottish")
    return {done.finding.id: done.finding for done in runner.run(check_run, todo, 1)}


def seen(finding: Finding) -> str:
    return finding.evidence.seen if finding.evidence else ""


def after(control: Limit, took_ms: list[float]) -> CheckedClocks:
    """The clocks after p1 took these times for its moves."""
    clocks = CheckedClocks(control)
    for each in took_ms:
        clocks.go("p1")
        clocks.spend("p1", each)
    return clocks


def attempts(*results: object) -> Callable[[], PlayedGame]:
    """Something that returns or raises one result after the other."""
    left: Iterator[object] = iter(results)

    def attempt() -> PlayedGame:
        result = next(left)
        if isinstance(result, Exception):
            raise result
        assert isinstance(result, PlayedGame)
        return result

    return attempt


def test_an_engine_is_told_what_is_left_on_its_clock() -> None:
    """The increment comes after the move, and a period's time after its last move; less than 1 ms is told as 1."""
    assert after(parse("0.05+0.01"), [20]).go("p1") == b"go p1time 40 p2time 50 p1inc 10 p2inc 10\n"
    assert after(parse("0.1+0"), [120]).go("p1") == b"go p1time 1 p2time 100 p1inc 0 p2inc 0\n"
    assert after(parse("2/0.1+0"), [30]).go("p1") == b"go p1time 70 p2time 100 p1inc 0 p2inc 0 movestogo 1\n"
    assert after(parse("2/0.1+0"), [30, 30]).go("p1") == b"go p1time 140 p2time 100 p1inc 0 p2inc 0 movestogo 2\n"


def test_a_least_time_of_200_ms_loses_every_bullet_game_at_its_first_move() -> None:
    """The sentence says what the overrun costs: the game, and at which control."""
    for control in BULLET:
        with pytest.raises(
            LostOnTime, match=rf"it loses on time at {control}: move 1 of p1 took 200\.0 ms".replace("+", r"\+")
        ):
            after(control, [200])


def test_a_small_least_time_adds_up_over_a_game() -> None:
    """The margin is granted once in a game of 0.1+0, so 20 moves may take 150 ms together."""
    assert after(BULLET[0], [7] * 20).left_ms("p1") < 0
    for least_ms, lost_at in ((20, 8), (8, 19)):
        with pytest.raises(LostOnTime, match=f"move {lost_at} of p1"):
            after(BULLET[0], [least_ms] * 20)


def test_reading_a_position_costs_time_on_the_clock() -> None:
    """What is needed beyond what is free is charged before the move."""
    clocks = CheckedClocks(parse("0.1+0"))
    assert clocks.go_line("p1")(30) == b"go p1time 70 p2time 100 p1inc 0 p2inc 0\n"
    with pytest.raises(LostOnTime, match="reading the position of move 1 of p1 used up its clock"):
        clocks.go_line("p1")(121)


def test_a_period_is_overstepped_where_nothing_is_left_for_its_last_move() -> None:
    """Also within the margin, which hides it in a short period: 7.5 demands it. Less than 1 ms is nothing."""
    spent = after(parse("4/0.4+0"), [133, 133, 133.5])
    with pytest.raises(LostOnTime, match=r"before its last move: of 400 ms for 4 moves 0\.5 ms are left") as lost:
        spent.go("p1")
    assert lost.value.clause == "7.5"
    assert after(parse("4/0.4+0"), [133, 133, 130]).go("p1").endswith(b"movestogo 1\n")


def test_a_loss_on_time_counts_if_it_comes_twice() -> None:
    """A machine may stand still once; an engine that always needs too long loses again."""
    won, lost, late = PlayedGame(40, 12), LostOnTime("it loses on time"), MachineLate("the machine was too late")
    assert confirmed(attempts(lost, won)) == confirmed(attempts(late, won)) == won
    with pytest.raises(LostOnTime):
        confirmed(attempts(lost, lost))
    with pytest.raises(LostOnTime):
        confirmed(attempts(late, lost))


def test_where_the_machine_is_too_busy_nothing_is_judged() -> None:
    """The check is skipped, which is no pass and no failure."""
    late = MachineLate("the machine was too late")
    with pytest.raises(NotApplicable, match="too busy"):
        confirmed(attempts(late, late))
    with pytest.raises(NotApplicable, match="too busy"):
        confirmed(attempts(LostOnTime("it loses on time"), late))


def test_every_check_of_clocks_is_graded_as_time() -> None:
    """So the grade *time* of a certificate follows. Nothing may run beside such a check."""
    for check in [check for check in CHECKS if check.id in TIMED]:
        assert check.area is Area.TIME
        assert check.alone


@pytest.mark.long
def test_an_engine_that_sleeps_200_ms_whatever_the_clock_says_is_not_clean() -> None:
    """It fails the check of bullet games, by clause 7.4, and its grade for time falls."""
    found = findings("sleeps --think 200", ("G27",))
    assert found["G27"].verdict is CheckVerdict.FAIL and found["G27"].clause == "7.4"
    # A referee that waited for a CPU takes its own wait off, so a busy machine sees less than 200 ms.
    told = re.match(
        r"it loses on time at 0\.1\+0: move 1 of p1 took ([\d.]+) ms; its clock had 100\.0 ms", seen(found["G27"])
    )
    assert told is not None and 150 < float(told[1]) < 300
    assert grade(found.values()) is Grade.PLAYABLE
    assert grades(list(found.values()))[Area.TIME] == "playable"


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("fault", "check", "clause", "words"),
    [
        ("sleeps --think 200", "G8", "7.4", "it loses on time under `go movetime 1`: it took 2"),
        ("sleeps --think 200", "G9", "7.4", "it loses on time at 0.1+0"),
        ("slows-down", "G28", "7.4", "it loses on time at 0.2+0.01: move 31 of p1 took "),
        ("spends-period", "G26", "7.5", "spent the time of a period before its last move"),
        ("oversteps-period", "G26", "7.5", "it loses on time at 4/0.4+0: move 4 of p1"),
    ],
)
def test_an_engine_that_loses_on_time_is_told_where_and_by_which_clause(
    fault: str, check: str, clause: str, words: str
) -> None:
    """A least time, a slow end of a long game, an overstepped period."""
    finding = findings(fault, (check,))[check]
    assert finding.verdict is CheckVerdict.FAIL and finding.clause == clause
    assert words in seen(finding)


@pytest.mark.long
@pytest.mark.timeout(60)
def test_an_engine_that_plans_to_use_the_margin_is_warned() -> None:
    """It loses no game by it, so this is no failure; 7.4 says that it SHOULD NOT."""
    finding = findings("uses-margin", ("G8",))["G8"]
    assert finding.verdict is CheckVerdict.WARNING
    assert "under `go movetime 100` each of 6 moves was 35" in seen(finding)


@contextmanager
def busy_machine(at_once: int) -> Iterator[None]:
    """So many processes a CPU compute meanwhile."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(at_once * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_correct_engine_loses_nothing_on_a_busy_machine() -> None:
    """What it waits for a CPU is taken off."""
    with busy_machine(4):
        found = findings("", TIMED)
    assert {name: (one.verdict, seen(one)) for name, one in found.items()} == dict.fromkeys(
        TIMED, (CheckVerdict.PASS, "")
    )


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_busy_machine_hides_no_engine_that_computes_on_after_its_time() -> None:
    """It waits for a CPU most of the time, and that is taken off; what it computes afterwards is charged."""
    with busy_machine(10):
        finding = findings("movetime-twice", ("G8",))["G8"]
    assert finding.verdict is CheckVerdict.FAIL
    assert re.search(r"it took under 10 ms: \d+ ms, 100 ms: \d+ ms, 400 ms: \d+ ms$", seen(finding))


@pytest.mark.long
@pytest.mark.timeout(60)
def test_an_engine_that_takes_as_long_for_every_move_time_is_asked_whether_it_reads_it() -> None:
    """The loss alone does not say whether the engine is slow or deaf; times under other move times do."""
    evidence = findings("sleeps --think 200", ("G8",))["G8"].evidence
    assert evidence is not None
    assert re.search(r"; it took under 10 ms: \d+ ms, 100 ms: \d+ ms, 400 ms: \d+ ms$", evidence.seen)
    assert evidence.cause == "it takes as long whatever the move time: is `movetime` read at all?"
