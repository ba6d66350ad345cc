"""The seccomp filter that refuses system calls that no engine needs. Assembles the filter, does not install it.

A filter sees only numbers and registers, not memory. So it refuses whole socket families and not addresses, and it
cannot tell a file inside the scratch from one outside. A program with another word size than the kernel's is killed,
since its numbers mean other calls.
"""

import errno
import resource
import signal
import socket
import struct

from protocol.containment import mark

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""AUDIT_ARCH_*, and the column in the tables below."""

Numbers = tuple[int, int | None]
"""A call's number on x86_64 and on aarch64. None: the architecture has no such call."""

_NUMBERS: dict[str, Numbers] = {
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
    "process_mrelease": (448, 448),
    "quotactl_fd": (443, 443),
    # These write out the files of the whole machine.
    "sync": (162, 81),
    "syncfs": (306, 267),
    # It puts pages into a pipe, where they show in no process.
    "vmsplice": (278, 75),
    # System V objects and message queues outlive their process and have no path that could be granted. Each call is
    # refused, since an engine can guess the numbers of objects that others made.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # They can set modes that `_MODES` refuses. In `basic` they would also change files outside of the scratch.
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
}
_UNKNOWN: dict[str, Numbers] = {
    # These calls fail with ENOSYS, so that libraries use older ones: clone3 and openat2 have their flags in memory, and
    # io_uring opens sockets without the socket call.
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "openat2": (437, 437),
    # Files in memory do not show in the memory of a process.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # The machine has so many asynchronous reads and writes, and each user so many watches. A watch also tells what
    # others do with a file that the engine may not read.
    "io_setup": (206, 0),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    # Rules and filters are memory that shows in no process. The machine has so much for filters that nobody else could
    # install one, and no other engine could start.
    "landlock_create_ruleset": (444, 444),
    "seccomp": (317, 277),
}
_INVALID: dict[str, Numbers] = {
    # They put pages of files into pipes and sockets, where they show in no process. One byte of a page holds all of the
    # folio that it belongs to, up to 2 MB. These calls fail with EINVAL, so that libraries read and write instead.
    "splice": (275, 76),
    "sendfile": (40, 71),
}
_UNSUPPORTED: dict[str, Numbers] = {
    # It takes hundreds of GB of a disk between two looks. It fails with EOPNOTSUPP, so that libraries write instead.
    "fallocate": (285, 47),
}
_BASIC: dict[str, Numbers] = {
    # They change files outside of the scratch too. Landlock does not know these calls. In `strict` all other files are
    # on read-only mounts.
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    # They hand descriptors over. A deleted file on its way through a socket would be on no list.
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
}
_STRICT: dict[str, Numbers] = {"sched_setaffinity": (203, 122)}
"""An engine must not change its CPU affinity."""
_ON_A_PROCESS: dict[str, tuple[Numbers, int, int | None]] = {
    "prlimit64": ((302, 261), 0, None),
    "sched_setaffinity": ((203, 122), 0, None),
    "sched_setattr": ((314, 274), 0, None),
    "sched_setparam": ((142, 118), 0, None),
    "sched_setscheduler": ((144, 119), 0, None),
    "setpriority": ((141, 140), 1, 2),
    "ioprio_set": ((251, 30), 1, 3),
}
"""Calls on a process: the argument with its pid, and the value of the first argument that means all of a user's
processes. In `strict` an engine sees only its own processes, so these need no rule there."""
_MODES: dict[str, tuple[Numbers, int, int | None]] = {
    "open": ((2, None), 2, 1),
    "openat": ((257, 56), 3, 2),
    "creat": ((85, None), 1, None),
    "mknod": ((133, None), 1, None),
    "mknodat": ((259, 33), 2, None),
    "chmod": ((90, None), 1, None),
    "fchmod": ((91, 52), 1, None),
    "fchmodat": ((268, 53), 2, None),
    "fchmodat2": ((452, 452), 2, None),
}
"""Calls that give a file its mode: the argument with the mode, and the one with flags that say whether it matters."""
_UMASK = (95, 166)
_OWNER_READS = 0o400
_NEW_FILE = 0o20000100
"""O_CREAT, and the bit of O_TMPFILE that no other flag has."""
OWN_PID = 0x7FFF_FFF1
"""Stands for the engine's pid in the program, since only the child knows it. No pid is that large."""
_SOCKET = (41, 198)
_CLONE = (56, 220)
_IOCTL = (16, 29)
_SETRLIMIT = (160, 164)
_PRLIMIT = (302, 261)
_OF_TERMINALS = (0x5412, 0x5423)
"""TIOCSTI types for others. TIOCSETD loads a module of the kernel, one of many."""
_OF_FILE_SYSTEMS = (0x6600, 0x5800, 0x9400)
"""The types of ioctl calls that change a file's flags, make subvolumes and the like, without a check by Landlock."""
_FCNTL = (72, 25)
_F_SETLEASE = 1024
_F_NOTIFY = 1026
_F_LATER = 1036
"""Hints (F_SET_RW_HINT), delegations (F_SETDELEG), and what later kernels add: all of them on a file of others."""
_F_OFD_LOCKS = (36, 37, 38)
"""/proc/locks does not tell whose these locks are."""
_SETSOCKOPT = (54, 208)
_SO_ATTACH_FILTERS = (26, 51)
_CLOSE_RANGE = (436, 436)
_CLOSE_RANGE_UNSHARE = 2
_CLONE_VM = 0x100
_CLONE_FILES = 0x400
_CLONE_VFORK = 0x4000
_CLONE_THREAD = 0x10000
_PRCTL = (157, 167)
_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_SET_DUMPABLE = 4
"""It closes the process's files in /proc to a referee that is an ordinary user."""
_PR_SCHED_CORE = 62
"""It keeps all others from the second thread of a core."""
_PR_FUTEX_HASH = 78
"""It makes tables of up to 2 GB in each process, which show in none of its figures."""
_PR_REFUSED = (_PR_SET_SECCOMP, _PR_SET_DUMPABLE, _PR_SCHED_CORE, _PR_FUTEX_HASH)
_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEW* of user, pid, net, ipc, uts, cgroup and mount."""

Step = tuple[int, int, int, int]
"""An instruction of the filter: struct sock_filter."""
_LOAD = 0x20
_EQUAL = 0x15
_AT_LEAST = 0x35
_ANY_BIT = 0x45
_AND = 0x54
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_X32 = 0x40000000
_REFUSE: Step = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
_TCP: tuple[Step, ...] = (
    (_EQUAL, 1, 0, int(socket.AF_INET)),
    (_EQUAL, 0, 6, int(socket.AF_INET6)),
    (_LOAD, 0, 0, 24),
    (_AND, 0, 0, 0xF),  # without SOCK_CLOEXEC and SOCK_NONBLOCK
    (_EQUAL, 0, 3, int(socket.SOCK_STREAM)),
    (_LOAD, 0, 0, 32),  # SCTP and MPTCP have streams, too
    (_EQUAL, 2, 0, 0),
    (_EQUAL, 1, 0, socket.IPPROTO_TCP),
)
"""Skip the step behind these for a socket of TCP. The first one has the family in the register."""


def supported(machine: str) -> bool:
    """True if the system call numbers of this architecture are known."""
    return machine in _ARCHITECTURES


def program(machine: str, *, strict: bool, loopback: bool = False) -> bytes:
    """The filter as struct sock_filter[]. `strict` allows Unix sockets, since nothing is there to connect to.

    With `loopback` it allows TCP as well.
    """
    audit, column = _ARCHITECTURES[machine]
    steps: list[Step] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, 0),
        # x32 calls have the same architecture but other numbers.
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    denied = _NUMBERS | (_STRICT if strict else _BASIC)
    kinds = (denied, errno.EPERM), (_UNKNOWN, errno.ENOSYS), (_INVALID, errno.EINVAL), (_UNSUPPORTED, errno.EOPNOTSUPP)
    for numbers, code in kinds:
        for both in numbers.values():
            if (number := both[column]) is not None:
                steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | code)]
    if strict:
        tcp = _TCP if loopback else ()
        past = len(tcp) + 1
        unix = (_EQUAL, past, 0, int(socket.AF_UNIX))
        steps += _call(_SOCKET[column], _load(0), unix, *tcp, (_RETURN, 0, 0, _ERRNO | errno.EACCES))
    else:
        steps += [(_EQUAL, 0, 1, _SOCKET[column]), (_RETURN, 0, 0, _ERRNO | errno.EACCES)]
        for both, index, all_of_a_user in _ON_A_PROCESS.values():
            number = both[column]
            assert number is not None
            steps += _own_process_only(number, index, all_of_a_user)
    steps += _clone(_CLONE[column])
    steps += _argument(_CLOSE_RANGE[column], 2, errno.EPERM, (_ANY_BIT, 0, 1, _CLOSE_RANGE_UNSHARE))
    # A lease makes whoever opens the file wait. A kernel without these commands answers the same.
    commands = _each(*_F_OFD_LOCKS, _F_SETLEASE, _F_NOTIFY)
    steps += _argument(_FCNTL[column], 1, errno.EINVAL, *commands, (_AT_LEAST, 0, 1, _F_LATER))
    attach = [step for test in _each(*_SO_ATTACH_FILTERS) for step in (test, _REFUSE)]
    # At other levels these numbers are harmless: IPV6_V6ONLY, which Java sets, is one of them.
    of_sockets = (_EQUAL, 0, 1 + len(attach), int(socket.SOL_SOCKET))
    steps += _call(_SETSOCKOPT[column], _load(1), of_sockets, _load(2), *attach)
    steps += _argument(_PRCTL[column], 0, errno.EPERM, *_each(*_PR_REFUSED))
    steps += _death_signal(_PRCTL[column])
    # The kernel takes the CPU counter from a process that runs a program which it may not read.
    for both, index, flags in _MODES.values():
        if (number := both[column]) is not None:
            steps += _readable(number, index, flags)
    steps += _argument(_UMASK[column], 0, errno.EPERM, (_ANY_BIT, 0, 1, _OWNER_READS))
    steps += _ioctl(_IOCTL[column])
    # The mark of an engine's processes is in these limits.
    steps += _argument(_SETRLIMIT[column], 0, errno.EPERM, *_each(resource.RLIMIT_RSS, mark.LOCKS))
    for limit in (resource.RLIMIT_RSS, mark.LOCKS):
        steps += _prlimit(_PRLIMIT[column], limit, errno.EPERM)
    # Programs that want no core dumps set this one to 0. There are none, so they may believe it.
    steps += _argument(_SETRLIMIT[column], 0, 0, *_each(resource.RLIMIT_CORE))
    steps += _prlimit(_PRLIMIT[column], resource.RLIMIT_CORE, 0, pid=0)
    steps += _prlimit(_PRLIMIT[column], resource.RLIMIT_CORE, errno.EPERM)
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def places_of_own_pid(program: bytes) -> tuple[int, ...]:
    """The offsets in the program at which the engine's pid must replace OWN_PID."""
    return tuple(
        8 * index + 4 for index, (*_, operand) in enumerate(struct.iter_unpack("=HBBI", program)) if operand == OWN_PID
    )


