"""What a worker needs to play one game, and who plays: frozen, picklable values made before anything is started."""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter

from arena.play.adjudication import Adjudication
from arena.play.time_control import Limit
from protocol.containment.policy import SandboxPolicy
from protocol.deadlines import Deadlines
from protocol.stopwatch import Kind


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine as it is to be started. `name` is unique in a run; `variants` empty means: any."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    box: SandboxPolicy = field(default_factory=SandboxPolicy)
    """How it is contained, where it starts, what is added to its environment."""
    files: tuple[str, ...] = ()
    """What the engine's fingerprint covers beside the executable: absolute paths."""
    deadlines: Deadlines = field(default_factory=Deadlines)
    """How long it may take outside its own thinking."""
    limit: Limit | None = None
    """What it may spend where that is not what the others may: a time handicap."""
    margin_ms: int | None = None
    """By how much it may be late where that is not what the others may."""
    restart: bool = False
    """Does it get a fresh process for each game?"""
    family: str = ""
    """The name that versions of one engine share, empty where none was given."""
    trace: str = ""
    """The folder in which all that is said with it is written down, empty where nothing is."""

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
    """Of both sides, or of p1 alone where `p2_limit` is set."""
    margin_ms: int = 50
    """Of both sides, or of p1 alone where `p2_margin_ms` is set."""
    move_limit_ms: int = 60_000
    """For a move under a nodes or depth limit."""
    max_plies: int = 0
    """The game is adjudicated a draw after so many plies, the opening's included; 0: never."""
    clock: Kind = "fair"
    """What a move is judged by: wall time, CPU time, or wall time without the machine's share."""
    freeze: bool = False
    """Are engines stopped while their opponent thinks?"""
    p2_limit: Limit | None = None
    """A time handicap: p2's limit where it differs."""
    p2_margin_ms: int | None = None
    """P2's margin where it differs."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    """By which scores of the engines a game is ended; by none, unless told otherwise."""

    def __reduce__(self) -> tuple[Callable[[bytes], "Terms"], tuple[bytes]]:
        # A run has few terms and sends them with every game: as values they took most of the time of that.
        return _opened, (_sealed(self),)

    def limit_of(self, side: int) -> Limit:
        """What the side may spend, 0 for p1."""
        return self.limit if side == 0 or self.p2_limit is None else self.p2_limit

    def margin_ms_of(self, side: int) -> int:
        """By how much the side may be late, 0 for p1."""
        return self.margin_ms if side == 0 or self.p2_margin_ms is None else self.p2_margin_ms

    def of(self, side: int) -> "Terms":
        """The same as one side sees them: its own limit and margin and no other."""
        if self.p2_limit is None and self.p2_margin_ms is None:
            return self
        limit, margin_ms = self.limit_of(side), self.margin_ms_of(side)
        return replace(self, limit=limit, margin_ms=margin_ms, p2_limit=None, p2_margin_ms=None)

    @property
    def tc(self) -> str:
        """The limits as records have them: `10+0.1`, with a handicap `10+0.1 | 1+0`, p1's first."""
        return str(self.limit) if self.p2_limit is None else f"{self.limit} | {self.p2_limit}"

    @property
    def judged_by(self) -> Kind:
        """`clock`, but a nodes or depth limit has no CPU time to keep to: its deadline is a wait."""
        limits = (self.limit_of(0), self.limit_of(1))
        return "fair" if self.clock == "cpu" and all(each.kind in ("nodes", "depth") for each in limits) else self.clock


_terms_values = attrgetter(*Terms.__slots__)


@lru_cache(maxsize=64)
def _sealed(terms: Terms) -> bytes:
    return pickle.dumps(_terms_values(terms))


@lru_cache(maxsize=64)
def _opened(sealed: bytes) -> Terms:
    return Terms(*pickle.loads(sealed))


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
    opening: tuple[str, ...] | None = None
    """The opening's moves where a book gives them; None: `opening_plies` are drawn."""

    def __reduce__(self) -> tuple[type["GameJob"], tuple[object, ...]]:
        # The one that dataclasses give looks up all fields each time, in Python.
        return GameJob, _job_values(self)


_job_values = attrgetter(*GameJob.__slots__)
