"""Whether an engine's processes together are over a cap. Judges what `tree` saw; ends nobody."""

from protocol.containment import process_tree
from protocol.containment.policy import Caps

SCRATCH_FILES = 4_000
"""More entries than this in a scratch are not counted but refused: counting them would cost the referee's time."""

_DISK_EVERY = 20
_CLEARED_GROWTH = 1.05
"""How much the sum of resident memory may grow after shared pages explained it, before they are counted again."""


class UsageCaps:
    """The caps of one engine; remembers what it need not measure again."""

    def __init__(self, caps: Caps, scratch: str, overhead: int) -> None:
        """`overhead`: how many processes of one thread are the box's own."""
        self._caps = caps
        self._scratch = scratch
        self._overhead = overhead
        self._looks = 0
        self._cleared = 0.0

    def over(self, members: list[process_tree.Member]) -> str | None:
        """Which cap is exceeded, as a clause; None for none. The disk is looked at every twentieth time."""
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
        taken, entries = process_tree.disk(self._scratch, SCRATCH_FILES)
        if entries > SCRATCH_FILES:
            return f"was ended: it had more than {SCRATCH_FILES} files in its scratch folder"
        if taken >> 20 > cap_mb:
            return f"was ended: its files took {taken >> 20} MB, its cap is {cap_mb} MB"
        return None

    def _used(self, living: list[process_tree.Member], cap: int) -> int:
        """Bytes of all together. Forks share pages: a sum over the cap is asked for again with them shared out."""
        resident = sum(member.resident for member in living)
        if resident <= cap or len(living) == 1:
            return resident
        if resident <= self._cleared * _CLEARED_GROWTH:
            return 0
        shares = [process_tree.proportional(member.pid) for member in living]
        used = sum(member.resident if share is None else share for member, share in zip(living, shares, strict=True))
        if used <= cap:
            self._cleared = resident
        return used
