"""The catalogue of checks, grades, and what becomes of a check that goes wrong."""

import os
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from arena.conformance import clauses, runner
from arena.conformance.catalogue import CHECKS, GROUPS, SMOKE, BadArgument, choose
from arena.conformance.certificate.causes import by_cause
from arena.conformance.check import Check, CheckVerdict, Finding, Grade, Severity, grade
from arena.conformance.context import START, CheckContext, CheckRun, CheckSettings
from arena.conformance.runner import CheckTask
from arena.conformance.violation import LEGALITY, IllegalAnswer, NotApplicable, Violation
from protocol.containment.policy import Level, SandboxPolicy
from protocol.faults import CannotStart
from protocol.process import Command
from tests.zoo import in_process
from tests.zoo.spec.engine import Engine

ROOT = Path(__file__).parents[3]


def check_run_of(*argv: str) -> CheckRun:
    return CheckRun(CheckSettings(Command(argv, SandboxPolicy(Level.NONE)), {}), "scottish")


@pytest.fixture
def check_run() -> CheckRun:
    """A run with the correct engine of the zoo."""
    return check_run_of(sys.executable, "-P", "-m", "tests.zoo")


def finding(severity: Severity, verdict: CheckVerdict) -> Finding:
    return Finding("X1", "2.1", severity, "", None, verdict)


def test_every_check_has_an_id_of_its_own_in_one_of_the_groups() -> None:
    """The groups are in the order of their letters, and the checks in the order of their numbers."""
    ids = [check.id for check in CHECKS]
    assert len(set(ids)) == len(ids) == 128
    assert list(dict.fromkeys(id_[0] for id_ in ids)) == list(GROUPS)


def test_every_check_cites_a_clause_and_says_something_of_its_own() -> None:
    """The clauses exist, and no two checks promise the same."""
    assert {check.clause for check in CHECKS} <= clauses.numbered().keys()
    assert len({check.title for check in CHECKS}) == len(CHECKS)


def test_the_smoke_test_is_what_must_hold_before_a_game() -> None:
    """Start, ready, start position, limits, one bestmove, stop, quit."""
    assert {f"A{number}" for number in range(1, 12)} | {"D1", "E1", "G1", "G3", "G4", "K1"} == SMOKE
    assert {check.id for check in choose(level="smoke")} == SMOKE


def test_checks_are_chosen_by_name_and_letter() -> None:
    """In the catalogue's order, in any letter case; names that do not exist are refused."""
    assert [check.id for check in choose(["k1", "A3"])] == ["A3", "K1"]
    assert [check.id for check in choose(groups=["d"])] == ["D1", "D2", "D3", "D4", "D5", "D6"]
    with pytest.raises(BadArgument):
        choose(["A99"])


def test_a_clause_can_be_quoted() -> None:
    """As plain text, short enough for a report."""
    for number in sorted({check.clause for check in CHECKS}):
        text = clauses.quote(number)
        assert 20 < len(text) <= 330 and "](#" not in text and "<a id" not in text, number


def test_the_grade_is_that_of_the_gravest_breach() -> None:
    """What was skipped breaks nothing, what went wrong passes nothing."""
    for broken, expected in (
        ([], Grade.CLEAN),
        ([finding(Severity.FATAL, CheckVerdict.SKIPPED)], Grade.CLEAN),
        ([finding(Severity.NOTE, CheckVerdict.WARNING)], Grade.CLEAN),
        ([finding(Severity.MINOR, CheckVerdict.WARNING)], Grade.CONFORMANT),
        ([finding(Severity.NOTE, CheckVerdict.ERROR)], Grade.CONFORMANT),
        ([finding(Severity.MAJOR, CheckVerdict.FAIL), finding(Severity.MINOR, CheckVerdict.WARNING)], Grade.PLAYABLE),
        ([finding(Severity.FATAL, CheckVerdict.FAIL)], Grade.NOT_PLAYABLE),
        ([finding(Severity.FATAL, CheckVerdict.ERROR)], Grade.NOT_PLAYABLE),
    ):
        assert grade([finding(Severity.FATAL, CheckVerdict.PASS), *broken]) is expected


def passes(ctx: CheckContext) -> str:
    return "7 ms"


def violates(ctx: CheckContext) -> None:
    raise Violation("it did not", cause="it cannot")


