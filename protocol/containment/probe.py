"""What containment this machine really offers. A child in a sandbox tries to break out.

Does not rely on version numbers. A missing part has a name, an observation and a remedy.
"""

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib import resources
from typing import Any, NamedTuple

from protocol import cpu_counter, launch
from protocol.containment import bubblewrap, kernel, scratch
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.containment.sandbox import Sandbox
from protocol.faults import CannotStart

_ANSWER_MS = 10_000


class Part(NamedTuple):
    """One part of a level, and whether it works on this machine."""

    name: str
    works: bool
    detail: str
    """What it keeps an engine from, or, if it does not work, what an engine can do."""
    remedy: str


class CannotContain(Exception):
    """The requested containment is not available here. One sentence with the missing part and the remedy."""


_LANDLOCK = "a kernel with Landlock (Linux {}), and `landlock` among the LSMs that it starts with (lsm=)"
_FILTER = "a kernel with seccomp filters, on x86_64 or aarch64"
_PARTS = {
    "files": ("files outside its scratch and its grants", _LANDLOCK.format("5.13")),
    "tcp": ("TCP connections", _LANDLOCK.format("6.7") + ", or seccomp filters on x86_64 or aarch64"),
    "udp": ("UDP and other sockets", _FILTER),
    "signals": ("signals to processes of ours", _LANDLOCK.format("6.12")),
    "filter": ("system calls that no engine needs", _FILTER),
    "processes": ("limits, priorities and CPUs of other processes", _FILTER),
    "attributes": ("modes, owners and times of files outside its scratch", _FILTER),
    "objects": ("shared memory, queues, watches and AIO of the machine", _FILTER),
    "leases": ("leases that keep others waiting for a file", _FILTER),
    "settings": ("settings of the machine (/proc/sys)", _LANDLOCK.format("5.13")),
    "limits": ("large files and many open files", "a system that lets an engine be limited (setrlimit)"),
    "privileges": ("new privileges and the capabilities of root", "a kernel with PR_SET_NO_NEW_PRIVS"),
    "death": ("outliving the referee", "a kernel with PR_SET_PDEATHSIG and " + _FILTER[2:]),
    "orphans": ("leaving its parent for good", "a kernel with PR_SET_CHILD_SUBREAPER"),
    "watchdog": ("memory and processes beyond its caps", "/proc of this machine, with its `children` files"),
    "namespaces": ("processes and network of the machine", bubblewrap.REMEDY),
    "loopback": ("TCP on a loopback of its own, where its entry grants that", bubblewrap.REMEDY),
}
_STRICT_ONLY = ("namespaces",)
"""The parts that only `strict` has."""
_GRANTS = ("loopback",)
"""What a level can give, and not what it keeps an engine from."""
_START = "start"
"""The name of the part that is missing where no engine can be started at this level."""


class Found(NamedTuple):
    """What the attempts of one level came to."""

    parts: tuple[Part, ...]
    user: int | None
    """The user that the child ran as, None where no child could be started."""
    counted: bool
    """True if the kernel counted its CPU time and that of all its processes (`protocol.cpu_counter`)."""


def probe(level: Level, on_start: Callable[[], None] = lambda: None, *, loopback: bool = False) -> tuple[Part, ...]:
    """Try each part of a level in a child; () for `none`. It takes some hundredths of a second.

    `on_start` is called when the child has started; no fork comes later. The calling thread must live until the end,
    since the child dies with it. Where no child can be started, the only part is the one that is missing for that.
    """
    return () if level is Level.NONE else examine(level, on_start, loopback=loopback).parts


def examine(level: Level, on_start: Callable[[], None] = lambda: None, *, loopback: bool = False) -> Found:
    """As `probe`, also for `none`, for which it tells what the machine refuses by itself.

    `loopback`: the child has that grant, and `loopback` is one of the parts.
    """
    if level is Level.STRICT and bubblewrap.program() is None:
        return Found((Part("namespaces", False, "bubblewrap is not on the PATH", bubblewrap.REMEDY),), None, False)
    names = [name for name in _PARTS if level is Level.STRICT or name not in (*_STRICT_ONLY, *_GRANTS)]
    names = names if loopback else [name for name in names if name not in _GRANTS]
    try:
        results, user, counted = _run_attempts(level, on_start, loopback)
    except CannotStart as refused:
        return Found((Part(_START, False, str(refused), "`arena docs CONTAINMENT` says what it takes"),), None, False)
    return Found(tuple(_part(name, results.get(name, False)) for name in names), user, counted)


