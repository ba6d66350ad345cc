"""Landlock: what a thread gives up for good, and with it all that it starts. Older kernels cover less.

ABI 1 (Linux 5.13) closes files, 4 (6.7) TCP, 6 (6.12) signals and abstract sockets of others.
"""

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from typing import Final

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = (1 << bit for bit in (0, 1, 2, 3, 14, 15))
_MAKE_DEVICES: Final = 1 << 6 | 1 << 11
_OF_A_FILE: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_FILE_BITS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights on files an ABI knows; 16 from ABI 5 on."""
ABI_TCP: Final = 4
ABI_SIGNALS: Final = 6
READ: Final = EXECUTE | READ_FILE | READ_DIR
DEVICE: Final = READ_FILE | WRITE_FILE
SCRATCH: Final = ~(_MAKE_DEVICES | IOCTL_DEV)
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
# The same on every architecture, as all numbers of system calls since 424.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446

_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """The ABI of this kernel's Landlock, 0 if it has none."""
    if sys.platform != "linux":
        return 0
    version: int = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return max(0, version)


def ruleset(rules: Iterable[tuple[str, int]]) -> int:
    """The descriptor of a ruleset that allows these rights below these paths. Missing paths are skipped.

    Raises OSError.
    """
    version = abi()
    handled = (1 << _FILE_BITS.get(version, 16)) - 1
    tcp, scopes = (3 if version >= ABI_TCP else 0), (3 if version >= ABI_SIGNALS else 0)
    size = 24 if version >= ABI_SIGNALS else 16 if version >= ABI_TCP else 8
    attributes = struct.pack("=QQQ", handled, tcp, scopes)
    descriptor = _checked(_libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)))
    try:
        for path, rights in rules:
            _allow(descriptor, path, rights & handled)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _allow(descriptor: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _OF_A_FILE
        rule = struct.pack("=Qi", rights, fd)
        _checked(_libc.syscall(_ADD_RULE, descriptor, ctypes.c_uint32(1), rule, ctypes.c_uint32(0)))
    finally:
        os.close(fd)


def restrict_thread(descriptor: int, syscall_filter: bytes) -> None:
    """Apply a ruleset and a filter of system calls to the calling thread, for good. Raises OSError."""
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _checked(_libc.syscall(_RESTRICT_SELF, descriptor, ctypes.c_uint32(0)))
    if syscall_filter:
        memory = ctypes.create_string_buffer(syscall_filter, len(syscall_filter))
        fprog = struct.pack("@HP", len(syscall_filter) // 8, ctypes.addressof(memory))
        _checked(_libc.prctl(_PR_SET_SECCOMP, 2, fprog, 0, 0))


def end_with_parent(number: int) -> None:
    """Let this process get a signal when the thread that started it ends, where the system can do that."""
    if sys.platform == "linux":
        _checked(_libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
