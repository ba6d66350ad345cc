"""A cluster within the process of a test: its workers are children of that process, as those of local slots are."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from arena.cluster.access import SETTINGS, access, quiet
from arena.cluster.agent import Agent
from arena.cluster.cluster import Cluster


@contextlib.contextmanager
def one_machine(slots: int = 4, notify: Callable[[str], None] = lambda sentence: None) -> Iterator[Cluster]:
    """A cluster of one machine, which can play."""
    with places(1, slots) as address, Cluster(access(address, None), notify).connected() as cluster:
        cluster.introduce(())
        yield cluster


@contextlib.contextmanager
def places(machines: int, slots: int) -> Iterator[str]:
    """The address of a meeting point that so many machines have joined."""
    import dask
    from distributed import LocalCluster, Worker

    class Machine(Worker):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **settings)
            self.handlers.update(Agent(slots).handlers)

    quiet()
    with (
        dask.config.set(SETTINGS),
        # Dask warns, which is an error here, where a busy machine takes a second to make a folder.
        mock.patch("distributed.core.warn_on_duration", lambda *_: contextlib.nullcontext()),
        LocalCluster(
            n_workers=machines,
            threads_per_worker=1,
            processes=False,
            protocol="tcp",
            dashboard_address=":0",
            worker_class=Machine,
        ) as local,
    ):
        yield str(local.scheduler_address)
