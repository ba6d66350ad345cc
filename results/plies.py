"""The plies of a game, packed into three texts: its moves, what each cost, and what the engines expected.

A game is packed once, in one pass, where it was played; then it is sent, stored and read back as these texts. A value
is made of a ply only where somebody asks for it: to pickle, send and write hundreds of values took most of the time
between two games.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self, overload

from results.eval_disagreement import longest_dispute

LATE_US = 10_000
"""A ply is flagged where the machine was late by at least this many microseconds: a fifth of the usual margin."""
PV_MOVES = 12
PV_CHARACTERS = 60
"""A principal variation is kept up to so many moves and characters, whole moves only."""
_IS_SHORT = re.compile(f"[0-9A-Za-z]+(?: [0-9A-Za-z]+){{0,{PV_MOVES - 1}}}").fullmatch


class Ply(NamedTuple):
    """One move by an engine, with what it cost. None where a figure could not be had or was not said."""

    move: str
    wall_us: int
    """Wall time in microseconds, from just before `go` is written to the newline of `bestmove` read."""
    cpu_us: int | None
    """CPU time that the engine spent on it, all its processes and threads, in microseconds."""
    left_ms: int | None
    """Time left on the mover's clock afterwards, None without a clock."""
    depth: int | None = None
    nodes: int | None = None
    score: str | None = None
    """As the engine said it: `cp 31`, `mate -4`; from the mover's side, mate in plies."""
    late_us: int | None = None
    """The machine's share of the wall time, in microseconds: waiting for a CPU, the engine's or the referee's."""

    reading_us: int = 0
    """What the reading of the position took beyond what is free, in microseconds. It counts as time of the move."""
    pv: str = ""
    """The principal variation, moves split by one blank, as `short_pv` leaves it; empty where none was said."""

    @property
    def flagged(self) -> bool:
        """Whether the machine was late."""
        return self.late_us is not None and self.late_us >= LATE_US


Figures = tuple[str, int, int | None, int | None, int | None, int | None, str | None, int | None, int, str]
"""A ply that is to be packed. Any `Ply` is one; a bare tuple is made in a fifth of the time."""


class Sums(NamedTuple):
    """Sums over all plies of a game."""

    wall_us: int
    late: int
    """How many are flagged."""
    disputed: int
    """The length of the longest dispute (`results.eval_disagreement`)."""


