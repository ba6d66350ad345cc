"""The processes of one engine as /proc shows them: who they are, what they use. Sends no signal.

`children` is exact for a tree that stands still and may miss one that is just being born; whoever needs certainty looks
again.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

_PAGE = os.sysconf("SC_PAGE_SIZE")


class Member(NamedTuple):
    """One process at one look. `started` (ticks since boot) tells it from a later one of the same pid."""

    pid: int
    started: int
    parent: int
    session: int
    threads: int
    resident: int
    """Bytes."""
    dead: bool
    """A zombie: it uses nothing and waits to be reaped."""


def look(pid: int) -> Member | None:
    """The process as it is now, None where it is gone."""
    data = _read(f"/proc/{pid}/stat")
    if not data:
        return None
    # Its name stands in brackets and may hold brackets and blanks itself.
    field = data.rpartition(b")")[2].split()
    return Member(
        pid,
        int(field[19]),
        int(field[1]),
        int(field[3]),
        int(field[17]),
        int(field[21]) * _PAGE,
        field[0] in (b"Z", b"X"),
    )


def children(pid: int, threads: int = 0) -> list[int]:
    """The children of all its threads; `threads` 1 spares a look at who they are."""
    if threads == 1:
        tasks = [str(pid)]
    else:
        try:
            tasks = os.listdir(f"/proc/{pid}/task")
        except OSError:
            return []
    return [int(child) for task in tasks for child in _read(f"/proc/{pid}/task/{task}/children").split()]


def members(roots: Iterable[int], most: int) -> list[Member]:
    """The processes under `roots`, themselves included; stops looking once there are more than `most`."""
    found: list[Member] = []
    known = set()
    waiting = list(roots)
    while waiting and len(found) <= most:
        pid = waiting.pop()
        if pid in known:
            continue
        known.add(pid)
        member = look(pid)
        if member is not None:
            found.append(member)
            if not member.dead:
                waiting += children(pid, member.threads)
    return found


def proportional(pid: int) -> int | None:
    """Bytes of memory, shared pages divided among their users; None where it may not be asked. Walks all its pages."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None


def environment(pid: int) -> bytes:
    """The environment that it was started with, b"" where it may not be read."""
    return _read(f"/proc/{pid}/environ")


def boxes(pid: int | str) -> tuple[int, int]:
    """How boxed in it is: no-new-privileges, number of seccomp filters. Both are inherited and never given up."""
    fields = dict(line.partition(b":")[::2] for line in _read(f"/proc/{pid}/status").splitlines())
    return int(fields.get(b"NoNewPrivs", b"0")), int(fields.get(b"Seccomp_filters", b"0"))


def disk(directory: str, most_files: int) -> tuple[int, int]:
    """Bytes taken and number of entries under a folder; stops counting beyond `most_files`. Follows no link."""
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
