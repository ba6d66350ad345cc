"""One control group of the kernel for each engine: it bounds, counts, freezes and ends all processes of the engine.

The groups of one process of the arena lie in one folder, `callanish-PID-START`, so that a later arena can tell that
their maker has ended. Freezing, killing and counting need version 2 of control groups, which is also there in the mixed
layout. The caps come from version 2, or from the `pids` and `memory` hierarchies of version 1.
"""

import itertools
import os
import subprocess
import threading
import time
from contextlib import suppress
from functools import lru_cache
from typing import Final

from protocol.containment.policy import Caps

_PREFIX: Final = "callanish-"
_LEAF: Final = "callanish-self"
_CONTROLLERS: Final = ("pids", "memory")
_REMOVE_TRIES: Final = 200
"""How often the removal of a group is tried: for 4 s in all, since a process may be stuck in the kernel."""
_GUARDIAN: Final = """
guard() {
    trap "" HUP INT TERM
    read -r _
    for folder; do echo 1 >"$folder/cgroup.kill"; done
    for try in 1 2 3 4 5 6 7 8 9 10; do
        rmdir "$@" && break
        for folder; do rmdir "$folder"/*/; done
        sleep 0.02
    done
}
exec 3<&0 2>/dev/null
guard "$@" <&3 3<&- &
"""
"""Waits for the end of its input, then ends all processes of our groups and removes them."""
REMEDY: Final = "systemd-run --user --scope -p Delegate=yes arena ..."
"""What gives an ordinary user control groups."""


class Groups:
    """Makes the groups of one process. Raises OSError where that is not possible."""

    def __init__(self) -> None:
        self.name = f"{_PREFIX}{os.getpid()}-{_start_time(os.getpid())}"
        self.folders: dict[str, str] = {}
        """The folder of our groups in version 2 ("") and in each hierarchy of version 1."""
        self.caps: set[str] = set()
        """Which of `pids` and `memory` the kernel holds."""
        self._numbers = itertools.count()
        hierarchies = _hierarchies()
        for base in hierarchies.pop("", []):
            with suppress(OSError):
                self._make(base, "")
                self.caps = {controller for controller in _CONTROLLERS if self._delegate(base, controller)}
                if self.caps or hierarchies:
                    break
                os.rmdir(self.folders.pop(""))
        if not self.folders:
            raise PermissionError("no folder of control groups is open to this user")
        for controller, bases in hierarchies.items():
            with suppress(OSError):
                self._make(bases[0], controller)
                self.caps.add(controller)
        # We alone hold the other end of the pipe. So our end, however it comes, ends all engines.
        end, self._guard = os.pipe()
        command = ("/bin/sh", "-c", _GUARDIAN, "sh", *self.folders.values())
        subprocess.run(command, stdin=end, stdout=subprocess.DEVNULL, start_new_session=True, cwd="/", check=False)
        os.close(end)

    def _make(self, base: str, hierarchy: str) -> None:
        _sweep(base)
        os.mkdir(f"{base}/{self.name}")
        self.folders[hierarchy] = f"{base}/{self.name}"

    def _delegate(self, base: str, controller: str) -> bool:
        """Hand a controller of version 2 down to our groups. False where that is not possible."""
        if controller not in _read(f"{base}/cgroup.controllers").split():
            return False
        try:
            _write(f"{base}/cgroup.subtree_control", f"+{controller}")
        except OSError:
            # A group with processes of its own cannot hand controllers down. If only we are in it, we move into a leaf.
            if _read(f"{base}/cgroup.procs").split() != [str(os.getpid())]:
                return False
            os.makedirs(f"{base}/{_LEAF}", exist_ok=True)
            _write(f"{base}/{_LEAF}/cgroup.procs", "0")
            _write(f"{base}/cgroup.subtree_control", f"+{controller}")
        _write(f"{self.folders['']}/cgroup.subtree_control", f"+{controller}")
        return True

    def group(self, caps: Caps) -> "Group":
        """A new group for one engine. Raises OSError."""
        return Group({kind: f"{folder}/{next(self._numbers)}" for kind, folder in self.folders.items()}, caps)

    def close(self) -> None:
        """End what is left in all groups and remove them."""
        os.close(self._guard)


_making: Final = threading.Lock()  # engines are started by several threads, and the folder can be made once


@lru_cache(maxsize=1)
def _of_process(pid: int) -> Groups | None:
    try:
        return Groups()
    except OSError:  # also where there is no /proc
        return None


def groups() -> Groups | None:
    """The groups of this process, made when they are first asked for; None where none can be had."""
    with _making:
        return _of_process(os.getpid())


