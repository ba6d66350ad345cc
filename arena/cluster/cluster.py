"""The machines of a cluster, as planning and the main loop of a run see them.

A thread with a loop of its own speaks to the machines: it looks which have joined, claims each for the run, ships
engines to it and starts them there, and carries the bytes of its slots. A machine answers at least every HEARTBEAT_S.
One that says nothing for SILENT_S is lost with its slots: its games are played elsewhere, and what it says later is
thrown away.
"""

import asyncio
import contextlib
import pickle
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any, TypeVar

from arena.cluster.access import Access, meeting_point, quiet
from arena.cluster.dask_slots import DaskSlot, DaskSlots
from arena.cluster.errors import ClusterLost
from arena.cluster.joined_machine import Gone, JoinedMachine
from arena.cluster.machine_info import MachineInfo, edition, interpreter
from arena.cluster.shipment import Packed, PackedEngine, pack
from arena.play.jobs import EngineSpec
from arena.play.trial_start import NOBODY, Introductions
from arena.run.control import Control
from arena.run.slots import LacksEngine, NoSlot

HEARTBEAT_S = 2.0
SILENT_S = 10.0
LATE_S = 2.0
"""If a wait overruns by this much, our own process was paused."""
ADMIT_S = 20.0
"""How long a machine may take to say what it is."""
DRAIN_S = 1.0
"""What the workers of a machine that leaves have said is under way for so long at most."""
LOSSES = 3
"""A machine that was lost so often gets no more games in this run."""
CLOCKS_APART_S = 60.0
_WAIT_S = 0.1
"""So long until machines are looked at again if none can do what is asked for."""
_WAKE_S = 0.5
"""A wait for an answer returns to Python so often. A signal that comes just before it would not end it otherwise."""
_NOBODY_PLAYS = "no machine can play now: the run waits for one, Ctrl-C ends it"
_ENDED = "its connection has ended"

Answer = TypeVar("Answer")


class WePaused(RuntimeError):
    """This program was stopped while it waited for an answer, by Ctrl-Z for example."""


