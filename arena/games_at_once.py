"""How many games, or checks, run at once where nobody says so."""

import os
from collections.abc import Sequence


def cpus() -> int:
    """The number of CPUs that this process and its children may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_a_run() -> int:
    """The games of a run, and the slots of a machine of a cluster: one CPU stays free for the referee."""
    return max(1, cpus() - 1)


def in_memory(caps_mb: Sequence[int], total_mb: int) -> int:
    """The games whose engines fit into memory if each takes all that it may; `caps_mb` are the caps of all engines.

    0: not even one game of the two that may take most.
    """
    return total_mb // max(1, sum(sorted(caps_mb)[-2:]))


def memory_mb() -> int:
    """The memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def in_the_demo() -> int:
    """The games of `arena demo`, which is to be over soon."""
    return cpus()


def in_a_check(smoke: bool) -> int:
    """The checks of one engine. Most smoke checks wait for the engine, so two of them share a CPU."""
    return min(cpus(), 8) * (2 if smoke else 1)
