"""Faults of engines: a sample with real processes, and the judge of the rows. `make faults` plays them all."""

import sys
from pathlib import Path

import pytest

from arena.openings.books import Start
from arena.play.jobs import EngineSpec, Terms
from arena.run.slots import LocalSlots
from arena.run.source import RunSetting
from arena.timing.time_control import parse
from benchmarks.faults import play, special
from benchmarks.faults.play import Reference
from benchmarks.faults.rows import CLOCK, LONG_CLOCK, NODES, Row, rows
from results.record import GameRecord, Termination
from tests.arena.run.playing import play as play_run
from tests.arena.run.playing import round_robin, script
from tests.zoo.catalogue import FAULTS

SAMPLE = (
    Row("exit-1", "mid", LONG_CLOCK),
    Row("silent", "mid", NODES),
    Row("illegal-move", "first", CLOCK, "p2"),
    Row("crlf", "handshake"),
)
DEEDS = (
    Row("writes-file", "first", LONG_CLOCK),
    Row("kills-parent", "first", CLOCK, "p1", ("--really",)),
    Row("orphan", "idle"),
)
ACCIDENTS = ("program-removed-engine-dead", "engine-dies-after-the-game")

pytestmark = pytest.mark.usefixtures("quick_workers")


@pytest.fixture(scope="module")
def plain() -> Reference:
    """A game between correct engines."""
    return play.reference(LONG_CLOCK, "none")


def wrong(row: Row, level: str, plain: Reference) -> tuple[str, ...]:
    """What is wrong with a row in the better of two tries: it is judged by the wall's clock, and machines are busy."""
    return play.play(row, level, plain).wrong and play.play(row, level, plain).wrong


@pytest.mark.long
@pytest.mark.parametrize("row", SAMPLE, ids=lambda row: row.fault)
def test_a_fault_gets_its_verdict_and_leaves_nothing_behind(row: Row, plain: Reference) -> None:
    """The record has the right termination, in time, and the next game is not affected."""
    assert wrong(row, "none", plain) == ()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="containment is for Linux")
@pytest.mark.parametrize("row", DEEDS, ids=lambda row: row.fault)
def test_a_deed_does_no_harm_in_its_box(row: Row, plain: Reference) -> None:
    """Refused, or cleaned up after; the games go on."""
    assert wrong(row, "basic", plain) == ()


@pytest.mark.long
def test_a_deed_that_nobody_stops_is_called_wrong(plain: Reference) -> None:
    """The table cannot be right by looking away: without a box a file is written, and the row says so."""
    outcome = play.play(DEEDS[0], "none", plain)
    assert (outcome.deed, outcome.wrong) == ("done", ("the deed could be done",))


@pytest.mark.long
@pytest.mark.parametrize("name", ACCIDENTS)
def test_an_accident_around_a_run_comes_out_as_it_must(name: str) -> None:
    """Programs that vanish, and engines that are gone when the game is over."""
    assert (special.play(name, "none").wrong and special.play(name, "none").wrong) == ()


def test_every_fault_is_played_at_every_moment() -> None:
    """A fault that is added to the zoo is played too."""
    due = {(name, phase) for name, fault in FAULTS.items() for phase, _ in fault.verdicts}
    assert due == {(row.fault, row.phase) for row in rows()} and len(due) > 200


def played(specs: dict[str, EngineSpec], games: int) -> list[GameRecord]:
    records: list[GameRecord] = []
    start = (Start("scottish"),)
    setting = RunSetting("run", tuple(specs), start, 0, 1, Terms(parse("nodes=5")))
    play_run(round_robin(setting, games), LocalSlots(1, pin=False), specs, records.extend)
    return [record for record in records if record.winner is not None]


def test_a_worker_that_is_stopped_by_a_stranger_has_its_game_played_again(tmp_path: Path) -> None:
    """An engine sends its worker SIGTERM in game 1: the game is not lost, and nobody is charged with it."""
    mark = tmp_path / "mark"
    first = f"line.startswith('go') and not os.path.exists({str(mark)!r})"
    once = f"if {first}: open({str(mark)!r}, 'w'); os.kill(os.getppid(), 15); continue"
    records = played({"stranger": script(tmp_path, "stranger", once), "b": script(tmp_path, "b", "pass")}, 2)
    assert [(one.number, one.termination) for one in records] == [
        (1, Termination.RESIGNATION),
        (2, Termination.RESIGNATION),
    ]


def test_the_winner_by_a_fault_is_told_how_the_game_ended(tmp_path: Path) -> None:
    """`gameover` comes after each game, also where the other engine is gone."""
    heard = tmp_path / "heard"
    dies = script(tmp_path, "dies", "if line.startswith('go'): os._exit(3)")
    writes = f"if line.startswith('gameover'): print(line, file=open({str(heard)!r}, 'a'))"
    played({"dies": dies, "writes": script(tmp_path, "writes", writes)}, 1)
    assert heard.read_text() == "gameover p2win crash\n"
