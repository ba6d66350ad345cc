"""The jobs of a run: what a worker needs to play one game, as frozen values that can be pickled."""

import pickle
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from arena.play.adjudication import Adjudication
from arena.timing.clock import FREE_READING_MS, MARGIN_MS
from arena.timing.time_control import MOVE_LIMIT_MS, Limit
from protocol.containment.policy import SandboxPolicy
from protocol.deadlines import Deadlines
from results.record import GameRecord, Termination


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """How an engine is started. `name` is unique in a run. Without `variants` it plays any variant."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    sandbox: SandboxPolicy = field(default_factory=SandboxPolicy)
    """Its containment, its working directory, and the variables added to its environment."""
    files: tuple[str, ...] = ()
    """Absolute paths of the files that its fingerprint covers besides the executable."""
    deadlines: Deadlines = field(default_factory=Deadlines)
    """How long it may take outside its searches."""
    limit: Limit | None = None
    """A time handicap: its own limit. None: the limit of the run."""
    margin_ms: int | None = None
    """Its own margin in ms. None: the margin of the run."""
    lag_ms: int = 0
    """The lag of its games, for both sides, in ms; above 0 for an engine that plays over a line."""
    restart: bool = False
    """True where it gets a new process for each game."""
    sha256: str = ""
    """The fingerprint of its program, in a ladder with its settings; empty until it was computed."""
    family: str = ""
    """The name that versions of one engine share; empty where none was given."""
    remote: bool = False
    """True where the command is a relay to an engine at home with its author (`arena.timing.lost_line`)."""
    trace: str = ""
    """The folder for traces of its communication; empty where none are written."""
    named: bool = field(default=True, compare=False)
    """False where nobody gave it its name, and the name is only that of its program."""

    @property
    def start_key(self) -> str:
        """A key that is equal for engines that are started in the same way."""
        return repr((self.command, sorted(self.options.items()), self.sandbox, self.files, self.deadlines))

    @property
    def threads(self) -> int:
        """The number of threads that its options set; 1 where they do not say."""
        given = (value for name, value in self.options.items() if name.lower() == "threads")
        return max((int(value) for value in given if value.isascii() and value.isdigit()), default=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """The conditions of a game: those of its run, but for the limits of its variant and its engines."""

    limit: Limit
    """The limit of both sides, or of p1 alone where `p2_limit` is set."""
    margin_ms: int = MARGIN_MS
    """The margin of both sides, or of p1 alone where `p2_margin_ms` is set."""
    move_limit_ms: int = MOVE_LIMIT_MS
    """The longest time of a move under a nodes or depth limit."""
    max_plies: int = 0
    """The game is adjudicated a draw after so many plies, the opening's included. 0: never."""
    freeze: bool = False
    """True where an engine is stopped while its opponent thinks."""
    p2_limit: Limit | None = None
    """A time handicap: p2's limit where it differs."""
    p2_margin_ms: int | None = None
    """p2's margin where it differs."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    """The rules that end games by the engines' scores; none by default."""
    reading_ms: int = FREE_READING_MS
    """The time to read a position that is free, without FREE_READING_MOVE_NS for each of its moves."""

    def __hash__(self) -> int:
        # The limits are what differs within a run. A hash of all values takes longer than the caches below spare.
        one, two = self.limit, self.p2_limit or self.limit
        return hash((one.base_ms, one.value, one.increment_ms, two.base_ms, two.value, two.increment_ms))

    def __reduce__(self) -> tuple[Callable[[bytes], "Terms"], tuple[bytes]]:
        # A run has few different terms and sends them with every game. Their bytes are cached: pickling them anew
        # took most of the time that sending a job took.
        return _unpickled, (_pickled(self),)

    def limit_of(self, side: int) -> Limit:
        """The limit of a side, 0 for p1."""
        return self.limit if side == 0 or self.p2_limit is None else self.p2_limit

    def margin_ms_of(self, side: int) -> int:
        """The margin of a side in ms, 0 for p1."""
        return self.margin_ms if side == 0 or self.p2_margin_ms is None else self.p2_margin_ms

    def of(self, side: int) -> "Terms":
        """The terms of one side: its own limit and margin for both."""
        if self.p2_limit is None and self.p2_margin_ms is None:
            return self
        limit, margin_ms = self.limit_of(side), self.margin_ms_of(side)
        return replace(self, limit=limit, margin_ms=margin_ms, p2_limit=None, p2_margin_ms=None)

    @property
    def tc(self) -> str:
        """The limits as records name them: `10+0.1`, with a handicap `10+0.1 | 1+0`, p1's first."""
        return _tc(self)


@lru_cache(maxsize=64)
def _tc(terms: Terms) -> str:
    return str(terms.limit) if terms.p2_limit is None else f"{terms.limit} | {terms.p2_limit}"


_terms_values = attrgetter(*Terms.__slots__)


@lru_cache(maxsize=64)
def _pickled(terms: Terms) -> bytes:
    return pickle.dumps(_terms_values(terms))


@lru_cache(maxsize=64)
def _unpickled(pickled: bytes) -> Terms:
    return Terms(*pickle.loads(pickled))


@dataclass(frozen=True, slots=True)
class GameJob:
    """One game to play. Its seeds decide everything random in it."""

    id: str
    number: int
    round: int
    variant: str
    fen: str | None
    """The position to start from; None for the variant's own start."""
    opening_plies: int
    opening_seed: str
    p1: str
    p2: str
    seed: int
    """The seed that engines get: `seed` for p1, `seed + 1` for p2."""
    terms: Terms
    opening: tuple[str, ...] | None = None
    """The opening's moves from a book; None: `opening_plies` moves are drawn."""

    def __reduce__(self) -> tuple[type["GameJob"], tuple[object, ...]]:
        # The method that dataclasses give looks up all fields each time, in Python.
        return GameJob, _job_values(self)


_job_values = attrgetter(*GameJob.__slots__)

STOPPED = "stopped from outside"
"""The detail of a game that was broken off because the run was."""


def record_of(job: GameJob, **game: Any) -> GameRecord:
    """The record of a job; `game` has the fields that only its game tells."""
    return GameRecord(
        id=job.id,
        number=job.number,
        round=job.round,
        p1=job.p1,
        p2=job.p2,
        tc=job.terms.tc,
        seed=job.seed,
        host=platform.node(),
        **game,
    )


def unplayed(job: GameJob, detail: str) -> GameRecord:
    """The record of a job of whose game nothing is known: it is unfinished."""
    return record_of(
        job,
        variant=job.variant,
        fen=job.fen or "",
        opening=job.opening or (),
        plies=(),
        winner=None,
        termination=Termination.UNFINISHED,
        detail=detail,
        started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        wall_ms=0,
    )


class Meet(NamedTuple):
    """Said to a worker before its first job: start these engines, say how they answer, and keep them for its games."""

    engines: tuple[EngineSpec, ...]


class Know(NamedTuple):
    """Said to a worker before its first job, and when engines join: these engines may come in its jobs."""

    engines: Mapping[str, EngineSpec]
    snapshot_ms: int = 0
    """Send a snapshot of the running game every so many ms from now on; 0: say no more of that."""


GO: Final = "go"
"""Said to a worker after a faulty game: what comes from now on was sent by who knows of the fault."""
