"""A sequential test of one engine against another: hands out games until their results decide it.

Owns the order in which results count: pair after pair as scheduled, never as they finish, since quick games end
otherwise than slow ones and would bias the test. What was played beyond the pair that decided is not counted. Refuses
to know workers, the store and the screen.
"""

from dataclasses import dataclass
from typing import Protocol

from arena.play.jobs import GameJob
from results.ratings.sprt import Sprt, State, half_points, pair_points
from results.record import GameRecord

TRIES = 3
"""How often a game may come back without a result before the test stands still: all later pairs wait for it."""


class Games(Protocol):
    """A match by number, from 0: the games 2k and 2k + 1 are one opening with both sides."""

    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> GameJob: ...


@dataclass(frozen=True, slots=True)
class Standing:
    """How a test stands: all of it from whole pairs in the schedule's order."""

    pairs: tuple[int, int, int, int, int]
    """How many pairs made 0 to 4 half points for the first engine."""
    games: tuple[int, int, int]
    """Its losses, draws and wins in them."""
    llr: float
    state: State

    @property
    def played(self) -> int:
        """How many pairs were counted."""
        return sum(self.pairs)


class SprtRun:
    """A supply of games. It changes with every record that it is told of."""

    def __init__(self, test: Sprt, engine: str, schedule: Games) -> None:
        """`engine` is the one that may be stronger; `schedule` is its match against another."""
        self.test = test
        self._engine = engine
        self._schedule = schedule
        self._next = 0
        self._again: list[int] = []
        self._tries: dict[int, int] = {}
        self._known: dict[int, GameRecord] = {}
        """Records by index that are not counted yet."""
        self._done: set[int] = set()
        """Indices from `_next` on that need not be played."""
        self._pairs = [0] * 5
        self._games = [0] * 3
        self._llr = 0.0
        self._state: State = "running"
        self.stuck: GameRecord | None = None
        """The game that never had a result, where that stopped the test."""
        self.uncounted = 0
        """Games that ended beyond the pair that decided."""
        self.repeated = 0
        """Counted pairs in which a game was the same, move by move, as in an earlier one: no new evidence."""
        self._seen: set[int] = set()
        self._missed = False

    @property
    def standing(self) -> Standing:
        """How the test stands."""
        ll, ld, even, wd, ww = self._pairs
        lost, drawn, won = self._games
        return Standing((ll, ld, even, wd, ww), (lost, drawn, won), self._llr, self._state)

    def next(self) -> GameJob | None:
        """The next game to play; None where the test has ended, or all games have been handed out."""
        if self._state != "running" or self.stuck is not None or self._missed:
            return None
        if self._again:
            return self._schedule[self._again.pop()]
        while self._next in self._done:
            self._done.remove(self._next)
            self._next += 1
        if self._next >= len(self._schedule):
            return None
        self._next += 1
        return self._schedule[self._next - 1]

    def miss(self, job: GameJob) -> None:
        """A game cannot be played: one of the two engines is withdrawn, and the test is over without a decision."""
        self._missed = True

    def note(self, record: GameRecord) -> None:
        """A game has ended, now or before a resume. One without a result is handed out again.

        Raises NoPair where records are not those of the schedule.
        """
        index = record.number - 1
        if record.winner is None:
            self._tries[index] = self._tries.get(index, 0) + 1
            if self._tries[index] < TRIES:
                self._again.append(index)
            else:
                self.stuck = record
            return
        if index >= self._next:
            self._done.add(index)
        if self._state != "running":
            self.uncounted += 1
            return
        self._known[index] = record
        self._count()

    def _count(self) -> None:
        """Count whole pairs as far as there is no gap, and no further than a decision."""
        while self._state == "running":
            at = 2 * sum(self._pairs)
            if at not in self._known or at + 1 not in self._known:
                return
            first, second = self._known.pop(at), self._known.pop(at + 1)
            self._pairs[pair_points(first, second, self._engine)] += 1
            lines = {hash((game.p1, game.variant, game.fen, game.moves)) for game in (first, second)}
            self.repeated += not lines.isdisjoint(self._seen)
            self._seen |= lines
            for game in (first, second):
                self._games[half_points(game, self._engine)] += 1
            self._llr = self.test.llr(self._pairs)
            self._state = self.test.state(self._llr)
        self.uncounted += len(self._known)
        self._known.clear()
