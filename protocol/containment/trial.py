"""What the walls of this machine really hold: a program in a box tries to get out, once for each wall.

Nothing relies on version numbers. A part that is missing has a name, an observation and a remedy.
"""

import json
import os
import select
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from protocol.containment import box, group, landlock, scratch
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.faults import CannotStart

_ANSWER_MS: Final = 10_000
_ATTEMPTS: Final = """
import _socket, ctypes, os, sys
def refused(attempt):
    try:
        attempt()
    except OSError:
        return True
    return False
forbidden, outside, tcp, udp, pid = sys.argv[1:]
def connect():
    tried = _socket.socket()
    tried.settimeout(2)
    tried.connect(("127.0.0.1", int(tcp)))
def send():
    _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).sendto(b"out", ("127.0.0.1", int(udp)))
def loopback():
    server, tried = _socket.socket(), _socket.socket()
    server.bind(("localhost", 0))
    server.listen()
    tried.settimeout(2)
    tried.connect(server.getsockname())
with open("/proc/self/status") as file:
    capabilities = next(line.split()[1] for line in file if line.startswith("CapEff"))
refused(send)
held = {
    "files": refused(lambda: open(forbidden)) and refused(lambda: open(outside + "/written", "w")),
    "tcp": refused(connect),
    "signals": refused(lambda: os.kill(int(pid), 0)),
    "filter": refused(lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))),
    "privileges": int(capabilities, 16) == 0,
    "loopback": not refused(loopback),
}
print(repr(held | {"user": os.getuid()}).replace("'", '"').replace("True", "true").replace("False", "false"))
"""
"""Without `socket` and `json`, which take longer to load than all the rest: every run waits for it."""


class Part(NamedTuple):
    """One part of a level, and whether it works on this machine."""

    name: str
    works: bool
    detail: str
    """What it keeps an engine from, or, if it does not work, what an engine can do."""
    remedy: str


class CannotContain(Exception):
    """The requested containment is not available here. One sentence with the missing part and the remedy."""


_LANDLOCK: Final = "a kernel with Landlock (Linux {}), and `landlock` among the LSMs that it starts with (lsm=)"
_FILTER: Final = "a kernel with seccomp filters, on x86_64 or aarch64"
_GROUP: Final = f"control groups: run the arena as root, or by `{group.REMEDY}`"
_PARTS: Final = {
    "files": ("files outside of its scratch and its grants", _LANDLOCK.format("5.13")),
    "tcp": ("TCP connections", _LANDLOCK.format("6.7") + ", or seccomp filters on x86_64 or aarch64"),
    "udp": ("UDP and other sockets", _FILTER),
    "signals": ("signals to other processes", _LANDLOCK.format("6.12")),
    "filter": ("priorities and CPUs of others, and other calls that no engine needs", _FILTER),
    "privileges": ("the capabilities of root", "setpriv (util-linux)"),
    "processes": ("more threads and processes than its cap", _GROUP),
    "memory": ("more memory than its cap, helpers included", _GROUP),
    "outliving": ("outliving its game in a process that left its session", _GROUP),
    "loopback": ("TCP on a loopback of its own, if its entry grants that", box.INSTALL),
}
_START: Final = "start"
"""The name of the part that is missing where no engine can be started at this level."""


class Found(NamedTuple):
    """What the attempts of one level came to."""

    parts: tuple[Part, ...]
    user: int | None
    """The user that the engine ran as, None where no engine could be started."""
    grouped: bool
    """True if the engine had a control group."""


