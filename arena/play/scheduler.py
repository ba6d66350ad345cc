"""Plays the games of a job source on slots, and hands the records on. It alone knows which slot has which games.

It is independent of what a slot is (`slots`), of the engines' protocol and of the store. It sees at once that a worker
is lost, knows which games that worker had and has them played again. A fault on our side is never charged to an engine.

Where games are short, a slot has the next jobs in hand before it ends one, and several records come back together. A
record counts only if the slot that sends it still has that job: a worker that was given up can say nothing any more.
"""

import contextlib
import heapq
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from arena.play import interrupts
from arena.play.fault_budget import FaultBudget, Faults
from arena.play.jobs import STOPPED, EngineSpec, GameJob, JobSource, unplayed
from arena.play.observers import GameSnapshot, Observer, Observers
from arena.play.result_sender import Finished, GivenBack
from arena.play.slot_state import SlotState
from arena.play.slots import LacksEngine, NoSlot, Slot, Slots
from results.record import GameRecord

ATTEMPTS = 3
"""How many workers one game may lose before the run stops. A higher limit would only repeat a bug of ours."""
STOP_S = 2.0
"""How many seconds workers have to end their engines after a stop, before they are killed."""
TOGETHER = 64
"""How many records are stored in one transaction at most."""


class WorkerLost(RuntimeError):
    """One game lost its worker several times. That is a bug of ours or a machine in trouble, not an engine's fault."""


Ended = tuple[SlotState, GameRecord]


