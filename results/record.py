"""The records of one game and one run: frozen values that go from the referee to the store, ratings and reports."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, Literal, NamedTuple, Self

from results.plies import Plies, Ply, Sums

Winner = Literal["p1", "p2", "draw"]
Side = Literal["p1", "p2"]
ClockKind = Literal["wall", "cpu", "fair"]
RunKind = Literal["match", "tournament", "sprt", "ladder", "import"]

IDLE_US = 100_000
"""An engine burns CPU in its opponent's time only if it used at least this many microseconds there."""
IDLE_SHARE = 0.1
"""It must also have used at least this share of the wall time of all plies of the game there."""


def illegal_word(record: "GameRecord") -> str:
    """The illegal move that lost a game; empty if none did or the record does not have it."""
    return record.detail.partition(" ")[0] if record.termination == Termination.ILLEGAL_MOVE else ""


class Termination(StrEnum):
    """Why the referee ended a game. Result and reason are separate: `winner` says who, this says why.

    Where the rules of a game ended it, the termination of its record is a word that the game declares.
    """

    RESIGNATION = "resignation"
    """The loser resigned, having announced that it may."""
    DRAW_AGREED = "draw-agreed"
    """Both engines offered a draw in turn."""
    ADJUDICATION = "adjudication"
    """The referee stopped the game by a rule of the tournament, such as a ply limit."""
    TIME = "time"
    """The loser's move did not come by its clock and the margin."""
    ILLEGAL_MOVE = "illegal-move"
    """The loser's move was in the grammar but not legal."""
    MALFORMED_MOVE = "malformed-move"
    """The loser's move was not one word of the variant's grammar, or it broke a cap on output."""
    CRASH = "crash"
    """The loser's process was gone while something was due."""
    STALL = "stall"
    """The loser let a deadline other than its clock's pass."""
    UNFINISHED = "unfinished"
    """The game was stopped from outside, or the machine was too late to judge it; nobody won."""


ENDING = re.compile("[a-z][a-z0-9-]*")
"""The words for the end of a game, those of games and those of the referee."""
FORFEITS = frozenset(
    {Termination.TIME, Termination.ILLEGAL_MOVE, Termination.MALFORMED_MOVE, Termination.CRASH, Termination.STALL}
)
"""The terminations that a fault of the loser causes."""


