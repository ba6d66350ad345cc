"""An arena's view of its cluster at odd moments, on a cluster within the process of a test."""

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from arena.cluster.access import Access
from arena.cluster.agent import WorkerOutput
from arena.cluster.carrying import Carrying
from arena.cluster.cluster import Cluster
from arena.cluster.joined_machine import JoinedMachine
from arena.cluster.machine_info import MachineInfo, edition
from arena.cluster.machines import Machines
from arena.cluster.membership import Membership
from arena.cluster.preparation import Preparation
from arena.play.jobs import EngineSpec
from arena.run.control import Control
from protocol.containment.policy import Level, SandboxPolicy

pytest.importorskip("distributed", reason="needs the extra `cluster`")


@pytest.fixture
def machines() -> Machines:
    """Machines of a cluster that is not connected."""
    return Machines("tcp://meeting-point", lambda sentence: None)


def test_a_machine_may_join_while_the_scheduler_counts_slots(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is counted the next time."""

    def capacity_of(machine: JoinedMachine) -> int:
        if not threads:
            threads.append(threading.Thread(target=machines.add, args=("tcp://m2",)))
            threads[0].start()
            threads[0].join(0.5)  # it may have to wait for us
        return 2

    threads: list[threading.Thread] = []
    monkeypatch.setattr(machines, "capacity_of", capacity_of)
    machines.add("tcp://m1").ready = True
    assert machines.capacity() == 2
    threads[0].join(10)
    assert [machine.address for machine in machines] == ["tcp://m1", "tcp://m2"]


def test_a_machine_is_preparing_until_the_last_of_overlapping_tasks_has_ended(machines: Machines) -> None:
    """A run that introduces newcomers may meet a machine that is still prepared: it gets no third task meanwhile."""
    preparation, machine = Preparation(machines), machines.add("tcp://m1")
    spec = EngineSpec("a", ("/bin/true",), sandbox=SandboxPolicy(Level.NONE))
    preparation._required["a"] = preparation.packed(spec)
    with machine.preparing():
        with machine.preparing():
            assert not preparation.lacks_introductions(machine)
        assert not preparation.lacks_introductions(machine)
    assert preparation.lacks_introductions(machine)


class Slow:
    """An agent that answers when this program has stood still for so long."""

    def __init__(self, stopped_s: float) -> None:
        self._stopped_s = stopped_s

    async def hear(self, seconds: float) -> list[WorkerOutput]:
        await asyncio.sleep(0)
        time.sleep(self._stopped_s)  # it stops the whole loop, as SIGSTOP does
        await asyncio.sleep(1)
        return []


@pytest.mark.parametrize(("stopped_s", "losses", "why"), [(0.0, 1, "not answered"), (0.4, 0, "was stopped meanwhile")])
def test_a_machine_is_not_blamed_for_a_time_in_which_this_program_was_stopped(
    machines: Machines, monkeypatch: pytest.MonkeyPatch, stopped_s: float, losses: int, why: str
) -> None:
    """It is claimed anew, and is not among those that were lost too often."""
    sentences: list[str] = []
    machines.notify = sentences.append
    machine = machines.add("tcp://m1")
    machine.agent, machine.ready = Slow(stopped_s), True
    monkeypatch.setattr("arena.cluster.carrying.SILENT_S", 0.1)
    if stopped_s:
        monkeypatch.setattr("arena.cluster.joined_machine.LATE_S", 0.2)
    asyncio.run(Carrying(machines, Preparation(machines))._listen(machine))
    assert machine.gone.is_set()
    assert len(sentences) == 1 and why in sentences[0]
    assert machines.losses["tcp://m1"] == losses


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"clock": 59}, ""),
        ({"clock": 61}, "its clock is 61 s wrong; set it"),
        ({"clock": -61}, "its clock is 61 s wrong; set it"),
        ({"edition": "another"}, "it has the edition another of the arena, and ours is"),
        ({"playing": "another run"}, "it plays for another run"),
        ({"host": "m2"}, "--machines does not name it"),
        ({"host": "m3"}, "it was lost 3 times"),
    ],
)
def test_a_machine_that_would_not_play_as_ours_is_refused_in_a_sentence(
    machines: Machines, changed: dict[str, Any], why: str
) -> None:
    """Another edition, a wrong clock, one that is lost again and again."""
    preparation = Preparation(machines)
    access = Access("127.0.0.1", 1, None)
    member = Membership(access, {"m1", "m3"}, machines, preparation, Carrying(machines, preparation))
    machines.losses.update({"m1": 2, "m3": 3})
    clock = time.time() + changed.pop("clock", 0)
    info = MachineInfo("m1", 1, "0", edition(), "3.11", "digest", clock, 0, playing=member._run)
    refusal = member._refusal(replace(info, **changed))
    assert refusal.startswith(why) and bool(refusal) == bool(why)


@pytest.fixture
def empty_place() -> Iterator[str]:
    """The address of a meeting point that no machine has joined."""
    from tests.arena.cluster.machines import places

    with places(0, 1) as address:
        yield address


@pytest.mark.timeout(60)
def test_an_interrupt_ends_the_wait_for_a_machine_also_while_a_run_is_played(empty_place: str) -> None:
    """A ladder introduces newcomers during its run, when all machines may have gone."""
    from arena.cluster.access import access

    def notify(sentence: str) -> None:
        if sentence.endswith("waiting for one, Ctrl-C ends it"):
            os.kill(os.getpid(), signal.SIGINT)

    spec = EngineSpec("a", ("/bin/true",), sandbox=SandboxPolicy(Level.NONE))
    control = Control()
    with Cluster(access(empty_place, None, role="client"), notify).connected() as cluster:
        with control.listening(), cluster.slots(1, pin=False, threads=1).prepared(control):
            with pytest.raises(KeyboardInterrupt):
                cluster.introduce([spec])


@pytest.mark.timeout(60)
def test_an_interrupt_ends_the_wait_for_a_meeting_point_that_does_not_answer() -> None:
    """Dask would go on waiting for its 10 s, and we for Dask."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        accepted: list[tuple[socket.socket, float]] = []

        def interrupt() -> None:
            accepted.append((mute.accept()[0], time.monotonic()))
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        cluster = Cluster(Access("127.0.0.1", mute.getsockname()[1], None), lambda sentence: None)
        with pytest.raises(KeyboardInterrupt), cluster.connected():
            pass
    ((connection, interrupted_at),) = accepted
    connection.close()
    assert time.monotonic() - interrupted_at < 5


def test_a_cluster_whose_dask_cannot_be_loaded_says_so_and_does_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An installation may be broken."""

    def broken() -> None:
        raise ImportError("no module named dask")

    monkeypatch.setattr("arena.cluster.cluster.quiet", broken)
    cluster = Cluster(Access("127.0.0.1", 1, None), lambda sentence: None)
    with pytest.raises(ImportError, match="dask"), cluster.connected():
        pass
