"""The processes of one engine in /proc: their relations and their usage. Sends no signal.

`children` is exact if no process starts meanwhile. It may miss one that is just starting, so callers repeat it.
"""

import errno
import os
import stat
import sys
from collections.abc import Container, Iterable, Iterator
from functools import cache
from typing import NamedTuple

_PAGE = os.sysconf("SC_PAGE_SIZE")
_ENDED = (b"Z", b"X")
_PER_MAPPING = 256
"""About the bytes that the kernel keeps for a mapping."""
_TIME_WAIT, _EMPTY_QUEUES = b"06", b"00000000:00000000"
"""In /proc/net/tcp: a connection that is over and holds nothing, and one that has nothing to send or to read."""
_TCP_BUFFER = 64 << 20
_LOCKS = 512 << 10
"""The bytes of /proc/locks that are read, some 8 000 locks. Reading it takes time with the square of their number."""


class ProcessInfo(NamedTuple):
    """One process at one moment. `started` (ticks since boot) distinguishes it from a later one with the same pid."""

    pid: int
    started: int
    parent: int
    session: int
    threads: int
    resident: int
    """Bytes."""
    virtual: int
    """Bytes of address space, which bound all memory that it can hold in any way."""
    dead: bool
    """True for a zombie none of whose threads lives: it uses nothing and waits to be reaped."""
    stopped: bool
    """True if a signal has stopped it."""
    task: int
    """The thread whose files in /proc tell its memory and open files: the first one, or if that has ended another."""


def read_process(pid: int) -> ProcessInfo | None:
    """The process as it is now, None if it has ended."""
    field = _stat(f"/proc/{pid}/stat")
    if not field:
        return None
    ended = field[0] in _ENDED
    threads, task, memory = int(field[17]), pid, field
    if ended and threads > 1:
        # Only its first thread has ended, and has let go of the memory. Any other one tells it.
        others = (other for other in _other_threads(pid) if other[1][21] != b"0")
        task, memory = next(others, (pid, field))
    return ProcessInfo(
        pid,
        int(field[19]),
        int(field[1]),
        int(field[3]),
        threads,
        int(memory[21]) * _PAGE,
        int(memory[20]),
        ended and threads <= 1,
        memory[0] == b"T",
        task,
    )


def _other_threads(pid: int) -> Iterator[tuple[int, list[bytes]]]:
    for task in _threads(pid):
        if task != str(pid) and (field := _stat(f"/proc/{pid}/task/{task}/stat")):
            yield int(task), field


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def _stat(path: str) -> list[bytes]:
    """The fields of a `stat` file from the state on; none if the thread has ended."""
    # The process name is in brackets and may itself contain brackets and blanks.
    return _read(path).rpartition(b")")[2].split()


def children(pid: int, threads: int = 0) -> list[int]:
    """The children of all its threads. With `threads` 1, the list of threads is not read."""
    tasks = [str(pid)] if threads == 1 else _threads(pid)
    return [int(child) for task in tasks for child in _read(f"/proc/{pid}/task/{task}/children").split()]


def members(roots: Iterable[int], most: int) -> list[ProcessInfo]:
    """The processes of the trees under `roots`, roots included. Stops when there are more than `most`."""
    processes: list[ProcessInfo] = []
    pids = set()
    waiting = list(roots)
    while waiting and len(processes) <= most:
        pid = waiting.pop()
        if pid in pids:
            continue
        pids.add(pid)
        member = read_process(pid)
        if member is not None:
            processes.append(member)
            if not member.dead:
                waiting += children(pid, member.threads)
    return processes


def proportional_memory(pid: int) -> int | None:
    """Its memory in bytes (PSS: shared pages are divided among their users); None if not allowed. Slow."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None


class HiddenMemory(NamedTuple):
    """Memory of a process that its resident size does not tell, in bytes."""

    tables: int
    """Page tables, the kernel's notes of mappings, huge pages, and what is swapped out."""
    shared_resident: int
    """The part of its resident memory that lies in shared memory."""
    shared: dict[bytes, int]
    """Shared memory without a file: its size by its name. It stays where nobody has mapped its pages any more."""
    deleted: frozenset[bytes]
    """Deleted files of which parts are mapped, by device and number."""
    mappings: int


def hidden_memory(pid: int) -> HiddenMemory:
    """What /proc tells of its memory beside `ProcessInfo`, empty if it has ended. Slow where mappings are many."""
    status = _status(pid)
    lines = _read(f"/proc/{pid}/maps").splitlines()
    tables = sum(_kilobytes(status, name) for name in (b"VmPTE", b"HugetlbPages", b"VmSwap"))
    shared: dict[bytes, int] = {}
    deleted = set()
    for line in lines:
        if not line.endswith(b" (deleted)"):
            continue
        addresses, _, offset, device, inode, name = line.split(None, 5)
        if name.startswith((b"/dev/zero", b"/SYSV", b"/memfd:")):
            first, _, last = addresses.partition(b"-")
            end = int(offset, 16) + int(last, 16) - int(first, 16)
            shared[inode] = max(shared.get(inode, 0), end)
        else:
            deleted.add(device + b":" + inode)
    tables += len(lines) * _PER_MAPPING
    return HiddenMemory(tables, _kilobytes(status, b"RssShmem"), shared, frozenset(deleted), len(lines))


