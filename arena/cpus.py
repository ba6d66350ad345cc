"""Which CPU a game may call its own, so that several arenas on one machine do not meet on the first one.

A claim is a lock on a file; it falls with the process that holds it, however that ends.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


def allowed() -> list[int]:
    """The CPUs that this process may run on; none where the system does not pin."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@contextlib.contextmanager
def claimed(wanted: int, folder: Path | None = None) -> Iterator[list[int]]:
    """Up to `wanted` CPUs that no other arena of this user has claimed, as long as the block lasts."""
    folder = folder or Path(tempfile.gettempdir()) / f"callanish-arena-{os.getuid()}"
    found: list[int] = []
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # no place for locks: nothing is pinned
            folder.mkdir(mode=0o700, exist_ok=True)
            for cpu in allowed():
                if len(found) == wanted:
                    break
                file = held.enter_context((folder / f"cpu-{cpu}").open("w"))
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    found.append(cpu)
        yield found


def seat(index: int, cpus: list[int]) -> int | None:
    """The CPU of the slot `index`; None: wherever the system puts it.

    More games than CPUs share them evenly. Games for which another arena left no CPU are not pinned: they go where
    there is room.
    """
    if index < len(cpus):
        return cpus[index]
    return cpus[index % len(cpus)] if cpus and len(cpus) == len(allowed()) else None
