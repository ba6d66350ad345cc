"""A sequential test of one engine against another: gives games until their results decide it.

Results count pair after pair in the schedule's order, never in the order of the finish: quick games end differently
from slow ones and would bias the test. Games beyond the deciding pair are not counted. Independent of workers, of the
store and of the screen.
"""

from dataclasses import dataclass

from arena.planning.schedule import Schedule
from arena.play.jobs import GameJob
from results.ratings.sprt import Sprt, State, half_points, pair_points
from results.record import GameRecord

TRIES = 3
"""How often one game may end without a result before the test stops. All later pairs wait for it."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """How a test stands, computed from complete pairs in the schedule's order."""

    pairs: tuple[int, int, int, int, int]
    """How many pairs gave the first engine 0, 1, 2, 3 and 4 half points."""
    games: tuple[int, int, int]
    """Losses, draws and wins of the first engine in these pairs."""
    llr: float
    state: State

    @property
    def played(self) -> int:
        """How many pairs were counted."""
        return sum(self.pairs)


class SprtRun:
    """The job source of a sequential test. Each record that it gets changes its state."""

    ahead = 8
    """Games in hand when the test is decided are played in vain. With so few, a user waits for none of them."""

    def __init__(self, test: Sprt, engine: str, schedule: Schedule) -> None:
        """`engine` is the engine that may be stronger; `schedule` is its match against the other one.

        Games 2k and 2k + 1 of it share an opening and swap sides.
        """
        self.test = test
        self._engine = engine
        self._schedule = schedule
        self._next = 0
        self._again: list[int] = []
        self._tries: dict[int, int] = {}
        self._known: dict[int, GameRecord] = {}
        """Records that are not counted yet, by index."""
        self._done: set[int] = set()
        """Indices from `_next` on that need not be played."""
        self._pairs = [0] * 5
        self._games = [0] * 3
        self._llr = 0.0
        self._state: State = "running"
        self.stuck: GameRecord | None = None
        """The game that had no result after TRIES tries, where that stopped the test."""
        self.uncounted = 0
        """How many games ended beyond the deciding pair."""
        self.repeated = 0
        """How many counted pairs repeat a game of an earlier pair move by move: they are no new evidence."""
        self._seen: set[int] = set()
        self._missed = False

    @property
    def standing(self) -> SprtState:
        ll, ld, even, wd, ww = self._pairs
        lost, drawn, won = self._games
        return SprtState((ll, ld, even, wd, ww), (lost, drawn, won), self._llr, self._state)

    @property
    def left(self) -> int:
        """How many games of the schedule have not been counted."""
        return len(self._schedule) - 2 * sum(self._pairs)

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

    def forfeit(self, job: GameJob) -> None:
        """A game cannot be played because an engine is withdrawn. The test ends without a decision."""
        self._missed = True

    def record(self, record: GameRecord) -> None:
        """A game has ended. One without a result is given again. Raises NoPair for a record of another schedule."""
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
        """Count complete pairs up to the first gap, and no further than a decision."""
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
