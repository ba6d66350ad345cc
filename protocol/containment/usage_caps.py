"""Compares the usage of an engine's processes together with its caps. Sends no signal.

The caps and their defaults are `policy.Caps`.
"""

from protocol.containment import process_tree
from protocol.containment.policy import Caps

SCRATCH_FILES = 4_000
"""The largest number of entries in a scratch folder. Counting more would cost the referee too much time."""

OPEN_FILES = 4_000
"""The largest number of open files of all processes together. Each of them is looked at."""

MAPPINGS = 32_768
FILE_LOCKS = 1_000
"""The largest numbers of mappings and of file locks. They are memory of the kernel, and counting them takes time.

Whoever reads /proc/locks keeps all others from locking a file, for a time that grows with the square of the locks.
"""

MAPPED_DELETED = 16
"""The largest number of deleted files that an engine may keep by a mapping alone. Their sizes cannot be known."""
_DISK_EVERY = 20
"""The disk is checked at every twentieth call."""
_HIDDEN_EVERY = 4
"""Memory that is not resident is looked for at every fourth call, and less often where that takes longer."""
_MAPPINGS_PER_LOOK = 2_000
"""How many mappings are read in a few ms."""
_MOST_MEMBERS = 10_000
_SOCKET_BYTES = 2 * 212_992
"""The memory that one end of a pair of sockets can hold, as Linux has it by default."""
_DATAGRAMS = 11
"""How many senders, which may be gone, can each fill a datagram socket so (net.unix.max_dgram_qlen, and one more)."""
_CLEARED_GROWTH = 1.05
"""The growth of the resident memory, as a factor, after which shared pages are counted again."""


class UsageCaps:
    """The caps of one engine, and a cache of measurements."""

    def __init__(self, caps: Caps, scratch: str, overhead: int) -> None:
        """`overhead` is the number of processes, each with one thread, that belong to the sandbox itself."""
        self._caps = caps
        self._scratch = scratch
        self._overhead = overhead
        self.most_members = _MOST_MEMBERS if caps.processes is None else 2 * caps.processes + overhead
        """How many processes it may have with its zombies. More need not be looked at: they end it."""
        self._looks = 0
        self._cleared = self._cleared_used = 0
        self._hidden = self._next_hidden = 0
        self._sockets = 0

    def exceeded(self, members: list[process_tree.ProcessInfo]) -> str | None:
        """The exceeded cap as a clause, None if there is none."""
        try:
            return self._exceeded(members)
        except process_tree.Uncountable as reason:
            return f"was ended: it had {reason}"

    def _exceeded(self, members: list[process_tree.ProcessInfo]) -> str | None:
        caps = self._caps
        living = [member for member in members if not member.dead]
        if caps.processes is not None and len(living) - self._overhead > caps.processes:
            return f"was ended: it had more than the {caps.processes} processes that it may have"
        if len(members) > self.most_members:
            return (
                f"was ended: it had more than {self.most_members} processes, with ended ones that it did not wait for"
            )
        if caps.threads is not None and sum(member.threads for member in living) - self._overhead > caps.threads:
            return f"was ended: it had more than the {caps.threads} threads that it may have"
        if caps.memory_mb is not None:
            used_mb = self._all_memory(living, caps.memory_mb << 20) >> 20
            if used_mb > caps.memory_mb:
                return f"was ended: it used {used_mb} MB of memory, its cap is {caps.memory_mb} MB"
        self._looks += 1
        if caps.disk_mb is not None and self._looks % _DISK_EVERY == 0:
            return self._disk(caps.disk_mb, living)
        return None

    def _hidden_memory(self, living: list[process_tree.ProcessInfo]) -> list[process_tree.HiddenMemory]:
        """What each of them hides. Raises Uncountable."""
        hidden = []
        mappings_left = MAPPINGS
        for member in living:
            hidden.append(process_tree.hidden_memory(member.task))
            mappings_left -= hidden[-1].mappings
            if mappings_left < 0:
                raise process_tree.Uncountable(f"more than {MAPPINGS} mappings of memory")
        self._next_hidden = self._looks + _HIDDEN_EVERY + (MAPPINGS - mappings_left) // _MAPPINGS_PER_LOOK
        return hidden

    def _all_memory(self, living: list[process_tree.ProcessInfo], cap: int) -> int:
        """The memory of all processes in bytes, also what is not resident.

        None of that exceeds the address space. So nothing more is read of an engine whose address space is small.
        """
        if sum(member.virtual for member in living) <= cap:
            self._hidden = 0
        elif self._looks >= self._next_hidden:
            hidden = self._hidden_memory(living)
            shared: dict[bytes, int] = {}
            for each in hidden:
                for name, size in each.shared.items():
                    shared[name] = max(size, shared.get(name, 0))
            # Its pages that are resident count already, at most once for each process.
            counted = max((each.shared_resident for each in hidden), default=0)
            self._hidden = sum(each.tables for each in hidden) + max(0, sum(shared.values()) - counted)
        return self._used(living, cap) + self._hidden + self._sockets * _SOCKET_BYTES

    def _disk(self, cap_mb: int, living: list[process_tree.ProcessInfo]) -> str | None:
        deleted: dict[tuple[int, int], int] = {}
        sockets: set[int] = set()
        taken, entries = process_tree.disk_usage(self._scratch, SCRATCH_FILES)
        left = OPEN_FILES
        for member in living:
            count, files, talking = process_tree.open_files(member.task, left)
            left -= count
            if left < 0:
                return f"was ended: its processes had more than {OPEN_FILES} files open"
            deleted |= files
            sockets |= talking
        mapped = frozenset[bytes]().union(*(each.deleted for each in self._hidden_memory(living)))
        self._sockets = len(sockets)
        if self._overhead and len(living) > self._overhead:
            # The last one is in the engine's network namespace. What waits for `accept` there has no descriptor.
            datagrams, others = process_tree.unix_sockets(living[-1].task)
            over_tcp, filled = process_tree.tcp_sockets(living[-1].task)
            self._sockets = max(len(sockets), _DATAGRAMS * datagrams + others + over_tcp)
            self._sockets += filled * process_tree.tcp_buffers() // _SOCKET_BYTES
        taken += sum(deleted.values())
        if len(mapped) - len(deleted) > MAPPED_DELETED:
            return f"was ended: it mapped more than {MAPPED_DELETED} deleted files, which cannot be counted"
        if process_tree.file_locks({member.pid for member in living}) > FILE_LOCKS:
            return f"was ended: it held more than {FILE_LOCKS} locks on files"
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
            return self._cleared_used
        shares = [process_tree.proportional_memory(member.task) for member in living]
        used = sum(member.resident if share is None else share for member, share in zip(living, shares, strict=True))
        if used <= cap:
            self._cleared, self._cleared_used = resident, used
        return used
