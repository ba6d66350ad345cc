"""Attacks on the machine: memory, processes, the network, the parent."""

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable

from tests.zoo.faults.fault import ORPHAN_LIFE_S, HostileFault, child_life, detach, refusal
from tests.zoo.wire import STDERR, STDIN, STDOUT, Gone, write_all

_MB = 1 << 20


class MemoryHog(HostileFault):
    """Takes --limit MB of memory, 2 048 unless told otherwise, touches every page and keeps them."""

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


class ForkBomb(HostileFault):
    """Forks --limit children, 200 unless told otherwise, that keep its pipes open and end by themselves after 60 s."""

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
