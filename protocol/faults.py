"""The faults of an engine in a game. An engine's fault is an EngineFault; any other exception is our bug."""

from enum import StrEnum
from typing import NamedTuple


class Fault(StrEnum):
    """The words of a forfeit (SPEC.md chapter 11)."""

    TIME = "time"
    """No complete `bestmove` line came within clock + margin or movetime + margin."""
    STALL = "stall"
    """Another deadline passed."""
    CRASH = "crash"
    """The process ended or closed its stdout while an answer was due."""
    MALFORMED_MOVE = "malformed-move"
    """The `bestmove` was no word of the move grammar, or a cap on output was exceeded."""
    ILLEGAL_MOVE = "illegal-move"
    """The move was in the grammar but not legal."""


class Times(NamedTuple):
    """The allowed and the measured times, in ns. None means not available or not applicable."""

    allowed_ns: int
    wall_ns: int
    cpu_ns: int | None = None
    late_ns: int | None = None
    """The machine's share of the wall time."""
    machine: bool = False
    """True if only the line to the engine was late (a guest's)."""


class LastWords(NamedTuple):
    """The evidence of a fault, for the engine's author."""

    transcript: tuple[str, ...]
    """The last lines of the dialogue."""
    stderr: str
    """The end of its stderr."""
    exit: str
    """How it ended, for people: `exit status 3`; `still running, ended by the referee`."""


class EngineFault(Exception):
    """The engine broke the protocol. `detail` is one sentence for its author."""

    def __init__(self, fault: Fault, detail: str, times: Times | None = None) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail
        self.times = times
        self.last_words: LastWords | None = None
        """The evidence. Set by the code that ends the process."""


class MachineLate(Exception):
    """The machine gave the engine too little CPU to judge its move. The text is one sentence."""

    def __init__(self, text: str, wall_ns: int = 0, own_fault: EngineFault | None = None) -> None:
        super().__init__(text)
        self.wall_ns = wall_ns
        """How long the move had lasted."""
        self.own_fault = own_fault
        """The fault of the engine itself, if it left the CPU each time that it had one."""
        self.blame: tuple[int, EngineFault] | None = None
        """The engine, 0 for p1, and its fault, if one of the two is the cause. Set by the worker."""


class CannotStart(Exception):
    """The operating system refused to start the command: no such file, not executable, bad directory."""
