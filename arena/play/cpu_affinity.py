"""Which CPU a game may call its own, so that several arenas on one machine do not meet on the first one.

Also which CPUs a whole arena keeps to, where its user names some.
"""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from arena.play import file_lock

_RANGES = re.compile(r"[0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*")


class BadCpus(ValueError):
    """CPUs that cannot be used, said in one sentence."""


def allowed() -> list[int]:
    """The CPUs that this process may run on; none where the system does not pin."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def count() -> int:
    """How many CPUs this process, and what it starts, may run on."""
    return len(allowed()) or os.cpu_count() or 1


def listed(text: str) -> list[int]:
    """The CPUs that a text such as `3,5` or `0-3,7` names, of those that this process may run on. Raises BadCpus."""
    if not _RANGES.fullmatch(text):
        raise BadCpus(f"{text!r} cannot be read: write their numbers, such as 3,5 or 0-3")
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if last and int(last) < int(first):
            raise BadCpus(f"{text!r} cannot be read: {part} counts backwards")
        found.update(range(int(first), int(last or first) + 1))
    known = allowed()
    if not known:
        raise BadCpus(f"{text!r} cannot be kept to: this system does not pin")
    if strange := sorted(found - set(known)):
        raise BadCpus(f"{text!r} has {strange[0]}, where nothing may run: choose from {','.join(map(str, known))}")
    return sorted(found)


def keep_to(cpus: Iterable[int]) -> None:
    """From here on this thread, and all that it starts, run on these CPUs alone, as with `taskset`."""
    os.sched_setaffinity(0, cpus)


@contextlib.contextmanager
def claimed(wanted: int, folder: Path | None = None) -> Iterator[list[int]]:
    """Up to `wanted` CPUs that no other arena of this user has claimed, as long as the block lasts."""
    found: list[int] = []
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # no place for locks: nothing is pinned
            for cpu in allowed():
                if len(found) == wanted:
                    break
                if held.enter_context(file_lock.locked(f"cpu-{cpu}", folder)):
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
