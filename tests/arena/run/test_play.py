"""The main loop of a run: games in hand, what becomes of them, and slots that are lost or stopped."""

import itertools
import os
import pickle
import signal
import threading
from collections.abc import Sequence
from dataclasses import replace

import multiprocess
import pytest

from arena.play.jobs import GO, EngineSpec, GameJob, Terms
from arena.play.snapshots import Finished
from arena.play.worker import JobQueue, Stop
from arena.run.control import NUMBERS, Control
from arena.run.play import SILENT_DEATHS
from arena.run.run import TRIES, WorkerLost
from arena.run.source import FAR_AHEAD
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy
from results.record import GameRecord
from tests.arena.run.playing import FakeSlot, FakeSlots, Listed, Told, play
from tests.results.made import game_of

SPECS = {name: EngineSpec(name, ("true",), sandbox=SandboxPolicy(Level.NONE)) for name in ("a", "b", "c")}
JOB = GameJob("run-1", 1, 1, "scottish", None, 0, "7", "a", "b", 1, Terms(parse("nodes=1")))


def jobs(count: int) -> list[GameJob]:
    return [replace(JOB, id=f"run-{number}", number=number) for number in range(1, count + 1)]


def record(job: GameJob, wall_ms: int = 1) -> GameRecord:
    return game_of(job, wall_ms=wall_ms)


def all_of_them(in_hand: list[GameJob]) -> list[Finished]:
    """The answer of a worker that plays all it has."""
    ended = [Finished(record(job), None) for job in in_hand]
    in_hand.clear()
    return ended


def numbers(kept: Sequence[GameRecord]) -> list[int]:
    return [game.number for game in kept if game.winner is not None]


def test_each_game_begins_before_it_ends_and_many_are_stored_together() -> None:
    """Of tiny games a slot has many in hand."""
    kept: list[list[int]] = []
    slot, told = FakeSlot(all_of_them), Told()
    play(Listed(jobs(200)), FakeSlots(slot), SPECS, lambda some: kept.append(numbers(some)), told)
    assert [number for some in kept for number in some] == list(range(1, 201))
    assert kept[0] == [1] and len(kept) < 20
    assert told.numbers("start") == told.numbers("game") == list(range(1, 201))
    assert all(told.told.index(("start", n)) < told.told.index(("game", n)) for n in range(1, 201))
    assert slot.most == FAR_AHEAD + 1


@pytest.mark.parametrize(("wall_ms", "most"), [(9, 9), (499, 3), (500, 1)])
def test_the_longer_games_take_the_fewer_are_in_hand(wall_ms: int, most: int) -> None:
    """Of a long game nothing is gained, and others might wait for it."""

    def all_so_long(in_hand: list[GameJob]) -> list[Finished]:
        return [Finished(record(in_hand.pop(0), wall_ms), None) for _ in in_hand[:]]

    slot = FakeSlot(all_so_long)
    play(Listed(jobs(100)), FakeSlots(slot), SPECS, lambda some: None)
    assert slot.most == most


def test_a_source_that_looks_at_results_gets_them_as_early_as_it_asks() -> None:
    """With `ahead` 0 there is no game in hand, however short the games are."""
    slot = FakeSlot(all_of_them)
    play(Listed(jobs(20), ahead=0), FakeSlots(slot), SPECS, lambda some: None)
    assert slot.most == 1


def test_workers_that_die_before_they_say_a_word_stop_the_run_and_charge_no_game() -> None:
    """No memory is left, say. A game that was tried with them has all its tries still."""

    def stillborn() -> FakeSlot:
        slot = FakeSlot(lambda in_hand: [])
        slot.receive()  # its first word
        slot.die()
        slot.lost_with_machine = False
        return slot

    kept: list[GameRecord] = []
    slots = FakeSlots(*(stillborn() for _ in range(SILENT_DEATHS - 1)), FakeSlot(all_of_them))
    play(Listed(jobs(3)), slots, SPECS, kept.extend)
    assert numbers(kept) == [1, 2, 3]
    with pytest.raises(WorkerLost, match="before they said anything"):
        play(Listed(jobs(3)), FakeSlots(*(stillborn() for _ in range(SILENT_DEATHS))), SPECS, lambda some: None)


def test_an_answer_that_a_slot_no_longer_owes_is_thrown_away() -> None:
    """A record that comes twice, or of a game of another slot, is neither counted nor stored nor told."""
    stranger = replace(JOB, id="run-99", number=99)

    def twice(in_hand: list[GameJob]) -> list[Finished]:
        ended = all_of_them(in_hand)
        return [*ended, *ended, Finished(record(stranger), None)]

    kept: list[GameRecord] = []
    play(Listed(jobs(30)), FakeSlots(FakeSlot(twice)), SPECS, kept.extend)
    assert [game.number for game in kept] == list(range(1, 31))