class Cluster:
    """The machines of a cluster, for one run: see `arena.planning.other_machines`.

    Coroutines belong to the loop; `capacity` and `open` are for the thread of the run.
    """

    def __init__(self, access: Access, notify: Callable[[str], None], only: Collection[str] = ()) -> None:
        """`only` names the machines that may play; empty: all."""
        self.notify = notify
        self._access = access
        self._only = only
        self._run = f"run of process {uuid.uuid4().hex[:8]}"
        self._lock = threading.RLock()
        self._by_address: dict[str, JoinedMachine] = {}
        self._losses: Counter[str] = Counter()
        """How often each host was lost."""
        self._packed: dict[str, Packed] = {}
        """The engines by the way in which they are started. Any thread may add some."""
        self._required: dict[str, Packed] = {}
        """Those that machines must be able to play."""
        self._pin, self._threads, self._freeze = True, 1, False
        self.control: Control | None = None
        """Of the run that is played."""
        self._failure: Exception | None = None
        """Why no machine plays any more."""
        self._notified: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    # For the thread of the run

    @contextlib.contextmanager
    def connected(self) -> Iterator["Cluster"]:
        """Be part of the cluster until the block ends. Raises ClusterError if there is no meeting point."""
        ready: Future[None] = Future()
        thread = threading.Thread(target=self._run_loop, args=(ready,), name="cluster", daemon=True)
        thread.start()
        try:
            _result(ready)
            yield self
        finally:
            if self._loop is not None and self._task is not None:
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._task.cancel)
            thread.join(2 * SILENT_S)

    @property
    def machines(self) -> list[tuple[str, int]]:
        """The machines that can play now: their names, and how many games each plays at once."""
        return [(machine.host, self._capacity_of(machine)) for machine in self._ready()]

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int, freeze: bool) -> DaskSlots:
        """The slots of all machines. Engines have up to `threads` threads; `freeze` stops them between moves."""
        self._pin, self._threads, self._freeze = pin, threads, freeze
        if self._loop is not None and freeze:
            self._wait_for(self._refuse_again())
        return DaskSlots(self, games_at_once)

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start each engine on every machine, once there is one.

        A machine that cannot start an engine that another one can plays no games of it. Raises ClusterError for an
        engine that cannot be shipped, and ClusterLost.
        """
        for spec in specs:
            self._pack(spec)
        return self._wait_for(self._introduce(specs))

    def check(self, specs: Sequence[EngineSpec], variant: str, notify: Callable[[str], None]) -> dict[str, Any]:
        """Run the smoke checks of each engine on one of the machines that can start it."""
        return self._wait_for(self._check([(spec.start_key, self._engine(spec)) for spec in specs], variant))

    def _wait_for(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Run it in the loop and wait for it. Ctrl-C ends the wait, also while a run is played."""
        assert self._loop is not None
        answer = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return _result(answer, lambda: self.control is not None and self.control.stopped)
        except BaseException:
            answer.cancel()
            raise

    def capacity(self) -> int:
        """How many games all machines can play at once. Raises ClusterLost."""
        self._require()
        capacity = sum(map(self._capacity_of, self._ready()))
        if capacity:
            self._notified.discard(_NOBODY_PLAYS)
        else:
            self._notify_once(_NOBODY_PLAYS)
        return capacity

    def open(self, engines: Mapping[str, EngineSpec], snapshot_ms: int, wanted: Collection[str]) -> DaskSlot:
        """Open a slot on a machine that has one free and can play the engines that are `wanted`.

        Raises NoSlot, and LacksEngine.
        """
        assert self._loop is not None
        keys = {engines[name].start_key for name in wanted}
        with self._lock:
            free = {machine: self._capacity_of(machine) - len(machine.slots) for machine in self._ready()}
            able = [machine for machine in free if keys.isdisjoint(machine.lacks)]
            machine = max(able, key=lambda each: free[each], default=None)
            if machine is not None and free[machine] > 0:
                slot = DaskSlot(self._loop)
                machine.slots.add(slot)
        if machine is None and free:
            self._notify_once(
                f"no machine can play {' against '.join(wanted)} now: the run waits for one, Ctrl-C ends it"
            )
        if machine is None or free[machine] <= 0:
            raise LacksEngine if any(slots > 0 for slots in free.values()) else NoSlot
        slot.lacks = {name for name, spec in engines.items() if machine.lacks and spec.start_key in machine.lacks}
        there = {name: self._engine(spec) for name, spec in engines.items() if name not in slot.lacks}
        order = pickle.dumps((there, snapshot_ms, self._pin, machine.clock_ahead_ns))
        self._loop.call_soon_threadsafe(self._begin, machine, slot, order)
        return slot

    def _ready(self) -> list[JoinedMachine]:
        with self._lock:
            return [machine for machine in self._by_address.values() if machine.ready]

    def _capacity_of(self, machine: JoinedMachine) -> int:
        assert machine.info is not None
        return max(1, machine.info.slots // max(1, self._threads))

    def _pack(self, spec: EngineSpec) -> Packed:
        """The engine, ready to travel. Raises ClusterError."""
        packed = self._packed[spec.start_key] = self._packed.get(spec.start_key) or pack(spec)
        return packed

    def _engine(self, spec: EngineSpec) -> PackedEngine:
        """The engine as it travels, with the name and limits of this specification. Raises ClusterError."""
        packed = self._pack(spec).engine
        there = packed.spec
        spec = replace(spec, command=there.command, options=there.options, files=(), sandbox=there.sandbox)
        return PackedEngine(spec, packed.shipment)

    def _require(self) -> None:
        """Raise what has failed, if anything has."""
        if self._failure is not None:
            raise self._failure

    def _nudge(self) -> None:
        if self.control is not None:
            self.control.nudge()

    def _notify_once(self, sentence: str) -> None:
        if sentence not in self._notified:
            self._notified.add(sentence)
            self.notify(sentence)

    # Which machines there are

    def _run_loop(self, ready: "Future[None]") -> None:
        """Run the loop until it is told to end. A bug there, or a broken Dask, is raised where the run waits."""
        try:
            with contextlib.suppress(asyncio.CancelledError):
                asyncio.run(self._take_part(ready))
        except Exception as bug:
            if ready.done():
                self._fail(bug)
            else:
                ready.set_exception(bug)

    def _fail(self, failure: Exception) -> None:
        """Let the run fail instead of waiting for ever."""
        self._failure = failure
        self._nudge()

    async def _take_part(self, ready: "Future[None]") -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        quiet()
        lives: set[asyncio.Task[None]] = set()
        async with meeting_point(self._access) as scheduler:
            ready.set_result(None)
            try:
                while True:
                    if self._failure is None:
                        await self._look(scheduler, lives)
                    await asyncio.sleep(HEARTBEAT_S)
            finally:
                for life in lives:
                    life.cancel()
                await asyncio.gather(*lives, return_exceptions=True)

    async def _look(self, scheduler: Any, lives: "set[asyncio.Task[None]]") -> None:
        try:
            addresses = (await within(SILENT_S, scheduler.identity(n_workers=-1)))["workers"]
        except WePaused:
            return  # it is asked again soon
        except Exception:
            self._fail(
                ClusterLost(
                    f"{self._access.address} is gone: the run is stopped, the games that ended are kept; "
                    "start it again with `arena cluster scheduler`; the same command, or --resume, goes on"
                )
            )
            for machine in list(self._by_address.values()):
                self._lose(machine, "")
            return
        for address in set(addresses) - self._by_address.keys():
            machine = JoinedMachine(self._access, address)
            with self._lock:
                self._by_address[address] = machine
            life = asyncio.create_task(self._live(machine))
            lives.add(life)
            life.add_done_callback(lives.discard)
        for machine in list(self._by_address.values()):
            if machine.address not in addresses:
                self._lose(machine, "it has left")
            elif machine.claimed and not machine.unfit and self._lacks_introductions(machine):
                machine.begin(self._prepare(machine))

    async def _live(self, machine: JoinedMachine) -> None:
        """Claim a machine that has joined, let it play if it can, and see when it is lost."""
        why, is_counted = "", True
        try:
            async with asyncio.timeout(ADMIT_S):
                comm = await machine.connect()
                began_ns = time.monotonic_ns()
                await comm.write({"op": "arena", "run": self._run, "reply": False})
                info = machine.info = pickle.loads(await comm.read())
                machine.clock_ahead_ns = (began_ns + time.monotonic_ns()) // 2 - info.monotonic_ns
            try:
                if self._refused(machine, info):
                    if machine.unfit:
                        return
                else:
                    machine.claimed = True
                    machine.begin(self._prepare(machine))
                    why, is_counted = await self._beat(machine, comm)
                    if why == _ENDED and machine.tasks:  # what its workers said at last is under way
                        await asyncio.wait(machine.tasks, timeout=DRAIN_S)
            finally:
                comm.abort()
        except Exception as wrong:
            if str(wrong) and not isinstance(wrong, TimeoutError | OSError):
                self._notify_once(f"{machine.host} cannot take part: {str(wrong).splitlines()[0]}")
        finally:
            if not machine.unfit:
                self._lose(machine, why, is_counted)

    async def _beat(self, machine: JoinedMachine, comm: Any) -> tuple[str, bool]:
        """Ask a machine for a sign of life again and again. Returns why it is lost at last, and if that counts."""
        while not machine.gone.is_set():
            began_s = time.monotonic()
            await asyncio.sleep(HEARTBEAT_S)
            try:
                await comm.write(None)
                await within(SILENT_S, comm.read())
            except TimeoutError:
                return f"it has not answered for {SILENT_S:.0f} s", True
            except (OSError, WePaused) as lost:
                if isinstance(lost, WePaused) or time.monotonic() - began_s > HEARTBEAT_S + SILENT_S:
                    return "this program was stopped meanwhile", False  # and it may have given us up
                return _ENDED, True
        return "", True

    def _refusal(self, info: MachineInfo) -> str:
        """Why the machine may not play; empty if it may."""
        if self._only and info.host not in self._only:
            return "--machines does not name it"
        if info.playing != self._run:
            return "it plays for another run; it is taken as soon as it is free"
        if info.edition != edition():
            return f"it has the edition {info.edition} of the arena, and ours is {edition()}; install the same one"
        if abs(info.clock - time.time()) > CLOCKS_APART_S:
            return f"its clock is {abs(info.clock - time.time()):.0f} s wrong; set it"
        if self._losses[info.host] >= LOSSES:
            return f"it was lost {LOSSES} times"
        if self._freeze and not info.groups:
            return "it has no control groups, which --freeze needs"
        return ""

    def _refused(self, machine: JoinedMachine, info: MachineInfo) -> bool:
        """Turn the machine away if it may not play. It is asked again only if it plays for another run."""
        refusal = self._refusal(info)
        if refusal:
            self._notify_once(f"{info.host} plays nothing of this run: {refusal}")
            if info.playing == self._run:
                machine.unfit, machine.ready = refusal, False
        return bool(refusal)

    async def _refuse_again(self) -> None:
        """Look once more at the machines that play, for what is asked of them has changed."""
        for machine in list(self._by_address.values()):
            if machine.claimed and not machine.unfit and machine.info is not None:
                self._refused(machine, machine.info)

    def _lose(self, machine: JoinedMachine, why: str, is_counted: bool = True) -> None:
        """Give a machine up. Its games are played elsewhere, and it is claimed anew if it is still there."""
        if machine.gone.is_set():
            return
        machine.gone.set()
        with self._lock:
            was_ready, machine.ready = machine.ready, False
            self._by_address.pop(machine.address, None)
        if was_ready and why:
            self._losses[machine.host] += is_counted
            self.notify(f"{machine.host} is lost: {why}; its games are played again on other machines")
        for task in machine.tasks - {asyncio.current_task()}:
            task.cancel()
        self._nudge()

    # Slots

    def _begin(self, machine: JoinedMachine, slot: DaskSlot, order: bytes) -> None:
        machine.begin(self._serve(machine, slot, order))

    async def _serve(self, machine: JoinedMachine, slot: DaskSlot, order: bytes) -> None:
        """Open a slot, and carry its bytes until its worker has ended or is lost with its machine."""
        exit_code = None
        try:
            refusal = "" if machine.gone.is_set() else await self._ship_unknown(machine)
            comm = await machine.connect()
            try:
                await comm.write({"op": "arena_slot", "run": self._run, "order": order, "reply": False})
                refusal = refusal or await comm.read()
                if refusal:
                    self._lose(machine, str(refusal))
                    return
                exit_code = await slot.carry(comm)
            finally:
                comm.abort()
        except (Gone, OSError):
            pass
        except Exception as bug:  # the scheduler would wait for this slot for ever
            self._fail(bug)
        finally:
            with self._lock:
                machine.slots.discard(slot)
            if exit_code is not None and not slot.is_told_to_end:
                self.notify(f"{machine.host}: a worker has ended (exit code {exit_code}); its games are played again")
            slot.ended(exit_code, lost_with_machine=exit_code is None)
            self._nudge()

    # What machines can play

    async def _introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start packed engines on all machines. An engine that no machine can start has the reason of one of them."""
        keys = [spec.start_key for spec in specs]
        new = list(dict.fromkeys(keys))
        while True:
            self._require()
            fit = [machine for machine in list(self._by_address.values()) if not machine.unfit]
            claimed = [machine for machine in fit if machine.claimed]
            if len(claimed) < len(fit):  # one that is still admitted may be the only one that has an engine
                await asyncio.sleep(_WAIT_S / 2)
                continue
            results = await asyncio.gather(*(self._introduce_on(machine, new) for machine in claimed))
            answers = [(each, answer) for each, answer in zip(claimed, results, strict=True) if answer is not None]
            if answers:
                break
            self._notify_once(f"no machine has joined {self._access.address} yet: waiting for one, Ctrl-C ends it")
            await asyncio.sleep(_WAIT_S)
        best = dict(zip(new, answers[0][1], strict=True))
        for _, answer in answers:
            best |= {key: result for key, result in zip(new, answer, strict=True) if best[key][1] and not result[1]}
        self._required |= {key: self._packed[key] for key in new if not best[key][1]}
        for machine, answer in answers:
            self._settle(machine, new, answer)
        return [best[key] for key in keys]

    async def _introduce_on(self, machine: JoinedMachine, keys: Sequence[str]) -> Introductions | None:
        """What the machine says of these engines, after they were shipped to it; None if it is lost."""
        engines = [self._packed[key] for key in keys]
        with contextlib.suppress(Gone):
            async with machine.preparing:
                if refusal := await machine.ship(engines):
                    return [(NOBODY, refusal)] * len(engines)
                levels = sorted({packed.engine.spec.sandbox.level for packed in engines})
                for sentence in await machine.call("shortfall", levels):
                    self._notify_once(f"warning: {machine.host}: {sentence}")
                answer: Introductions = await machine.call("introduce", [each.engine for each in engines])
                return answer
        return None

    def _lacks_introductions(self, machine: JoinedMachine) -> bool:
        """Is the machine to be prepared for engines that were not introduced there?"""
        return not machine.preparing.locked() and not machine.knows.issuperset(self._required)

    async def _prepare(self, machine: JoinedMachine) -> None:
        """Introduce the engines of the run that the machine does not know, and let it play if it can."""
        keys = [key for key in self._required if key not in machine.knows]
        if keys and (answer := await self._introduce_on(machine, keys)) is not None:
            self._settle(machine, keys, answer)

    async def _ship_unknown(self, machine: JoinedMachine) -> str:
        """Ship the engines that were not introduced there. Returns what is wrong. Raises Gone."""
        packed = list(self._packed.items())  # the scheduler's thread adds some meanwhile
        unknown = [each for key, each in packed if key not in machine.knows]
        return await machine.ship(unknown) if unknown else ""

    def _settle(self, machine: JoinedMachine, keys: Sequence[str], answer: Introductions) -> None:
        """Let the machine play if it can start engines that are required; say which ones it cannot start."""
        if machine.gone.is_set():
            return
        lacks = {key: reason for key, (_, reason) in zip(keys, answer, strict=True) if reason and key in self._required}
        was_ready = machine.ready
        machine.knows |= set(keys)
        with self._lock:
            machine.lacks |= lacks
            can_play = not self._required or any(key not in machine.lacks for key in self._required)
            machine.ready = can_play and not machine.unfit and machine.knows.issuperset(self._required)
        for reason in lacks.values():
            what = "no game of an engine that it cannot start" if can_play else "nothing of this run"
            self._notify_once(f"{machine.host} plays {what}: {reason}")
        if machine.ready and not was_ready:
            self._greet(machine)
        self._nudge()

    def _greet(self, machine: JoinedMachine) -> None:
        """Notify that the machine plays from now on."""
        assert machine.info is not None
        slots = self._capacity_of(machine)
        self.notify(f"{machine.host} plays, {slots} game{'s' * (slots != 1)} at once")
        in_python = any("{python}" in packed.engine.spec.command[0] for packed in self._required.values())
        if in_python and machine.info.interpreter != interpreter():
            self._notify_once(
                f"{machine.host} runs engines in Python with another interpreter than ours: {machine.info.python}"
            )

    async def _check(self, engines: Sequence[tuple[str, PackedEngine]], variant: str) -> dict[str, Any]:
        """Run the smoke checks of each engine, given with its key, on one of the machines that can start it."""
        fitness: dict[str, Any] = {}
        while True:
            self._require()
            for machine in self._ready():
                left = [each for key, each in engines if each.spec.name not in fitness and key not in machine.lacks]
                if left:
                    with contextlib.suppress(Gone):
                        fitness |= await machine.call("check", left, variant)
            if len(fitness) == len(engines):
                return fitness
            await asyncio.sleep(_WAIT_S)


async def within(seconds: float, answer: Coroutine[Any, Any, Answer]) -> Answer:
    """The answer, if it comes within so many seconds. Raises TimeoutError, and WePaused."""
    deadline_s = time.monotonic() + seconds
    try:
        return await asyncio.wait_for(answer, seconds)
    except TimeoutError:
        if time.monotonic() > deadline_s + LATE_S:
            raise WePaused from None
        raise


def _result(answer: "Future[Answer]", is_stopped: Callable[[], bool] = lambda: False) -> Answer:
    """The answer. Raises KeyboardInterrupt if the run is stopped meanwhile: it may wait for a machine for hours."""
    while not wait([answer], _WAKE_S).done:
        if is_stopped():
            raise KeyboardInterrupt
    return answer.result()
