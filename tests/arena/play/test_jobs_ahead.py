"""Slots that have their next games in hand: what comes back, in which order, and what becomes of games not begun."""

import contextlib
import itertools
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import multiprocess
import pytest

from arena.planning.job_sources import FixedJobs
from arena.play.jobs import FAR_AHEAD, EngineSpec, GameJob, Jobs, Terms
from arena.play.observers import Observer
from arena.play.result_sender import Finished, GivenBack, ResultSender, Stopped
from arena.play.scheduler import ATTEMPTS, TOGETHER, Scheduler, WorkerLost
from arena.play.slots import LacksEngine, LocalSlots, NoSlot, Nudge, Slot
from arena.play.worker import JobsInHand
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy
from results.record import GameRecord, Termination

SPECS = {name: EngineSpec(name, ("true",), sandbox=SandboxPolicy(Level.NONE)) for name in ("a", "b")}
JOB = GameJob("run-1", 1, 1, "scottish", None, 0, "7", "a", "b", 1, Terms(parse("nodes=1")))


def jobs(count: int) -> list[GameJob]:
    return [replace(JOB, id=f"run-{number}", number=number) for number in range(1, count + 1)]


def record(job: GameJob, wall_ms: int = 1) -> GameRecord:
    return GameRecord(
        *(job.id, job.number, 1, job.variant, job.p1, job.p2, "", (), (), "p1", Termination.LINE, "", "", 0, ""),
        *(wall_ms, ""),
    )


Answer = Callable[[list[GameJob]], Sequence[Sequence[Finished]]]
"""The messages that a worker sends, given all jobs in its hand. It removes those that it has ended."""


class FakeSlot:
    """A slot without a process: it answers when it is sent something."""

    exit_code = None
    lacks: Collection[str] = ()

    def __init__(self, answer: Answer) -> None:
        self.messages, self._write = os.pipe()
        self.end, self._alive = os.pipe()
        self.lost_with_machine = True
        self.in_hand: list[GameJob] = []
        self.most = 0
        self._said: list[bytes] = []
        self._answer = answer

    def send(self, message: bytes) -> None:
        self.in_hand += pickle.loads(message).jobs
        self.most = max(self.most, len(self.in_hand))
        for said in self._answer(self.in_hand):
            self.say(tuple(said))

    def say(self, said: object) -> None:
        self._said.append(pickle.dumps(said))
        os.write(self._write, b"\0")

    def has_message(self, seconds: float = 0.0) -> bool:
        return bool(self._said)

    def receive(self) -> bytes:
        if not self._said:
            raise EOFError
        os.read(self.messages, 1)
        return self._said.pop(0)

    def die(self) -> None:
        os.write(self._alive, b"\0")

    def join(self, seconds: float) -> bool:
        return True

    def close(self) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class FakeSlots:
    """Slots that are made beforehand, and then no more."""

    ahead_ms = 100

    def __init__(self, *slots: FakeSlot, room: int = 1) -> None:
        self._slots = list(slots)
        self._room = room

    def capacity(self) -> int:
        return self._room

    @contextmanager
    def prepared(self, nudge: Nudge) -> Iterator[None]:
        yield

    def open(
        self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int, wanted: Collection[str] = ()
    ) -> Slot:
        if not self._slots:
            raise NoSlot
        able = next((slot for slot in self._slots if not set(slot.lacks) & set(wanted)), None)
        if able is None:
            raise LacksEngine
        self._slots.remove(able)
        return able


def all_of_them(in_hand: list[GameJob]) -> list[list[Finished]]:
    """The answer of a worker that plays all it has and sends the records together."""
    ended = [Finished(record(job), None) for job in in_hand]
    in_hand.clear()
    return [ended]


