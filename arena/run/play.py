"""The main loop of a run: gives the jobs of a `GamesToPlay` to slots, and yields what happens.

It sees at once that a worker is lost, and has its games played again. A fault on our side is never charged to an
engine. A record counts only if the slot that sends it still has that job: a worker that was given up can say nothing
any more.
"""

import heapq
import os
import pickle
import select
import time
from collections import deque
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass, field

from arena.play.jobs import GO, STOPPED, EngineSpec, GameJob, unplayed
from arena.play.snapshots import Finished, GameSnapshot
from arena.run.control import Control
from arena.run.events import Event, GameEnded, GameStarted, Plies
from arena.run.run import GamesToPlay, WorkerLost
from arena.run.slots import NoSlot, Slot, Slots

SHORT_MS = 500
"""A slot has games in hand only if its last game was shorter than this."""
AHEAD_MS, LEAST_AHEAD = 80, 2
"""They should last for so long, are at least so many, and no more than the source allows."""
TURN_S = 0.01
"""While every slot has enough games in hand, we look, and store games, no more often than this."""
STOP_S = 2.0
"""How many seconds workers have to end their engines after a stop, before they are killed."""
SILENT_DEATHS = 3
"""How many workers a slot may lose in a row that never said a word: no memory is left, or it is a bug of ours."""


