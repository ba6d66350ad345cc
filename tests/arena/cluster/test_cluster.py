"""An arena's view of its cluster at odd moments, on a cluster within the process of a test."""

import itertools
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
from arena.cluster.agent import Agent
from arena.cluster.cluster import Cluster
from arena.cluster.joined_machine import JoinedMachine
from arena.cluster.machine_info import MachineInfo, edition
from arena.play.jobs import EngineSpec
from arena.play.trial_start import NOBODY
from arena.run.control import Control
from protocol.containment.policy import Level, SandboxPolicy

pytest.importorskip("distributed", reason="needs the extra `cluster`")
INFO = MachineInfo("m1", 2, "0", edition(), "3.11", 0, 0, True)


@pytest.fixture
def cluster() -> Cluster:
    """One that is not connected."""
    return Cluster(Access("127.0.0.1", 1, None), lambda sentence: None, {"m1", "m3"})


def machine(cluster: Cluster, host: str) -> JoinedMachine:
    """A machine of two slots that has joined."""
    joined = cluster._by_address[host] = JoinedMachine(cluster._access, host)
    joined.info, joined.ready = replace(INFO, host=host, playing=cluster._run), True
    return joined


def test_a_machine_may_join_while_the_scheduler_counts_slots(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted the next time."""

    def capacity_of(one: JoinedMachine) -> int:
        if not threads:
            threads.append(threading.Thread(target=machine, args=(cluster, "m2")))
            threads[0].start()
            threads[0].join(0.5)  # it may have to wait for us
        return 2

    threads: list[threading.Thread] = []
    monkeypatch.setattr(cluster, "_capacity_of", capacity_of)
    machine(cluster, "m1")
    assert cluster._room() == 2
    threads[0].join(10)
    assert cluster._room() == 4


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
        ({"groups": False}, "it has no control groups, which --freeze needs"),
    ],
)
def test_a_machine_that_would_not_play_as_ours_is_refused_in_a_sentence(
    cluster: Cluster, changed: dict[str, Any], why: str
) -> None:
    """Another edition, a wrong clock, one that is lost again and again, one that cannot freeze engines."""
    cluster.slots(1, pin=False, threads=1, freeze=True)
    cluster._losses.update({"m1": 2, "m3": 3})
    clock = time.time() + changed.pop("clock", 0)
    refusal = cluster._refusal(replace(INFO, **{"playing": cluster._run, "clock": clock, **changed}))
    assert refusal.startswith(why) and bool(refusal) == bool(why)


@pytest.mark.timeout(60)
def test_a_run_that_freezes_engines_gets_no_slot_of_a_machine_without_control_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is said before the first game, and the run waits for another machine."""
    from tests.arena.cluster.machines import one_machine

    monkeypatch.setattr("arena.cluster.machine_info.group.groups", lambda: None)
    sentences: list[str] = []
    with one_machine(notify=sentences.append) as cluster:
        assert cluster.machines
        assert cluster.slots(None, pin=False, threads=1, freeze=True).capacity() == 0
    assert any("no control groups, which --freeze needs" in each for each in sentences)


@pytest.mark.timeout(60)
def test_a_machine_that_cannot_start_an_engine_plays_nothing_and_the_others_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run says what it lacks."""
    from arena.cluster.access import access
    from tests.arena.cluster.machines import places

    def introduce(machine: Agent, engines: list[EngineSpec]) -> Any:
        return [(NOBODY, "there is no program 'foxrun' on the PATH" if next(calls) else "")] * len(engines), []

    calls, sentences = itertools.count(), list[str]()
    monkeypatch.setattr(Agent, "introduce", introduce)
    spec = EngineSpec("a", ("/bin/true",), sandbox=SandboxPolicy(Level.NONE))
    with places(2, 1) as address, Cluster(access(address, None), sentences.append).connected() as cluster:
        assert cluster.introduce([spec]) == [(NOBODY, "")]
        assert cluster.slots(None, pin=False, threads=1, freeze=False).capacity() == 1
    assert any("plays nothing of this run: there is no program 'foxrun' on the PATH" in each for each in sentences)


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
    with Cluster(access(empty_place, None), notify).connected() as cluster:
        with control.listening(), cluster.slots(1, pin=False, threads=1, freeze=False).prepared(control):
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
