"""The processes of one engine in /proc: their relations and their usage. Sends no signal.

`children` is exact if no process starts meanwhile. It may miss one that is just starting, so callers repeat it.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

_PAGE = os.sysconf("SC_PAGE_SIZE")


class ProcessInfo(NamedTuple):
    """One process at one moment. `started` (ticks since boot) distinguishes it from a later one with the same pid."""

    pid: int
    started: int
    parent: int
    session: int
    threads: int
    resident: int
    """Bytes."""
    dead: bool
    """True for a zombie: it uses nothing and waits to be reaped."""


def read_process(pid: int) -> ProcessInfo | None:
    """The process as it is now, None if it has ended."""
    data = _read(f"/proc/{pid}/stat")
    if not data:
        return None
    # The process name is in brackets and may itself contain brackets and blanks.
    field = data.rpartition(b")")[2].split()
    return ProcessInfo(
        pid,
        int(field[19]),
        int(field[1]),
        int(field[3]),
        int(field[17]),
        int(field[21]) * _PAGE,
        field[0] in (b"Z", b"X"),
    )


def children(pid: int, threads: int = 0) -> list[int]:
    """The children of all its threads. With `threads` 1, the list of threads is not read."""
    if threads == 1:
        tasks = [str(pid)]
    else:
        try:
            tasks = os.listdir(f"/proc/{pid}/task")
        except OSError:
            return []
    return [int(child) for task in tasks for child in _read(f"/proc/{pid}/task/{task}/children").split()]


def members(roots: Iterable[int], most: int) -> list[ProcessInfo]:
    """The processes of the trees under `roots`, roots included. Stops when there are more than `most`."""
    found: list[ProcessInfo] = []
    known = set()
    waiting = list(roots)
    while waiting and len(found) <= most:
        pid = waiting.pop()
        if pid in known:
            continue
        known.add(pid)
        member = read_process(pid)
        if member is not None:
            found.append(member)
            if not member.dead:
                waiting += children(pid, member.threads)
    return found


def proportional_memory(pid: int) -> int | None:
    """Its memory in bytes (PSS: shared pages are divided among their users); None if not allowed. Slow."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None


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


def disk_usage(directory: str, most_files: int) -> tuple[int, int]:
    """The bytes and the number of entries under a folder. Stops beyond `most_files`, follows no links."""
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
        except OSError:
            continue
    return taken, entries


def _status(pid: int | str) -> dict[bytes, bytes]:
    return dict(line.partition(b":")[::2] for line in _read(f"/proc/{pid}/status").splitlines())


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts = []
        while part := os.read(fd, 65536):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)