@dataclass(frozen=True, slots=True)
class Player:
    """An engine as it took part: `name` is unique in a run, `sha256` covers executable and named files."""

    name: str
    version: str
    author: str
    command: tuple[str, ...]
    sha256: str
    family: str = ""
    """The name that versions of one engine share, empty where none was given."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a fault, for the engine's author. None where a figure could not be had or does not apply."""

    side: Side
    """Whose fault it was."""
    fault: str
    """The word of the forfeit."""
    detail: str
    exit: str
    """How the engine ended, for people: `exit status 3`; `still running, ended by the referee`."""
    transcript: tuple[str, ...]
    """The last lines of the dialogue."""
    stderr: str
    """The end of what the engine wrote there."""
    allowed_us: int | None = None
    """What the wait might have taken."""
    wall_us: int | None = None
    cpu_us: int | None = None
    late_us: int | None = None
    machine: bool = False
    """Whether only the machine was late, or the line to a guest down. Nobody is blamed."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The evidence that was written as JSON. Raises TypeError or KeyError for other keys."""
        return cls(**{**values, "transcript": tuple(values["transcript"])})


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game, whole. `number` (in the schedule's order) and `round` count from 1."""

    id: str
    """Unique everywhere: the run's id, a hyphen, the number."""
    number: int
    round: int
    variant: str
    p1: str
    p2: str
    fen: str
    """The position before the first move, which is the first of the opening where there is one."""
    opening: tuple[str, ...]
    plies: Sequence[Ply]
    """Packed (`Plies`) where the game was just played or read back."""
    winner: Winner | None
    termination: str
    detail: str
    """One sentence for people: what exactly happened, empty where the termination says it all."""
    tc: str
    seed: int
    started_at: str
    """UTC, ISO 8601; a date alone, or nothing, where no more is known."""
    wall_ms: int
    host: str
    clock: ClockKind = "fair"
    """What moves were judged by."""
    measured: bool = True
    """Whether all that `clock` needs could be had. Otherwise moves were judged by wall time."""
    p1_idle_us: int | None = None
    """CPU time that p1 used in its opponent's time; None where it could not be had."""
    p2_idle_us: int | None = None
    evidence: Evidence | None = None
    """Of the fault that ended the game, or of one before its first move, after which it was played again."""
    start_ply: int = 0
    """The plies before `fen`, by its turn number and side to move: odd if p2 moves first."""

    def __reduce__(self) -> tuple[type["GameRecord"], tuple[object, ...]]:
        # The one of dataclasses looks up all fields each time, in Python: that took longer than all the rest.
        return GameRecord, _values(self)

    @property
    def sums(self) -> Sums:
        return Plies.of(self.plies).sums

    @property
    def reading_us(self) -> dict[Side, int]:
        """What each side took to read positions beyond what is free, in microseconds; only sides that did."""
        sums_us: dict[Side, int] = {}
        for number, ply in enumerate(self.plies, len(self.opening) + 1):
            if ply.reading_us:
                side = self.mover(number)
                sums_us[side] = sums_us.get(side, 0) + ply.reading_us
        return sums_us

    def mover(self, ply: int) -> Side:
        """The side that plays this ply, from 1, the opening's included."""
        return "p2" if (self.start_ply + ply) % 2 == 0 else "p1"

    @property
    def machine(self) -> bool:
        """Whether the game ended with a forfeit by time or a stall that only the machine or a guest's line caused."""
        late = self.termination in (Termination.TIME, Termination.STALL)
        return late and self.evidence is not None and self.evidence.machine

    @property
    def line_was_down(self) -> bool:
        """Whether a line to a guest caused that forfeit."""
        return self.machine and "the line to" in self.detail

    @property
    def flagged(self) -> bool:
        """Whether the machine was late anywhere in this game."""
        return (self.machine and not self.line_was_down) or self.sums.late > 0

    @property
    def burns_idle(self) -> tuple[Side, ...]:
        """The sides that burned CPU in their opponent's time."""
        least_us = max(IDLE_US, IDLE_SHARE * self.sums.wall_us)
        sides: tuple[tuple[Side, int | None], ...] = (("p1", self.p1_idle_us), ("p2", self.p2_idle_us))
        return tuple(side for side, idle_us in sides if idle_us is not None and idle_us >= least_us)

    @property
    def run(self) -> str:
        """The id of the run that the game belongs to."""
        return self.id.rpartition("-")[0]

    @property
    def movetext(self) -> str:
        """All moves from `fen` on, the opening's first, split by one blank."""
        opening, words = " ".join(self.opening), Plies.of(self.plies).words
        return f"{opening} {words}" if opening and words else opening or words

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves from `fen` on, the opening's first."""
        return tuple(self.movetext.split())

    @property
    def ply_count(self) -> int:
        """How many moves there are, the opening's included."""
        return len(self.opening) + len(self.plies)

    @property
    def line(self) -> int:
        """A digest of what was played: identical games of deterministic engines have the same."""
        return line_digest(self.variant, self.fen, self.movetext)

    @property
    def identity(self) -> tuple[object, ...]:
        """What identical games have in common: players with their sides, time control, moves and ending."""
        return self.p1, self.p2, self.tc, self.winner, self.termination, self.line


_values = attrgetter(*GameRecord.__slots__)


def line_digest(variant: str, fen: str, moves: str) -> int:
    """A digest of a game from its start to its last move, of 64 bits, signed as SQLite has them.

    `moves` are split by one blank. Files hold these numbers: a change here needs an upgrade that computes
    them again.
    """
    text = "\n".join((variant, fen, moves)).encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big", signed=True)


class ResultCount(NamedTuple):
    """The number of games that are alike in variant, time control, players, sides and ending; or one game alone.

    It is what ratings and tables need of games, without their moves: it is read back a hundred times faster.
    """

    variant: str
    tc: str
    p1: str
    p2: str
    winner: Winner | None
    termination: str
    games: int = 1
    distinct: int = 1
    """How many of these have moves that no other of them has: identical games count once."""
    flagged: int = 0
    """In how many of these the machine was late."""
    machine: int = 0
    """How many of these were lost, on time or by a stall, only because of the machine or a guest's line."""
    p1_idle: int = 0
    """In how many of these p1 burned CPU in its opponent's time."""
    p2_idle: int = 0


Result = GameRecord | ResultCount


def forfeiter(game: Result) -> str | None:
    """The engine that lost by a forfeit, whoever caused it; None if there was none."""
    if game.winner not in ("p1", "p2") or game.termination not in FORFEITS:
        return None
    return game.p2 if game.winner == "p1" else game.p1


def faulty(game: Result) -> str | None:
    """The engine whose own fault lost it this one game; None where it was the machine's or a line's, or no forfeit."""
    return None if game.machine else forfeiter(game)


@dataclass(frozen=True, slots=True)
class Run:
    """One match or tournament: what was asked for. The id of every game follows from it."""

    id: str
    """Hex digest of the configuration that decides the schedule, seed included."""
    name: str
    kind: RunKind
    created_at: str
    config: str
    """The effective configuration as JSON."""
    seed: int
    games: int
    """How many games the schedule has."""
    host: str
    versions: str
    """JSON: arena, python, platform."""

    @property
    def settings(self) -> dict[str, Any]:
        return dict(json.loads(self.config))


class CheckReport(NamedTuple):
    """The report of one run of `arena check`."""

    engine: str
    """The engine as its user named it."""
    name: str
    """What it says of itself."""
    fingerprint: str
    """The SHA-256 of its files."""
    date: str
    """UTC, ISO 8601."""
    specification: str
    """The version of the specification."""
    suite: str
    """The version of the checks."""
    grade: str
    complete: bool
    """True if every check was asked for, with the deadlines of the specification."""
    report: str
    """The whole report, as `arena check --json` prints it."""


class Costs(NamedTuple):
    """What the plies of one game cost, as the file has it."""

    p1: str
    p2: str
    first: Side
    """The side that played the first of these plies."""
    plies: list[list[object]]
    """For each ply wall_us, cpu_us, left_ms, depth, nodes, score, late_us and, if it is not 0, reading_us."""
    p1_idle_us: int | None
    p2_idle_us: int | None