def _own_process_only(number: int, index: int, all_of_a_user: int | None) -> list[Step]:
    """Only 0, which means the caller, and the engine's first process pass. A filter cannot know its other pids."""
    steps = [] if all_of_a_user is None else _argument(number, 0, errno.EPERM, *_each(all_of_a_user))
    return steps + _call(number, _load(index), (_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, OWN_PID), _REFUSE)


def _clone(number: int) -> list[Step]:
    """Allow threads, forks, and what waits in vfork for its child, none of them with namespaces of its own.

    Threads share memory and open files, and processes share neither. So both can be counted by processes, and memory
    cannot be handed on from one short-lived process to the next.
    """
    thread = _CLONE_VM | _CLONE_FILES | _CLONE_THREAD
    kinds = (thread, _CLONE_VM | _CLONE_VFORK, _CLONE_VFORK, 0)
    steps = [_load(0), (_ANY_BIT, 1 + len(kinds), 0, _NEW_NAMESPACES), (_AND, 0, 0, thread | _CLONE_VFORK)]
    steps += [(_EQUAL, len(kinds) - index, 0, kind) for index, kind in enumerate(kinds)]
    return _call(number, *steps, _REFUSE)


def _ioctl(number: int) -> list[Step]:
    steps = [_load(1)]
    for command in _OF_TERMINALS:
        steps += [(_EQUAL, 0, 1, command), _REFUSE]
    steps.append((_AND, 0, 0, 0xFF00))
    for kind in _OF_FILE_SYSTEMS:
        # Not EPERM: programs such as `cp` then go on in another way.
        steps += [(_EQUAL, 0, 1, kind), (_RETURN, 0, 0, _ERRNO | errno.ENOTTY)]
    return _call(number, *steps)


