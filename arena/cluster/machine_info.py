"""What a machine of a cluster is: how many slots it offers, on which CPUs, and what it says of itself."""

import hashlib
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from arena import version
from arena.cluster.shipment import OURS
from protocol.containment import group


@dataclass(frozen=True, slots=True)
class MachineInfo:
    """What a machine tells of itself to an arena that wants to play on it."""

    host: str
    slots: int
    cpus: str
    edition: str
    python: str
    clock: float
    """Its time of day in seconds."""
    monotonic_ns: int
    """Its own clock, which snapshots of running games refer to."""
    groups: bool
    """Whether it has control groups, which freeze engines."""
    playing: str = ""
    """The run that it plays for; empty where it is free."""


def info(slots: int, cpus: Sequence[int], playing: str = "") -> MachineInfo:
    """What this machine says of itself now: the number of slots that it offers, and the CPUs reserved for them."""
    return MachineInfo(
        platform.node(),
        slots,
        ",".join(map(str, cpus)),
        edition(),
        platform.python_version(),
        time.time(),
        time.monotonic_ns(),
        group.groups() is not None,
        playing,
    )


@cache
def edition() -> str:
    """The version of the arena with a digest of its Python files, since a checkout changes between two versions."""
    digest = hashlib.sha256()
    for package in ("arena", "engines", "protocol", "results"):
        for path in sorted((OURS / package).rglob("*.py")):
            digest.update(path.relative_to(OURS).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{version.number()}+{digest.hexdigest()[:8]}"
