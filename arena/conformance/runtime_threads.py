"""The threads that a language's runtime has of its own, such as compilers and collectors; no engine started them.

Only reads /proc. A process is known by its program or by a library that it has loaded. Independent of checks.
"""

import mmap
import os
import re
from collections.abc import Mapping
from pathlib import Path

PROC = Path("/proc")
_PROGRAMS = re.compile(r"(java|node|nodejs|deno|bun|dotnet|beam\.smp)(-?[0-9.]+)?")
_LIBRARIES = re.compile(r"/lib(jvm|coreclr|node|mono[a-z0-9.-]*)\.so")
_GO = b"\xff Go buildinf:"
"""Stands in every program that Go has built, as `go version FILE` looks for it."""
_JVM = r"G1 |GC Thread|VM |C[12] Compiler|Reference Handl|Finalizer|Signal Dispatch|Service Thread|Monitor Deflati"
_JVM += r"|Notification Th|Common-Cleaner|Sweeper thread|Attach Listener|process reaper|Cleaner-|Z[A-Z]|Shenandoah"
_RUNTIME_NAMES = re.compile(rf"(?:{_JVM}|\.NET |DelayedTaskSche|V8Worker|libuv-worker|node-inspector)")
_WORKING_SHARE = 0.5


def has_runtime(pid: int) -> bool:
    """Is the process run by a runtime that starts threads of its own? False where the system does not tell."""
    try:
        program = os.readlink(PROC / str(pid) / "exe")
        maps = (PROC / str(pid) / "maps").read_text(errors="replace")
    except OSError:
        return False
    return bool(_PROGRAMS.fullmatch(os.path.basename(program)) or _LIBRARIES.search(maps)) or _is_go(pid)


def _is_go(pid: int) -> bool:
    try:
        with (
            (PROC / str(pid) / "exe").open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return content.find(_GO) >= 0
    except (OSError, ValueError):  # ValueError: an empty file
        return False


def cpu_times_ns(pid: int) -> dict[int, int]:
    """The CPU time in ns of each living thread since its start, without those whose names are a runtime's own."""
    times_ns = {}
    for task in (PROC / str(pid) / "task").glob("[0-9]*"):
        try:
            if not _RUNTIME_NAMES.match((task / "comm").read_text(errors="replace")):
                times_ns[int(task.name)] = int((task / "schedstat").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            continue
    return times_ns


def working(before_ns: Mapping[int, int], after_ns: Mapping[int, int]) -> int:
    """How many threads worked between two moments: those with at least half the CPU time of the busiest; at least 1."""
    times_ns = [ns - before_ns.get(thread, 0) for thread, ns in after_ns.items()]
    busiest = max(times_ns, default=0)
    return max(1, sum(ns >= _WORKING_SHARE * busiest > 0 for ns in times_ns))
