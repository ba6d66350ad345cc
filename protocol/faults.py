"""What an engine can do wrong while it is refereed. Their fault is one type; every other exception is ours."""

from enum import StrEnum


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


class EngineFault(Exception):
    """The engine broke the protocol: a verdict, not an accident. `detail` is one sentence for its author."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail


class CannotStart(Exception):
    """The operating system refused to start the command at all: no such file, not executable, bad directory."""
