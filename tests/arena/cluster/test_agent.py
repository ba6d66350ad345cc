"""A machine and what it answers."""

import asyncio
import pickle
from pathlib import Path
from typing import Any

import pytest

from arena.cluster import agent
from arena.cluster.agent import MachineAgent, SlotProcess, WorkerOutput, in_bytes
from arena.cluster.machine_info import MachineInfo


def test_an_arena_that_was_silent_must_claim_the_machine_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games were ended, and another run may have the machine: it opens no slot, and hears so."""

    async def silent() -> MachineInfo:
        first = MachineAgent("run")
        await first.claim()
        assert first._watch is not None
        await asyncio.wait_for(first._watch, 10)
        for asked in (first.hear(0), first.open(1, pickle.dumps({}), 0, False, 0), first.send([]), first.claim()):
            with pytest.raises(ConnectionAbortedError):
                await asked
        assert not first._workers
        second = MachineAgent("run")
        info = await second.claim()
        assert await second.hear(0) == []
        await second.release()
        return info

    monkeypatch.setattr(agent, "SILENT_S", 0.1)
    assert asyncio.run(silent()).playing == "run"


def test_what_workers_said_at_last_is_heard_after_a_machine_has_left() -> None:
    """Results that they held are results still."""

    async def left() -> list[WorkerOutput]:
        mine = MachineAgent("run")
        await mine.claim()
        mine.add(WorkerOutput(1, b"a result"))
        await mine.release()
        heard = await mine.hear(0)
        with pytest.raises(ConnectionAbortedError):
            await mine.hear(0)
        return heard

    assert asyncio.run(left()) == [WorkerOutput(1, b"a result")]


def test_an_engine_that_came_in_part_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena has gone while it sent it. Engines may be large, and disks small."""

    async def left() -> str:
        mine = MachineAgent("run")
        await mine.claim()
        wrong = str(pickle.loads(await mine.write("ab" * 32, "fox", 0, b"half an engine")))
        assert [path.name for path in tmp_path.rglob("fox")] == ["fox"]
        await mine.release()
        return wrong

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert asyncio.run(left()) == ""
    assert not list(tmp_path.rglob("fox"))


def test_a_worker_that_is_started_while_the_machine_leaves_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody would end it later."""

    class Process:
        cpu_slot, orders = 0, list[str]()

        def end(self, how: str) -> None:
            self.orders.append(how)

    async def left() -> Process:
        mine, process = MachineAgent("run"), Process()

        async def start(*_: object) -> Any:
            await mine.release()
            return process

        monkeypatch.setattr(SlotProcess, "start", start)
        await mine.claim()
        await mine.open(1, pickle.dumps({}), 0, False, 0)
        return process

    assert asyncio.run(left()).orders == ["kill"]


class Unreadable:
    """It can be sent and not be read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


def test_an_answer_that_cannot_be_read_is_an_error_and_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask says nothing of it."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    from tests.arena.cluster.machines import one_machine

    async def shortfall(agent: MachineAgent, levels: object) -> Unreadable:
        return Unreadable()

    with one_machine() as cluster:
        monkeypatch.setattr(MachineAgent, "shortfall", in_bytes(shortfall))
        with pytest.raises(ValueError, match="no number"):
            cluster.introduce(())
