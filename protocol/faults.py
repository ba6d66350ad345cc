"""What an engine can do wrong while it is refereed. Their fault is one type; every other exception is ours."""

from enum import StrEnum
from typing import NamedTuple


class Fault(StrEnum):
    """The word of a forfeit (SPEC.md, Faults)."""

    TIME = "time"
    """No newline of a `bestmove` by clock + margin or movetime + margin."""
    STALL = "stall"
    """Any other deadline passed."""
    CRASH = "crash"
    """The process is gone or its stdout closed while something was due."""
    MALFORMED_MOVE = "malformed-move"
    """`bestmove` with something that is no word of the move grammar, or a cap on output exceeded."""
    ILLEGAL_MOVE = "illegal-move"
    """In the grammar, not legal."""


class Times(NamedTuple):
    """What was allowed and what was measured, in ns, None where it could not be had or does not apply."""

    allowed_ns: int
    wall_ns: int
    cpu_ns: int | None = None
    late_ns: int | None = None
    """The machine's share of the wall time."""
    machine: bool = False
    """Was only the machine late? Then a forfeit is the machine's, given because wall time was asked for."""


class Scene(NamedTuple):
    """What an engine left behind, for its author."""

    transcript: tuple[str, ...]
    """The last lines of the dialogue."""
    stderr: str
    """The end of what it wrote there."""
    exit: str
    """How it ended, for people: `exit status 3`; `still running, ended by the referee`."""


class EngineFault(Exception):
    """The engine broke the protocol: a verdict, not an accident. `detail` is one sentence for its author."""

    def __init__(self, fault: Fault, detail: str, times: Times | None = None) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail
        self.times = times
        self.scene: Scene | None = None
        """Set by whoever ended the process because of it."""


class MachineLate(Exception):
    """The machine gave an engine so little CPU that nothing can be said about the engine. One sentence."""


class CannotStart(Exception):
    """The operating system refused to start the command at all: no such file, not executable, bad directory."""
