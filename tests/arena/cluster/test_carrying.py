"""How many slots there are while machines come and go, without Dask."""

from collections.abc import Callable, Collection, Mapping

import pytest

from arena.cluster.dask_slot import DaskSlot, DaskSlots, Far
from arena.play.jobs import EngineSpec
from arena.play.slots import NoSlot


class Told:
    """What a slot's worker is told out of turn."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def end(self, slot: DaskSlot, how: str) -> None:
        self.words.append(how)


class Machines:
    """A cluster with so many slots."""

    def __init__(self, slots: int) -> None:
        self.nudge: Callable[[], None] = lambda: None
        self.slots = slots
        self.far = Told()
        self.open: list[DaskSlot] = []

    def capacity(self) -> int:
        return self.slots

    def open_slot(
        self,
        make: Callable[[Far], DaskSlot],
        engines: Mapping[str, EngineSpec],
        snapshot_ms: int,
        wanted: Collection[str] = (),
    ) -> DaskSlot:
        if sum(not slot.join(0) for slot in self.open) >= self.slots:
            raise NoSlot
        self.open.append(make(self.far))
        return self.open[-1]


@pytest.fixture
def machines() -> Machines:
    return Machines(4)


def opened(slots: DaskSlots, *indices: int) -> None:
    for index in indices:
        slots.open({}, index, 0)


def lose(slot: DaskSlot) -> None:
    slot.theirs.close()
    slot.ended(None, lost_with_machine=True)


def test_all_slots_are_used_and_no_more_than_were_asked_for(machines: Machines) -> None:
    """Without a number it is the capacity of all machines."""
    assert DaskSlots(machines, None).capacity() == 4
    slots = DaskSlots(machines, 3)
    opened(slots, 0, 1, 2)
    assert slots.capacity() == 3
    with pytest.raises(NoSlot):
        slots.open({}, 3, 0)
    for slot in machines.open:
        lose(slot)


def test_slots_that_are_left_keep_their_places_when_a_machine_is_lost(machines: Machines) -> None:
    """The scheduler serves indices below the capacity only: slots with high ones must stay below it."""
    slots = DaskSlots(machines, None)
    opened(slots, 0, 1, 2, 3)
    for slot in machines.open[:2]:
        lose(slot)
    machines.slots = 2
    assert slots.capacity() == 4, "2 and 3 are played on, and 0 and 1 cannot be opened"
    with pytest.raises(NoSlot):
        slots.open({}, 0, 0)
    machines.slots = 4
    assert slots.capacity() == 4
    opened(slots, 0, 1)
    for slot in machines.open[2:]:
        lose(slot)


def test_a_lost_slot_is_at_its_end_and_says_nothing_more(machines: Machines) -> None:
    """Half a message is as lost as none, as with a worker of this machine."""
    slots = DaskSlots(machines, None)
    slot = slots.open({}, 0, 0)
    slot.theirs.sendall(b"\0\0\0\x10half of it")
    assert not slot.join(0)
    lose(slot)
    assert slot.join(0) and slot.lost_with_machine and slot.has_message()
    with pytest.raises((EOFError, OSError)):
        slot.receive()
    slot.send(b"nobody hears it")
    slot.terminate()
    assert machines.far.words == ["terminate"]
    slot.close()
