"""An arena's view of its cluster: which machines there are, which of them can play, and what they say.

A thread with a loop of its own speaks to the machines. A machine is asked for news all the time, and answers at least
every HEARTBEAT_S. One that says nothing for SILENT_S is lost with its slots: its games are played elsewhere, and what
it says later is thrown away.
"""

import asyncio
import contextlib
import pickle
import ssl
import threading
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from arena.cluster.access import Access, quiet
from arena.cluster.agent import PIECE, MachineAgent
from arena.cluster.dask_slot import DaskSlot, DaskSlots
from arena.cluster.errors import ClusterError, ClusterLost
from arena.cluster.joined_machine import Gone, JoinedMachine, awaited
from arena.cluster.machine_info import MachineInfo, edition
from arena.cluster.shipment import Packed, PackedEngine, pack
from arena.cluster.speeds import Speeds
from arena.play import interrupts
from arena.play.introduce import Introductions
from arena.play.jobs import EngineSpec
from arena.play.slots import LacksEngine, NoSlot
from arena.play.speed import SpeedRequest
from protocol.session import Identity
from results.record import MachineSpeed

HEARTBEAT_S = 2.0
SILENT_S = 10.0
ADMIT_S = 20.0
"""How long a machine may take to say what it is."""
LATE_S = 2.0
"""A wait that ends later than this after its time was up says nothing about a machine: we were stopped ourselves."""
LOSSES = 3
"""A machine that was lost so often gets no more games in this run."""
CLOCKS_APART_S = 60.0

Answer = TypeVar("Answer")


class WePaused(Exception):
    """This program was stopped while it waited for an answer, by Ctrl-Z for example."""


