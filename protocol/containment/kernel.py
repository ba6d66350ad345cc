"""The system calls that Python does not offer: prctl, capset, landlock_*, seccomp, perf, ptrace.

Independent of any policy. All symbols are resolved when the module is loaded, since a first lookup between fork and
exec is not safe.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable

LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
SECBITS_NO_ROOT = 0b1111
"""Root gets no capabilities from exec and setuid, for good (NOROOT, NO_SETUID_FIXUP, both locked)."""

# These numbers are the same on every architecture, as for all system calls since 424.
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_ADD_RULE = 445
_LANDLOCK_RESTRICT_SELF = 446
_CAPSET = {"x86_64": 126, "aarch64": 91}
_PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
_CPU_TIME = struct.pack("=IIQ24xQ16x", 1, 64, 1, 0b1100010)
"""struct perf_event_attr: of software, its size, the CPU time of a task. What the task starts inherits the counter.
It leaves out the kernel, which an ordinary user must ask for; this counter has the kernel's time all the same."""
_PERF_FLAG_FD_CLOEXEC = 8
_PTRACE_TRACEME = 0
_PTRACE_DETACH = 17
_CAPABILITY_VERSION_3 = 0x20080522
_CAP_SETPCAP = 8

_libc = ctypes.CDLL(None, use_errno=True)
if LINUX:
    _prctl = _libc.prctl
    _prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong)
    _prctl.restype = ctypes.c_int
    _syscall = _libc.syscall
    _syscall.restype = ctypes.c_long
    _ptrace = _libc.ptrace
    _ptrace.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    _ptrace.restype = ctypes.c_long


def machine() -> str:
    """The kernel's name of the architecture: `x86_64`, `aarch64`."""
    return platform.machine()


def prctl(option: int, first: int = 0, second: int = 0) -> int:
    """prctl(2). Raises OSError."""
    return _checked(_prctl(option, first, second, 0, 0), "prctl")


def end_with_parent(number: int) -> None:
    """Let this process get a signal when its parent ends, where the system can do that. Raises OSError."""
    if LINUX:
        prctl(PR_SET_PDEATHSIG, number)


def landlock_abi() -> int:
    """The ABI version of this kernel's Landlock, 0 if it has none."""
    if not LINUX:
        return 0
    answer: int = _syscall(ctypes.c_long(_LANDLOCK_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return max(answer, 0)


def landlock_create(attributes: ctypes.Structure, size: int) -> int:
    """The descriptor of a new ruleset, closed on exec. Raises OSError."""
    number = ctypes.c_long(_LANDLOCK_CREATE_RULESET)
    return _checked(_syscall(number, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)), "landlock")


def landlock_add(ruleset: int, kind: int, rule: ctypes.Structure) -> None:
    """Add one rule. Raises OSError."""
    number = ctypes.c_long(_LANDLOCK_ADD_RULE)
    _checked(
        _syscall(number, ctypes.c_int(ruleset), ctypes.c_int(kind), ctypes.byref(rule), ctypes.c_uint32(0)), "rule"
    )


def landlock_restrict(ruleset: int) -> None:
    """Apply the ruleset to the calling thread, for good. Raises OSError."""
    number = ctypes.c_long(_LANDLOCK_RESTRICT_SELF)
    _checked(_syscall(number, ctypes.c_int(ruleset), ctypes.c_uint32(0)), "landlock_restrict_self")


def seccomp_available() -> bool:
    """True if the kernel has seccomp filters: it then complains about the missing program (EFAULT)."""
    try:
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


class _SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Filter:
    """A seccomp program that is ready to be installed. Keeps its memory alive."""

    def __init__(self, program: bytes, own_pid: Iterable[int] = ()) -> None:
        """`own_pid` has the offsets at which `install` writes the pid of the caller."""
        self._memory = ctypes.create_string_buffer(program, len(program))
        self._own_pid = tuple(ctypes.c_uint32.from_buffer(self._memory, offset) for offset in own_pid)
        self._fprog = _SockFprog(len(program) // 8, ctypes.addressof(self._memory))
        self._address = ctypes.addressof(self._fprog)

    def install(self) -> None:
        """Apply the filter to the calling thread, for good. Raises OSError."""
        pid = os.getpid()
        for place in self._own_pid:
            place.value = pid
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._address)


class _CapHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class NoCapabilities:
    """The prepared call that drops every capability."""

    def __init__(self, *, keep_user: bool) -> None:
        """`keep_user`: the child stays root, so that exec must not give anything back."""
        self._number = ctypes.c_long(_CAPSET[machine()])
        self._header = _CapHeader(_CAPABILITY_VERSION_3, 0)
        self._none = (ctypes.c_uint32 * 6)()
        with open("/proc/self/status", "rb") as file:
            status = dict(line.partition(b":")[::2] for line in file)
        # Root without CAP_SETPCAP cannot set this, and has no capability that exec could give back.
        self._no_root = keep_user and bool(int(status[b"CapEff"], 16) >> _CAP_SETPCAP & 1)

    def apply(self) -> None:
        """Drop them. Raises OSError."""
        if self._no_root:
            prctl(PR_SET_SECUREBITS, SECBITS_NO_ROOT)
        _checked(_syscall(self._number, ctypes.byref(self._header), ctypes.byref(self._none)), "capset")


def become_subreaper() -> None:
    """Make orphans of our descendants our children from now on. Raises OSError."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def count_cpu_time(pid: int) -> int:
    """The descriptor of a counter of the CPU time of a process, and of all that it starts from now on.

    A read gives 8 bytes, the ns. Raises OSError, also where this architecture's number of the call is not known.
    """
    number = _PERF_EVENT_OPEN.get(machine(), -1)
    flags = ctypes.c_ulong(_PERF_FLAG_FD_CLOEXEC)
    return _checked(_syscall(ctypes.c_long(number), _CPU_TIME, pid, -1, -1, flags), "perf_event_open")


def ask_for_stop() -> bool:
    """Stop, as soon as the next program has been loaded, until the parent calls `let_go`. False if that is refused."""
    return bool(_ptrace(_PTRACE_TRACEME, 0, None, None) == 0)


def let_go(pid: int) -> None:
    """Let a child that has stopped run. Raises OSError."""
    _checked(_ptrace(_PTRACE_DETACH, pid, None, None), "ptrace")


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
