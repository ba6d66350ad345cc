"""Pins each running game to a CPU that no other arena of this user has reserved, and a whole arena to named CPUs."""

import contextlib
import fcntl
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

_RANGES = re.compile(r"[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*")


class BadCpus(ValueError):
    """CPUs that cannot be used. The message is one sentence."""


def allowed() -> list[int]:
    """The CPUs that this process may run on; empty where the system cannot pin processes."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def parse(text: str) -> list[int]:
    """The CPUs in a text such as `3,5` or `0-3,7`. Raises BadCpus, also where this process may not run on one."""
    if not _RANGES.fullmatch(text):
        raise BadCpus(f"{text!r} cannot be read: write their numbers, such as 3,5 or 0-3")
    cpus: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if last and int(last) < int(first):
            raise BadCpus(f"{text!r} cannot be read: {part} counts backwards")
        cpus.update(range(int(first), int(last or first) + 1))
    usable = allowed()
    if not usable:
        raise BadCpus(f"{text!r} cannot be used: this system cannot pin processes to CPUs")
    if unusable := sorted(cpus.difference(usable)):
        raise BadCpus(f"{text!r} has {unusable[0]}, which we may not use: choose from {','.join(map(str, usable))}")
    return sorted(cpus)


@contextlib.contextmanager
def reserved(wanted: int, folder: Path | None = None) -> Iterator[list[int]]:
    """Reserve up to `wanted` CPUs that no other arena of this user has reserved, until the block ends.

    Each is a lock of a file in `folder`, which the system releases when its process ends, however it ends.
    """
    folder = folder or Path(tempfile.gettempdir()) / f"callanish-arena-{os.getuid()}"
    # No link is followed: another user can guess the folder's name, create it first and put a link there. With
    # O_CLOEXEC workers and engines do not have the lock.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    cpus: list[int] = []
    with contextlib.ExitStack() as locks:
        with contextlib.suppress(OSError):  # without a folder for locks nothing is pinned
            folder.mkdir(mode=0o700, exist_ok=True)
            is_ours = folder.stat().st_uid == os.getuid()
            for cpu in allowed() if is_ours else ():
                if len(cpus) == wanted:
                    break
                file = locks.enter_context(os.fdopen(os.open(folder / f"cpu-{cpu}", flags, 0o600), "r+"))
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    cpus.append(cpu)
        yield cpus


def cpu_of_slot(index: int, cpus: Sequence[int]) -> int | None:
    """The CPU of a slot, of those that are reserved; None where the system chooses.

    Where all CPUs are ours, more games than CPUs share them evenly. Where another arena has reserved some, the games
    without a CPU are not pinned: they run where there is room.
    """
    if index < len(cpus):
        return cpus[index]
    return cpus[index % len(cpus)] if cpus and len(cpus) == len(allowed()) else None
