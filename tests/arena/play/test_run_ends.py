"""The ends of a run at odd moments: while a job source waits, while a thread nudges, while the disk is full."""

import os
import select
import signal
import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.planning.job_sources import FixedJobs
from arena.play import interrupts
from arena.play.jobs import EngineSpec, GameJob
from arena.play.scheduler import Scheduler
from results.record import GameRecord
from tests.arena.play.test_jobs_ahead import SPECS, FakeSlot, FakeSlots, all_of_them, jobs


class Slow(FixedJobs):
    """A job source that waits for something that never comes, in a block of `interrupts.at_once`."""

    def __init__(self, before: bool) -> None:
        super().__init__(jobs(3))
        self._before = before
        """Does Ctrl-C come before the wait begins?"""

    def next(self) -> GameJob | None:
        if (job := super().next()) is not None:
            return job
        if self._before:
            os.kill(os.getpid(), signal.SIGINT)
        with interrupts.at_once():
            os.kill(os.getpid(), signal.SIGTERM)
            threading.Event().wait(10)
            raise AssertionError("nothing came in 10 s")


@pytest.mark.parametrize("before", [True, False])
def test_an_interrupt_ends_a_run_whose_job_source_waits(before: bool) -> None:
    """What was played is kept, which is the first game; and the signals are as they were before the run."""
    kept: list[GameRecord] = []
    handlers = [signal.getsignal(number) for number in interrupts.NUMBERS]
    with pytest.raises(KeyboardInterrupt):
        Scheduler(SPECS, FakeSlots(FakeSlot(all_of_them)), kept.extend).run(Slow(before))
    assert [game.number for game in kept] == [1]
    assert [signal.getsignal(number) for number in interrupts.NUMBERS] == handlers


def test_a_run_under_nohup_goes_on_when_the_terminal_closes() -> None:
    """nohup starts a program with SIGHUP ignored. It stays ignored; SIGTERM ends the run as ever."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupts.held() as (read, _):
            os.kill(os.getpid(), signal.SIGHUP)
            assert not select.select([read], [], [], 0)[0]
            os.kill(os.getpid(), signal.SIGTERM)
            assert select.select([read], [], [], 10)[0]
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_outside_a_run_interrupts_stay_what_they_are() -> None:
    """The command line has its own answer to them."""
    handlers = [signal.getsignal(number) for number in interrupts.NUMBERS]
    with interrupts.at_once():
        assert [signal.getsignal(number) for number in interrupts.NUMBERS] == handlers


def test_a_nudge_writes_to_no_file_that_was_opened_after_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread of a cluster nudges as the last worker ends, which ends the run."""
    nudges, has_ended, written = threading.Event(), threading.Event(), list[int]()

    def late_write(fd: int, data: bytes) -> int:
        nudges.set()
        has_ended.wait(0.3)  # the run must not go on to its end before this write
        os.fstat(fd)  # OSError if it was closed meanwhile
        written.append(fd)
        return len(data)

    class Nudging(FixedJobs):
        def next(self) -> GameJob | None:
            job = super().next()
            if job is None and not nudges.is_set():
                monkeypatch.setattr("arena.play.scheduler.os.write", late_write)
                threads.append(threading.Thread(target=scheduler.nudge))
                threads[0].start()
                assert nudges.wait(10)
                monkeypatch.undo()
            return job

    threads: list[threading.Thread] = []
    scheduler = Scheduler(SPECS, FakeSlots(FakeSlot(all_of_them)), lambda some: None)
    scheduler.run(Nudging(jobs(1)))
    has_ended.set()
    threads[0].join(10)
    assert len(written) == 1


class Counted(FakeSlot):
    """Counts how often somebody waited for its end."""

    joined = 0

    def join(self, seconds: float) -> bool:
        self.joined += 1
        return True


def test_workers_are_waited_for_also_where_the_last_records_cannot_be_kept() -> None:
    """Otherwise one that does not end would never be killed."""

    class Full(OSError):
        pass

    def keep(some: Sequence[GameRecord]) -> None:
        raise Full

    class Last(Counted):
        def terminate(self) -> None:
            self.say(tuple(all_of_them(self.in_hand)[0]))

    first, second = Last(lambda in_hand: []), Last(all_of_them)
    with pytest.raises(Full):
        Scheduler(SPECS, FakeSlots(first, second, room=2), keep).run(FixedJobs(jobs(2)))
    assert first.joined and second.joined


def test_workers_that_were_retired_and_have_ended_are_forgotten() -> None:
    """A ladder takes in engines for years, and each one retires all workers: they must not keep files open."""

    class Growing(FixedJobs):
        def next(self) -> GameJob | None:
            job = super().next()
            if job is None:
                return None
            scheduler.add(EngineSpec(f"c{job.number}", ("true",)))
            return replace(job, p1=f"c{job.number}")

        ahead = 0

    slots = [Counted(all_of_them) for _ in range(10)]
    scheduler = Scheduler(SPECS, FakeSlots(*slots), lambda some: None)
    scheduler.run(Growing(jobs(10)))
    assert len(scheduler._retired) <= 1