def examine(level: Level) -> Found:
    """Try each part of a level. It takes some hundredths of a second."""
    with ExitStack() as stack:
        outside = stack.enter_context(scratch.folder("trial", box.USER))
        forbidden = os.path.join(outside, "forbidden")
        with open(forbidden, "w") as file:
            file.write("secret")
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        ports = (str(tcp.getsockname()[1]), str(udp.getsockname()[1]))
        # The paths must not be words of the command, which would grant them.
        attempts = _ATTEMPTS.replace("sys.argv[1:]", repr((forbidden, outside, *ports, str(os.getpid()))))
        argv = (sys.executable, "-I", "-S", "-c", attempts)
        # Without a wall there is no scratch, and the program must not write into the user's folder.
        directory = outside if level is Level.NONE else None
        policy = SandboxPolicy(level, Caps(), directory=directory, loopback=level is Level.STRICT)
        try:
            held, grouped = _answer(policy, argv)
            held["udp"] = not select.select([udp], [], [], 0)[0]
        except CannotStart as refused:
            part = Part(_START, False, str(refused), "`arena docs CONTAINMENT` says what it takes")
            return Found((part,), None, False)
    ours = group.groups()
    caps = ours.caps if grouped and ours is not None else set()
    held |= {"processes": "pids" in caps, "memory": "memory" in caps, "outliving": grouped or level is Level.STRICT}
    if level is Level.STRICT and held["user"]:  # the kernel bounds the processes of a user, but not those of root
        held["processes"] = True
    if level is Level.NONE:  # it has no caps, and the engine may leave its group
        held |= dict.fromkeys(("processes", "memory", "outliving"), False)
    names = [name for name in _PARTS if name != "loopback" or level is Level.STRICT]
    return Found(tuple(_part(name, bool(held.get(name))) for name in names), int(held["user"]), grouped)


def _answer(policy: SandboxPolicy, argv: tuple[str, ...]) -> tuple[dict[str, Any], bool]:
    """What the program in the box found, and whether it had a group. Raises CannotStart."""
    from protocol.process import Command, EngineProcess
    from protocol.transport import TransportClosed, TransportTimeout

    with EngineProcess.spawn(Command(argv, policy)) as process:
        try:
            line = process.receive(time.monotonic_ns() + _ANSWER_MS * 1_000_000)
        except (TransportClosed, TransportTimeout) as error:
            process.wait(time.monotonic_ns() + 1_000_000_000)
            said = process.stderr_tail().decode(errors="replace").strip() or str(error) or "it said nothing"
            raise CannotStart(f"a test program in the sandbox could not run: {said}") from error
        return json.loads(line), process.box.group is not None


def _part(name: str, works: bool) -> Part:
    what, remedy = _PARTS[name]
    if name == "loopback":
        return Part(name, works, f"an engine {'may have' if works else 'cannot have'} {what}", "" if works else remedy)
    if works:
        return Part(name, True, f"keeps an engine from {what}", "")
    return Part(name, False, f"an engine is not kept from {what}", f"it needs {remedy}")


def of_groups(part: Part) -> bool:
    """True for a part that a control group holds."""
    return part.name in _PARTS and _PARTS[part.name][1] is _GROUP


def kept_from(part: Part) -> str:
    """What a part keeps an engine from."""
    return _PARTS[part.name][0]


def require(level: Level, *, explicit: bool) -> tuple[Part, ...]:
    """Try the level; () for `none`. Raises CannotContain if a wall that was asked for is missing.

    What only a control group holds may be missing at every level; the run says so.
    """
    if level is Level.NONE:
        return ()
    parts = examine(level).parts
    missing = [part for part in parts if not part.works and not of_groups(part)]
    if missing and (explicit or level is Level.STRICT):
        names = ", ".join(part.name for part in missing)
        raise CannotContain(
            f"containment `{level}` is not available here (missing: {names}): {missing[0].detail}; {missing[0].remedy}"
        )
    return parts


def shortfall(level: Level, parts: Sequence[Part]) -> str | None:
    """One warning sentence about the missing parts, None if there are none."""
    missing = [part for part in parts if not part.works]
    if not missing:
        return None
    if missing[0].name not in _PARTS:
        return f"containment `{level}` does not work here: {missing[0].detail}; {missing[0].remedy}"
    what = ", ".join(map(kept_from, missing))
    remedies = "; ".join(dict.fromkeys(part.remedy for part in missing))
    return f"containment `{level}` is incomplete here: engines are not kept from {what}; {remedies}"


def in_force(policy: SandboxPolicy, parts: tuple[Part, ...]) -> dict[str, Any]:
    """The plain values that are recorded with a run: the policy, and the result of the trial."""
    return {
        **policy.record(),
        "works": [part.name for part in parts if part.works],
        "missing": [part.name for part in parts if not part.works],
        "control_group": group.groups() is not None,
        "landlock_abi": landlock.abi() if policy.level is Level.BASIC else 0,
    }
