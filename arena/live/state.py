"""How a run stands: one value, which a screen draws, a file keeps, and a reader in another process gets back.

Times ending in `_ns` are those of `time.monotonic_ns`, which all processes of a machine share until it restarts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from arena.play.snapshots import Thought

MS = 1_000_000


def duration_text(seconds: float) -> str:
    """`2:03:04`, and days where there are any."""
    days, rest = divmod(int(seconds), 86_400)
    text = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} d {text}" if days else text


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game that is being played. p1's figures come first."""

    slot: int
    """Its place among the games that are played at once, from 0."""
    id: str
    number: int
    round: int
    variant: str
    p1: str
    p2: str
    tc: str
    began_ns: int
    fen: str = ""
    """The start position; empty until the worker has told it."""
    opening: tuple[str, ...] = ()
    moves: tuple[str, ...] | None = ()
    """The plies of the engines so far, without the opening. None where a file had no room for them."""
    scores: tuple[str, ...] = ()
    """For each of these plies the score that its engine reported, such as `cp 31`; empty where it reported none."""
    plies: int = 0
    """How many plies were played, with those of the opening."""
    last: str = ""
    """The last move, that of the opening where there is none yet."""
    left_ms: tuple[int | None, int | None] = (None, None)
    """The clocks after the last ply; None without a clock."""
    turn: Literal[0, 1] = 0
    """The side to move, 0 for p1."""
    thinking_since_ns: int | None = None
    """When this side began to think; None where it does not think yet."""
    thoughts: tuple[Thought, Thought] = (Thought(), Thought())

    def clock_ms(self, side: int, now_ns: int) -> int | None:
        """What the clock of a side shows at this moment; None without a clock."""
        left = self.left_ms[side]
        if left is None or side != self.turn or self.thinking_since_ns is None:
            return left
        return left - max(0, now_ns - self.thinking_since_ns) // MS


@dataclass(frozen=True, slots=True)
class LiveResult:
    """A game that has ended."""

    number: int
    variant: str
    p1: str
    p2: str
    winner: Literal["p1", "p2", "draw"]
    termination: str
    detail: str
    plies: int


@dataclass(frozen=True, slots=True)
class LiveScore:
    """The decided games of an engine."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0
    """How many games it lost by a fault since the run began or went on."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Its points as a share of its games, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(1, self.games)


@dataclass(frozen=True, slots=True)
class LiveMachine:
    """A machine of a cluster that plays for the run."""

    host: str
    slots: int
    """How many games it plays at once."""
    games: int = 0
    """How many games it has ended since the run began or went on."""


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run that is being played."""

    name: str
    run: str
    """Its id."""
    kind: str
    """`match` (also for a sequential test), `tournament` or `ladder`."""
    began_at: str
    """When it began or went on: UTC, ISO 8601."""
    began_ns: int
    games: int | None = None
    """How many games it has; None where it has no end."""
    may_end_early: bool = False
    """Is `games` only the most that may be played?"""
    stored: int = 0
    """How many of them had ended before it went on."""
    done: int = 0
    """How many have ended since."""
    paused: bool = False
    """Are no new games begun?"""
    faults: int = 0
    """How many games were lost by a fault since it began or went on."""
    late: int = 0
    """In how many games the machine was late since then."""
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    """The engines that play no more, each with the reason."""
    status: tuple[tuple[str, ...], ...] = ()
    """Lines about the run, each in parts of which the first are the most important."""
    counted: int | None = None
    """How many games these lines are about, if some that ended wait for others; None: all that ended."""
    scores: dict[str, LiveScore] = field(default_factory=dict)
    """By the names of the engines."""
    playing: tuple[LiveGame, ...] = ()
    """In the order of their slots."""
    last: tuple[LiveResult, ...] = ()
    """The games that ended last, the newest first."""
    lost: tuple[LiveResult, ...] = ()
    """The games that were lost by a fault last, the newest first."""
    machines: tuple[LiveMachine, ...] = ()
    """The machines that can play; none where the games are played on one machine alone."""
    is_over: bool = False

    @property
    def standings(self) -> list[LiveScore]:
        """The engines with their games, the best first. Another thread may count games meanwhile."""
        return sorted(self.scores.copy().values(), key=lambda each: (-each.share, each.name))

    @property
    def ended(self) -> int:
        """How many games have ended in all."""
        return self.stored + self.done

    def rate(self, now_ns: int) -> float | None:
        """Games a second since it began or went on; None where none has ended."""
        passed = (now_ns - self.began_ns) / 1e9
        return self.done / passed if self.done and passed > 0 else None
