"""The slots that the scheduler's tests are run over."""

from collections.abc import Callable, Iterator

import pytest

from arena.run.slots import LocalSlots, Slots
from tests.arena.cluster.machines import one_machine

OpenSlots = Callable[[int], Slots]
"""Makes slots for so many games at once."""


FORKED, LOCAL = "forked", pytest.param("local", marks=pytest.mark.long)


@pytest.fixture(params=[FORKED, "dask", LOCAL])
def slots(request: pytest.FixtureRequest) -> OpenSlots:
    """Each implementation of slots: the scheduler's rules hold whatever plays its games, and however it was started."""
    return opened(request)


@pytest.fixture(params=[FORKED, pytest.param("dask", marks=pytest.mark.long), LOCAL])
def any_slots(request: pytest.FixtureRequest) -> OpenSlots:
    """The same for rules that hardly depend on them: slots of Dask only where long tests are played."""
    return opened(request)


def opened(request: pytest.FixtureRequest) -> OpenSlots:
    """The implementation that is asked for."""
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