class Told(Observer):
    """What observers hear, in its order."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []

    def began(self, slot: int, job: GameJob) -> None:
        self.told.append(("began", job.number))

    def ended(self, slot: int, record: GameRecord) -> None:
        self.told.append(("ended", record.number))


def test_short_games_come_back_together_and_are_told_of_one_by_one() -> None:
    """No more than 64 are stored at once; each game begins before it ends, and ends in the order of the games."""
    kept: list[list[int]] = []
    slot, told = FakeSlot(all_of_them), Told()
    scheduler = Scheduler(
        SPECS, FakeSlots(slot), lambda some: kept.append([game.number for game in some]), observer=told
    )
    scheduler.run(FixedJobs(jobs(200)))
    assert [number for some in kept for number in some] == list(range(1, 201))
    assert kept[0] == [1] and len(kept) < 20 and max(map(len, kept)) <= TOGETHER
    assert [number for what, number in told.told if what == "began"] == list(range(1, 201))
    assert [number for what, number in told.told if what == "ended"] == list(range(1, 201))
    assert all(told.told.index(("began", n)) < told.told.index(("ended", n)) for n in range(1, 201))
    assert slot.most == FAR_AHEAD + 1


@pytest.mark.parametrize(("wall_ms", "most"), [(1, 32), (30, 4), (60, 2), (150, 1)])
def test_the_longer_games_take_the_fewer_are_in_hand(wall_ms: int, most: int) -> None:
    """About 100 ms of play: of a longer game nothing is gained, and others might wait for it."""

    def all_so_long(in_hand: list[GameJob]) -> list[list[Finished]]:
        return [[Finished(record(in_hand.pop(0), wall_ms), None) for _ in in_hand[:]]]

    slot = FakeSlot(all_so_long)
    Scheduler(SPECS, FakeSlots(slot), lambda some: None).run(FixedJobs(jobs(100)))
    assert slot.most == most


def test_a_source_that_looks_at_results_gets_them_as_early_as_it_asks() -> None:
    """With `ahead` 0 there is no game in hand, however short the games are."""

    class Wary(FixedJobs):
        ahead = 0

    slot = FakeSlot(all_of_them)
    Scheduler(SPECS, FakeSlots(slot), lambda some: None).run(Wary(jobs(20)))
    assert slot.most == 1


def test_a_machine_that_is_lost_again_and_again_is_not_counted_against_its_games() -> None:
    """More slots are lost with their machines than a game may lose workers; every game is played, once."""

    def lost() -> FakeSlot:
        slot = FakeSlot(lambda in_hand: [])
        slot.die()
        return slot

    kept: list[GameRecord] = []
    slots = FakeSlots(*(lost() for _ in range(2 * ATTEMPTS)), FakeSlot(all_of_them))
    Scheduler(SPECS, slots, kept.extend).run(FixedJobs(jobs(10)))
    assert [game.number for game in kept] == list(range(1, 11))


def mixed(count: int) -> list[GameJob]:
    """Every second game is one of `c`."""
    return [job if job.number % 2 else replace(job, p2="c") for job in jobs(count)]


def test_a_machine_that_lacks_an_engine_plays_the_games_of_the_others() -> None:
    """Its slot gets no game of that engine; the other slot plays those first, and each game is played once."""
    played: dict[str, list[GameJob]] = {"lacking": [], "whole": []}

    def playing(name: str) -> FakeSlot:
        def play(in_hand: list[GameJob]) -> list[list[Finished]]:
            played[name] += in_hand
            return all_of_them(in_hand)

        return FakeSlot(play)

    specs = {name: replace(SPECS["a"], name=name) for name in ("a", "b", "c")}
    lacking, whole = playing("lacking"), playing("whole")
    lacking.lacks = {"c"}
    kept: list[GameRecord] = []
    Scheduler(specs, FakeSlots(lacking, whole, room=2), kept.extend).run(FixedJobs(mixed(200)))
    assert sorted(game.number for game in kept) == list(range(1, 201))
    assert len(played["lacking"]) > 50 and all(job.p2 == "b" for job in played["lacking"])
    assert sum(job.p2 == "c" for job in played["whole"]) == 100


def test_a_slot_that_can_play_nothing_more_makes_room_for_one_on_another_machine() -> None:
    """No more games at once are wanted than there are slots on the machine that lacks the engine."""

    class Nudged(FakeSlots):
        @contextmanager
        def prepared(self, nudge: Nudge) -> Iterator[None]:
            lacking.close = nudge  # type: ignore[method-assign]
            yield

    specs = {name: replace(SPECS["a"], name=name) for name in ("a", "b", "c")}
    lacking = FakeSlot(all_of_them)
    lacking.lacks = {"c"}
    kept: list[GameRecord] = []
    Scheduler(specs, Nudged(lacking, FakeSlot(all_of_them)), kept.extend).run(FixedJobs(mixed(20)))
    assert sorted(game.number for game in kept) == list(range(1, 21))


def test_an_answer_that_a_slot_no_longer_owes_is_thrown_away() -> None:
    """A record that comes twice, or of a game of another slot, is neither counted nor stored nor told."""
    stranger = replace(JOB, id="run-99", number=99)

    def twice(in_hand: list[GameJob]) -> list[list[Finished]]:
        (ended,) = all_of_them(in_hand)
        return [[*ended, *ended, Finished(record(stranger), None)]]

    counted: list[int] = []

    class Counting(FixedJobs):
        def record(self, record: GameRecord) -> None:
            counted.append(record.number)

    kept: list[GameRecord] = []
    told = Told()
    Scheduler(SPECS, FakeSlots(FakeSlot(twice)), kept.extend, observer=told).run(Counting(jobs(30)))
    assert [game.number for game in kept] == counted == list(range(1, 31))
    assert [number for what, number in told.told if what == "ended"] == counted


def test_games_in_hand_of_a_faulty_engine_are_not_played() -> None:
    """The slot gives up what it had; the engine is withdrawn and its games are counted as not played."""

    def faulty(in_hand: list[GameJob]) -> list[list[Finished]]:
        number = in_hand[0].number
        ended = Finished(record(in_hand.pop(0)), "a" if number >= 3 else None)
        if number >= 3:
            in_hand.clear()
        return [[ended]]

    kept: list[GameRecord] = []
    scheduler = Scheduler(SPECS, FakeSlots(FakeSlot(faulty)), kept.extend, fault_budget=3)
    not_played = scheduler.run(FixedJobs(jobs(40)))
    assert [game.number for game in kept] == [1, 2, 3, 4, 5]
    assert not_played == 35 and set(scheduler.withdrawn) == {"a"}


def test_a_slot_is_asked_again_for_an_engine_that_is_withdrawn_while_it_gives_games_back() -> None:
    """Its games in hand with the first engine are on their way back when the second one is withdrawn."""
    names = ("a", "b", "c", "d")
    specs = {name: replace(SPECS["a"], name=name) for name in names}
    some = [replace(job, p1=names[job.number % 2 * 2], p2=names[job.number % 2 * 2 + 1]) for job in jobs(33)]
    asked: list[set[str]] = []

    class Asked(FakeSlot):
        """Ends two games, then gives back what it was asked for, then ends the others."""

        def send(self, message: bytes) -> None:
            back = pickle.loads(message).give_back
            if back:
                asked.append({job.p1 for job in some if job.id in back})
            if len(asked) == 1 and back:
                self.say((Finished(record(self.in_hand.pop(0)), None),))
                self.say((Finished(record(self.in_hand.pop(0)), None),))
                given = tuple(job.id for job in self.in_hand if job.id in back)
                self.in_hand = [job for job in self.in_hand if job.id not in given]
                self.say(GivenBack(given))
                self.say(tuple(Finished(record(job), None) for job in self.in_hand))
                self.in_hand = []
            elif not back:
                super().send(message)

    def keep(kept: Sequence[GameRecord]) -> None:
        scheduler.withdraw("ac"[len(asked) > 0], "it was asked for")

    slot = Asked(lambda in_hand: [[Finished(record(in_hand.pop(0)), None)]] if in_hand[0].number == 1 else [[]])
    scheduler = Scheduler(specs, FakeSlots(slot), keep)
    scheduler.run(FixedJobs(some))
    assert asked == [{"a"}, {"c"}]


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_every_game_that_began_for_observers_also_ends_for_them_when_a_run_is_stopped(answered: int) -> None:
    """Also one that its worker had not begun: nobody shows a game that goes on for ever."""

    class Interrupted(FakeSlot):
        """Ends one game. At the next message, which brings more, Ctrl-C comes, and then some more results."""

        def terminate(self) -> None:
            self.say(tuple(Finished(record(job), None) for job in self.in_hand[:answered]))

    def first(in_hand: list[GameJob]) -> list[list[Finished]]:
        if in_hand[0].number > 1:
            os.kill(os.getpid(), signal.SIGINT)
            return []
        return [[Finished(record(in_hand.pop(0)), None)]]

    kept, told = list[GameRecord](), Told()
    with pytest.raises(KeyboardInterrupt):
        Scheduler(SPECS, FakeSlots(Interrupted(first)), kept.extend, observer=told).run(FixedJobs(jobs(9)))
    whole = list(range(1, answered + 2))
    began = [number for what, number in told.told if what == "began"]
    assert began == [number for what, number in told.told if what == "ended"]
    assert [game.number for game in kept] == whole
    assert began[: len(whole)] == whole and len(began) <= len(whole) + 1


def test_a_game_that_loses_its_worker_ends_for_observers_before_it_begins_again() -> None:
    """Its slot may never have another game, since its machine has gone."""
    dead = FakeSlot(lambda in_hand: [])
    dead.die()
    kept, told = list[GameRecord](), Told()
    slots = FakeSlots(dead, FakeSlot(all_of_them))
    Scheduler(SPECS, slots, kept.extend, observer=told).run(FixedJobs(jobs(1)))
    assert told.told == [("began", 1), ("ended", 1), ("began", 1), ("ended", 1)]
    assert [game.winner for game in kept] == ["p1"]


@pytest.mark.parametrize("with_machine", [True, False])
def test_every_game_that_began_for_observers_also_ends_for_them_when_slots_are_lost(with_machine: bool) -> None:
    """Workers end what is before game 5, and die there. Where machines live, the third one stops the run."""

    def dying() -> FakeSlot:
        def play(in_hand: list[GameJob]) -> list[list[Finished]]:
            whole = list(itertools.takewhile(lambda job: job.number != 5, in_hand))
            del in_hand[: len(whole)]
            if in_hand:
                slot.die()
            return [[Finished(record(job), None) for job in whole]] if whole else []

        slot = FakeSlot(play)
        slot.lost_with_machine = with_machine
        return slot

    kept, told = list[GameRecord](), Told()
    slots = FakeSlots(*(dying() for _ in range(2 * ATTEMPTS)), FakeSlot(all_of_them))
    with contextlib.nullcontext() if with_machine else pytest.raises(WorkerLost):
        Scheduler(SPECS, slots, kept.extend, observer=told).run(FixedJobs(jobs(9)))
    if with_machine:
        assert sorted(game.number for game in kept) == list(range(1, 10))
    began, over = ([number for what, number in told.told if what == word] for word in ("began", "ended"))
    assert sorted(began) == sorted(over) and began.count(5) >= ATTEMPTS


class Ends:
    """Both ends of a worker's pipe."""

    def __init__(self) -> None:
        self.ours, self.theirs = multiprocess.Pipe()
        self.sender = ResultSender(self.theirs)
        self.jobs = JobsInHand(self.theirs, self.sender)

    def give(self, faults: int, some: Sequence[GameJob], back: tuple[str, ...] = ()) -> None:
        self.ours.send_bytes(pickle.dumps(Jobs(faults, tuple(some), back)))

    def said(self) -> Any:
        assert self.ours.poll(20), "nothing came"
        return pickle.loads(self.ours.recv_bytes())


