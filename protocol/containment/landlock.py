"""Landlock rulesets for files, TCP and signals. The parent makes one, the child applies it. Older ABIs cover less."""

import ctypes
import os
import stat
from collections.abc import Iterable

from protocol.containment import kernel

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
MAKE_CHAR = 1 << 6
MAKE_BLOCK = 1 << 11
TRUNCATE = 1 << 14
IOCTL_DEV = 1 << 15

_FILES_OF_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_TCP = 0b11
"""Bind and connect. The ruleset handles them and allows none."""
_SCOPED = 0b11
"""Abstract Unix sockets and signals only reach processes in the same sandbox."""
_PATH_BENEATH = 1
ABI_TCP = 4
ABI_SCOPES = 6

READ = EXECUTE | READ_FILE | READ_DIR
DEVICE = READ_FILE | WRITE_FILE
SCRATCH = ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def ruleset(abi: int, reads: Iterable[str], lists: Iterable[str], devices: Iterable[str], scratch: str) -> int:
    """The descriptor of a ruleset, for the caller to close. Missing paths are skipped. Raises OSError."""
    handled = _FILES_OF_ABI[min(abi, 5)]
    attributes = _Ruleset(handled, _TCP if abi >= ABI_TCP else 0, _SCOPED if abi >= ABI_SCOPES else 0)
    size = 24 if abi >= ABI_SCOPES else 16 if abi >= ABI_TCP else 8
    descriptor = kernel.landlock_create(attributes, size)
    try:
        for path in reads:
            _allow(descriptor, path, READ & handled)
        for path in lists:
            _allow(descriptor, path, READ_DIR & handled)
        for path in devices:
            _allow(descriptor, path, DEVICE & handled)
        _allow(descriptor, scratch, SCRATCH & handled)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _allow(made: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _OF_A_FILE
        kernel.landlock_add(made, _PATH_BENEATH, _PathBeneath(rights, fd))
    finally:
        os.close(fd)
