"""Attacks on the machine: memory, processes, the network, the parent."""

import contextlib
import mmap
import os
import resource
import signal
import socket
import time
from collections.abc import Callable

from tests.zoo.faults.fault import ORPHAN_LIFE_S, HostileFault, child_life, detach, refusal
from tests.zoo.wire import STDERR, STDIN, STDOUT, Gone, write_all

_MB = 1 << 20
_PER_TABLE = 2 * _MB
"""The memory for which one page table stands."""


class MemoryHog(HostileFault):
    """Takes --limit MB of memory, 2 048 unless told otherwise, touches every page and keeps them."""

    takes = ("limit",)
    limit = 2_048
    limit_most = 8_192

    def attack(self) -> str:
        self.kept: list[bytearray] = []
        try:
            for _ in range(self.amount):
                self.kept.append(bytearray(b"\1") * _MB)
        except MemoryError:
            raise OSError(f"memory after {len(self.kept)} MB") from None
        return f"{len(self.kept)} MB"


class MemoryTables(HostileFault):
    """Takes --limit MB of page tables, 512 unless told otherwise, by reading a byte of every 2 MB of empty memory."""

    takes = ("limit",)
    limit = 512
    limit_most = 4_096

    def attack(self) -> str:
        self.kept: list[mmap.mmap] = []
        no_reserve = 0x4000  # MAP_NORESERVE
        size = _PER_TABLE * 1024
        # A table of 4 kB for each 2 MB that are read: 4 MB for each of these pieces.
        for _ in range(0, self.amount, 4):
            piece = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve, prot=mmap.PROT_READ)
            piece.madvise(mmap.MADV_NOHUGEPAGE)
            self.kept.append(piece)
            for at in range(0, size, _PER_TABLE):
                piece[at]
        return f"{self.amount} MB"


class MemoryShared(HostileFault):
    """Takes --limit MB of shared memory, 512 unless told otherwise, and gives up its view of each part."""

    takes = ("limit",)
    limit = 512
    limit_most = 4_096

    def attack(self) -> str:
        self.kept: list[mmap.mmap] = []
        for _ in range(0, self.amount, 16):
            piece = mmap.mmap(-1, 16 * _MB)
            self.kept.append(piece)
            piece.write(b"\1" * (16 * _MB))
            # The pages stay, and are resident nowhere.
            piece.madvise(mmap.MADV_DONTNEED)
        return f"{self.amount} MB"


class MemoryFile(HostileFault):
    """Writes --limit MB, 512 unless told otherwise, into files in memory of 16 MB, which show in no process."""

    takes = ("limit",)
    limit = 512
    limit_most = 4_096

    def attack(self) -> str:
        self.kept: list[int] = []
        for _ in range(0, self.amount, 16):
            self.kept.append(os.memfd_create("zoo"))
            os.write(self.kept[-1], b"\1" * (16 * _MB))
        return f"{self.amount} MB"


class ReachesParent(HostileFault):
    """Sets limits, priority, scheduler and CPUs of its parent to the values that they have."""

    def attack(self) -> str:
        parent = _parent()
        core = resource.RLIMIT_CORE
        calls: dict[str, Callable[[], object]] = {
            "prlimit": lambda: resource.prlimit(parent, core, resource.prlimit(parent, core)),
            "setpriority": lambda: os.setpriority(os.PRIO_PROCESS, parent, os.getpriority(os.PRIO_PROCESS, parent)),
            "sched_setaffinity": lambda: os.sched_setaffinity(parent, os.sched_getaffinity(parent)),
            "sched_setparam": lambda: os.sched_setparam(parent, os.sched_getparam(parent)),
        }
        done = []
        for name, call in calls.items():
            with contextlib.suppress(PermissionError):
                call()
                done.append(name)
        if not done:
            raise OSError("all of it")
        return " ".join(done)


class OpensSettings(HostileFault):
    """Opens a setting of the machine, /proc/sys/kernel/core_pattern, for writing, and writes nothing."""

    def attack(self) -> str:
        os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY | os.O_CLOEXEC))
        return "core_pattern"


