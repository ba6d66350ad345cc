"""The slots that the scheduler's tests are run over."""

from collections.abc import Callable, Iterator

import pytest

from arena.run.slots import LocalSlots, Slots
from tests.arena.cluster.machines import one_machine

OpenSlots = Callable[[int], Slots]
"""Makes slots for so many games at once."""


@pytest.fixture(params=["forked", *(pytest.param(name, marks=pytest.mark.long) for name in ("dask", "local"))])
def slots(request: pytest.FixtureRequest) -> OpenSlots:
    """Each implementation of slots: the scheduler's rules hold whatever plays its games, and however it was started."""
    if request.param == "dask":
        made: OpenSlots = request.getfixturevalue("dask_slots")
        return made
    if request.param == "forked":
        request.getfixturevalue("quick_workers")
    return LocalSlots


@pytest.fixture
def dask_slots(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenSlots]:
    """The slots of a machine that lives in this process."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    with one_machine() as cluster:
        yield lambda games_at_once: cluster.slots(games_at_once, pin=False, threads=1, freeze=False)
