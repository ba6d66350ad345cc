"""Run inside a sandbox by `probe`: tries to break out, and prints what was refused as JSON. Imports nothing of ours.

Arguments: a TCP and a UDP port of the prober, and its pid. The environment names a file (FORBIDDEN) and
a folder (OUTSIDE). It runs with a child until stdin ends, so that the prober can check whether it sees both processes.
"""

import ctypes
import json
import os
import socket
import sys
from collections.abc import Callable

PR_GET_PDEATHSIG = 2
PR_SET_CHILD_SUBREAPER = 36
PTRACE_TRACEME = 0

libc = ctypes.CDLL(None, use_errno=True)


def read() -> None:
    open(os.environ["FORBIDDEN"]).close()


def write() -> None:
    open(os.path.join(os.environ["OUTSIDE"], "written"), "w").close()


def connect() -> None:
    with socket.socket() as tried:
        tried.settimeout(2)
        tried.connect(("127.0.0.1", int(sys.argv[1])))


def send() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
        tried.sendto(b"out", ("127.0.0.1", int(sys.argv[2])))


def kill() -> None:
    os.kill(int(sys.argv[3]), 0)


def trace() -> None:
    # It only lets itself be traced, which is harmless where it is allowed.
    if libc.ptrace(PTRACE_TRACEME, 0, None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def large() -> None:
    with open("large", "wb") as file:
        file.truncate(2 << 20)


def many() -> None:
    taken = []
    try:
        for _ in range(1000):
            taken.append(os.dup(0))
    finally:
        for fd in taken:
            os.close(fd)


def refused(attempt: Callable[[], None]) -> bool:
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
    libc.prctl(PR_GET_PDEATHSIG, ctypes.byref(number), 0, 0, 0)
    return number.value == 9


def main() -> None:
    held = {
        "files": refused(read) and refused(write),
        "tcp": refused(connect),
        "udp": refused(send),
        "signals": refused(kill),
        "filter": refused(trace),
        "limits": refused(large) and refused(many),
        "privileges": status("NoNewPrivs") == "1" and int(status("CapEff") or "1", 16) == 0,
        "death": dies_with_parent(),
        "orphans": adopts(),
        "namespaces": os.getpid() == 1,
    }
    keep, kept = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(kept)
        os.read(keep, 1)
        os._exit(0)
    print(json.dumps(held), flush=True)
    sys.stdin.read()
    os.close(kept)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
