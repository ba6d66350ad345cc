"""What one run of the zoo was asked for, as one frozen value. Refuses to know command lines and faults."""

from dataclasses import dataclass
from typing import Literal

Phase = Literal["handshake", "ready", "newgame", "position", "first", "mid", "idle", "quit"]

PHASES: dict[Phase, str] = {
    "handshake": "`ugi` has come and nothing has been said yet",
    "ready": "an `isready` has come",
    "newgame": "`uginewgame` has come",
    "position": "a `position` has come and its board is known",
    "first": "the first `go` of a game has come",
    "mid": "a `go` has come with as many moves played as --ply says, or more; once a game",
    "idle": "a `bestmove` has been said and the opponent thinks",
    "quit": "`quit` has come",
}
"""When a fault can strike: each phase and the moment that it names."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the fault `connects` tries to reach: an address of this machine's loopback, nothing else."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Settings:
    """One run. None where the command line did not say, and a fault has its own default."""

    at: Phase = "first"
    ply: int = 6
    """The number of moves played from which `mid` counts."""
    think_ms: int | None = None
    cpu_ms: int | None = None
    limit: int | None = None
    """How many or how much; the unit is the fault's: processes, threads or MB."""
    path: str | None = None
    address: Address | None = None
    transport: Literal["tcp", "udp"] = "tcp"
    really: bool = False
    mover: Literal["random", "first"] = "random"
    resign_ply: int | None = None
    """Resign from this ply on, where UGI_Resign is true."""
    offer_ply: int | None = None
    """Offer a draw with each move from this ply on, where UGI_Draw is true."""
