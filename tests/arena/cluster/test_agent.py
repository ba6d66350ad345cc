"""A machine and what it answers, with connections that are queues."""

import asyncio
import pickle
from typing import Any

import pytest

from arena.cluster import agent
from arena.cluster.agent import Agent
from tests.arena import workers


class Comm:
    """One end of a connection."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        self.heard: asyncio.Queue[Any] = asyncio.Queue()
        self.is_over = False

    async def write(self, message: Any) -> None:
        self.heard.put_nowait(message)

    async def read(self) -> Any:
        if (message := await self.said.get()) is OSError:
            raise OSError("the connection has ended")
        return message

    def abort(self) -> None:
        self.is_over = True
        self.said.put_nowait(OSError)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a real worker begins is asked of runs on machines."""
    monkeypatch.setattr(agent, "started", workers.started)


ORDER = pickle.dumps(({}, 0, False, 0))


async def claimed(machine: Agent, run: str) -> tuple[Comm, "asyncio.Task[None]", str]:
    """A claim, what carries it, and for which run the machine says that it plays."""
    comm = Comm()
    task = asyncio.create_task(machine.claim(comm, run))
    return comm, task, pickle.loads(await asyncio.wait_for(comm.heard.get(), 20)).playing


async def last(slot: Comm) -> Any:
    """The last answer about a worker, after all that it said itself. The arena that has it ends the connection."""
    while isinstance(answer := await asyncio.wait_for(slot.heard.get(), 20), bytes):
        pass
    slot.abort()
    return answer


def test_an_arena_that_was_silent_must_claim_the_machine_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection ends, it opens no slot, and another run may have the machine."""

    async def silent() -> None:
        machine = Agent(1)
        comm, task, playing = await claimed(machine, "run")
        assert playing == "run"
        await asyncio.wait_for(task, 20)
        assert comm.is_over
        slot = Comm()
        await machine.slot(slot, "run", ORDER)
        assert slot.heard.get_nowait() == "it has left the run"
        comm, task, playing = await claimed(machine, "another run")
        assert playing == "another run"
        comm.abort()
        await task

    monkeypatch.setattr(agent, "SILENT_S", 0.1)
    asyncio.run(silent())


def test_a_machine_plays_for_one_run_and_anew_for_the_same_one() -> None:
    """Another run is told which one has it. An arena that gave it up has its workers ended."""

    async def play() -> None:
        machine = Agent(1)
        first, task, _ = await claimed(machine, "run")
        slot = Comm()
        carried = asyncio.create_task(machine.slot(slot, "run", ORDER))
        assert await asyncio.wait_for(slot.heard.get(), 20) == ""
        assert (await claimed(machine, "another run"))[2] == "run" and not first.is_over
        (again, second, playing), answer = await asyncio.gather(claimed(machine, "run"), last(slot))
        assert playing == "run" and first.is_over
        assert answer is None, "the machine ended this worker"
        await asyncio.wait_for(carried, 20)
        await machine.end()
        await asyncio.wait_for(asyncio.gather(task, second), 20)
        assert again.is_over

    asyncio.run(play())


def test_a_worker_ends_with_its_connection_or_by_a_word_and_its_exit_code_is_the_last_answer() -> None:
    async def play() -> None:
        machine = Agent(2)
        claim, task, _ = await claimed(machine, "run")
        for word, code in (("close", 0), ("kill", -9), (None, -9)):
            slot = Comm()
            carried = asyncio.create_task(machine.slot(slot, "run", ORDER))
            assert await asyncio.wait_for(slot.heard.get(), 20) == ""
            slot.said.put_nowait(word if word else OSError)
            assert await last(slot) == code
            await asyncio.wait_for(carried, 20)
        claim.abort()
        await task

    asyncio.run(play())


def test_a_machine_rests_while_an_arena_has_not_heard_of_the_end_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end is noticed once, however long it can be seen."""
    noticed: list[asyncio.Event] = []

    def notice(event: asyncio.Event) -> None:
        noticed.append(event)
        real(event)

    async def play() -> None:
        machine, slot = Agent(1), Comm()
        claim, task, _ = await claimed(machine, "run")
        carried = asyncio.create_task(machine.slot(slot, "run", ORDER))
        slot.said.put_nowait("kill")
        await asyncio.wait_for(carried, 20)
        claim.abort()
        await task

    real = asyncio.Event.set
    monkeypatch.setattr(asyncio.Event, "set", notice)
    monkeypatch.setattr(agent, "END_S", 0.2)
    asyncio.run(play())
    assert len(noticed) < 20


class Unreadable:
    """It can be sent and not be read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


def test_an_answer_that_cannot_be_read_is_an_error_and_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask says nothing of it."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    from tests.arena.cluster.machines import one_machine

    with one_machine() as cluster:
        monkeypatch.setattr(Agent, "introduce", lambda machine, engines: Unreadable())
        with pytest.raises(ValueError, match="no number"):
            cluster.introduce(())
