"""How many slots there are while machines come and go, without Dask."""

from collections.abc import Collection, Mapping

import pytest

from arena.cluster.carrying import Carrying, DaskSlots
from arena.cluster.joined_machine import DaskSlot
from arena.cluster.machines import Machines
from arena.cluster.preparation import Preparation
from arena.play.jobs import EngineSpec
from arena.run.slots import NoSlot


class SomeMachines(Machines):
    """Machines with so many slots."""

    def __init__(self, slots: int) -> None:
        super().__init__("tcp://meeting-point", lambda sentence: None)
        self.slots = slots

    def capacity(self) -> int:
        return self.slots


class SomeSlots(Carrying):
    """Opens slots that nobody serves."""

    def __init__(self, slots: int) -> None:
        self.some = SomeMachines(slots)
        super().__init__(self.some, Preparation(self.some))
        self.opened: list[DaskSlot] = []
        self.orders: list[str] = []

    def open(self, engines: Mapping[str, EngineSpec], snapshot_ms: int, wanted: Collection[str]) -> DaskSlot:
        if sum(not slot.join(0) for slot in self.opened) >= self.some.slots:
            raise NoSlot
        self.opened.append(DaskSlot(self.orders.append))
        return self.opened[-1]


@pytest.fixture
def carrying() -> SomeSlots:
    return SomeSlots(4)


def opened(slots: DaskSlots, *indices: int) -> None:
    for index in indices:
        slots.open({}, index, 0)


def lose(slot: DaskSlot) -> None:
    slot.theirs.close()
    slot.ended(None, lost_with_machine=True)


def test_all_slots_are_used_and_no_more_than_were_asked_for(carrying: SomeSlots) -> None:
    """Without a number it is the capacity of all machines."""
    assert DaskSlots(carrying, None).capacity() == 4
    slots = DaskSlots(carrying, 3)
    opened(slots, 0, 1, 2)
    assert slots.capacity() == 3
    with pytest.raises(NoSlot):
        slots.open({}, 3, 0)
    for slot in carrying.opened:
        lose(slot)


def test_slots_that_are_left_keep_their_places_when_a_machine_is_lost(carrying: SomeSlots) -> None:
    """The scheduler serves indices below the capacity only: slots with high ones must stay below it."""
    slots = DaskSlots(carrying, None)
    opened(slots, 0, 1, 2, 3)
    for slot in carrying.opened[:2]:
        lose(slot)
    carrying.some.slots = 2
    assert slots.capacity() == 4, "2 and 3 are played on, and 0 and 1 cannot be opened"
    with pytest.raises(NoSlot):
        slots.open({}, 0, 0)
    carrying.some.slots = 4
    assert slots.capacity() == 4
    opened(slots, 0, 1)
    for slot in carrying.opened[2:]:
        lose(slot)


def test_a_lost_slot_is_at_its_end_and_says_nothing_more(carrying: SomeSlots) -> None:
    """Half a message is as lost as none, as with a worker of this machine."""
    slots = DaskSlots(carrying, None)
    slot = slots.open({}, 0, 0)
    slot.theirs.sendall(b"\0\0\0\x10half of it")
    assert not slot.join(0)
    lose(slot)
    assert slot.join(0) and slot.lost_with_machine and slot.has_message()
    with pytest.raises((EOFError, OSError)):
        slot.receive()
    slot.send(b"nobody hears it")
    slot.terminate()
    assert carrying.orders == ["terminate"]
    slot.close()