class SharedObject(HostileFault):
    """Makes a shared memory of System V, which would outlive it, and removes it."""

    def attack(self) -> str:
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        made = libc.shmget(0, 4096, 0o600)
        if made < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        libc.shmctl(made, 0, None)
        return "a shared memory"


class ForkBomb(HostileFault):
    """Forks --limit children, 200 unless told otherwise, that keep its pipes open and end by themselves after 60 s."""

    takes = ("limit",)
    limit = 200
    limit_most = 1_000

    def attack(self) -> str:
        for born in range(self.amount):
            try:
                _fork(child_life)
            except OSError as error:
                raise OSError(f"{refusal('fork', error)} after {born} children") from None
        return f"{self.amount} children"


class Orphan(HostileFault):
    """Leaves behind a process in a session of its own, without its pipes, that ends by itself after 60 s."""

    def attack(self) -> str:
        return f"pid {_orphan(_hide)}"


class OrphanShouts(HostileFault):
    """Leaves behind a process in a session of its own that holds its stdout and writes to it every 100 ms for 60 s."""

    def attack(self) -> str:
        return f"pid {_orphan(_shout)}"


class KillsParent(HostileFault):
    """Sends its parent SIGTERM, or SIGKILL with --really."""

    takes = ("really",)

    def attack(self) -> str:
        parent = _parent()
        os.kill(parent, signal.SIGKILL if self.settings.really else signal.SIGTERM)
        return f"pid {parent}"


class Ptraces(HostileFault):
    """Tries to attach to its parent as a debugger, from a child that lets go again at once by ending."""

    def attack(self) -> str:
        parent = _parent()
        status = os.waitstatus_to_exitcode(os.waitpid(_fork(lambda: _seize(parent)), 0)[1])
        if status < 0:
            raise OSError(f"the attempt was killed by signal {-status}")
        if status:
            raise OSError(status, os.strerror(status))
        return f"pid {parent}"


class Connects(HostileFault):
    """Connects to --address on the loopback, by --transport tcp or udp, and sends one byte."""

    takes = ("address", "transport")
    needs = ("address",)

    def attack(self) -> str:
        address = self.settings.address
        assert address is not None
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        kind = socket.SOCK_DGRAM if self.settings.transport == "udp" else socket.SOCK_STREAM
        with socket.socket(family, kind) as link:
            link.settimeout(2)
            link.connect((address.host, address.port))
            link.send(b"z")
        return f"{self.settings.transport} {address.host} {address.port}"


def _parent() -> int:
    parent = os.getppid()
    if parent <= 1:
        # The parent is init, or outside our pid namespace (0). Signalling pid 0 would reach our own group.
        raise OSError("no parent in sight")
    return parent


def _fork(life: Callable[[], object]) -> int:
    """Fork a child that runs `life` and ends. Returns its pid; the child never returns into the engine."""
    pid = os.fork()
    if pid:
        return pid
    try:
        life()
    finally:
        # Even after an exception the child must not go on as a second engine.
        os._exit(255)


def _orphan(life: Callable[[], object]) -> int:
    """Start a process in its own session whose parent has ended. Returns its pid."""
    read_end, write_end = os.pipe()

    def leave_it() -> None:
        os.setsid()
        os.write(write_end, str(_fork(life)).encode())

    os.waitpid(_fork(leave_it), 0)
    os.close(write_end)
    said = os.read(read_end, 32)
    os.close(read_end)
    if not said:
        raise OSError("the orphan was not born")
    return int(said)


def _hide() -> None:
    detach()
    child_life()


def _shout() -> None:
    for fd in (STDIN, STDERR):
        os.close(fd)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(ORPHAN_LIFE_S)
    while True:
        with contextlib.suppress(Gone):
            write_all(STDOUT, b"info string an orphan of the zoo\n")
        time.sleep(0.1)


def _seize(pid: int) -> None:
    """Try to attach to `pid` and exit with 0 or the errno. The exit detaches, and the process is never stopped."""
    import ctypes

    ptrace_seize = 0x4206
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    os._exit(ctypes.get_errno() if libc.ptrace(ptrace_seize, pid, None, None) else 0)
