"""Whoever waits for the checks of a slow engine is told how long they will take."""

from arena.conformance import runner
from arena.conformance.catalogue import BY_ID, CHECKS
from arena.conformance.check import RECORDED, CheckVerdict, Finding, Severity
from arena.conformance.check_estimate import CheckEstimate, Pace, usual_ms
from arena.conformance.runner import CheckTask

TASKS = runner.tasks(CHECKS, ("scottish",), "scottish")


def finding(task: CheckTask, elapsed_ms: float) -> Finding:
    return Finding(
        task.check.id, task.check.clause, Severity.MAJOR, "it", None, CheckVerdict.PASS, elapsed_ms=int(elapsed_ms)
    )


def test_a_slow_start_counts_for_every_check() -> None:
    """As that of a virtual machine, which is known before the first check."""
    slow = CheckEstimate(TASKS, 1, Pace(start_ms=2_000))
    assert slow.left_s > 1.8 * len(TASKS)
    assert slow.sentence(0).startswith(f"{len(TASKS)} checks, about ")
    assert slow.sentence(29) == ""


def test_an_engine_that_is_slow_is_noticed_by_its_first_checks() -> None:
    """If most of them take a second longer than expected, so will the others; one that takes a minute tells nothing."""
    estimate = CheckEstimate(TASKS, 1, Pace())
    for number, task in enumerate(TASKS[:40]):
        estimate.note(finding(task, usual_ms(task.check) + (60_000 if number == 20 else 1_000)))
    expected = sum(usual_ms(task.check) + 1_000 * (task.check.cost is not RECORDED) for task in TASKS[40:]) / 1_000
    assert abs(estimate.left_s - expected) < 0.05 * expected


def test_it_is_told_now_and_then_and_not_at_the_end() -> None:
    """After half a minute, then after twice as long each time, in words no finer than they can be true."""
    estimate = CheckEstimate(TASKS, 1, Pace(start_ms=900))
    assert estimate.sentence(0) == f"{len(TASKS)} checks, about 2 min"
    for task in TASKS[:30]:
        estimate.note(finding(task, usual_ms(task.check) + 1_000))
        assert estimate.sentence(1) == ""
    assert estimate.sentence(31).startswith(f"30 of {len(TASKS)} checks done, about ")
    assert estimate.sentence(90) == "" and estimate.sentence(92)
    for task in TASKS[30:]:
        estimate.note(finding(task, 1_000))
    assert estimate.left_s == 0 and estimate.sentence(1_000) == ""


def test_a_pace_counts_where_a_check_asks_for_it() -> None:
    """Move times cost what is used of them, a slow search those that search often, and no check goes on for ever."""
    quick, slow = Pace(share=0), Pace(search_ms=100)
    assert usual_ms(BY_ID["G8"], quick) <= usual_ms(BY_ID["G8"]) - 3_000
    assert usual_ms(BY_ID["E2"], quick) == usual_ms(BY_ID["E2"])
    assert usual_ms(BY_ID["E2"], slow) >= usual_ms(BY_ID["E2"]) + 1_500
    assert usual_ms(BY_ID["A5"], slow) == usual_ms(BY_ID["A5"])
    assert usual_ms(BY_ID["G2"], Pace(search_ms=10_000)) < 20_000
    assert usual_ms(BY_ID["G4"], Pace(stop_ms=2_000)) >= 2_000
