"""What containment this machine can really do: found by starting a child in the box that tries to get out.

Never asks for version numbers. A part that is missing has a name, what was seen, and what to do about it.
"""

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

from protocol.containment import bubblewrap, kernel
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.containment.sandbox import Sandbox
from protocol.faults import CannotStart
from protocol.read_alarm import nothing

_ANSWER_MS = 10_000
_ATTEMPTS = os.path.join(os.path.dirname(__file__), "attempts.py")


class Part(NamedTuple):
    """One thing that a level does, and whether it does it here."""

    name: str
    works: bool
    detail: str
    """What it keeps an engine from where it works; what is possible to an engine where it does not."""
    remedy: str


class CannotContain(Exception):
    """What was asked for is not to be had on this machine. One sentence with the missing part and the remedy."""


_LANDLOCK = "a kernel with Landlock (Linux {}), and `landlock` among the LSMs that it starts with (lsm=)"
_PARTS = {
    "files": ("files outside its scratch and its grants", _LANDLOCK.format("5.13")),
    "tcp": ("TCP connections", _LANDLOCK.format("6.7") + ", or seccomp filters on x86_64 or aarch64"),
    "udp": ("UDP and other sockets", "a kernel with seccomp filters, on x86_64 or aarch64"),
    "signals": ("signals to processes of ours", _LANDLOCK.format("6.12")),
    "filter": ("system calls that no engine needs", "a kernel with seccomp filters, on x86_64 or aarch64"),
    "limits": ("large files and many open files", "a system that lets an engine be limited (setrlimit)"),
    "privileges": ("new privileges and the capabilities of root", "a kernel with PR_SET_NO_NEW_PRIVS"),
    "death": ("outliving the referee", "a kernel with PR_SET_PDEATHSIG"),
    "orphans": ("leaving its parent for good", "a kernel with PR_SET_CHILD_SUBREAPER"),
    "watchdog": ("memory and processes beyond its caps", "/proc of this machine, with its `children` files"),
    "namespaces": ("processes and network of the machine", bubblewrap.REMEDY),
}
_STRICT_ONLY = ("namespaces",)
"""What `basic` does not claim."""


def probe(level: Level, born: Callable[[], None] = nothing) -> tuple[Part, ...]:
    """Try each part of a level in a child; () for `none`. Some hundredths of a second.

    `born` is called when the child has started: from then on nothing is forked. The thread must live on till the end,
    for the child dies with it.
    """
    if level is Level.NONE:
        return ()
    names = [name for name in _PARTS if level is Level.STRICT or name not in _STRICT_ONLY]
    missing = ""
    held: dict[str, bool] = {}
    try:
        held = _try(level, born)
    except CannotStart as refused:
        missing = str(refused)
    return tuple(_part(name, held.get(name, False), missing) for name in names)


def _part(name: str, works: bool, missing: str) -> Part:
    what, remedy = _PARTS[name]
    if works:
        return Part(name, True, f"keeps an engine from {what}", "")
    return Part(name, False, missing or f"an engine is not kept from {what}", f"it needs {remedy}")


def require(level: Level, *, explicit: bool, born: Callable[[], None] = nothing) -> tuple[Part, ...]:
    """Probe, and raise CannotContain where a part is missing of what was asked for explicitly, or of `strict`."""
    parts = probe(level, born)
    missing = [part for part in parts if not part.works]
    if missing and (explicit or level is Level.STRICT):
        first = missing[0]
        names = ", ".join(part.name for part in missing)
        raise CannotContain(
            f"containment `{level}` is not to be had here (missing: {names}): {first.detail}; {first.remedy}"
        )
    return parts


def shortfall(level: Level, parts: tuple[Part, ...]) -> str | None:
    """One sentence to be said once about what is missing, None where nothing is."""
    missing = [part for part in parts if not part.works]
    if not missing:
        return None
    what = ", ".join(_PARTS[part.name][0] for part in missing)
    return f"containment `{level}` is incomplete here: engines are not kept from {what}; {missing[0].remedy}"


def in_force(box: SandboxPolicy, parts: tuple[Part, ...]) -> dict[str, Any]:
    """What is recorded with a run: level, caps and grants as asked for, and what the probe found. Plain values."""
    return {
        **box.record(),
        "works": [part.name for part in parts if part.works],
        "missing": [part.name for part in parts if not part.works],
        "landlock_abi": kernel.landlock_abi() if box.level is Level.BASIC else 0,
    }


def _try(level: Level, born: Callable[[], None]) -> dict[str, bool]:
    """Which attempts the box withstood, by name. Raises CannotStart."""
    with ExitStack() as stack:
        outside = stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-probe-"))
        forbidden = os.path.join(outside, "forbidden")
        with open(forbidden, "w") as file:
            file.write("secret")
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        ports = (str(tcp.getsockname()[1]), str(udp.getsockname()[1]))
        with open(_ATTEMPTS, encoding="utf-8") as file:
            code = file.read()
        # What is forbidden travels in the environment: paths that a command names are granted.
        environment = {"FORBIDDEN": forbidden, "OUTSIDE": outside}
        argv = [sys.executable, "-I", "-S", "-c", code, *ports, str(os.getpid())]
        cell = Sandbox(SandboxPolicy(level, Caps(disk_mb=1, files=64), environment=environment), argv)
        stack.callback(cell.close)
        return _answer(cell, born)


def _answer(cell: Sandbox, born: Callable[[], None]) -> dict[str, bool]:
    try:
        popen = subprocess.Popen(
            cell.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cell.directory,
            env=cell.environment,
            preexec_fn=cell.enter,
            pass_fds=cell.pass_fds,
            start_new_session=True,
        )
    except subprocess.SubprocessError as error:
        raise CannotStart(cell.refusal()) from error
    except OSError as error:
        raise CannotStart(f"cannot start {cell.argv[0]}: {error.strerror}") from error
    assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
    born()
    try:
        cell.started(popen.pid)
        poll = select.poll()
        poll.register(popen.stdout, select.POLLIN)
        line = popen.stdout.readline() if poll.poll(_ANSWER_MS) else b""
        seen = len([member for member in cell.members() if not member.dead])
        if line:
            held: dict[str, bool] = json.loads(line)
            return {**held, "watchdog": seen >= 2 + (cell.box.level is Level.STRICT)}
    finally:
        cell.reap()
        errors = popen.communicate()[1].decode(errors="replace").strip()
    raise CannotStart(f"a child in the box could not run: {errors or 'it said nothing'}")
