"""The files of one thread in /proc: `schedstat`, `stat`, and the list of its children. Independent of engines."""

import os
from typing import Final, NamedTuple

LINE: Final = 96
"""The bytes of a schedstat line, and more."""
STAT: Final = 1_024
"""The bytes of a line of `stat`, and more."""
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_CHILDREN = 4_096


class TaskTimes(NamedTuple):
    """The figures of one thread at one reading."""

    ran_ns: int
    waited_ns: int
    timeslices: int
    """How often it was put on a CPU."""


class State(NamedTuple):
    """What a `stat` file says of one thread."""

    letter: str
    started_ticks: int
    children_ns: int
    """The CPU time of ended children."""
    nice: int
    policy: int


def state(schedstat: str) -> State:
    """What the `stat` file beside a schedstat says; an ended thread has the letter X."""
    return parse_state(read(schedstat.removesuffix("schedstat") + "stat"))


def parse_state(line: bytes) -> State:
    """What the line of a `stat` file says."""
    # The process name is in brackets and may itself contain brackets and blanks.
    field = line.rpartition(b")")[2].split()
    if len(field) < 39:
        return State("X", 0, 0, 0, 0)
    children_ns = (int(field[13]) + int(field[14])) * TICK_NS
    return State(field[0].decode(), int(field[19]), children_ns, int(field[16]), int(field[38]))


def task_times(path: str) -> TaskTimes | None:
    """The figures of a schedstat file, None if it cannot be read."""
    return parse(read(path))


def parse(line: bytes) -> TaskTimes | None:
    """The figures of a line of a schedstat file."""
    words = line.split()
    return TaskTimes(int(words[0]), int(words[1]), int(words[2])) if len(words) == 3 else None


def read(path: str) -> bytes:
    """A small file, empty if it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 65_536)
    except OSError:
        return b""
    finally:
        os.close(fd)


def opened(path: str) -> int:
    """The descriptor of a file, -1 if it cannot be read."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def listed(fd: int) -> bytes:
    """The start of an open list of children, empty if there is none."""
    try:
        return b"" if fd < 0 else os.pread(fd, _CHILDREN, 0)
    except OSError:
        return b""