class Cluster:
    """The machines of a cluster, for one run."""

    def __init__(self, access: Access, report: Callable[[str], None], only: Sequence[str] = ()) -> None:
        """`only` names the machines that may play; empty: all."""
        self._access = access
        self._only = frozenset(only)
        self.report = report
        self.nudge: Callable[[], None] = lambda: None
        self.pin = True
        self.threads = 1
        """How many threads the engine with the most of them has."""
        self._run = f"run of process {uuid.uuid4().hex[:8]}"
        self._lock = threading.Lock()
        self._machines: dict[str, JoinedMachine] = {}
        self._losses: Counter[str] = Counter()
        self._said: set[str] = set()
        self._packed: dict[str, Packed] = {}
        self._required: dict[str, Packed] = {}
        """The engines that machines must be able to play, by the way in which they are started."""
        self._failed: Exception | None = None
        self._slot_numbers = 0
        self._speeds = Speeds()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: Any = None
        self._stopping: asyncio.Event | None = None
        self._changed: asyncio.Event | None = None

    # For the planning and the scheduler, from their thread

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int) -> DaskSlots:
        """The slots of all machines; engines have up to so many threads."""
        self.pin, self.threads = pin, threads
        return DaskSlots(self, games_at_once)

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start each engine on every machine. An engine that no machine can start has the reason of one of them.

        Waits for a first machine. A machine that cannot start an engine that another one can plays no games of it.
        Raises ClusterError for an engine that cannot be shipped, and ClusterLost.
        """
        keys = [start_key(spec) for spec in specs]
        for key, spec in zip(keys, specs, strict=True):
            self._packed[key] = self._packed.get(key) or pack(spec)
        return self._ask(self._introduce_everywhere(keys))

    def check(self, specs: Sequence[EngineSpec], variant: str, report: Callable[[str], None]) -> dict[str, Any]:
        """Run the smoke checks of each engine on one of the machines that can start it."""
        engines = [(start_key(spec), self._packed_engine(spec)) for spec in specs]
        return self._ask(self._check_somewhere(engines, variant))

    def measure(self, request: SpeedRequest) -> list[MachineSpeed]:
        """Measure all machines that can play, and later ones when they come. Returns what `machines` does.

        It is empty where no engine can be measured with, which is told. Raises ClusterLost.
        """
        self.threads = request.threads
        engines = [self._packed_engine(spec) for spec in request.engines]
        if unknown := [spec for spec in request.engines if start_key(spec) not in self._required]:
            self.introduce(unknown)
        return self._ask(self._measure_everywhere(request, engines))

    @property
    def machines(self) -> list[MachineSpeed]:
        """The machines that were measured for this run, in that order."""
        return self._speeds.machines

    def capacity(self) -> int:
        """See `Places`."""
        if self._failed is not None:
            raise self._failed
        with self._lock:
            capacity = sum(self._capacity(machine) for machine in self._machines.values() if machine.ready)
        if capacity == 0:
            self._say_once("no machine can play now: the run waits for one, Ctrl-C ends it")
        else:
            self._said.discard("no machine can play now: the run waits for one, Ctrl-C ends it")
        return capacity

    def open_slot(
        self,
        make: Callable[[Any], DaskSlot],
        engines: Mapping[str, EngineSpec],
        snapshot_ms: int,
        wanted: Collection[str] = (),
    ) -> DaskSlot:
        """See `Places`."""
        keys = {start_key(engines[name]) for name in wanted}
        with self._lock:
            ready = [machine for machine in self._machines.values() if machine.ready]
            free = {machine: self._capacity(machine) - len(machine.slots) for machine in ready}
            able = [machine for machine in ready if keys.isdisjoint(machine.lacks)]
            machine = max(able, key=lambda each: free[each], default=None)
            if machine is not None and free[machine] > 0:
                self._slot_numbers += 1
                number = self._slot_numbers
                slot = machine.slots[number] = make(machine)
        if machine is None and ready:
            self._say_once(f"no machine can play {' against '.join(wanted)} now: the run waits for one, Ctrl-C ends it")
        if machine is None or free[machine] <= 0:
            raise LacksEngine if any(room > 0 for room in free.values()) else NoSlot
        slot.lacks = {name for name, spec in engines.items() if machine.lacks and start_key(spec) in machine.lacks}
        there = {name: self._packed_engine(spec) for name, spec in engines.items() if name not in slot.lacks}
        packed = pickle.dumps(there)
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._serve(machine, number, slot, packed, snapshot_ms), self._loop)
        return slot

    def _capacity(self, machine: JoinedMachine) -> int:
        assert machine.info is not None
        return max(1, machine.info.slots // max(1, self.threads))

    def _packed_engine(self, spec: EngineSpec) -> PackedEngine:
        key = start_key(spec)
        packed = self._packed[key] = self._packed.get(key) or pack(spec)
        there = packed.engine.spec
        spec = replace(spec, command=there.command, options=there.options, files=(), box=there.box)
        return PackedEngine(spec, packed.engine.shipment)

    def _ask(self, what: Coroutine[Any, Any, Answer]) -> Answer:
        """Run it in the loop and wait for it. Ctrl-C ends the wait, also while a run is played."""
        assert self._loop is not None
        asked = asyncio.run_coroutine_threadsafe(what, self._loop)
        try:
            with interrupts.at_once():  # it may wait for a machine for hours
                return asked.result()
        except BaseException:
            asked.cancel()
            raise

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self.report(sentence)

    # The loop

    @contextlib.contextmanager
    def connected(self) -> Iterator["Cluster"]:
        """Be part of the cluster until the block ends. Raises ClusterError where there is no meeting point."""
        ready: Future[None] = Future()
        thread = threading.Thread(target=self._run_loop, args=(ready,), name="cluster", daemon=True)
        thread.start()
        try:
            ready.result()
            yield self
        finally:
            if self._loop is not None and self._stopping is not None:
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._stopping.set)
            thread.join(2 * SILENT_S)

    def _run_loop(self, ready: "Future[None]") -> None:
        """Run the loop to its end. A bug there, or a broken Dask, is raised where the run waits."""
        try:
            asyncio.run(self._live(ready))
        except Exception as bug:
            self._failed = bug
            if ready.done():
                self.nudge()
            else:
                ready.set_exception(bug)

    async def _live(self, ready: "Future[None]") -> None:
        from distributed import Client

        quiet()
        self._loop = asyncio.get_running_loop()
        self._stopping, self._changed = asyncio.Event(), asyncio.Event()
        try:
            self._client = await Client(
                self._access.address,
                security=self._access.security("client"),
                asynchronous=True,
                direct_to_workers=True,
                set_as_default=True,  # an actor looks for it there
                timeout=SILENT_S,
            )
        except Exception as wrong:
            ready.set_exception(ClusterError(cannot_reach(self._access, wrong)))
            return
        ready.set_result(None)
        try:
            while not self._stopping.is_set() and self._failed is None:
                await self._look()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), HEARTBEAT_S)
            await self._stopping.wait()
        finally:
            await self._part()

    async def _part(self) -> None:
        """Leave all machines, without their workers."""
        machines = list(self._machines.values())
        for machine in machines:
            for task in machine.tasks:
                task.cancel()
        leaving = [asyncio.ensure_future(awaited(machine.agent.release())) for machine in machines if machine.agent]
        if leaving:
            await asyncio.wait(leaving, timeout=SILENT_S / 2)
        for machine in machines:
            for number in list(machine.slots):
                self._end_slot(machine, number, None, lost=True)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._client.close(), 5)

    async def _look(self) -> None:
        """See which machines there are."""
        try:
            found = await _within(SILENT_S, self._client.scheduler.identity(n_workers=-1))
        except WePaused:
            return  # it is asked again soon
        except Exception:
            self._failed = ClusterLost(
                f"{self._access.address} is gone: the run is stopped, the games that ended are kept; "
                "start it again with `arena cluster scheduler`; the same command, or --resume, goes on"
            )
            for machine in list(self._machines.values()):
                self._lose(machine, "")
            self._tell_changed()
            return
        for address in found["workers"]:
            if address not in self._machines:
                machine = JoinedMachine(address, asyncio.get_running_loop(), self._lose)
                with self._lock:  # the scheduler counts them in its own thread
                    self._machines[address] = machine
                machine.tasks.append(asyncio.create_task(self._admit(machine)))
        for machine in list(self._machines.values()):
            if machine.address not in found["workers"]:
                self._lose(machine, "it has left")
            elif machine.claimed and not machine.unfit and not machine.is_preparing:
                if new := [key for key in self._required if key not in machine.knows]:
                    machine.tasks.append(asyncio.create_task(self._prepare(machine, new)))

    def _tell_changed(self) -> None:
        assert self._changed is not None
        self._changed.set()
        self._changed.clear()
        self.nudge()

    async def _admit(self, machine: JoinedMachine) -> None:
        """Claim a machine that has joined, and let it play if it can."""
        try:
            async with asyncio.timeout(ADMIT_S):
                machine.future = self._client.submit(
                    MachineAgent,
                    self._run,
                    actor=True,
                    workers=[machine.address],
                    allow_other_workers=False,
                    pure=False,
                    key=f"arena-{uuid.uuid4().hex}",
                )
                machine.agent = await machine.future
                asked_ns = time.monotonic_ns()
                info = machine.info = await machine.agent.claim()
                machine.clock_ahead_ns = (asked_ns + time.monotonic_ns()) // 2 - info.monotonic_ns
        except Exception as wrong:
            if str(wrong) and not isinstance(wrong, TimeoutError | OSError):
                self._say_once(f"{machine.host} cannot take part: {_first_line(wrong)}")
            self._forget(machine)
            return
        refusal = self._refusal(info)
        if refusal:
            self._say_once(f"{info.host} plays nothing of this run: {refusal}")
            if info.playing == self._run:
                await awaited(machine.agent.release())
            machine.unfit = refusal
            if info.playing != self._run:
                self._forget(machine)  # it is asked again
            return
        if info.compiled != _compiled():
            self._say_once(
                f"{info.host}: its arena is {'' if info.compiled else 'not '}compiled, and ours is otherwise"
            )
        machine.tasks.append(asyncio.create_task(self._listen(machine)))
        machine.tasks.append(asyncio.create_task(self._send(machine)))
        machine.claimed = True
        if self._required:
            await self._prepare(machine, list(self._required))

    def _refusal(self, info: MachineInfo) -> str:
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
        return ""

    async def _introduce_everywhere(self, keys: Sequence[str]) -> Introductions:
        new = list(dict.fromkeys(keys))
        while True:
            if self._failed is not None:
                raise self._failed
            known = [each for each in self._machines.values() if not each.unfit]
            machines = [each for each in known if each.claimed]
            if len(machines) < len(known):  # one that is still admitted may be the only one that has an engine
                await asyncio.sleep(0.05)
                continue
            asked = await asyncio.gather(*(self._introduced(machine, new) for machine in machines))
            answers = [(machine, answer) for machine, answer in zip(machines, asked, strict=True) if answer is not None]
            if answers:
                break
            self._say_once(f"no machine has joined {self._access.address} yet: waiting for one, Ctrl-C ends it")
            await asyncio.sleep(0.1)
        best: dict[str, tuple[Identity, str]] = {}
        for _, answer in answers:
            for key, result in zip(new, answer, strict=True):
                if key not in best or (best[key][1] and not result[1]):
                    best[key] = result
        self._required |= {key: self._packed[key] for key in new if not best[key][1]}
        for machine, answer in answers:
            self._settle(machine, new, answer)
        return [best[key] for key in keys]

    async def _introduced(self, machine: JoinedMachine, keys: Sequence[str]) -> Introductions | None:
        """What the machine says of these engines, after they were shipped to it; None where it is lost."""
        engines = [self._packed[key] for key in keys]
        machine.is_preparing = True
        try:
            refusal = await machine.ship(engines)
            if refusal:
                return [(Identity("", "", "", {}), refusal)] * len(engines)
            levels = sorted({packed.engine.spec.box.level for packed in engines})
            for sentence in await machine.call(machine.agent.shortfall(levels)):
                self._say_once(f"warning: {machine.host}: {sentence}")
            answer: Introductions = await machine.call(machine.agent.introduce([each.engine for each in engines]))
            return answer
        except Gone:
            return None
        finally:
            machine.is_preparing = False

    async def _prepare(self, machine: JoinedMachine, keys: Sequence[str]) -> None:
        answer = await self._introduced(machine, keys)
        if answer is not None:
            if self._speeds.needs(machine) and not all(reason for _, reason in answer):
                await self._measure(machine)
                speed = "" if self._speeds.refusal(machine) else self._speeds.text(machine)
                if speed and not machine.gone.is_set():
                    self.report(f"{machine.host}: {speed}")
            self._settle(machine, keys, answer)

    async def _measure_everywhere(self, request: SpeedRequest, engines: Sequence[PackedEngine]) -> list[MachineSpeed]:
        """See `measure`."""
        reasons: dict[str, str] | None = None
        while reasons is None:
            if self._failed is not None:
                raise self._failed
            for machine in [each for each in self._machines.values() if each.ready]:
                with contextlib.suppress(Gone):
                    reasons = await self._speeds.choose(machine, request, engines)
                    break
            else:
                await asyncio.sleep(0.1)
        if self._speeds.test is None:
            told = "; ".join(f"{name}: {why}" for name, why in reasons.items())
            self._say_once(f"the speed of the machines was not measured: {told or 'no engine has been started'}")
            return []
        there = [machine for machine in self._machines.values() if machine.ready and self._speeds.needs(machine)]
        await asyncio.gather(*map(self._measure, there))
        self._speeds.set_reference()
        for machine in there:
            if (refusal := self._speeds.refusal(machine)) and not machine.gone.is_set():
                with self._lock:
                    machine.ready, machine.unfit = False, refusal
                self._say_once(f"{machine.host} plays nothing of this run: {refusal}")
            elif doubt := self._speeds.doubt(machine):
                self._say_once(f"{machine.host}: {doubt}")
        return self.machines

    async def _measure(self, machine: JoinedMachine) -> None:
        """Measure a machine. It gets no other task meanwhile."""
        machine.is_preparing = True
        try:
            with contextlib.suppress(Gone):
                await self._speeds.measure(machine, self._capacity(machine))
        finally:
            machine.is_preparing = False

    def _settle(self, machine: JoinedMachine, keys: Sequence[str], answer: Introductions) -> None:
        """Let the machine play if it can start engines that are required; and say what it cannot start."""
        if machine.gone.is_set():
            return
        lacks = {key: reason for key, (_, reason) in zip(keys, answer, strict=True) if reason and key in self._required}
        refusal = self._speeds.refusal(machine)
        was_ready = machine.ready
        machine.knows |= set(keys)
        with self._lock:
            machine.lacks |= lacks
            startable = not self._required or any(key not in machine.lacks for key in self._required)
            can_play = startable and not refusal
            machine.ready = can_play and set(self._required) <= machine.knows
            machine.unfit = refusal
        assert machine.info is not None
        for reason in (*lacks.values(), *[refusal] * bool(refusal)):
            what = "no game of an engine that it cannot start" if can_play else "nothing of this run"
            self._say_once(f"{machine.host} plays {what}: {reason}")
        if machine.ready and not was_ready:
            slots = self._capacity(machine)
            self.report(f"{machine.host} plays, {slots} game{'s' * (slots != 1)} at once")
            if machine.info.interpreter != _interpreter() and any(
                "{python}" in packed.engine.spec.command[0] for packed in self._required.values()
            ):
                self._say_once(
                    f"{machine.host} runs engines in Python with another interpreter than ours: {machine.info.python}"
                )
        self._tell_changed()

    async def _check_somewhere(self, engines: Sequence[tuple[str, PackedEngine]], variant: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while True:
            if self._failed is not None:
                raise self._failed
            for machine in [each for each in self._machines.values() if each.ready]:
                left = [each for key, each in engines if each.spec.name not in found and key not in machine.lacks]
                if left:
                    with contextlib.suppress(Gone):
                        found |= await machine.call(machine.agent.check(left, variant))
            if len(found) == len(engines):
                return found
            await asyncio.sleep(0.1)

    # Slots

    async def _serve(
        self, machine: JoinedMachine, number: int, slot: DaskSlot, engines: bytes, snapshot_ms: int
    ) -> None:
        """Open a slot, and carry what the scheduler says to it."""
        reader, writer = await asyncio.open_connection(sock=slot.theirs)
        machine.writers[number] = writer
        if machine.gone.is_set():
            self._end_slot(machine, number, None, lost=True)
            return
        try:
            packed = list(self._packed.items())  # the scheduler's thread adds some meanwhile
            unknown = [each for key, each in packed if key not in machine.knows]
            refusal = await machine.ship(unknown) if unknown else ""
            refusal = refusal or await machine.call(
                machine.agent.open(
                    number,
                    engines,
                    snapshot_ms,
                    self.pin,
                    machine.clock_ahead_ns,
                    self._speeds.time_factor(machine),
                ),
            )
            if refusal:
                self._lose(machine, refusal)
                return
            while data := await reader.read(PIECE):
                machine.post(number, data)
            machine.post(number, "close")
        except (Gone, OSError):
            pass
        except Exception as bug:  # the scheduler would wait for this slot for ever
            self._failed = bug
            self._tell_changed()

    async def _send(self, machine: JoinedMachine) -> None:
        """Hand what is in the machine's outbox over, all at once."""
        with contextlib.suppress(Gone):
            while True:
                await machine.has_post.wait()
                machine.has_post.clear()
                post, machine.outbox = machine.outbox, []
                await machine.call(machine.agent.send(post))

    async def _listen(self, machine: JoinedMachine) -> None:
        """Ask a machine for news until it is lost."""
        while not machine.gone.is_set():
            try:
                said = await _within(SILENT_S, machine.agent.hear(HEARTBEAT_S))
            except WePaused:
                # Its answer is lost, and it may have given us up.
                self._lose(machine, "this program was stopped meanwhile", counts=False)
                return
            except TimeoutError:
                self._lose(machine, f"it has not answered for {SILENT_S:.0f} s")
                return
            except Exception:  # Dask has an error of its own for each way in which a connection ends
                self._lose(machine, "its connection has ended")
                return
            for each in said:
                if each.ended:
                    if each.slot not in machine.told_to_end:
                        self.report(
                            f"{machine.host}: a worker has ended (exit code {each.exit_code}); "
                            "its games are played again"
                        )
                    machine.told_to_end.discard(each.slot)
                    self._end_slot(machine, each.slot, each.exit_code)
                elif (writer := machine.writers.get(each.slot)) is not None:
                    writer.write(each.data)

    def _end_slot(self, machine: JoinedMachine, number: int, exit_code: int | None, *, lost: bool = False) -> None:
        with self._lock:
            slot = machine.slots.pop(number, None)
        if (writer := machine.writers.pop(number, None)) is not None:
            writer.close()
        if slot is not None:
            slot.ended(exit_code, lost_with_machine=lost)
            self.nudge()

    def _lose(self, machine: JoinedMachine, why: str, *, counts: bool = True) -> None:
        """Give a machine up. Its games are played elsewhere. `counts`: is it one of its LOSSES?"""
        if machine.gone.is_set():
            return
        machine.gone.set()
        was_ready = machine.ready
        self._forget(machine)
        if was_ready and why:
            self._losses[machine.host] += counts
            self.report(f"{machine.host} is lost: {why}; its games are played again on other machines")
        for number in list(machine.slots):
            self._end_slot(machine, number, None, lost=True)
        self._tell_changed()

    def _forget(self, machine: JoinedMachine) -> None:
        with self._lock:
            machine.ready = False
            self._machines.pop(machine.address, None)
        if machine.future is not None:
            machine.future.release()


