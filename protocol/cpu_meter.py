"""What the kernel says of an engine: the CPU time that it used, and how long it waited for a CPU.

With a control group, all processes of the engine count, ended ones too. Without one, its first process alone does:
its CPU clock, which has ended threads too, and the waits of its living threads.
"""

import contextlib
import os
import threading
import time
from typing import Final

from protocol.containment.box import Box
from protocol.stopwatch import Waits

_KEPT: Final = 32
"""How many threads' files are kept open. Those of further ones are opened for each reading."""


class CpuMeter:
    """The figures of one engine, in ns since some moment. None is unknown. Close it when the engine has ended."""

    def __init__(self, box: Box) -> None:
        self._stat = self._pressure = -1
        self._files: dict[bytes, int] = {}
        self._clock = ((~box.pid) << 3) | 2
        """The CPU clock of the process and all its threads, as clock_gettime(2) numbers it."""
        self._process = f"/proc/{box.pid}/task"
        self._threads = -1
        if box.group is not None:
            folder, flags = box.group.folder, os.O_RDONLY | os.O_CLOEXEC
            with contextlib.suppress(OSError):
                self._stat = os.open(f"{folder}/cpu.stat", flags)
                self._threads = os.open(f"{folder}/cgroup.threads", flags)
                pressure = os.open(f"{folder}/cpu.pressure", flags)
                try:
                    os.pread(pressure, 1, 0)  # it fails where the kernel was started without
                    self._pressure = pressure
                except OSError:
                    os.close(pressure)

    def cpu_ns(self) -> int | None:
        """The CPU time of all its processes."""
        try:
            if self._stat >= 0:
                return int(os.pread(self._stat, 40, 0).split(None, 2)[1]) * 1000
            return time.clock_gettime_ns(self._clock)
        except (OSError, IndexError, ValueError):
            return None

    def waits_ns(self) -> Waits | None:
        """How long it waited for a CPU, told in two ways.

        First the waits of each living thread: exact, but those of many threads at one moment add up to more than that
        moment. Then the pressure, None if the kernel does not tell it: how long any thread waited, ended ones too, but
        it is a mean over CPUs, and windows below a tick count as 0.
        """
        try:
            waits = {thread: waited for thread in self._thread_ids() if (waited := self._schedstat(thread)) is not None}
            if self._pressure < 0:
                return waits, None
            return waits, int(os.pread(self._pressure, 100, 0).partition(b"total=")[2].split()[0]) * 1000
        except (OSError, IndexError, ValueError):
            return None

    def timeslices(self) -> int:
        """How often its living threads had a CPU."""
        count = 0
        for thread in self._threads_now():
            with contextlib.suppress(OSError, IndexError, ValueError), open(b"/proc/%s/schedstat" % thread) as file:
                count += int(file.read().split()[2])
        return count

    def wants_cpu(self) -> bool:
        """True if one of its threads runs or waits for a CPU."""
        for thread in self._threads_now():
            with contextlib.suppress(OSError, IndexError), open(b"/proc/%s/stat" % thread, "rb") as file:
                if file.read().rpartition(b") ")[2][:1] == b"R":
                    return True
        return False

    def close(self) -> None:
        """Close its files. A second call does nothing."""
        for fd in (self._stat, self._pressure, self._threads, *self._files.values()):
            if fd >= 0:
                os.close(fd)
        self._stat = self._pressure = self._threads = -1
        self._files.clear()

    def _threads_now(self) -> list[bytes]:
        try:
            return self._thread_ids()
        except OSError:
            return []

    def _thread_ids(self) -> list[bytes]:
        """The threads that are alive. Raises OSError."""
        if self._threads >= 0:
            return os.pread(self._threads, 16_384, 0).split()
        return [os.fsencode(name) for name in os.listdir(self._process)]

    def _schedstat(self, thread: bytes) -> int | None:
        """The waits of a thread, None if it has ended."""
        fd = self._files.get(thread)
        try:
            if fd is not None:
                return int(os.pread(fd, 80, 0).split()[1])
            fd = os.open(b"/proc/%s/schedstat" % thread, os.O_RDONLY | os.O_CLOEXEC)
        except (OSError, IndexError):
            if fd is not None:
                os.close(self._files.pop(thread))
            return None
        if len(self._files) < _KEPT:
            self._files[thread] = fd
            return int(os.pread(fd, 80, 0).split()[1])
        try:
            return int(os.pread(fd, 80, 0).split()[1])
        finally:
            os.close(fd)


class _OwnFile:
    """The schedstat of the thread that made it."""

    fd = -1

    def __init__(self) -> None:
        with contextlib.suppress(OSError):
            self.fd = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)


class _Own(threading.local):
    """What belongs to the calling thread, and goes with it."""

    def __init__(self) -> None:
        self.file = _OwnFile()


_own = _Own()


def own_wait_ns() -> int:
    """How long the calling thread has waited for a CPU since it began; 0 where the kernel does not tell."""
    fd = _own.file.fd
    return int(os.pread(fd, 80, 0).split()[1]) if fd >= 0 else 0
