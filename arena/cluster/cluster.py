"""The machines of a cluster, as planning and the main loop of a run see them.

A thread with a loop of its own speaks to the machines: it looks which have joined, claims each for the run, ships
engines to it and starts them there, and carries the bytes of its slots. A machine answers at least every HEARTBEAT_S.
One that says nothing for SILENT_S is lost with its slots: its games are played elsewhere, and what it says later is
thrown away.
"""

import asyncio
import contextlib
import pickle
import platform
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any, TypeVar

from arena.cluster.access import Access, meeting_point, quiet
from arena.cluster.dask_slot import DaskSlot
from arena.cluster.errors import ClusterLost
from arena.cluster.joined_machine import Gone, JoinedMachine
from arena.cluster.machine_info import MachineInfo, edition
from arena.cluster.shipment import PackedEngine, pack
from arena.play.jobs import EngineSpec
from arena.play.trial_start import NOBODY, Introductions
from arena.run.control import Control
from arena.run.slots import NoSlot

HEARTBEAT_S = 2.0
SILENT_S = 10.0
ADMIT_S = 20.0
"""How long a machine may take to say what it is."""
DRAIN_S = 1.0
"""What the workers of a machine that leaves have said is under way for so long at most."""
LOSSES = 3
"""A machine that was lost so often gets no more games in this run."""
CLOCKS_APART_S = 60.0
_WAIT_S = 0.1
"""The pause until machines are looked at again if none can do what is asked for."""
_WAKE_S = 0.5
"""A wait for an answer returns to Python so often. A signal that comes just before it would not end it otherwise."""
_NOBODY_PLAYS = "no machine can play now: the run waits for one, Ctrl-C ends it"
_ENDED = "its connection has ended"

Answer = TypeVar("Answer")


