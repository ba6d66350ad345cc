"""How many slots there are while machines come and go, without Dask."""

import asyncio
from collections.abc import Iterator, Mapping

import pytest

from arena.cluster.access import Access
from arena.cluster.cluster import Cluster
from arena.cluster.dask_slot import DaskSlot
from arena.play.jobs import EngineSpec
from arena.run.slots import NoSlot


class SomeSlots(Cluster):
    """Machines with so many slots together, which nobody serves."""

    def __init__(self, slots: int) -> None:
        super().__init__(Access("meeting-point", 1, None), lambda sentence: None)
        self.some, self.opened = slots, list[DaskSlot]()
        self.loop = asyncio.new_event_loop()

    def _room(self) -> int:
        return self.some

    def _begun(self, engines: Mapping[str, EngineSpec], snapshot_ms: int) -> DaskSlot:
        if sum(not slot.join(0) for slot in self.opened) >= self.some:
            raise NoSlot
        self.opened.append(DaskSlot(self.loop))
        return self.opened[-1]


@pytest.fixture
def cluster() -> Iterator[SomeSlots]:
    made = SomeSlots(4)
    yield made
    made.loop.close()


def opened(slots: Cluster, *indices: int) -> None:
    for index in indices:
        slots.open({}, index, 0)


def lose(slot: DaskSlot) -> None:
    slot.ended(None, lost_with_machine=True)


def test_all_slots_are_used_and_no_more_than_were_asked_for(cluster: SomeSlots) -> None:
    """Without a number it is the capacity of all machines."""
    assert cluster.slots(None, pin=False, threads=1, freeze=False).capacity() == 4
    slots = cluster.slots(3, pin=False, threads=1, freeze=False)
    opened(slots, 0, 1, 2)
    assert slots.capacity() == 3
    with pytest.raises(NoSlot):
        slots.open({}, 3, 0)
    for slot in cluster.opened:
        lose(slot)


def test_slots_that_are_left_keep_their_places_when_a_machine_is_lost(cluster: SomeSlots) -> None:
    """The scheduler serves indices below the capacity only: slots with high ones must stay below it."""
    slots = cluster.slots(None, pin=False, threads=1, freeze=False)
    opened(slots, 0, 1, 2, 3)
    for slot in cluster.opened[:2]:
        lose(slot)
    cluster.some = 2
    assert slots.capacity() == 4, "2 and 3 are played on, and 0 and 1 cannot be opened"
    with pytest.raises(NoSlot):
        slots.open({}, 0, 0)
    cluster.some = 4
    assert slots.capacity() == 4
    opened(slots, 0, 1)
    for slot in cluster.opened[2:]:
        lose(slot)


def test_a_lost_slot_is_at_its_end_and_says_nothing_more(cluster: SomeSlots) -> None:
    """Half a message is as lost as none, as with a worker of this machine."""
    slot = cluster.slots(None, pin=False, threads=1, freeze=False).open({}, 0, 0)
    slot.theirs.sendall(b"\0\0\0\x10half of it")
    assert not slot.join(0)
    lose(slot)
    assert slot.join(0) and slot.lost_with_machine and slot.has_message()
    with pytest.raises((EOFError, OSError)):
        slot.receive()
    slot.send(b"nobody hears it")
    slot.terminate()
    slot.close()