def violates_a_little(ctx: CheckContext) -> None:
    raise Violation("it hardly did", minor=True)


def skips(ctx: CheckContext) -> None:
    raise NotApplicable("it need not")


def errs(ctx: CheckContext) -> None:
    raise ZeroDivisionError


def test_what_a_check_does_becomes_its_verdict(check_run: CheckRun) -> None:
    """Passing, violating, skipping and going wrong are four things, and evidence stands by those that need it."""
    for function, severity, verdict, measured in (
        (passes, Severity.FATAL, CheckVerdict.PASS, "7 ms"),
        (violates, Severity.MAJOR, CheckVerdict.FAIL, ""),
        (violates, Severity.MINOR, CheckVerdict.WARNING, ""),
        (violates, Severity.NOTE, CheckVerdict.WARNING, ""),
        (violates_a_little, Severity.MAJOR, CheckVerdict.WARNING, ""),
        (skips, Severity.FATAL, CheckVerdict.SKIPPED, "it need not"),
        (errs, Severity.MINOR, CheckVerdict.ERROR, ""),
    ):
        done = runner.perform(check_run, CheckTask(Check("X1", "2.1", severity, "it does", "", function), "scottish"))
        assert (done.finding.verdict, done.finding.measured) == (verdict, measured)
        assert (done.finding.evidence is None) == (verdict in (CheckVerdict.PASS, CheckVerdict.SKIPPED))


ELSEWHERE = "its move is also illegal in a plain session: see F10, G2, E1 and E2 first"


@pytest.mark.parametrize(
    ("name", "fault", "cause", "matter"),
    [
        pytest.param("E1", "wrong-at-start", "its own", LEGALITY, marks=pytest.mark.long),
        ("G8", "wrong-at-start", ELSEWHERE, LEGALITY),
        pytest.param("G8", "authorless", "its own", LEGALITY, marks=pytest.mark.long),
        pytest.param("E4", "authorless", "its own", "", marks=pytest.mark.long),
    ],
)
def test_an_illegal_move_is_laid_to_the_rules_only_where_a_plain_session_brings_one(
    name: str, fault: str, cause: str, matter: str
) -> None:
    """Many checks come upon one. Where the same position is played rightly in a plain session, what the check did is to
    blame, and its own hint stands."""

    def moves_wrongly(ctx: CheckContext) -> None:
        raise IllegalAnswer("`bestmove a1` is not legal", START, "scottish")

    done = runner.perform(
        check_run_of(sys.executable, "-P", "-m", "tests.zoo", "--fault", fault),
        CheckTask(Check(name, "2.1", Severity.MAJOR, "it does", "its own", moves_wrongly), "scottish"),
    )
    assert done.finding.evidence is not None
    assert (done.finding.evidence.cause, done.finding.matter) == (cause, matter)


class SeesNoMove(Engine):
    """Takes every game for one that is over."""

    def go(self, words: list[str]) -> None:
        self.say("bestmove 0000")


def test_who_says_that_there_is_no_move_is_told_of_the_rules_and_not_of_spelling() -> None:
    """`0000` is what 8.9 asks for at the end of a game, so the check of spelling lays it to the rules."""
    (found,) = in_process.findings(lambda: SeesNoMove(None), choose(["G23"]), ("scottish",), "scottish")
    assert (found.verdict, found.matter) == (CheckVerdict.FAIL, LEGALITY)
    assert found.evidence is not None and "0000 is no move, and there is a legal one" in found.evidence.seen


class ErrsNowAndThen(Engine):
    """Every third of its moves is illegal."""

    moves = 0

    def go(self, words: list[str]) -> None:
        self.moves += 1
        return super().go(words) if self.moves % 3 else self.say("bestmove a1a1")


def test_illegal_moves_at_random_follow_from_the_rules_and_are_shown() -> None:
    """Whatever a check was about; and the dialogue ends with the move that was seen, though it was asked again."""
    found = in_process.findings(lambda: ErrsNowAndThen(None), choose(["E3", "G2", "G6"]), ("scottish",), "scottish")
    assert [(cause.first.id, len(cause.others)) for cause in by_cause(found)] == [("G2", 2)]
    assert all(each.evidence and each.evidence.came[-1] == "bestmove a1a1" for each in found)


