"""Run inside a sandbox by `probe`: tries to break out, and prints what was refused as JSON. Imports nothing of ours.

No attempt does harm where it succeeds: files belong to the prober, and the values of its process stay as they are.
Arguments: a TCP and a UDP port of the prober, and its pid. The environment names a file (FORBIDDEN) and
a folder (OUTSIDE). It runs with a child until stdin ends, so that the prober can check whether it sees both processes.

Every run waits for it, so it does without `socket` and `json`: to load them would take longer than all the rest.
"""

import _socket
import ctypes
import errno
import fcntl
import os
import resource
import sys
from collections.abc import Callable

F_SETLEASE = 1024
PR_SET_PDEATHSIG = 1
PR_GET_PDEATHSIG = 2
PR_SET_CHILD_SUBREAPER = 36
PTRACE_TRACEME = 0

libc = ctypes.CDLL(None, use_errno=True)


def read() -> None:
    open(os.environ["FORBIDDEN"]).close()


def write() -> None:
    open(os.path.join(os.environ["OUTSIDE"], "written"), "w").close()


def connect() -> None:
    tried = _socket.socket()
    tried.settimeout(2)
    tried.connect(("127.0.0.1", int(sys.argv[1])))


def loopback() -> None:
    # By its name, as a program does that has been told no address.
    server, tried = _socket.socket(), _socket.socket()
    server.bind(("localhost", 0))
    server.listen()
    tried.settimeout(2)
    tried.connect(server.getsockname())


def send() -> None:
    _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).sendto(b"out", ("127.0.0.1", int(sys.argv[2])))


def kill() -> None:
    os.kill(int(sys.argv[3]), 0)


def trace() -> None:
    # A child only lets itself be traced, and ends at once: a process that is traced stops at the next signal.
    child = os.fork()
    if child == 0:
        os._exit(libc.ptrace(PTRACE_TRACEME, 0, None, None) < 0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise OSError("ptrace")


def processes() -> list[Callable[[], object]]:
    pid = int(sys.argv[3])
    return [
        lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE),
        lambda: os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid)),
        lambda: os.sched_setaffinity(pid, os.sched_getaffinity(pid)),
        lambda: os.sched_setscheduler(pid, os.sched_getscheduler(pid), os.sched_param(0)),
        lambda: os.sched_setparam(pid, os.sched_param(0)),
        lambda: call("ioprio_set", 1, pid, 2 << 13 | 4),
    ]


def attributes() -> list[Callable[[], object]]:
    path = os.environ["FORBIDDEN"]
    return [
        lambda: os.chmod(path, 0o600),
        lambda: os.chown(path, -1, -1),
        lambda: os.utime(path),
        lambda: os.setxattr(path, "user.arena", b""),
    ]


def objects() -> list[Callable[[], object]]:
    # The numbers are of no object: a machine that allows the call says that it knows none.
    return [
        lambda: call("shmat", -1, 0, 0),
        lambda: call("msgctl", -1, 2, 0),
        lambda: call("semctl", -1, 0, 12, 0),
        lambda: call("mq_unlink", b"arena-no-such-queue"),
        lambda: call("io_setup", 1, ctypes.byref(ctypes.c_ulong())),
        lambda: call("inotify_init1", 0),
    ]


def lease() -> None:
    with open("leased", "w"):
        pass
    with open("leased") as file:
        fcntl.fcntl(file, F_SETLEASE, fcntl.F_RDLCK)


def settings() -> None:
    # Nothing is written: to be allowed to open it is enough.
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))


def hidden_memory() -> None:
    os.close(os.memfd_create("arena"))


NUMBERS = {
    "x86_64": {"ioprio_set": 251, "shmat": 30, "msgctl": 71, "semctl": 66, "mq_unlink": 241}
    | {"io_setup": 206, "inotify_init1": 294},
    "aarch64": {"ioprio_set": 30, "shmat": 196, "msgctl": 187, "semctl": 191, "mq_unlink": 181}
    | {"io_setup": 0, "inotify_init1": 26},
}


def call(name: str, *arguments: object) -> None:
    number = NUMBERS.get(os.uname().machine, {}).get(name)
    if number is None:
        return
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def all_refused(attempts: list[Callable[[], object]]) -> bool:
    return all([refused(attempt) for attempt in attempts])


def forbidden(attempt: Callable[[], object]) -> bool:
    """True if the call itself is refused, and not for its arguments alone."""
    try:
        attempt()
    except OSError as error:
        return error.errno in (errno.EPERM, errno.ENOSYS)
    return False


def large() -> None:
    with open("large", "wb") as file:
        file.truncate(2 << 20)


def many() -> None:
    descriptors = []
    try:
        for _ in range(1000):
            descriptors.append(os.dup(0))
    finally:
        for fd in descriptors:
            os.close(fd)


def refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False


def status(field: str) -> str:
    with open("/proc/self/status") as file:
        return next((line.split()[1] for line in file if line.startswith(field + ":")), "")


def adopts() -> bool:
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    ours = os.getpid()
    read_end, write_end = os.pipe()
    first = os.fork()
    if first == 0:
        middle = os.getpid()
        if os.fork() == 0:
            while os.getppid() == middle:
                os.sched_yield()
            os.write(write_end, b"y" if os.getppid() == ours else b"n")
        os._exit(0)
    os.waitpid(first, 0)
    os.close(write_end)
    answer = os.read(read_end, 1)
    os.close(read_end)
    os.wait()
    return answer == b"y"


def dies_with_parent() -> bool:
    number = ctypes.c_int()
    libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    libc.prctl(PR_GET_PDEATHSIG, ctypes.byref(number), 0, 0, 0)
    return number.value == 9


def main() -> None:
    refusals = {
        "files": refused(read) and refused(write),
        "tcp": refused(connect),
        "udp": refused(send),
        "signals": refused(kill),
        "filter": refused(trace) and refused(hidden_memory),
        "processes": all_refused(processes()),
        "attributes": all_refused(attributes()),
        "objects": all([forbidden(attempt) for attempt in objects()]),
        "leases": refused(lease),
        "settings": refused(settings),
        "limits": refused(large) and refused(many),
        "privileges": status("NoNewPrivs") == "1" and int(status("CapEff") or "1", 16) == 0,
        "death": dies_with_parent(),
        "orphans": adopts(),
        "namespaces": os.getpid() == 1,
        "loopback": not refused(loopback),
    }
    keep, kept = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(kept)
        os.read(keep, 1)
        os._exit(0)
    held = ", ".join(f'"{name}": {"true" if each else "false"}' for name, each in refusals.items())
    print(f'{{"held": {{{held}}}, "user": {os.getuid()}}}', flush=True)
    sys.stdin.read()
    os.close(kept)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
