"""What the scheduler makes of the last words of a worker that dies."""

import os
import struct
from typing import Any

import pytest

from arena.planning.job_sources import FixedJobs
from arena.play import scheduler
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.scheduler import Scheduler, WorkerLost
from arena.play.slots import LocalSlots
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy

JOB = GameJob("run-1", 1, 1, "scottish", None, 0, "7", "a", "b", 1, Terms(parse("nodes=1")))
SPECS = {name: EngineSpec(name, ("true",), sandbox=SandboxPolicy(Level.NONE)) for name in ("a", "b")}


def dies_in_the_midst(connection: Any, *_: object) -> None:
    """A worker whose record is cut off: the length says more than comes."""
    connection.recv_bytes()
    os.write(connection.fileno(), struct.pack("!i", 4000) + b"half of it")
    os._exit(1)


def dies_without_a_word(connection: Any, *_: object) -> None:
    """A worker that is gone when it has its job."""
    connection.recv_bytes()
    os._exit(1)


@pytest.mark.parametrize("serve", [dies_in_the_midst, pytest.param(dies_without_a_word, marks=pytest.mark.long)])
def test_a_game_of_which_half_a_record_came_is_as_lost_as_one_without_any(
    monkeypatch: pytest.MonkeyPatch, serve: Any
) -> None:
    """It is played again; when that has failed too often, the run stops with the sentence for lost workers."""
    monkeypatch.setattr(scheduler, "ATTEMPTS", 2)
    kept: list[object] = []
    with pytest.raises(WorkerLost, match="game 1 lost its worker 2 times"):
        Scheduler(SPECS, LocalSlots(1, pin=False, serve=serve), kept.extend).run(FixedJobs([JOB]))
    assert kept == []