def _part(name: str, works: bool) -> Part:
    what, remedy = _PARTS[name]
    if name in _GRANTS:
        return Part(name, works, f"an engine {'may have' if works else 'cannot have'} {what}", "" if works else remedy)
    if works:
        return Part(name, True, f"keeps an engine from {what}", "")
    return Part(name, False, f"an engine is not kept from {what}", f"it needs {remedy}")


def kept_from(part: Part) -> str:
    """What a part keeps an engine from."""
    return _PARTS[part.name][0]


def require(
    level: Level, *, explicit: bool, on_start: Callable[[], None] = lambda: None, loopback: bool = False
) -> tuple[Part, ...]:
    """Probe the level. Raises CannotContain if a part of `strict`, or of an explicitly requested level, is missing."""
    parts = probe(level, on_start, loopback=loopback)
    missing = [part for part in parts if not part.works]
    if missing and (explicit or level is Level.STRICT):
        first = missing[0]
        names = ", ".join(part.name for part in missing)
        raise CannotContain(
            f"containment `{level}` is not available here (missing: {names}): {first.detail}; {first.remedy}"
        )
    return parts


def shortfall(level: Level, parts: tuple[Part, ...]) -> str | None:
    """One warning sentence about the missing parts, None if there are none."""
    missing = [part for part in parts if not part.works]
    if not missing:
        return None
    if missing[0].name not in _PARTS:
        return f"containment `{level}` does not work here: {missing[0].detail}; {missing[0].remedy}"
    what = ", ".join(map(kept_from, missing))
    return f"containment `{level}` is incomplete here: engines are not kept from {what}; {missing[0].remedy}"


def in_force(policy: SandboxPolicy, parts: tuple[Part, ...]) -> dict[str, Any]:
    """The plain values that are recorded with a run: the policy, and the result of the probe."""
    return {
        **policy.record(),
        "works": [part.name for part in parts if part.works],
        "missing": [part.name for part in parts if not part.works],
        "cpu_counter": cpu_counter.available(),
        "landlock_abi": kernel.landlock_abi() if policy.level is Level.BASIC else 0,
    }


def _run_attempts(level: Level, on_start: Callable[[], None], loopback: bool) -> tuple[dict[str, bool], int, bool]:
    """The names of the attempts, and whether the sandbox refused them; the child's user; was its CPU time counted?

    Raises CannotStart.
    """
    with ExitStack() as stack:
        outside = stack.enter_context(scratch.folder("probe"))
        forbidden = os.path.join(outside, "forbidden")
        with open(forbidden, "w") as file:
            file.write("secret")
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        ports = (str(tcp.getsockname()[1]), str(udp.getsockname()[1]))
        code = (resources.files("protocol.containment") / "attempts.py").read_text(encoding="utf-8")
        # The forbidden paths travel in the environment, since paths in the command are granted.
        environment = {"FORBIDDEN": forbidden, "OUTSIDE": outside}
        argv = [sys.executable, "-I", "-S", "-c", code, *ports, str(os.getpid())]
        # Without a sandbox there is no scratch, and the child must not write into the user's folder.
        directory = outside if level is Level.NONE else None
        caps = Caps(disk_mb=1, files=64)
        policy = SandboxPolicy(level, caps, environment=environment, directory=directory, loopback=loopback)
        sandbox = Sandbox(policy, argv)
        stack.callback(sandbox.close)
        return _read_results(sandbox, on_start)


def _read_results(sandbox: Sandbox, on_start: Callable[[], None]) -> tuple[dict[str, bool], int, bool]:
    try:
        popen = launch.popen(sandbox)
    except subprocess.SubprocessError as error:
        raise CannotStart(sandbox.setup_error()) from error
    except OSError as error:
        raise CannotStart(f"cannot start {sandbox.argv[0]}: {error.strerror}") from error
    assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
    on_start()
    try:
        sandbox.started(popen.pid)
        poll = select.poll()
        poll.register(popen.stdout, select.POLLIN)
        line = popen.stdout.readline() if poll.poll(_ANSWER_MS) else b""
        seen = len([member for member in sandbox.members() if not member.dead])
        if line:
            answer = json.loads(line)
            held: dict[str, bool] = answer["held"]
            # `none` has no watchdog, and nobody adopts its orphans.
            watched = sandbox.policy.level is not Level.NONE
            held["watchdog"] = watched and seen >= 2 + (sandbox.policy.level is Level.STRICT)
            held["orphans"] = watched and held["orphans"]
            return held, int(answer["user"]), sandbox.counter >= 0
    finally:
        sandbox.reap()
        errors = popen.communicate()[1].decode(errors="replace").strip()
    raise CannotStart(f"a test program in the sandbox could not run: {errors or 'it wrote nothing'}")