def test_games_in_hand_of_a_faulty_engine_are_not_played() -> None:
    """The slot gives up what it had; the engine is withdrawn and its games are counted as not played."""

    def faulty(in_hand: list[GameJob]) -> list[Finished]:
        number = in_hand[0].number
        ended = Finished(record(in_hand.pop(0)), "a" if number >= 3 else None)
        if number >= 3:
            in_hand.clear()
        return [ended]

    kept: list[GameRecord] = []
    slot = FakeSlot(faulty)
    run = play(Listed(jobs(100)), FakeSlots(slot), SPECS, kept.extend, fault_budget=3)
    assert numbers(kept) == [1, 2, 3, 4, 5]
    assert run.not_played == 95 and set(run.withdrawn) == {"a"}
    assert slot.heard.count(GO) == 3


def stopped_by(number: int, answered: int) -> tuple[FakeSlots, list[str]]:
    """A slot that ends one game; then this signal comes, and then so many more results."""
    said: list[str] = []

    class Interrupted(FakeSlot):
        def terminate(self) -> None:
            said.append("terminate")
            for job in self.in_hand[:answered]:
                self.say([Finished(record(job), None)])

    def first(in_hand: list[GameJob]) -> list[Finished]:
        if in_hand[0].number > 1:
            os.kill(os.getpid(), number)
            return []
        return [Finished(record(in_hand.pop(0)), None)]

    return FakeSlots(Interrupted(first)), said


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("answered", [0, 1, 2])
def test_every_game_that_began_also_ends_when_a_run_is_stopped(number: int, answered: int) -> None:
    """Ctrl-C, SIGTERM and a closed terminal are flags: results on their way count, and handlers are as before."""
    slots, said = stopped_by(number, answered)
    kept, told, control = list[GameRecord](), Told(), Control()
    handlers = [signal.getsignal(each) for each in NUMBERS]
    play(Listed(jobs(9)), slots, SPECS, kept.extend, told, control)
    assert control.stopped and said[0] == "terminate"
    assert [signal.getsignal(each) for each in NUMBERS] == handlers
    whole = list(range(1, answered + 2))
    assert numbers(kept) == whole
    assert told.numbers("start") == told.numbers("game") == [game.number for game in kept]
    assert len(told.numbers("start")) <= len(whole) + 1


@pytest.mark.parametrize("with_machine", [True, False])
def test_every_game_that_began_also_ends_when_slots_are_lost(with_machine: bool) -> None:
    """Workers end what is before game 5, and die there. Where machines live, the third one stops the run."""

    def dying() -> FakeSlot:
        def answer(in_hand: list[GameJob]) -> list[Finished]:
            whole = list(itertools.takewhile(lambda job: job.number != 5, in_hand))
            del in_hand[: len(whole)]
            if in_hand:
                slot.die()
            return [Finished(record(job), None) for job in whole]

        slot = FakeSlot(answer)
        slot.lost_with_machine = with_machine
        return slot

    kept, told = list[GameRecord](), Told()
    slots = FakeSlots(*(dying() for _ in range(2 * TRIES)), FakeSlot(all_of_them))
    if with_machine:
        play(Listed(jobs(9)), slots, SPECS, kept.extend, told)
        assert sorted(numbers(kept)) == list(range(1, 10))
    else:
        with pytest.raises(WorkerLost):
            play(Listed(jobs(9)), slots, SPECS, kept.extend, told)
        assert numbers(kept) == [1, 2, 3, 4], "what ended before is kept"
    assert sorted(told.numbers("start")) == sorted(told.numbers("game"))
    assert told.numbers("start").count(5) >= TRIES


class Ends:
    """Both ends of a worker's pipe."""

    def __init__(self) -> None:
        self.ours, self.theirs = multiprocess.Pipe()
        self.stop = Stop(NoEngines(), os.getpid())  # type: ignore[arg-type]
        self.hand = JobQueue(self.theirs, self.stop)

    def give(self, message: object) -> None:
        self.ours.send_bytes(pickle.dumps(message))


class NoEngines:
    def stop(self) -> None: ...


def test_a_worker_forgets_after_a_fault_what_was_sent_before_the_fault_was_known() -> None:
    """Jobs in hand and jobs on their way: the engine may be withdrawn. What is sent afterwards is played."""
    ends = Ends()
    one, two, three, four = jobs(4)
    ends.give([one, two])
    assert ends.hand.take() == one
    ends.hand.drop()
    ends.give([three])
    ends.give(GO)
    ends.give([four])
    assert ends.hand.take() == four


def test_a_stop_ends_a_worker_that_waits_for_a_game_and_one_that_has_some() -> None:
    """No message comes any more, and no exception is needed."""
    waiting, busy = Ends(), Ends()
    busy.give(jobs(2))
    assert busy.hand.take() == JOB
    threading.Timer(0.05, waiting.stop.signalled, (signal.SIGTERM, None)).start()
    assert waiting.hand.take() is None
    busy.stop.signalled(signal.SIGTERM, None)
    assert busy.hand.take() is None
