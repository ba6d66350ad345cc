"""A filter of system calls, for what neither Landlock, nor bubblewrap, nor the control group keeps from an engine.

A filter sees numbers and registers, not memory. A call of another architecture, whose numbers mean other calls, ends
the process.
"""

import errno
import platform
import struct
from typing import Final, NamedTuple

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_*; the order is that of the columns of the table."""

EPERM, EINVAL, ENOSYS, EACCES = errno.EPERM, errno.EINVAL, errno.ENOSYS, errno.EACCES
BASIC, BOTH = ("basic",), ("basic", "strict")


class Argument(NamedTuple):
    """The call is refused if this test holds for its argument of this position."""

    test: str
    """`is`, `is not`, or `has` one of these bits."""
    position: int
    value: int


class Row(NamedTuple):
    """A refused call: its numbers on x86_64 and aarch64 (None: it has none), the error, the levels.

    With `arguments` it is refused if all of them hold.
    """

    name: str
    numbers: tuple[int, int | None]
    error: int
    levels: tuple[str, ...] = BASIC
    arguments: tuple[Argument, ...] = ()


TABLE: Final = (
    # ENOSYS lets libraries use older calls. clone3 can start a process in another control group, which Landlock does
    # not see; io_uring opens sockets without `socket`.
    Row("clone3", (435, 435), ENOSYS),
    Row("io_uring_setup", (425, 425), ENOSYS),
    # UDP and Unix sockets. Landlock knows TCP only.
    Row("socket", (41, 198), EACCES),
    # One of a datagram pair can send to every Unix socket that has a path. SOCK_DGRAM and SOCK_RAW have this bit.
    Row("socketpair", (53, 199), EACCES, BASIC, (Argument("has", 1, 2),)),
    # In a user namespace of its own an engine would have capabilities. bubblewrap forbids that by itself.
    Row("unshare", (272, 97), EPERM),
    Row("clone", (56, 220), EPERM, BASIC, (Argument("has", 0, 0x7E020000),)),
    # Priorities, CPUs and limits, of other processes too. Nobody may keep others from the second thread of a core.
    Row("setpriority", (141, 140), EPERM, BOTH),
    Row("sched_setscheduler", (144, 119), EPERM, BOTH),
    Row("sched_setparam", (142, 118), EPERM, BOTH),
    Row("sched_setattr", (314, 274), EPERM, BOTH),
    Row("sched_setaffinity", (203, 122), EPERM, BOTH),
    Row("ioprio_set", (251, 30), EPERM, BOTH),
    Row("prctl", (157, 167), EINVAL, BOTH, (Argument("is", 0, 62),)),  # PR_SCHED_CORE
    Row("prlimit64", (302, 261), EPERM, BASIC, (Argument("is not", 0, 0),)),
    # Objects without a path, which outlive the engine and whose numbers can be guessed.
    Row("shmget", (29, 194), EPERM),
    Row("shmat", (30, 196), EPERM),
    Row("shmctl", (31, 195), EPERM),
    Row("msgget", (68, 186), EPERM),
    Row("msgsnd", (69, 189), EPERM),
    Row("msgrcv", (70, 188), EPERM),
    Row("msgctl", (71, 187), EPERM),
    Row("semget", (64, 190), EPERM),
    Row("semop", (65, 193), EPERM),
    Row("semctl", (66, 191), EPERM),
    Row("semtimedop", (220, 192), EPERM),
    Row("mq_open", (240, 180), EPERM),
    Row("mq_unlink", (241, 181), EPERM),
    # The session's keys are open to all processes of a session.
    Row("add_key", (248, 217), EPERM, BOTH),
    Row("request_key", (249, 218), EPERM, BOTH),
    Row("keyctl", (250, 219), EPERM, BOTH),
    # The machine, or each of its users, has few of these.
    Row("io_setup", (206, 0), ENOSYS, BOTH),
    Row("inotify_init", (253, None), ENOSYS, BOTH),
    Row("inotify_init1", (294, 26), ENOSYS, BOTH),
    Row("fanotify_init", (300, 262), ENOSYS, BOTH),  # it also tells names in folders that Landlock closes
    # Landlock does not check who reads attributes by a path, and browsers keep addresses in them.
    Row("getxattr", (191, 8), errno.ENOTSUP),
    Row("lgetxattr", (192, 9), errno.ENOTSUP),
    Row("listxattr", (194, 11), errno.ENOTSUP),
    Row("llistxattr", (195, 12), errno.ENOTSUP),
    Row("getxattrat", (464, 464), errno.ENOTSUP),
    Row("listxattrat", (465, 465), errno.ENOTSUP),
    # Nor modes, owners, times and attributes that are set. In `strict` other files are on read-only mounts.
    Row("chmod", (90, None), EPERM),
    Row("fchmod", (91, 52), EPERM),
    Row("fchmodat", (268, 53), EPERM),
    Row("fchmodat2", (452, 452), EPERM),
    Row("chown", (92, None), EPERM),
    Row("fchown", (93, 55), EPERM),
    Row("lchown", (94, None), EPERM),
    Row("fchownat", (260, 54), EPERM),
    Row("utime", (132, None), EPERM),
    Row("utimes", (235, None), EPERM),
    Row("futimesat", (261, None), EPERM),
    Row("utimensat", (280, 88), EPERM),
    Row("setxattr", (188, 5), EPERM),
    Row("lsetxattr", (189, 6), EPERM),
    Row("fsetxattr", (190, 7), EPERM),
    Row("setxattrat", (463, 463), EPERM),
    Row("removexattr", (197, 14), EPERM),
    Row("lremovexattr", (198, 15), EPERM),
    Row("fremovexattr", (199, 16), EPERM),
    Row("removexattrat", (466, 466), EPERM),
    Row("file_setattr", (469, 469), EPERM),
    Row("ioctl", (16, 29), errno.ENOTTY, BASIC, (Argument("is", 1, 0x40086602),)),  # FS_IOC_SETFLAGS
    Row("ioctl", (16, 29), errno.ENOTTY, BASIC, (Argument("is", 1, 0x401C5820),)),  # FS_IOC_FSSETXATTR
    # A lease makes others wait who open the file. It fails as on a file system without leases.
    Row("fcntl", (72, 25), EINVAL, BOTH, (Argument("is", 1, 1024),)),
    # PR_SET_PDEATHSIG: without a group an engine ends with the referee by SIGKILL, and must not choose to live on.
    Row("prctl", (157, 167), EPERM, BOTH, (Argument("is", 0, 1), Argument("is not", 1, 9))),
)

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO, _X32 = 0x7FFF0000, 0x80000000, 0x00050000, 0x40000000
_TEST: Final = {"is": (_EQUAL, True), "is not": (_EQUAL, False), "has": (_ANY_BIT, True)}
"""The instruction, and its outcome if the test holds."""
_Step = tuple[int, int, int, int]
"""struct sock_filter."""


def is_known(machine: str) -> bool:
    """True if the numbers of this architecture's calls are in the table."""
    return machine in _ARCHITECTURES


def program(level: str, machine: str = platform.machine()) -> bytes:
    """The filter of a level as struct sock_filter[]."""
    column = list(_ARCHITECTURES).index(machine)
    steps: list[_Step] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, 0, 1, _X32),  # x32 calls have the same architecture but other numbers
        (_RETURN, 0, 0, _ERRNO | ENOSYS),
    ]
    for row in TABLE:
        number = row.numbers[column]
        if number is None or level not in row.levels:
            continue
        refuse = (_RETURN, 0, 0, _ERRNO | row.error)
        tests: list[_Step] = []
        for test, position, value in reversed(row.arguments):
            # Where one does not hold, all that follows is skipped but for the last step of the row.
            code, holds = _TEST[test]
            skip = len(tests) + 1
            tests = [(_LOAD, 0, 0, 16 + 8 * position), (code, *((0, skip) if holds else (skip, 0)), value), *tests]
        steps += [(_EQUAL, 0, len(tests) + 2, number), *tests, refuse, (_LOAD, 0, 0, 0)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