# Built once, because json.dumps builds an encoder for every call that names separators. The lists are flat and cannot
# hold themselves; to check that would take a fifth of the time.
_compact = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class Plies(Sequence[Ply]):
    """An immutable sequence, equal to and hashed as the tuple of its plies."""

    __slots__ = ("_costs", "_figures", "_plies", "_pvs", "_sums", "_words")

    def __init__(self, words: str, costs: str, pvs: str = "", sums: Sums | None = None) -> None:
        """`words` are split by one blank; `costs` is JSON, for each ply the list of its figures after the move.

        `pvs` has a line for each ply, with its principal variation; it is empty where no ply has one. None of them is
        parsed before a ply or a sum is asked for: then ValueError or TypeError is raised where they are not what `of`
        made. `sums` are the sums of these plies, where they are known.
        """
        self._words = words
        self._costs = costs
        self._pvs = pvs
        self._sums = sums
        self._plies: tuple[Ply, ...] | None = None
        self._figures: Iterable[Figures] | None = None
        """What is to be packed; None where it is."""

    @classmethod
    def packed_later(cls, figures: Iterable[Figures]) -> "Plies":
        """These plies, packed when they are first looked at or sent: then ValueError is raised as by `of`.

        Several games that are packed in a row take half as long as each of them by itself.
        """
        made = cls("", "")
        made._figures = figures
        return made

    def _pack(self) -> None:
        if self._figures is not None:
            packed = Plies.of(self._figures)
            self._words, self._costs, self._pvs, self._sums = packed._words, packed._costs, packed._pvs, packed._sums
            self._figures = None

    @classmethod
    def of(cls, plies: Iterable[Figures]) -> "Plies":
        """These plies, packed; a `Plies` comes back as it is. Raises ValueError for a move that is not one word."""
        if isinstance(plies, Plies):
            return plies
        words = []
        costs = []
        scores = []
        pvs = []
        total_us = late = 0
        for word, wall_us, cpu_us, left_ms, depth, nodes, score, late_us, reading_us, pv in plies:
            words.append(word)
            cost = (wall_us, cpu_us, left_ms, depth, nodes, score, late_us)
            costs.append((*cost, reading_us) if reading_us else cost)
            scores.append(score)
            pvs.append(short_pv(pv) if pv else "")
            total_us += wall_us
            if late_us is not None and late_us >= LATE_US:
                late += 1
        disputed = longest_dispute(scores) if any(scores) else 0
        lines = "\n".join(pvs) if any(pvs) else ""
        return cls(join_moves(words), _compact(costs), lines, Sums(total_us, late, disputed))

    @property
    def words(self) -> str:
        """The moves, split by one blank."""
        self._pack()
        return self._words

    @property
    def costs(self) -> str:
        """What the plies cost, as JSON without blanks: wall_us, cpu_us, left_ms, depth, nodes, score, late_us.

        A ply whose position took too long to read has reading_us after them.
        """
        self._pack()
        return self._costs

    @property
    def pvs(self) -> str:
        """The principal variations, a line for each ply; empty where no ply has one."""
        self._pack()
        return self._pvs

    @property
    def sums(self) -> Sums:
        self._pack()
        if self._sums is None:
            self._sums = Plies.of(self._read()).sums
        return self._sums

    def _read(self) -> tuple[Ply, ...]:
        if self._plies is None:
            words, costs = self.words.split(), json.loads(self.costs)
            pvs = self.pvs.split("\n") if self.pvs else ("",) * len(words)
            plies = zip(words, costs, pvs, strict=True)
            self._plies = tuple([Ply(word, *cost)._replace(pv=pv) for word, cost, pv in plies])
        return self._plies

    def __len__(self) -> int:
        return self.words.count(" ") + 1 if self.words else 0

    def __iter__(self) -> Iterator[Ply]:
        return iter(self._read())

    @overload
    def __getitem__(self, at: int) -> Ply: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Ply, ...]: ...
    def __getitem__(self, at: int | slice) -> Ply | tuple[Ply, ...]:
        return self._read()[at]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Plies):
            same = self.words == other.words and self.costs == other.costs and self.pvs == other.pvs
            return same or self._read() == other._read()
        return self._read() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._read())

    def __repr__(self) -> str:
        return f"Plies({self.words!r}, {self.costs!r}, {self.pvs!r})"

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str, Sums | None]]:
        self._pack()
        return type(self), (self._words, self._costs, self._pvs, self._sums)


def short_pv(said: str) -> str:
    """The moves at the start of what an engine said, split by one blank: at most PV_MOVES and PV_CHARACTERS.

    A move is letters and digits. What follows another word is left out, so a text of an engine cannot do harm later.
    """
    if len(said) <= PV_CHARACTERS and _IS_SHORT(said):
        return said
    kept, room = [], PV_CHARACTERS + 1
    for word in said.split(None, PV_MOVES)[:PV_MOVES]:
        room -= len(word) + 1
        if room < 0 or not (word.isalnum() and word.isascii()):
            break
        kept.append(word)
    return " ".join(kept)


def join_moves(moves: Sequence[str]) -> str:
    """Moves split by one blank. Raises ValueError for a move that is not one word: it could not be read back."""
    text = " ".join(moves)
    if text.split() != list(moves):
        odd = next(move for move in moves if move.split() != [move])
        raise ValueError(f"{odd!r} is not one word, so it is no move that could be read back")
    return text
