"""The few system calls that Python does not offer: prctl, capset, landlock_*, seccomp. Refuses to know policy.

Everything is resolved when the module is loaded: the functions are called between fork and exec, where nothing may be
looked up for the first time.
"""

import ctypes
import errno
import os
import platform
import sys

LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
SECBITS_NO_ROOT = 0b1111
"""Root is an ordinary user to exec and setuid, and stays one (NOROOT, NO_SETUID_FIXUP, both locked)."""

# The same number on every architecture, as all system calls since 424.
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_ADD_RULE = 445
_LANDLOCK_RESTRICT_SELF = 446
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522
_CAP_SETPCAP = 8

_libc = ctypes.CDLL(None, use_errno=True)
if LINUX:
    _prctl = _libc.prctl
    _prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong)
    _prctl.restype = ctypes.c_int
    _syscall = _libc.syscall
    _syscall.restype = ctypes.c_long


def machine() -> str:
    """The architecture as the kernel names it: `x86_64`, `aarch64`."""
    return platform.machine()


def prctl(option: int, first: int = 0, second: int = 0) -> int:
    """prctl(2). Raises OSError."""
    return _checked(_prctl(option, first, second, 0, 0), "prctl")


def landlock_abi() -> int:
    """What Landlock of this kernel understands, 0 where there is none."""
    if not LINUX:
        return 0
    answer: int = _syscall(ctypes.c_long(_LANDLOCK_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return max(answer, 0)


def landlock_create(attributes: ctypes.Structure, size: int) -> int:
    """A new ruleset's descriptor (closed on exec). Raises OSError."""
    number = ctypes.c_long(_LANDLOCK_CREATE_RULESET)
    return _checked(_syscall(number, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)), "landlock")


def landlock_add(ruleset: int, kind: int, rule: ctypes.Structure) -> None:
    """Add one rule. Raises OSError."""
    number = ctypes.c_long(_LANDLOCK_ADD_RULE)
    _checked(
        _syscall(number, ctypes.c_int(ruleset), ctypes.c_int(kind), ctypes.byref(rule), ctypes.c_uint32(0)), "rule"
    )


def landlock_restrict(ruleset: int) -> None:
    """Put the calling thread under the ruleset, for good. Raises OSError."""
    number = ctypes.c_long(_LANDLOCK_RESTRICT_SELF)
    _checked(_syscall(number, ctypes.c_int(ruleset), ctypes.c_uint32(0)), "landlock_restrict_self")


def seccomp_there() -> bool:
    """Whether the kernel takes filters: it stumbles over a missing program, not over the question."""
    try:
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


class _SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Filter:
    """A seccomp program ready to be installed; keeps its memory alive."""

    def __init__(self, program: bytes) -> None:
        self._memory = ctypes.create_string_buffer(program, len(program))
        self._fprog = _SockFprog(len(program) // 8, ctypes.addressof(self._memory))
        self._address = ctypes.addressof(self._fprog)

    def install(self) -> None:
        """Put the calling thread under it, for good. Raises OSError."""
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._address)


class _CapHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class NoCapabilities:
    """The call that gives up every capability, ready to be made."""

    def __init__(self) -> None:
        self._number = ctypes.c_long(_CAPSET[machine()])
        self._header = _CapHeader(_CAPABILITY_VERSION_3, 0)
        self._none = (ctypes.c_uint32 * 6)()
        with open("/proc/self/status", "rb") as file:
            status = dict(line.partition(b":")[::2] for line in file)
        # A root that may not set this has no capability that exec could give back.
        self._no_root = bool(int(status[b"CapEff"], 16) >> _CAP_SETPCAP & 1)

    def apply(self) -> None:
        """Raises OSError."""
        if self._no_root:
            prctl(PR_SET_SECUREBITS, SECBITS_NO_ROOT)
        _checked(_syscall(self._number, ctypes.byref(self._header), ctypes.byref(self._none)), "capset")


def become_subreaper() -> None:
    """Orphans of our descendants become our children from now on. Raises OSError."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
