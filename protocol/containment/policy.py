"""What is asked for: the level, the caps, what an engine may read beyond the system. Owns no mechanism."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    """How much an engine is kept from."""

    NONE = "none"
    """Its own session, nothing else."""
    BASIC = "basic"
    """Files, network, signals and caps by what an ordinary process may do to itself."""
    STRICT = "strict"
    """A bubblewrap of its own namespaces besides."""


@dataclass(frozen=True, slots=True)
class Caps:
    """What one engine, all its processes together, may use up. None: no cap."""

    memory_mb: int | None = 2048
    processes: int | None = 64
    threads: int | None = 512
    disk_mb: int | None = 256
    """Of its scratch, and of any single file."""
    files: int = 256
    """Open at once, in each process."""
    address_space_mb: int | None = None
    """Of each process. Off unless asked for: a JVM reserves far more than it uses, and dies of it."""


@dataclass(frozen=True, slots=True)
class SandboxPolicy:
    """How one engine is contained. Paths are absolute."""

    level: Level = Level.BASIC
    caps: Caps = Caps()
    reads: tuple[str, ...] = ()
    """Files and folders it may read and run, besides the system's, its own and those that its command names."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Added to the environment."""
    directory: str | None = None
    """Where it starts, and may read. None: its scratch (at `none`: where we are)."""

    def record(self) -> dict[str, Any]:
        """As it is kept with a run: plain values, without the environment, which may hold secrets."""
        return {"level": str(self.level), "caps": asdict(self.caps), "reads": list(self.reads)}
