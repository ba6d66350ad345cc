"""Compares the usage of an engine's processes together with its caps. Sends no signal."""

from protocol.containment import process_tree
from protocol.containment.policy import Caps

SCRATCH_FILES = 4_000
"""The largest number of entries in a scratch folder. Counting more would cost the referee too much time."""

_DISK_EVERY = 20
"""The disk is checked at every twentieth call."""
_CLEARED_GROWTH = 1.05
"""The growth of the resident memory, as a factor, after which shared pages are counted again."""


class UsageCaps:
    """The caps of one engine, and a cache of measurements."""

    def __init__(self, caps: Caps, scratch: str, overhead: int) -> None:
        """`overhead` is the number of processes, each with one thread, that belong to the sandbox itself."""
        self._caps = caps
        self._scratch = scratch
        self._overhead = overhead
        self._looks = 0
        self._cleared = 0.0

    def exceeded(self, members: list[process_tree.ProcessInfo]) -> str | None:
        """The exceeded cap as a clause, None if there is none."""
        caps = self._caps
        living = [member for member in members if not member.dead]
        if caps.processes is not None and len(living) - self._overhead > caps.processes:
            return f"was ended: it had more than the {caps.processes} processes that it may have"
        if caps.threads is not None and sum(member.threads for member in living) - self._overhead > caps.threads:
            return f"was ended: it had more than the {caps.threads} threads that it may have"
        if caps.memory_mb is not None:
            used_mb = self._used(living, caps.memory_mb << 20) >> 20
            if used_mb > caps.memory_mb:
                return f"was ended: it used {used_mb} MB of memory, its cap is {caps.memory_mb} MB"
        self._looks += 1
        if caps.disk_mb is not None and self._looks % _DISK_EVERY == 0:
            return self._disk(caps.disk_mb)
        return None

    def _disk(self, cap_mb: int) -> str | None:
        taken, entries = process_tree.disk_usage(self._scratch, SCRATCH_FILES)
        if entries > SCRATCH_FILES:
            return f"was ended: it had more than {SCRATCH_FILES} files in its scratch folder"
        if taken >> 20 > cap_mb:
            return f"was ended: its files took {taken >> 20} MB, its cap is {cap_mb} MB"
        return None

    def _used(self, living: list[process_tree.ProcessInfo], cap: int) -> int:
        """The memory of all processes in bytes. Forks share pages, so a sum over the cap is checked again by PSS."""
        resident = sum(member.resident for member in living)
        if resident <= cap or len(living) == 1:
            return resident
        if resident <= self._cleared * _CLEARED_GROWTH:
            return 0
        shares = [process_tree.proportional_memory(member.pid) for member in living]
        used = sum(member.resident if share is None else share for member, share in zip(living, shares, strict=True))
        if used <= cap:
            self._cleared = resident
        return used