class AddsMoves(Engine):
    """Plays a list of moves on from where the last one ended."""

    def read_position(self, words: list[str]) -> None:
        if words[:2] != ["startpos", "moves"]:
            return super().read_position(words)
        for word in words[2:]:
            self.game.play(word)


def test_what_is_left_of_the_last_position_is_told_by_the_check_about_it() -> None:
    """Whoever sends a second position meets it; alone the same position is played rightly."""
    checks = choose(["B9", "C9", "E4", "E6"])
    found = in_process.findings(lambda: AddsMoves(None), checks, ("callanish-7",), "callanish-7")
    assert [(cause.first.id, len(cause.others)) for cause in by_cause(found)] == [("E6", 3)]


def test_a_crash_is_the_likely_cause_of_whatever_a_check_misses() -> None:
    """The hint of a check is about an engine that answers. After a crash the error on stderr tells more."""

    def asks(ctx: CheckContext) -> None:
        ctx.start().ready()

    check = Check("X1", "2.1", Severity.MAJOR, "it does", "its own", asks)
    for ending, cause in (
        ("raise IndexError('no such point')", "it crashed: IndexError: no such point"),
        ("os.kill(os.getpid(), 9)", "it crashed (was killed by SIGKILL) and left no word on stderr"),
        ("os._exit(0)", "its own"),
    ):
        check_run = check_run_of(sys.executable, "-c", f"import os; input(); {ending}")
        evidence = runner.perform(check_run, CheckTask(check, "scottish")).finding.evidence
        assert evidence is not None and evidence.cause == cause, ending


@pytest.mark.long  # it waits for deadlines
def test_a_debug_line_is_quoted_as_text_under_the_clause_of_output() -> None:
    """2.6 speaks of lines that are none of the protocol's; an author in C need not know how Python writes bytes."""
    program = "import sys\nfor line in sys.stdin: print('debug \\u00e9', 'readyok', 'ugiok', sep='\\n', flush=True)"
    check_run = check_run_of(sys.executable, "-X", "utf8", "-c", program)
    (check,) = choose(["B12"])
    found = runner.perform(check_run, CheckTask(check, "scottish")).finding
    assert found.evidence is not None
    assert (found.clause, found.verdict) == ("2.6", CheckVerdict.WARNING)
    assert found.evidence.seen == r"a line does not belong to the protocol: 'debug \xc3\xa9'"


def test_an_engine_that_cannot_be_started_is_no_verdict() -> None:
    """It is said at once, before any check."""
    with pytest.raises(CannotStart):
        list(runner.run(check_run_of("/no/such/program"), runner.tasks(choose(["A1"]), ("scottish",), "scottish"), 1))


def test_an_interrupted_run_ends_while_a_check_waits_for_its_engine(check_run: CheckRun) -> None:
    """Ctrl-C ends the engine, and is what the caller hears of."""
    waits = threading.Event()
    started: list[CheckContext] = []

    def waits_in_vain(ctx: CheckContext) -> None:
        started.append(ctx)
        engine = ctx.new_engine()
        waits.set()
        engine.subject.receive(time.monotonic_ns() + 20_000_000_000)

    checks = [
        Check("X1", "2.1", Severity.MAJOR, "the other one waits", "", lambda _: f"{waits.wait(10)}"),
        Check("X2", "2.1", Severity.MAJOR, "it answers", "", waits_in_vain),
    ]
    answers = runner.run(check_run, runner.tasks(checks, ("scottish",), "scottish"), 2)
    assert isinstance(answers, Generator) and next(answers).finding.verdict is CheckVerdict.PASS
    with pytest.raises(KeyboardInterrupt):
        answers.throw(KeyboardInterrupt)
    (engine,) = started[0].engines
    with pytest.raises(ProcessLookupError):
        os.kill(engine.subject.pid, 0)


def test_nothing_is_started_after_the_end_of_a_run(check_run: CheckRun) -> None:
    """A check that is still under way when the run is broken off leaves no engine behind."""
    engine = check_run.start("engine")
    check_run.kill_all()
    with pytest.raises(ProcessLookupError):
        os.kill(engine.subject.pid, 0)
    with pytest.raises(RuntimeError):
        check_run.start("engine")
