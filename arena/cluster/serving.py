"""The two programs that a cluster consists of: the meeting point, and a machine that plays."""

import asyncio
import contextlib
import os
import platform
import signal
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from arena import games_at_once
from arena.cluster.access import Access, cannot_reach, connection, keys_do_not_fit, meeting_point, quiet
from arena.cluster.agent import Agent
from arena.cluster.cluster import ADMIT_S
from arena.cluster.errors import ClusterError
from arena.cluster.joined_machine import JoinedMachine
from arena.cluster.machine_info import MachineInfo
from arena.play import cpu_affinity

AGAIN_S = 2.0
"""How many seconds a machine waits before it tries once more to reach the meeting point."""


def without_pages(server: Any) -> Any:
    """Dask's class without its HTTP pages: they tell names, folders and load to everybody, and ask for no key."""
    return type(server.__name__, (server,), {"start_http_server": lambda *_, **__: None})


def run_scheduler(access: Access, report: Callable[[str], None]) -> None:
    """Be the meeting point until the process is told to end. Raises ClusterError."""
    quiet()
    _run(_scheduler(access, report))


async def _scheduler(access: Access, report: Callable[[str], None]) -> None:
    from distributed import Scheduler

    try:
        scheduler = await without_pages(Scheduler)(
            protocol=access.address.partition(":")[0], host=access.host, port=access.port, security=access.security()
        )
    except OSError as wrong:
        raise ClusterError(f"{access.address}: cannot listen there: {wrong.strerror or wrong}") from None
    try:
        report(f"machines join by: arena cluster join {scheduler.address}{' --keys DIR' if access.keys else ''}")
        await scheduler.finished()
    finally:
        await scheduler.close()


def run_machine(access: Access, slots: int | None, report: Callable[[str], None]) -> None:
    """Offer slots of this machine until the process is told to end; wait for the meeting point where it is not there.

    CPUs are reserved, one for each slot, as far as there are any.
    """
    quiet()
    wanted = slots or games_at_once.in_a_run()
    with cpu_affinity.reserved(wanted) as cpus:
        _run(_machine(access, slots or len(cpus) or wanted, cpus, report))


async def _machine(access: Access, slots: int, cpus: Sequence[int], report: Callable[[str], None]) -> None:
    from distributed import Worker

    waits = False
    while True:
        try:
            # A worker would try for ever with keys that are refused.
            (await connection(access, access.address)).abort()
            agent = Agent(slots, cpus)
            worker = without_pages(Worker)(
                access.address,
                host=access.machine_host,
                name=f"{platform.node()}-{os.getpid()}",
                nthreads=1,
                memory_limit=0,
                security=access.security(),
                death_timeout=ADMIT_S,
                validate=False,
            )
            worker.handlers.update(agent.handlers)
            await worker
        except (OSError, TimeoutError, RuntimeError) as wrong:
            if keys_do_not_fit(wrong):
                raise ClusterError(cannot_reach(access, wrong)) from None
            if not waits:
                report(f"{cannot_reach(access, wrong)}; waiting for it, Ctrl-C ends this")
            waits = True
            await asyncio.sleep(AGAIN_S)
            continue
        waits = False
        pinned = f", CPUs {','.join(map(str, cpus))}" if cpus else ""
        report(f"{platform.node()} has joined {access.address}: {slots} at once{pinned}; Ctrl-C ends it")
        try:
            await worker.finished()
        finally:
            await agent.end()
            with contextlib.suppress(Exception):
                await asyncio.wait_for(worker.close(nanny=False), 5)
        report(f"{access.address} is gone")


def status(access: Access) -> list[MachineInfo | str]:
    """What each machine says of itself, or its address where it says nothing. Raises ClusterError."""
    quiet()
    return asyncio.run(_status(access))


async def _status(access: Access) -> list[MachineInfo | str]:
    async with meeting_point(access) as scheduler:
        addresses = list((await scheduler.identity(n_workers=-1))["workers"])
    calls = [asyncio.wait_for(JoinedMachine(access, address).call("info"), 5) for address in addresses]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    return [
        address if isinstance(answer, BaseException) else answer
        for address, answer in zip(addresses, answers, strict=True)
    ]


def _run(program: Coroutine[Any, Any, None]) -> None:
    """Run it until it ends or a signal comes. After Ctrl-C it raises KeyboardInterrupt."""

    async def watched() -> None:
        task = asyncio.current_task()
        assert task is not None
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await program

    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(watched())
