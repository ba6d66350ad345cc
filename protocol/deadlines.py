"""The deadlines of an engine outside its thinking time (SPEC.md chapter 10)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The longest wait for each answer."""

    start_ms: int = 10_000
    ready_ms: int = 10_000
    newgame_ms: int = 60_000
    quit_ms: int = 2_000
    stop_ms: int = 2_000


DEADLINES = Deadlines()
"""The defaults. They are written here and nowhere else."""
