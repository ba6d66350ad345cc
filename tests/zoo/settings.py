"""The settings of one run of the zoo, as one frozen value. Independent of command lines and faults."""

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
"""The phases at which a fault can be triggered, each with its moment."""


@dataclass(frozen=True, slots=True)
class Address:
    """The target of the fault `connects`: an address of this machine's loopback, nothing else."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run. None means that the fault's own default applies."""

    at: Phase = "first"
    ply: int = 6
    """The number of played moves from which the phase `mid` counts."""
    think_ms: int | None = None
    cpu_ms: int | None = None
    limit: int | None = None
    """The amount, in the unit of the fault: processes, threads or MB."""
    path: str | None = None
    address: Address | None = None
    transport: Literal["tcp", "udp"] = "tcp"
    really: bool = False
    mover: Literal["random", "first"] = "random"
    resign_ply: int | None = None
    """Resign from this ply on, if UGI_Resign is true."""
    offer_ply: int | None = None
    """Offer a draw with each move from this ply on, if UGI_Draw is true."""
