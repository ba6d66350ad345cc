"""The machines of a cluster, as planning and the scheduler see them.

A thread with a loop of its own speaks to the machines. `membership` knows which there are, `preparation` which of them
can play, `carrying` brings games to them and results back. A machine is asked for news all the time, and answers at
least every HEARTBEAT_S. One that says nothing for SILENT_S is lost with its slots: its games are played elsewhere, and
what it says later is thrown away.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from arena.cluster.access import Access, quiet
from arena.cluster.carrying import Carrying, DaskSlots
from arena.cluster.joined_machine import SILENT_S
from arena.cluster.machines import Machines
from arena.cluster.membership import Membership
from arena.cluster.preparation import Preparation
from arena.play.jobs import EngineSpec
from arena.play.trial_start import Introductions

_WAKE_S = 0.5
"""A wait for an answer returns to Python so often. A signal that comes just before it would not end it otherwise."""

Answer = TypeVar("Answer")


class Cluster:
    """The machines of a cluster, for one run: see `arena.planning.other_machines`."""

    def __init__(self, access: Access, notify: Callable[[str], None], only: Sequence[str] = ()) -> None:
        """`only` names the machines that may play; empty: all."""
        self.notify = notify
        self._machines = Machines(access.address, lambda sentence: self.notify(sentence))
        self._preparation = Preparation(self._machines)
        self._carrying = Carrying(self._machines, self._preparation)
        self._membership = Membership(access, only, self._machines, self._preparation, self._carrying)
        self._task: asyncio.Task[None] | None = None

    @property
    def machines(self) -> list[tuple[str, int]]:
        """The machines that can play now: their names, and how many games each plays at once."""
        return [(machine.host, self._machines.capacity_of(machine)) for machine in self._machines.ready]

    def slots(self, games_at_once: int | None, *, pin: bool, threads: int) -> DaskSlots:
        """The slots of all machines; engines have up to so many threads."""
        self._carrying.pin, self._machines.threads = pin, threads
        return DaskSlots(self._carrying, games_at_once)

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start each engine on every machine, once there is one.

        A machine that cannot start an engine that another one can plays no games of it. Raises ClusterError for an
        engine that cannot be shipped, and ClusterLost.
        """
        for spec in specs:
            self._preparation.packed(spec)
        return self._wait_for(self._preparation.introduce(specs))

    def check(self, specs: Sequence[EngineSpec], variant: str, notify: Callable[[str], None]) -> dict[str, Any]:
        """Run the smoke checks of each engine on one of the machines that can start it."""
        engines = [(spec.start_key, self._preparation.engine(spec)) for spec in specs]
        return self._wait_for(self._preparation.check(engines, variant))

    def _wait_for(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Run it in the loop and wait for it. Ctrl-C ends the wait, also while a run is played."""
        assert self._machines.loop is not None
        answer = asyncio.run_coroutine_threadsafe(coroutine, self._machines.loop)
        try:
            return _result(answer, lambda: self._machines.is_stopped())
        except BaseException:
            answer.cancel()
            raise

    @contextlib.contextmanager
    def connected(self) -> Iterator["Cluster"]:
        """Be part of the cluster until the block ends. Raises ClusterError where there is no meeting point."""
        ready: Future[None] = Future()
        thread = threading.Thread(target=self._run_loop, args=(ready,), name="cluster", daemon=True)
        thread.start()
        try:
            _result(ready)
            yield self
        finally:
            if self._machines.loop is not None and self._task is not None:
                with contextlib.suppress(RuntimeError):
                    self._machines.loop.call_soon_threadsafe(self._task.cancel)
            thread.join(2 * SILENT_S)

    def _run_loop(self, ready: "Future[None]") -> None:
        """Run the loop until it is told to end. A bug there, or a broken Dask, is raised where the run waits."""
        try:
            with contextlib.suppress(asyncio.CancelledError):
                asyncio.run(self._take_part(ready))
        except Exception as bug:
            if ready.done():
                self._machines.fail(bug)
            else:
                ready.set_exception(bug)

    async def _take_part(self, ready: "Future[None]") -> None:
        self._machines.loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        quiet()
        async with self._membership.joined():
            ready.set_result(None)
            await self._membership.watch()


def _result(answer: "Future[Answer]", is_stopped: Callable[[], bool] = lambda: False) -> Answer:
    """The answer. Raises KeyboardInterrupt where the run is stopped meanwhile: it may wait for a machine for hours."""
    while not wait([answer], _WAKE_S).done:
        if is_stopped():
            raise KeyboardInterrupt
    return answer.result()