def _argument(number: int, index: int, code: int, *tests: Step) -> list[Step]:
    """Refuse a call for one of its arguments. Each test either goes on to the next step or skips it."""
    steps = [_load(index)]
    for test in tests:
        steps += [test, (_RETURN, 0, 0, _ERRNO | code)]
    return _call(number, *steps)


def _call(number: int, *steps: Step) -> list[Step]:
    """These steps for one call alone. The next step needs the call's number in the register, so it is loaded again."""
    return [(_EQUAL, 0, len(steps) + 1, number), *steps, (_LOAD, 0, 0, 0)]


def _load(index: int, half: int = 0) -> Step:
    """Load the lower or the upper half of an argument."""
    return (_LOAD, 0, 0, 16 + 8 * index + 4 * half)


def _each(*values: int) -> list[Step]:
    return [(_EQUAL, 0, 1, value) for value in values]


def _death_signal(number: int) -> list[Step]:
    """Allow no other signal than SIGKILL for the death of the parent, so that an engine cannot outlive the referee."""
    only_kill = (_load(1), (_EQUAL, 1, 0, int(signal.SIGKILL)), _REFUSE)
    return _call(number, _load(0), (_EQUAL, 0, len(only_kill), _PR_SET_PDEATHSIG), *only_kill)


def _readable(number: int, mode: int, flags: int | None) -> list[Step]:
    """Refuse a mode that keeps the owner of a file from reading it."""
    steps = [_load(mode), (_ANY_BIT, 1, 0, _OWNER_READS), _REFUSE]
    if flags is not None:
        steps = [_load(flags), (_ANY_BIT, 0, len(steps), _NEW_FILE), *steps]
    return _call(number, *steps)


def _prlimit(number: int, limit: int, code: int, pid: int | None = None) -> list[Step]:
    """Answer with this code when the limit is set, of this process where `pid` is given; 0 is success.

    To read it, with no pointer to a new value, is allowed.
    """
    answer = (_RETURN, 0, 0, _ERRNO | code)
    no_pointer = (_load(2), (_EQUAL, 0, 2, 0), _load(2, half=1), (_EQUAL, 1, 0, 0), answer)
    steps = [_load(1), (_EQUAL, 0, len(no_pointer), limit), *no_pointer]
    if pid is not None:
        steps = [_load(0), (_EQUAL, 0, len(steps), pid), *steps]
    return _call(number, *steps)