@dataclass(slots=True)
class BusySlot:
    """A slot and its jobs."""

    index: int
    slot: Slot
    known: frozenset[str]
    """The engines that its worker knows."""
    jobs: deque[GameJob] = field(default_factory=deque)
    """The jobs that it has and of which no record came, in their order. The first one is played."""
    last_ms: int | None = None
    """How long its last game took."""
    has_spoken: bool = False

    def most(self, ahead: int) -> int:
        """How many games it should have, the one that it plays included."""
        if self.last_ms is None or self.last_ms >= SHORT_MS:
            return 1
        return 1 + min(ahead, max(LEAST_AHEAD, AHEAD_MS // (self.last_ms + 1)))

    def send(self, what: object) -> None:
        self.slot.send(pickle.dumps(what))

    def receive(self) -> list[Finished] | GameSnapshot | None:
        """The next message of its worker. Raises EOFError or OSError where it died before it had sent all of it."""
        message: list[Finished] | GameSnapshot | None = pickle.loads(self.slot.receive())
        self.has_spoken = True
        return message


class Play:
    """Plays a run on slots. `engines` may grow while it goes on."""

    def __init__(
        self,
        run: GamesToPlay,
        slots: Slots,
        engines: Mapping[str, EngineSpec],
        control: Control | None = None,
        *,
        snapshot_ms: int = 0,
    ) -> None:
        """Every `snapshot_ms` each running game is looked at; with 0 never."""
        self.run = run
        self.control = control or Control()
        self._slots = slots
        self._engines = engines
        self._snapshot_ms = snapshot_ms
        self._places: dict[int, BusySlot] = {}
        self._retired: list[Slot] = []
        self._silent_deaths = 0
        self._events: list[Event] = []

    def __iter__(self) -> Generator[list[Event]]:
        """What happened together, again and again. Who takes it stores games before anybody is told of them.

        It ends when the run has no game and none is played, or when it is stopped. However it is left, all workers and
        engines end. Raises WorkerLost.
        """
        with self.control.listening() as listening, self._slots.prepared(self.control):
            whole = False
            try:
                while True:
                    goes_on = self._fill()
                    self._events += self.run.news()
                    yield from self._told()
                    if self.control.stopped or not goes_on:
                        break
                    try:
                        self._turn(listening)
                    except WorkerLost:
                        yield from self._told()  # games that ended before are kept
                        raise
                whole = not self.control.stopped
                if not whole:
                    self._stop()
                    yield from self._told()
            finally:
                self._close(whole)

    def _told(self) -> Generator[list[Event]]:
        if self._events:
            events, self._events = self._events, []
            yield events

    # Giving games

    def _fill(self) -> bool:
        """Give each slot the games that it should have, as far as there are any. True if there is more to wait for."""
        if self.control.stopped:
            return True
        paused = self.control.paused
        capacity = 0 if paused else self._slots.capacity()
        if not paused:
            self._give(capacity)
        busy = any(place.jobs for place in self._places.values())
        return paused or busy or self._waits(capacity) or self.run.may_produce_more()

    def _waits(self, capacity: int) -> bool:
        """Whether there is a game, although no slot plays one. So a run waits for machines."""
        job = self.run.next()
        if not isinstance(job, GameJob):
            return False
        self.run.give_again(job.number)
        return True

    def _give(self, capacity: int) -> None:
        """The slot with the fewest games is served first."""
        ahead = self.run.source.ahead
        given: dict[int, list[GameJob]] = {}
        waiting = [(len(place.jobs) if (place := self._places.get(index)) else 0, index) for index in range(capacity)]
        heapq.heapify(waiting)
        while waiting:
            in_hand, index = heapq.heappop(waiting)
            if in_hand >= (self._places[index].most(ahead) if in_hand else 1):
                continue
            job = self.run.next()
            if not isinstance(job, GameJob):
                break
            if not self._open(index, job):
                self.run.give_again(job.number)
                continue
            self._places[index].jobs.append(job)
            given.setdefault(index, []).append(job)
            heapq.heappush(waiting, (in_hand + 1, index))
        for index, jobs in given.items():
            place = self._places[index]
            if len(place.jobs) == len(jobs):
                self._events.append(GameStarted(index, jobs[0]))
            place.send(jobs)

    def _open(self, index: int, job: GameJob) -> bool:
        """See that the slot is open and its worker knows the engines of the game. False where it cannot be opened."""
        place = self._places.get(index)
        if place is not None:
            new = {name: self._engines[name] for name in (job.p1, job.p2) if name not in place.known}
            if not new or place.slot.add(new):
                place.known |= new.keys()
                return True
            if place.jobs:
                return False
            self._retire(place)  # a fresh worker knows all engines
        try:
            slot = self._slots.open(self._engines, index, self._snapshot_ms)
        except NoSlot:
            return False
        self._places[index] = BusySlot(index, slot, frozenset(self._engines))
        return True

    def _retire(self, place: BusySlot) -> None:
        """Let an idle worker end. Those that have ended are forgotten: each keeps files open."""
        place.slot.close()
        self._retired = [slot for slot in self._retired if not slot.join(0)] + [place.slot]
        del self._places[place.index]

    # Taking results

    def _turn(self, listening: int) -> None:
        """Wait for something, which games' deadlines bring, and answer it."""
        busy = [place for place in self._places.values() if place.jobs]
        ahead = self.run.source.ahead
        if busy and all(2 * len(place.jobs) > place.most(ahead) > 3 for place in busy):
            time.sleep(TURN_S)
        # multiprocess's own wait takes ten times as long, between any two games.
        waiting = select.poll()
        for handle in (listening, *(place.slot.messages for place in busy), *(place.slot.end for place in busy)):
            waiting.register(handle, select.POLLIN)
        ready = {handle for handle, _ in waiting.poll()}
        if listening in ready:
            os.read(listening, 512)
        for place in busy:
            if place.slot.messages in ready or (place.slot.end in ready and place.slot.has_message()):
                self._receive(place)
            elif place.slot.end in ready:
                self._replace(place)

    def _receive(self, place: BusySlot) -> None:
        """Take all messages of a worker that are there."""
        while True:
            try:
                message = place.receive()
            except (EOFError, OSError):
                self._replace(place)
                return
            if isinstance(message, GameSnapshot):
                if place.jobs and place.jobs[0].id == message.game:
                    self._events.append(Plies(place.index, message))
            for result in message if isinstance(message, list) else ():
                if result.stopped:  # we did not stop this worker: somebody else did
                    self._replace(place)
                    return
                self._take(place, result)
            if not place.slot.has_message():
                return

    def _take(self, place: BusySlot, result: Finished) -> None:
        """Count the result of a slot's game."""
        record = result.record
        if not place.jobs or place.jobs[0].id != record.id:
            return  # it is not this slot's game any more
        self._silent_deaths = 0
        place.jobs.popleft()
        place.last_ms = record.wall_ms
        self.run.ended(record, result.faulty)
        self._events.append(GameEnded(place.index, record))
        if result.faulty is not None:
            # The worker plays none of its other games: the engine may be withdrawn now.
            while place.jobs:
                self.run.give_again(place.jobs.pop().number)
            place.send(GO)
        if place.jobs:
            self._events.append(GameStarted(place.index, place.jobs[0]))

    # Lost workers, and the end

    def _replace(self, place: BusySlot) -> None:
        """Give up the slot of a lost worker. Its games are given again."""
        self._join([place.slot], STOP_S)
        self._silent_deaths = 0 if place.has_spoken else self._silent_deaths + 1
        jobs = list(place.jobs)
        place.slot.close()
        del self._places[place.index]
        if jobs:
            self._events.append(GameEnded(place.index, unplayed(jobs[0], "its worker was lost")))
        for job in jobs[1:]:
            self.run.give_again(job.number)
        if jobs and place.has_spoken and not place.slot.lost_with_machine:
            self.run.lost(jobs[0], place.slot.exit_code)
        elif jobs:
            self.run.give_again(jobs[0].number)
        if self._silent_deaths >= SILENT_DEATHS * max(1, self._slots.capacity()) and not place.slot.lost_with_machine:
            raise WorkerLost(
                f"{self._silent_deaths} workers ended before they said anything (exit code {place.slot.exit_code}): "
                "the run is stopped, the games that ended are kept"
            )

    def _stop(self) -> None:
        """Tell all workers to end now. Records on their way count; unfinished games are told as unfinished."""
        places = list(self._places.values())
        for place in places:
            place.slot.terminate()
        deadline = time.monotonic() + STOP_S
        for place in places:
            last = unplayed(place.jobs[0], STOPPED) if place.jobs else None
            try:
                while place.jobs and place.slot.has_message(max(0.0, deadline - time.monotonic())):
                    message = place.receive()
                    for result in message if isinstance(message, list) else ():
                        if place.jobs and place.jobs[0].id == result.record.id:
                            if result.stopped:  # its worker says nothing more
                                last = result.record
                            else:
                                self._take(place, result)
                                last = unplayed(place.jobs[0], STOPPED) if place.jobs else None
            except (EOFError, OSError):
                pass
            if last is not None and place.jobs:
                self._events.append(GameEnded(place.index, last))

    def _close(self, whole: bool) -> None:
        """Let workers quit their engines by the protocol after a whole run; otherwise end everything now."""
        slots = [place.slot for place in self._places.values()]
        seconds = STOP_S
        if whole:
            for slot in slots:
                slot.close()
            seconds += max((spec.deadlines.quit_ms for spec in self._engines.values()), default=0) / 1000 + STOP_S
        else:
            for slot in slots:
                slot.terminate()
        self._join([*slots, *self._retired], seconds)
        for slot in slots:
            slot.close()

    def _join(self, slots: Collection[Slot], seconds: float) -> None:
        """Wait for workers to end. A late worker is told to kill its engines; then it is killed itself."""
        deadline = time.monotonic() + seconds
        for at_once in (False, True):
            for slot in slots:
                if not slot.join(max(0.0, deadline - time.monotonic())):
                    (slot.kill if at_once else slot.terminate)()
            deadline = time.monotonic() + STOP_S
        for slot in slots:
            slot.join(max(0.0, deadline - time.monotonic()))