def test_a_worker_forgets_after_a_fault_what_was_sent_before_the_scheduler_knew() -> None:
    """Jobs in hand and jobs on their way: the engine may be withdrawn. What is sent afterwards is played."""
    ends = Ends()
    one, two, three, four = jobs(4)
    ends.give(0, [one, two])
    assert ends.jobs.take() == one
    ends.jobs.drop()
    ends.give(0, [three])
    ends.give(1, [four])
    assert ends.jobs.take() == four


def test_a_worker_gives_back_what_it_has_not_begun_after_its_results() -> None:
    """Only what was asked for; the results that it held come first."""
    ends = Ends()
    one, two, three, four = jobs(4)
    ends.give(0, [one, two, three, four])
    assert ends.jobs.take() == one
    ends.sender.add(Finished(record(one), None))
    ends.give(0, [], ("run-1", "run-3", "run-4"))
    assert ends.jobs.take() == two
    assert [result.record.number for result in ends.said()] == [1]
    assert ends.said().ids == ("run-3", "run-4")


def test_a_held_result_is_sent_soon_although_the_next_game_goes_on() -> None:
    """Nobody sends another one: it comes by itself, and once."""
    ends = Ends()
    ends.sender.send_result(Finished(record(JOB), None), hold=True)
    assert [result.record.number for result in ends.said()] == [1]
    ends.sender.flush()
    assert not ends.ours.poll(0)