def start_key(spec: EngineSpec) -> str:
    """A key that is equal for engines that are started in the same way."""
    return repr((spec.command, sorted(spec.options.items()), spec.box, spec.files, spec.deadlines))


async def _within(seconds: float, asked: Awaitable[Answer]) -> Answer:
    """The answer, if it comes within so many seconds. Raises TimeoutError, and WePaused."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    try:
        return await asyncio.wait_for(awaited(asked), seconds)
    except TimeoutError:
        if loop.time() > deadline + LATE_S:
            raise WePaused from None
        raise


def _compiled() -> bool:
    from arena import version

    return version.compiled()


def _interpreter() -> str:
    from arena.cluster import machine_info

    return machine_info.info().interpreter


def _first_line(wrong: Exception) -> str:
    return next(iter(str(wrong).splitlines()), type(wrong).__name__)


def keys_do_not_fit(wrong: BaseException | None) -> bool:
    """Did the other end refuse our certificate, or we its certificate? A connection that ends in between says nothing.

    The type tells it: Dask's texts name TLS also where nobody answers.
    """
    from distributed.comm.core import FatalCommClosedError

    while wrong is not None:
        if isinstance(wrong, FatalCommClosedError | ssl.SSLError) and not isinstance(wrong, ssl.SSLEOFError):
            return True
        wrong = wrong.__cause__ or wrong.__context__
    return False


def cannot_reach(access: Access, wrong: Exception) -> str:
    """The sentence for a meeting point that cannot be reached."""
    if keys_do_not_fit(wrong):
        return f"{access.address}: the keys do not fit: use those that its scheduler was started with"
    return f"{access.address}: nobody answers there; start it with `arena cluster scheduler`, or check the address"
