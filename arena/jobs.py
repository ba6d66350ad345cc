"""What a worker needs to play one game, and who plays: frozen, picklable values made before anything is started."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.limits import Limit
from protocol.containment.box import Box
from protocol.session import Deadlines
from protocol.stopwatch import Kind


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine as it is to be started. `name` is unique in a run; `variants` empty means: any."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    box: Box = field(default_factory=Box)
    """How it is contained, where it starts, what is added to its environment."""
    files: tuple[str, ...] = ()
    """What the engine's fingerprint covers beside the executable: absolute paths."""
    patience: Deadlines = field(default_factory=Deadlines)
    """How long it may take outside its own thinking."""

    @property
    def threads(self) -> int:
        """How many threads its options ask for, as far as they say."""
        return max((int(value) for name, value in self.options.items() if _is_threads(name, value)), default=1)


def _is_threads(option: str, value: str) -> bool:
    return option.lower() == "threads" and value.isascii() and value.isdigit()


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every game of a run."""

    limit: Limit
    margin_ms: int = 50
    move_limit_ms: int = 60_000
    """For a move under a nodes or depth limit."""
    max_plies: int = 0
    """The game is adjudicated a draw after so many plies, the opening's included; 0: never."""
    clock: Kind = "fair"
    """What a move is judged by: wall time, CPU time, or wall time without the machine's share."""
    freeze: bool = False
    """Are engines stopped while their opponent thinks?"""

    @property
    def judged_by(self) -> Kind:
        """`clock`, but a nodes or depth limit has no CPU time to keep to: its deadline is a wait."""
        return "fair" if self.clock == "cpu" and self.limit.kind in ("nodes", "depth") else self.clock


@dataclass(frozen=True, slots=True)
class GameJob:
    """One game to play. Everything random in it follows from its seeds."""

    id: str
    number: int
    round: int
    variant: str
    fen: str | None
    """The position to start from, None for the variant's own start."""
    opening_plies: int
    opening_seed: str
    p1: str
    p2: str
    seed: int
    """What random engines are given, each side its own: `seed` for p1, `seed + 1` for p2."""
    terms: Terms
