"""An arena's view of its cluster at odd moments, on a cluster within the process of a test."""

import os
import signal
from collections.abc import Iterator

import pytest

from arena.cluster.cluster import Cluster
from arena.play import interrupts
from arena.play.jobs import EngineSpec
from protocol.containment.policy import Level, SandboxPolicy

pytest.importorskip("distributed", reason="needs the extra `cluster`")


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

    def report(sentence: str) -> None:
        if sentence.endswith("waiting for one, Ctrl-C ends it"):
            os.kill(os.getpid(), signal.SIGINT)

    spec = EngineSpec("a", ("/bin/true",), box=SandboxPolicy(Level.NONE))
    with Cluster(access(empty_place, None, role="client"), report).connected() as cluster, interrupts.held():
        with pytest.raises(KeyboardInterrupt):
            cluster.introduce([spec])
