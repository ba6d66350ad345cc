"""The policy of a sandbox: the level, the caps, and what an engine may read beyond the system."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    """The wall around an engine."""

    NONE = "none"
    """None: only its own process group and, where there are control groups, a group."""
    BASIC = "basic"
    """Landlock and a filter of system calls."""
    STRICT = "strict"
    """Namespaces of its own, made by bubblewrap."""


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps on one engine's usage, all its processes together. None is no cap."""

    memory_mb: int | None = 2048
    threads: int | None = 512
    """Of all its processes, each of which has at least one."""
    disk_mb: int | None = 256
    """The size of each file and, in `strict`, of its scratch folder. Memory bounds both where the kernel holds it."""
    files: int = 256
    """The number of open files in each process."""


NO_CAPS = Caps(None, None, None)


@dataclass(frozen=True, slots=True)
class SandboxPolicy:
    """How one engine is contained. Paths are absolute."""

    level: Level = Level.BASIC
    caps: Caps = Caps()
    reads: tuple[str, ...] = ()
    """Files and folders that it may read and run, besides the system's and those that its command names."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that are added to its environment."""
    directory: str | None = None
    """Its working directory, which it may read. None is its scratch folder, or with `none` our own directory."""
    closed: tuple[str, ...] = ()
    """Results files, and folders of them, that it must not open, wherever it may read: who can open one can lock it."""
    loopback: bool = False
    """Whether it may speak TCP over a loopback that only its own processes reach. `strict` alone has one."""

    def record(self) -> dict[str, Any]:
        """The plain values that are stored with a run. The environment is left out, since it may hold secrets."""
        grants = {"grants": ["loopback"]} if self.loopback else {}
        return {"level": str(self.level), "caps": asdict(self.caps), "reads": list(self.reads), **grants}