def test_a_stop_that_python_drops_comes_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """SIGTERM may come where exceptions are dropped: in a finalizer, or as a process is started. Nothing is printed."""
    sender = Ends().sender
    monkeypatch.setattr(sys, "unraisablehook", sender.unheard)

    class Finalized:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, sender.stop)
    try:
        Finalized()
        with pytest.raises(Stopped):
            threading.Event().wait(10)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capfd.readouterr() == ("", "")


def test_a_stop_while_results_are_sent_neither_cuts_nor_doubles_them() -> None:
    """The stop is raised after the message; what is in the pipe is whole."""
    ends = Ends()

    class Stopping:
        """A connection on which a stop comes in the middle of a message."""

        def send_bytes(self, data: bytes) -> None:
            ends.sender.stop(signal.SIGTERM, None)
            ends.theirs.send_bytes(data)

    before = signal.getsignal(signal.SIGTERM)
    try:
        ends.sender = ResultSender(Stopping())
        with pytest.raises(Stopped):
            ends.sender.send_result(Finished(record(JOB), None))
    finally:
        signal.signal(signal.SIGTERM, before)
    ends.sender.flush()
    assert [result.record.number for result in ends.said()] == [1]
    assert not ends.ours.poll(0)


def test_a_killed_worker_costs_none_of_its_games_in_hand() -> None:
    """A real worker with short games is killed in the midst: every game is there once."""
    kept: list[GameRecord] = []

    def keep(some: Sequence[GameRecord]) -> None:
        before = len(kept)
        kept.extend(some)
        if any(before < at <= len(kept) for at in (20, 60)):
            os.kill(multiprocess.active_children()[0].pid, signal.SIGKILL)

    Scheduler(SPECS, LocalSlots(1, pin=False, serve=plays_at_once), keep).run(FixedJobs(jobs(120)))
    assert sorted(game.number for game in kept) == list(range(1, 121))


def plays_at_once(connection: Any, *_: object) -> None:
    """A worker whose games take no time and which holds its results as the real one does."""
    sender = ResultSender(connection)
    hand = JobsInHand(connection, sender)
    while (job := hand.take()) is not None:
        sender.send_result(Finished(record(job), None), hold=hand.has_enough)