class Group:
    """The group of one engine."""

    def __init__(self, folders: dict[str, str], caps: Caps) -> None:
        self._folders = folders
        self.folder = folders[""]
        """Its folder in version 2."""
        limits = []
        if caps.threads is not None:
            limits.append(("pids.max", caps.threads))
        if caps.memory_mb is not None:
            memory = caps.memory_mb << 20
            limits += [("memory.max", memory), ("memory.swap.max", 0), ("memory.oom.group", 1)]
            limits += [("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes", memory)]
        self._events = -1
        try:
            for folder in folders.values():
                os.mkdir(folder)
                for name, value in limits:
                    with suppress(FileNotFoundError):  # the controller is not in this hierarchy
                        _write(f"{folder}/{name}", str(value))
            self._events = os.open(f"{self.folder}/cgroup.events", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.remove()
            raise

    def enter(self, pid: int) -> None:
        """Move a process that has not forked yet into the group. Raises OSError."""
        for folder in self._folders.values():
            _write(f"{folder}/cgroup.procs", str(pid))

    def pids(self) -> list[int]:
        """Its living processes."""
        return [int(pid) for pid in _read(f"{self.folder}/cgroup.procs").split()]

    def freeze(self) -> None:
        """Stop all its processes."""
        with suppress(OSError):  # it has been removed: its engine has ended
            _write(f"{self.folder}/cgroup.freeze", "1")

    def thaw(self) -> None:
        """Let all its processes run again."""
        with suppress(OSError):
            _write(f"{self.folder}/cgroup.freeze", "0")

    def kill(self) -> None:
        """End all its processes. Does not wait."""
        with suppress(OSError):
            _write(f"{self.folder}/cgroup.kill", "1")

    def wait_until_empty(self) -> bool:
        """Wait for the end of all its processes, 2 s at most. False if some are left."""
        for attempt in range(_REMOVE_TRIES):
            if b"populated 0" in os.pread(self._events, 60, 0):
                return True
            time.sleep(0.0001 * attempt)  # not by poll, which hears of it 10 ms late
        return False

    def killed_for_memory(self) -> bool:
        """True if the kernel ended a process of it at the cap on memory."""
        name = f"{self._folders['memory']}/memory.oom_control" if "memory" in self._folders else ""
        with suppress(OSError, IndexError, ValueError):
            return int(_read(name or f"{self.folder}/memory.events").partition("oom_kill ")[2].split()[0]) > 0
        return False

    def remove(self) -> None:
        """End what is left in it and remove it. A second call does nothing."""
        events, self._events = self._events, -1
        if events >= 0:
            os.close(events)
        for folder in self._folders.values():
            remove(folder)


def _hierarchies() -> dict[str, list[str]]:
    """For version 2 ("") and each controller of version 1: the folder of our own group, then that of all groups."""
    own: dict[str, str] = {}
    for line in _read("/proc/self/cgroup").splitlines():
        _, names, path = line.split(":", 2)
        own |= dict.fromkeys(names.split(","), path)
    folders: dict[str, list[str]] = {}
    for line in _read("/proc/self/mountinfo").splitlines():
        left, _, right = line.partition(" - ")
        root, point = left.split()[3:5]
        kind, _, options = right.split(" ", 2)
        for name in {"cgroup2": [""], "cgroup": options.split(",")}.get(kind, ()):
            if name in own and name in ("", *_CONTROLLERS) and name not in folders:
                path = os.path.normpath(os.path.join(point, os.path.relpath(own[name], root)))
                folders[name] = [os.path.dirname(path) if os.path.basename(path) == _LEAF else path, point]
    return folders


def _sweep(base: str) -> None:
    """End and remove what an arena left that is no more."""
    for name in os.listdir(base):
        pid, _, started = name.removeprefix(_PREFIX).partition("-")
        if name.startswith(_PREFIX) and pid.isdecimal() and _start_time(int(pid)) != started:
            remove(f"{base}/{name}")


def remove(folder: str) -> None:
    """End all that is in a group and below it, and remove it. Up to 4 s, since a process may be stuck."""
    with suppress(OSError):
        _write(f"{folder}/cgroup.kill", "1")  # version 1 has none: there the same processes end by version 2
    for attempt in range(_REMOVE_TRIES):
        try:
            for each, _, _ in os.walk(folder, topdown=False):
                os.rmdir(each)
            return
        except OSError:
            time.sleep(0.0002 * attempt)


def _start_time(pid: int) -> str:
    with suppress(OSError):
        return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()[19]
    return ""


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)  # never O_CREAT: a missing file is a kernel without it
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()