class Cluster:
    """The machines of a cluster, for one run, and their slots: see `arena.planning.introductions`.

    Coroutines belong to the loop; slots are for the thread of the run.
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
        self._packed: dict[str, PackedEngine] = {}
        """The engines by the way in which they are started. Any thread may add some."""
        self._required: set[str] = set()
        """Those that each machine must be able to start."""
        self._most: int | None = None
        self._pin, self._threads, self._freeze = True, 1, False
        self._open: dict[int, DaskSlot] = {}
        """The slots that are open, by their indices."""
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

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int, freeze: bool) -> "Cluster":
        """The slots of all machines, or at most `games_at_once` of them, which are opened from now on.

        Engines have up to `threads` threads; `freeze` stops them between moves.
        """
        self._most, self._pin, self._threads, self._freeze = games_at_once, pin, threads, freeze
        if self._loop is not None and freeze:
            self._wait_for(self._look_again())
        return self

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start each engine on every machine, once there is one.

        The machine that can start most of them answers. One that lacks any of these plays nothing. Raises ClusterError
        for an engine that cannot be shipped, and ClusterLost.
        """
        for spec in specs:
            self._engine(spec)
        return self._wait_for(self._introduce(specs))

    def check(self, specs: Sequence[EngineSpec], variant: str) -> dict[str, Any]:
        """Run the smoke checks of each engine on one of the machines."""
        return self._wait_for(self._check([self._engine(spec) for spec in specs], variant))

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
        """Enough indices for all open slots and for those that are free now. Raises ClusterLost."""
        room = self._room() if self._most is None else min(self._room(), self._most)
        self._open = {index: slot for index, slot in self._open.items() if not slot.join(0)}
        free, index = room - len(self._open), 0
        while free > 0:
            free -= index not in self._open
            index += 1
        return max(index, 1 + max(self._open, default=-1))

    def _room(self) -> int:
        """How many games all machines can play at once. Raises ClusterLost."""
        self._require()
        room = sum(map(self._capacity_of, self._ready()))
        if room:
            self._notified.discard(_NOBODY_PLAYS)
        else:
            self._notify_once(_NOBODY_PLAYS)
        return room

    @contextlib.contextmanager
    def prepared(self, control: Control) -> Iterator[None]:
        """Nudge the run when machines come and go."""
        self.control = control
        try:
            yield
        finally:
            self.control = None

    def open(self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int) -> DaskSlot:
        if self._most is not None and sum(not slot.join(0) for slot in self._open.values()) >= self._most:
            raise NoSlot("as many games are being played as are wanted")
        slot = self._open[index] = self._begun(engines, snapshot_ms)
        return slot

    def _begun(self, engines: Mapping[str, EngineSpec], snapshot_ms: int) -> DaskSlot:
        """A new slot on the machine that has most of them free. Raises NoSlot."""
        assert self._loop is not None
        with self._lock:
            free = {machine: self._capacity_of(machine) - len(machine.slots) for machine in self._ready()}
            machine = max(free, key=lambda each: free[each], default=None)
            if machine is None or free[machine] <= 0:
                raise NoSlot
            slot = DaskSlot(self._loop)
            machine.slots.add(slot)
        there = {name: self._engine(spec) for name, spec in engines.items()}
        order = pickle.dumps((there, snapshot_ms, self._pin, machine.clock_ahead_ns))
        self._loop.call_soon_threadsafe(self._begin, machine, slot, order)
        return slot

    def _ready(self) -> list[JoinedMachine]:
        with self._lock:
            return [machine for machine in self._by_address.values() if machine.ready]

    def _capacity_of(self, machine: JoinedMachine) -> int:
        assert machine.info is not None
        return max(1, machine.info.slots // max(1, self._threads))

    def _engine(self, spec: EngineSpec) -> PackedEngine:
        """The engine as it travels, with the name and limits of this specification. Raises ClusterError."""
        packed = self._packed[spec.start_key] = self._packed.get(spec.start_key) or pack(spec)
        there = packed.spec
        spec = replace(spec, command=there.command, options=there.options, files=(), sandbox=there.sandbox)
        return replace(packed, spec=spec)

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
                    began_s = time.monotonic()
                    await asyncio.sleep(HEARTBEAT_S)
                    if time.monotonic() - began_s > SILENT_S:
                        self._losses.clear()  # this program was stopped meanwhile, by Ctrl-Z for example
            finally:
                for life in lives:
                    life.cancel()
                await asyncio.gather(*lives, return_exceptions=True)

    async def _look(self, scheduler: Any, lives: "set[asyncio.Task[None]]") -> None:
        try:
            addresses = (await self._identity(scheduler))["workers"]
        except Exception:
            self._fail(
                ClusterLost(
                    f"{self._access.address} is gone: the run is stopped, the games that ended are kept; "
                    "start it again with `arena cluster scheduler`; the same command goes on"
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
                with self._lock:
                    self._by_address.pop(machine.address, None)
            elif machine.claimed and not machine.unfit and not machine.knows.issuperset(self._required):
                machine.begin(self._prepare(machine))

    async def _identity(self, scheduler: Any) -> Any:
        """What the scheduler says of itself. Asked twice: the first answer is late if this program was stopped."""
        with contextlib.suppress(TimeoutError, OSError):
            return await asyncio.wait_for(scheduler.identity(n_workers=-1), SILENT_S)
        return await asyncio.wait_for(scheduler.identity(n_workers=-1), SILENT_S)

    async def _live(self, machine: JoinedMachine) -> None:
        """Claim a machine that has joined, let it play if it can, and see when it is lost."""
        why = ""
        try:
            async with asyncio.timeout(ADMIT_S):
                comm = await machine.connect()
                began_ns = time.monotonic_ns()
                await comm.write({"op": "arena", "run": self._run, "reply": False})
                info = machine.info = pickle.loads(await comm.read())
                machine.clock_ahead_ns = (began_ns + time.monotonic_ns()) // 2 - info.monotonic_ns
            try:
                if refusal := self._refusal(info):
                    self._turn_away(machine, refusal)
                else:
                    machine.claimed = True
                    machine.begin(self._prepare(machine))
                    why = await self._beat(machine, comm)
                    if why == _ENDED and machine.tasks:  # what its workers said at last is under way
                        await asyncio.wait(machine.tasks, timeout=DRAIN_S)
            finally:
                comm.abort()
        except Exception as wrong:
            if str(wrong) and not isinstance(wrong, TimeoutError | OSError):
                self._notify_once(f"{machine.host} cannot take part: {str(wrong).splitlines()[0]}")
        finally:
            if not machine.unfit:
                self._lose(machine, why)

    async def _beat(self, machine: JoinedMachine, comm: Any) -> str:
        """Ask a machine for a sign of life again and again. Returns why it is lost at last."""
        while not machine.gone.is_set():
            await asyncio.sleep(HEARTBEAT_S)
            try:
                await comm.write(None)
                await asyncio.wait_for(comm.read(), SILENT_S)
            except TimeoutError:
                return f"it has not answered for {SILENT_S:.0f} s"
            except OSError:
                return _ENDED
        return ""

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

    def _turn_away(self, machine: JoinedMachine, reason: str) -> None:
        """Let the machine play nothing of this run. It is asked again only if it plays for another run."""
        self._notify_once(f"{machine.host} plays nothing of this run: {reason}")
        if machine.info is not None and machine.info.playing == self._run:
            machine.unfit = reason
            self._give_up(machine)

    async def _look_again(self) -> None:
        """Look once more at the machines that play, for what is asked of them has changed."""
        for machine in list(self._by_address.values()):
            if machine.claimed and not machine.unfit and machine.info is not None:
                if refusal := self._refusal(machine.info):
                    self._turn_away(machine, refusal)

    def _lose(self, machine: JoinedMachine, why: str) -> None:
        """Give a machine up. Its games are played elsewhere, and it is claimed anew if it is still there."""
        if machine.gone.is_set():
            return
        with self._lock:
            self._by_address.pop(machine.address, None)
        if machine.ready and why:
            self._losses[machine.host] += 1
            self.notify(f"{machine.host} is lost: {why}; its games are played again on other machines")
        self._give_up(machine)

    def _give_up(self, machine: JoinedMachine) -> None:
        """End all that is done with a machine."""
        machine.gone.set()
        with self._lock:
            machine.ready = False
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
            # A large run introduces its engines when they first play.
            refusal = "" if machine.gone.is_set() else await machine.ship(list(self._packed.values()))
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
        """Start packed engines on all machines."""
        keys = [spec.start_key for spec in specs]
        while True:
            self._require()
            fit = [machine for machine in list(self._by_address.values()) if not machine.unfit]
            claimed = [machine for machine in fit if machine.claimed]
            if len(claimed) < len(fit):  # one that is still admitted may be the only one that has an engine
                await asyncio.sleep(_WAIT_S / 2)
                continue
            results = await asyncio.gather(*(self._introduce_on(machine, keys) for machine in claimed))
            answers = [(each, answer) for each, answer in zip(claimed, results, strict=True) if answer is not None]
            if answers:
                break
            self._notify_once(f"no machine has joined {self._access.address} yet: waiting for one, Ctrl-C ends it")
            await asyncio.sleep(_WAIT_S)
        _, best = min(answers, key=lambda each: sum(bool(reason) for _, reason in each[1]))
        self._required |= {key for key, (_, reason) in zip(keys, best, strict=True) if not reason}
        for machine, answer in answers:
            self._settle(machine, keys, answer)
        return best

    async def _introduce_on(self, machine: JoinedMachine, keys: Sequence[str]) -> Introductions | None:
        """What the machine says of these engines, after they were shipped to it; None if it is lost."""
        engines = [self._packed[key] for key in keys]
        with contextlib.suppress(Gone):
            async with machine.preparing:
                if refusal := await machine.ship(engines):
                    return [(NOBODY, refusal)] * len(engines)
                answer: Introductions
                answer, lacks = await machine.call("introduce", engines)
                for sentence in lacks:
                    self._notify_once(f"warning: {machine.host}: {sentence}")
                return answer
        return None

    async def _prepare(self, machine: JoinedMachine) -> None:
        """Introduce the engines of the run that the machine does not know, and let it play if it can."""
        if machine.preparing.locked():
            return
        keys = list(self._required - machine.knows)
        if keys and (answer := await self._introduce_on(machine, keys)) is not None:
            self._settle(machine, keys, answer)

    def _settle(self, machine: JoinedMachine, keys: Sequence[str], answer: Introductions) -> None:
        """Let the machine play if it can start all engines that are required."""
        if machine.gone.is_set():
            return
        wrong = [reason for key, (_, reason) in zip(keys, answer, strict=True) if reason and key in self._required]
        machine.knows |= set(keys)
        if wrong:
            self._turn_away(machine, wrong[0])
        elif not machine.ready and machine.knows.issuperset(self._required):
            assert machine.info is not None
            with self._lock:
                machine.ready = True
            slots = self._capacity_of(machine)
            self.notify(f"{machine.host} plays, {slots} game{'s' * (slots != 1)} at once")
            if machine.info.python != platform.python_version():
                self._notify_once(f"{machine.host} runs engines in Python with another version: {machine.info.python}")
        self._nudge()

    async def _check(self, engines: Sequence[PackedEngine], variant: str) -> dict[str, Any]:
        """Run the smoke checks of these engines on one of the machines."""
        while True:
            self._require()
            for machine in self._ready():
                with contextlib.suppress(Gone):
                    fitness: dict[str, Any] = await machine.call("check", engines, variant)
                    return fitness
            await asyncio.sleep(_WAIT_S)


def _result(answer: "Future[Answer]", is_stopped: Callable[[], bool] = lambda: False) -> Answer:
    """The answer. Raises KeyboardInterrupt if the run is stopped meanwhile: it may wait for a machine for hours."""
    while not wait([answer], _WAKE_S).done:
        if is_stopped():
            raise KeyboardInterrupt
    return answer.result()
