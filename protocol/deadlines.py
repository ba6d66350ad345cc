"""How long an engine may take outside its own thinking. Owns the figures of SPEC.md chapter 10; measures nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long each wait may take (SPEC.md chapter 10)."""

    start_ms: int = 10_000
    ready_ms: int = 10_000
    newgame_ms: int = 60_000
    quit_ms: int = 2_000
    stop_ms: int = 2_000
