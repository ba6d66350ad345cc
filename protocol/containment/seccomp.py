"""The seccomp filter that refuses system calls that no engine needs. Assembles the filter, does not install it.

A filter sees only numbers and registers, not memory. So it refuses whole socket families and not addresses. A program
with another word size than the kernel's is killed, since its numbers mean other calls.
"""

import errno
import resource
import socket
import struct

from protocol.containment import mark

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""AUDIT_ARCH_*, and the column in the tables below."""

_NUMBERS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "unshare": (272, 97),
    "setns": (308, 268),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "vhangup": (153, 58),
    # System V objects outlive their process and have no path that could be granted.
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
}
_UNKNOWN = {
    # These calls fail with ENOSYS, so that libraries use older ones: clone3 has its flags in memory, and io_uring opens
    # sockets without the socket call.
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "memfd_secret": (447, 447),
}
_STRICT = {"sched_setaffinity": (203, 122)}
"""An engine must not change its CPU affinity."""
_STRICT_UNKNOWN = {"memfd_create": (319, 279)}
"""Files in memory would not show in the memory of a process. The sandbox's /dev/shm replaces them."""
_SOCKET = (41, 198)
_CLONE = (56, 220)
_IOCTL = (16, 29)
_SETRLIMIT = (160, 164)
_PRLIMIT = (302, 261)
_TIOCSTI = 0x5412
_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEW* of user, pid, net, ipc, uts, cgroup and mount."""

_LOAD = 0x20
_EQUAL = 0x15
_AT_LEAST = 0x35
_ANY_BIT = 0x45
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_X32 = 0x40000000


def supported(machine: str) -> bool:
    """True if the system call numbers of this architecture are known."""
    return machine in _ARCHITECTURES


def program(machine: str, *, strict: bool) -> bytes:
    """The filter as struct sock_filter[]. `strict` allows Unix sockets, since nothing is there to connect to."""
    audit, column = _ARCHITECTURES[machine]
    steps: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, 0),
        # x32 calls have the same architecture but other numbers.
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    denied = _NUMBERS | (_STRICT if strict else {})
    unknown = _UNKNOWN | (_STRICT_UNKNOWN if strict else {})
    for numbers, code in ((denied, errno.EPERM), (unknown, errno.ENOSYS)):
        for number in numbers.values():
            steps += [(_EQUAL, 0, 1, number[column]), (_RETURN, 0, 0, _ERRNO | code)]
    if strict:
        steps += _argument(_SOCKET[column], 0, (_EQUAL, 1, 0, int(socket.AF_UNIX)), errno.EACCES)
    else:
        steps += [(_EQUAL, 0, 1, _SOCKET[column]), (_RETURN, 0, 0, _ERRNO | errno.EACCES)]
    steps += _argument(_CLONE[column], 0, (_ANY_BIT, 0, 1, _NEW_NAMESPACES), errno.EPERM)
    steps += _argument(_IOCTL[column], 1, (_EQUAL, 0, 1, _TIOCSTI), errno.EPERM)
    # The mark of an engine's processes is in these limits.
    for limit in (resource.RLIMIT_RSS, mark.LOCKS):
        steps += _argument(_SETRLIMIT[column], 0, (_EQUAL, 0, 1, limit), errno.EPERM)
        steps += _prlimit(_PRLIMIT[column], limit)
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _argument(number: int, index: int, test: tuple[int, int, int, int], code: int) -> list[tuple[int, int, int, int]]:
    # The next test needs the call's number in the register, so load it again.
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, 16 + 8 * index),
        test,
        (_RETURN, 0, 0, _ERRNO | code),
        (_LOAD, 0, 0, 0),
    ]


def _prlimit(number: int, limit: int) -> list[tuple[int, int, int, int]]:
    """Refuse to set this limit. To read it, with no pointer to a new value, is allowed."""
    return [
        (_EQUAL, 0, 8, number),
        (_LOAD, 0, 0, 16 + 8),
        (_EQUAL, 0, 5, limit),
        (_LOAD, 0, 0, 16 + 16),
        (_EQUAL, 0, 2, 0),
        (_LOAD, 0, 0, 16 + 20),
        (_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
        (_LOAD, 0, 0, 0),
    ]