class Scheduler:
    """Plays jobs on slots and hands records to `store`: those that came together, TOGETHER at most, in one call.

    `withdraw` gets the withdrawn engines with their reasons, at the start and after each change. `observer` hears of
    everything that happens, and every `snapshot_ms` how each running game stands; with 0 it gets no snapshots.
    """

    def __init__(
        self,
        specs: Mapping[str, EngineSpec],
        slots: Slots,
        store: Callable[[Sequence[GameRecord]], None],
        *,
        withdrawn: Mapping[str, str] | None = None,
        withdraw: Callable[[Mapping[str, str]], None] = lambda withdrawn: None,
        fault_budget: int = 5,
        observer: Observer | None = None,
        snapshot_ms: int = 0,
    ) -> None:
        self._specs = dict(specs)
        self._slots = slots
        self._store = store
        self._faults = Faults(FaultBudget(fault_budget), dict(withdrawn or {}))
        self._withdraw = withdraw
        self._observer = observer or Observers(())
        self._snapshot_ms = snapshot_ms
        self._paused = False
        self._wake: int | None = None
        self._waking = threading.Lock()
        """Held by who writes to `_wake`: once it is closed, its number may belong to another file."""
        self._states: dict[int, SlotState] = {}
        self._retired: list[Slot] = []
        self._again: list[GameJob] = []
        """Games to be played again, the next one last."""
        self._alone: set[str] = set()
        """The ids of games that were in hand when a worker was lost. Each is played alone, so that it is known which
        of them loses its worker again."""
        self._attempts: dict[str, int] = {}
        self._known_gone = 0
        """How many engines were withdrawn when slots were asked last for games that they should not begin."""
        self._not_played = 0
        self.stays: Callable[[], bool] = lambda: False
        """Is there more to come although the source has no game now and none is played? `nudge` tells that it came."""

    @property
    def withdrawn(self) -> Mapping[str, str]:
        """The engines that take part no more, each with the reason. It grows during a run."""
        return self._faults.withdrawn

    def withdraw(self, name: str, reason: str) -> None:
        """Give an engine no more games. May be called during a run."""
        self._faults.withdrawn.setdefault(name, reason)
        self._tell_withdrawn()

    def pause(self, paused: bool) -> None:
        """Stop starting games, or start them again. Running games go on. May be called from any thread."""
        self._paused = paused
        self.nudge()

    def nudge(self) -> None:
        """Look at once whether slots can be given games. May be called from any thread."""
        with self._waking, contextlib.suppress(OSError):
            if self._wake is not None:
                os.write(self._wake, b"\0")

    def add(self, spec: EngineSpec) -> None:
        """Add an engine, also during a run. From now on the job source may give games with it.

        A worker that was started earlier is replaced by a fresh one before its first game with this engine.
        """
        assert spec.name not in self._specs, f"there is an engine {spec.name!r} already"
        self._specs[spec.name] = spec

    def run(self, jobs: JobSource) -> int:
        """Play until `jobs` has no game and none is played. At any exception, also Ctrl-C, workers and engines end.

        Returns how many games were not played, because an engine of theirs was withdrawn.
        """
        with interrupts.held() as (signals, self._wake), self._slots.prepared(self.nudge):
            try:
                self._tell_withdrawn()
                goes_on = self._fill(jobs)
                while goes_on:
                    goes_on = self._turn(jobs, signals)
                self._close()
            except BaseException:
                self._stop()
                raise
            finally:
                with self._waking:
                    self._wake = None
        return self._not_played

    def _tell_withdrawn(self) -> None:
        self._withdraw(self._faults.withdrawn)
        self._observer.withdrew(self._faults.withdrawn)

    # Giving games

    def _fill(self, jobs: JobSource) -> bool:
        """Give each slot the games that it should have in hand, as far as there are any; open slots as needed.

        The slot with the fewest games is served first. True where there is more to wait for.
        """
        paused = self._paused  # once, for another thread may change it
        capacity = 0 if paused else self._slots.capacity()
        given: dict[int, list[GameJob]] = {}
        aside: list[GameJob] = []
        """Games that a slot could not be given, because its machine lacks an engine of theirs."""
        waiting = [(self._in_hand(index), index) for index in range(capacity) if self._has_room(index, jobs)]
        heapq.heapify(waiting)
        while waiting:
            in_hand, index = heapq.heappop(waiting)
            takes_all = index in self._states and not self._states[index].slot.lacks
            job = aside.pop(0) if aside and takes_all else self._next(jobs)
            if job is None:
                break
            alone = job.id in self._alone
            try:
                fits = not (in_hand and (alone or not self._states[index].knows(job))) and self._open(index, job)
            except LacksEngine:
                aside.append(job)
                if len(aside) <= jobs.ahead:
                    heapq.heappush(waiting, (in_hand, index))  # it may play the next one
                continue
            if not fits:
                # It goes to a slot that has nothing in hand, now or later.
                self._again.append(job)
                if not in_hand:
                    continue
                break
            given.setdefault(index, []).append(job)
            state = self._states[index]
            self._faults.begin(job.number, (job.p1, job.p2))
            state.jobs.append(job)
            state.unannounced.append(job)
            if not alone and self._has_room(index, jobs):
                heapq.heappush(waiting, (in_hand + 1, index))
        for index, batch in given.items():
            state = self._states[index]
            state.send(tuple(batch))
            if state.announced is None:
                self._announce_start(state)
        self._set_aside(aside, capacity)
        self._take_back(paused)
        if not capacity and not paused and not self._again:
            job = self._next(jobs)  # there is a game, but no slot to play it
            self._again += [] if job is None else [job]
        return paused or bool(self._again) or any(state.jobs for state in self._states.values()) or self.stays()

    def _set_aside(self, aside: Sequence[GameJob], capacity: int) -> None:
        """Put games back for another slot. Where no open one can play them, an idle one makes room for another."""
        self._again += reversed(aside)
        states = self._states.values()
        if aside and len(states) >= capacity and all(state.cannot_play(aside[0]) for state in states):
            idle = [state for state in states if not state.jobs]
            for state in idle[:1]:
                self._retire(state)

    def _in_hand(self, index: int) -> int:
        return len(self._states[index].jobs) if index in self._states else 0

    def _has_room(self, index: int, jobs: JobSource) -> bool:
        """Should this slot be given a game now, to play or to have it in hand?"""
        state = self._states.get(index)
        if state is None or not state.jobs:
            return True
        if not state.last_ms or state.gives_back or (self._alone and state.jobs[0].id in self._alone):
            return False
        ahead = min(jobs.ahead, self._slots.ahead_ms // max(1, *state.last_ms))
        return len(state.jobs) <= ahead

    def _take_back(self, paused: bool) -> None:
        """Ask slots to give back the games that they have in hand and should not begin."""
        gone = self._faults.withdrawn
        if not paused and len(gone) == self._known_gone:
            return
        self._known_gone = len(gone)
        for state in self._states.values():
            in_hand = list(state.jobs)[1:]
            if not paused:
                in_hand = [job for job in in_hand if job.p1 in gone or job.p2 in gone]
            if in_hand and not state.gives_back:
                state.gives_back = True
                state.send(give_back=tuple(job.id for job in in_hand))

    def _next(self, jobs: JobSource) -> GameJob | None:
        """The next game of which both engines still take part."""
        while (job := self._again.pop() if self._again else jobs.next()) is not None:
            if job.p1 in self._faults.withdrawn or job.p2 in self._faults.withdrawn:
                self._not_played += 1
                jobs.forfeit(job)
                if self._faults.forget(job.number, (job.p1, job.p2)):
                    self._tell_withdrawn()
            else:
                return job
        return None

    def _open(self, index: int, job: GameJob) -> bool:
        """See that the slot is open and its worker knows the engines of the game. False where it cannot be opened.

        Raises LacksEngine where its machine lacks one of them.
        """
        if (state := self._states.get(index)) is not None:
            if state.knows(job):
                if state.cannot_play(job):
                    raise LacksEngine
                return True
            # The idle worker ends, and a fresh one knows all engines.
            self._retire(state)
        try:
            slot = self._slots.open(self._specs, index, self._snapshot_ms, (job.p1, job.p2))
        except LacksEngine:
            raise
        except NoSlot:
            return False
        self._states[index] = SlotState(index, slot, frozenset(self._specs))
        return True

    def _retire(self, state: SlotState) -> None:
        """Let an idle worker end. Those that have ended are forgotten: each keeps files open."""
        state.slot.close()
        self._retired = [slot for slot in self._retired if not slot.join(0)] + [state.slot]
        del self._states[state.index]

    def _announce_start(self, state: SlotState) -> None:
        """Tell observers that the next game of a slot has begun, if it has one."""
        state.announced = state.unannounced.popleft() if state.unannounced else None
        if state.announced is not None:
            self._observer.began(state.index, state.announced)

    # Taking results

    def _turn(self, jobs: JobSource, signals: int) -> bool:
        """Wait for something, which games' deadlines bring, and answer it. True where there is more to wait for."""
        busy = [state for state in self._states.values() if state.jobs]
        # multiprocess's own wait takes ten times as long, between any two games.
        waiting = select.poll()
        for handle in (signals, *(state.slot.messages for state in busy), *(state.slot.end for state in busy)):
            waiting.register(handle, select.POLLIN)
        ready = {handle for handle, _ in waiting.poll()}
        if signals in ready and any(os.read(signals, 512)):  # the numbers of signals; a nudge is 0
            raise KeyboardInterrupt
        ended: list[Ended] = []
        try:
            for state in busy:
                if state.slot.messages in ready:
                    message = state.receive()
                elif state.slot.end in ready:
                    # Its last words may have come after we looked.
                    message = state.receive() if state.slot.has_message() else None
                else:
                    continue
                if isinstance(message, GameSnapshot):
                    if state.announced is not None and state.jobs[0].id == message.game:
                        self._observer.progressed(state.index, message)
                elif isinstance(message, GivenBack):
                    self._again += state.take_back(message.ids)
                    state.gives_back = False
                    self._known_gone = 0  # it was not asked again for engines that were withdrawn meanwhile
                    if state.announced is None:
                        self._announce_start(state)
                elif message is None:
                    self._replace(state)
                else:
                    self._take(state, message, jobs, ended)
            # First the next games: a worker should not wait for the disk.
            return self._fill(jobs)
        finally:
            self._store_all(ended)

    def _take(self, state: SlotState, results: Sequence[Finished], jobs: JobSource, ended: list[Ended]) -> None:
        """Count the results of a slot's games, and add them to those that are to be kept."""
        for result in results:
            if not state.jobs or state.jobs[0].id != result.record.id:
                continue  # it is not this slot's game any more
            if result.stopped:
                # We did not stop this worker. Somebody else did, so its game is played again.
                self._replace(state, begun=state.jobs[0])
                return
            state.jobs.popleft()
            state.last_ms.append(result.record.wall_ms)
            self._alone.discard(result.record.id)
            ended.append((state, result.record))
            jobs.record(result.record)
            if result.faulty is not None:
                # The worker plays none of its other games: the engine may be withdrawn now.
                state.faults += 1
                self._again += state.take_back([job.id for job in state.jobs])
            if self._faults.end(result.record, result.faulty):
                self._tell_withdrawn()

    def _store_all(self, ended: Sequence[Ended]) -> None:
        """Store the records, then tell observers: of each slot's games in their order."""
        for start in range(0, len(ended), TOGETHER):
            some = ended[start : start + TOGETHER]
            self._store([record for _, record in some])
            for state, record in some:
                if state.announced is None:
                    self._announce_start(state)
                state.announced = None
                if not state.gives_back:  # otherwise its next game may never begin
                    self._announce_start(state)
                self._observer.ended(state.index, record)

    # Lost workers, and the end

    def _replace(self, state: SlotState, begun: GameJob | None = None) -> None:
        """Close the slot of a lost worker, and put its games back in the queue. `begun` is the one that it played.

        A game that loses its worker counts that, unless the whole machine was lost. Where it is unknown which one of
        several was played, none counts it, and each is played alone.
        """
        self._join([state.slot], STOP_S)
        if state.announced is not None and state.announced in state.jobs:  # otherwise its record is about to be told
            self._observer.ended(state.index, unplayed(state.announced, "its worker was lost"))
            state.announced = None
        suspect = begun or (state.jobs[0] if len(state.jobs) == 1 else None)
        if not state.slot.lost_with_machine:
            self._alone |= {job.id for job in state.jobs}
            if suspect is not None:
                tries = self._attempts[suspect.id] = self._attempts.get(suspect.id, 0) + 1
                if tries >= ATTEMPTS:
                    code = state.slot.exit_code
                    raise WorkerLost(
                        f"game {suspect.number} lost its worker {tries} times (exit code {code}): "
                        "the run is stopped, the games that ended are kept"
                    )
        self._again += state.take_back([job.id for job in state.jobs])
        state.slot.close()
        del self._states[state.index]

    def _close(self) -> None:
        """End idle workers; each quits its engines by the protocol."""
        slots = [state.slot for state in self._states.values()]
        for slot in slots:
            slot.close()
        self._join(
            [*slots, *self._retired],
            max((spec.deadlines.quit_ms for spec in self._specs.values()), default=0) / 1000 + 2 * STOP_S,
        )

    def _stop(self) -> None:
        """End everything now. Records on their way are kept; unfinished games are handed over as unfinished."""
        states = list(self._states.values())
        for state in states:
            state.slot.terminate()
        deadline = time.monotonic() + STOP_S
        try:
            for state in states:
                self._store_last(state, state.last_records(deadline))
        finally:  # also where a record cannot be kept
            self._join([*(state.slot for state in states), *self._retired], max(0.0, deadline - time.monotonic()))

    def _store_last(self, state: SlotState, records: Sequence[GameRecord]) -> None:
        """Keep what a worker sent when it was told to end. It begins none of its other games."""
        known = {record.id for record in records}
        state.unannounced = deque(job for job in state.unannounced if job.id in known)
        self._store_all([(state, record) for record in records])
        if state.announced is not None:  # the worker had not begun it yet, or could say nothing more
            self._observer.ended(state.index, unplayed(state.announced, STOPPED))

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