def _kilobytes(status: dict[bytes, bytes], name: bytes) -> int:
    return int(status.get(name, b"0 kB").split()[0]) * 1024


def open_files(pid: int, most: int) -> tuple[int, dict[tuple[int, int], int], set[int]]:
    """Its open files: their number, the bytes of the deleted ones by device and number, the numbers of its sockets.

    Of more than `most` files it tells the number alone. Raises Uncountable for a process that hides them, such as one
    of a program that nobody may read.
    """
    deleted: dict[tuple[int, int], int] = {}
    sockets = set()
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except PermissionError:
        # Those of a process that has just ended belong to root.
        if (field := _stat(f"/proc/{pid}/stat")) and field[0] not in _ENDED:
            raise Uncountable("a process that hides its open files") from None
        return 0, {}, set()
    except OSError:
        return 0, {}, set()
    if len(names) > most:
        return len(names), {}, set()
    for name in names:
        try:
            seen = os.stat(f"{folder}/{name}")
        except OSError:
            continue
        if stat.S_ISSOCK(seen.st_mode):
            sockets.add(seen.st_ino)
        elif seen.st_nlink == 0 and stat.S_ISREG(seen.st_mode):
            deleted[seen.st_dev, seen.st_ino] = seen.st_blocks * 512
    return len(names), deleted, sockets


def unix_sockets(pid: int) -> tuple[int, int]:
    """How many Unix sockets are in its network namespace: those of datagrams, and all others.

    Those that nobody has accepted yet are among them.
    """
    words = [line.split(None, 5) for line in _read(f"/proc/{pid}/net/unix").splitlines()[1:]]
    datagrams = sum(len(word) > 4 and word[4] == b"0002" for word in words)
    return datagrams, len(words) - datagrams


def tcp_sockets(pid: int) -> tuple[int, int]:
    """How many TCP sockets are in its network namespace, and how many of them hold data or wait to be accepted."""
    texts = (_read(f"/proc/{pid}/net/{name}") for name in ("tcp", "tcp6"))
    words = [line.split(None, 5) for text in texts for line in text.splitlines()[1:]]
    queues = [word[4] for word in words if len(word) > 4 and word[3] != _TIME_WAIT]
    return len(queues), sum(queue != _EMPTY_QUEUES for queue in queues)


@cache
def tcp_buffers() -> int:
    """The most memory that one end of a TCP connection can hold, in bytes."""
    most = [_read(f"/proc/sys/net/ipv4/{name}").split()[-1:] for name in ("tcp_rmem", "tcp_wmem")]
    return sum(int(each[0]) if each else _TCP_BUFFER for each in most)


def file_locks(pids: Container[int]) -> int:
    """How many locks on parts of files these processes hold, as far as it is worth counting."""
    words = (line.split(None, 5) for line in _read("/proc/locks", _LOCKS).splitlines())
    return sum(len(word) == 6 and word[4].isdigit() and int(word[4]) in pids for word in words)


def environment(pid: int) -> bytes:
    """The environment at its start, b"" if it may not be read."""
    return _read(f"/proc/{pid}/environ")


def confinement(pid: int | str) -> tuple[int, int]:
    """Its no-new-privileges flag and number of seccomp filters. Children inherit both, and neither ever decreases."""
    fields = _status(pid)
    return int(fields.get(b"NoNewPrivs", b"0")), int(fields.get(b"Seccomp_filters", b"0"))


def capabilities() -> int:
    """The effective capabilities of this process, as bits."""
    return int(_status("self").get(b"CapEff", b"0"), 16)


def id_map(kind: str) -> list[tuple[int, int]]:
    """The numbers of users (`uid_map`) or groups (`gid_map`) that this process may use: first ones and counts."""
    lines = [line.split() for line in _read(f"/proc/self/{kind}").splitlines()]
    return [(int(first), int(count)) for first, _, count in lines]


class Uncountable(Exception):
    """Name of the resource that cannot be counted."""


def disk_usage(directory: str, most_files: int) -> tuple[int, int]:
    """The bytes and the number of entries under a folder. Stops beyond `most_files`, follows no links.

    Raises Uncountable for a folder that is closed, or so deep that its path is too long for the system.
    """
    taken = entries = 0
    waiting = [directory]
    while waiting and entries <= most_files:
        try:
            with os.scandir(waiting.pop()) as folder:
                for entry in folder:
                    entries += 1
                    if entries > most_files:
                        break
                    taken += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise Uncountable("folders that lie too deep to be counted") from None
            if error.errno == errno.EACCES:
                raise Uncountable("a folder that is closed to the referee") from None
    return taken, entries


def _status(pid: int | str) -> dict[bytes, bytes]:
    return dict(line.partition(b":")[::2] for line in _read(f"/proc/{pid}/status").splitlines())


def _read(path: str, most: int = sys.maxsize) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts = []
        while most > 0 and (part := os.read(fd, 65536)):
            parts.append(part)
            most -= len(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)
