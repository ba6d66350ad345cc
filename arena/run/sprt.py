"""A sequential test of one engine against another: a match whose results end it.

Results count pair after pair in the schedule's order, never in the order of the finish: quick games end differently
from slow ones and would bias the test. Games beyond the deciding pair are not counted.
"""

from dataclasses import dataclass

from arena.play.jobs import GameJob
from arena.run.source import FixedSource, OddGame, Result, Results, result_of
from results.ratings.sprt import NoPair, Sprt, State, half_points, pair_points
from results.record import GameRecord


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


class SprtSource:
    """The games of a sequential test, until their results decide it."""

    is_fixed = False
    ahead = 6
    """Games in hand when the test is decided are played in vain. With so few, a user waits for none of them."""

    def __init__(self, test: Sprt, engine: str, match: FixedSource) -> None:
        """`engine` may be stronger; `match` is its match against the other one, of pairs of games.

        The two games of a pair share an opening and swap sides.
        """
        self.test = test
        self.total = match.total
        self.settled = 1
        self._match = match
        self._engine = engine
        self._pairs = [0] * 5
        self._games = [0] * 3
        self._llr = 0.0
        self._state: State = "running"
        self._missed = False
        self.repeated = 0
        """How many counted pairs repeat a game of an earlier pair move by move: they are no new evidence."""
        self._seen: set[int] = set()

    @property
    def standing(self) -> SprtState:
        ll, ld, even, wd, ww = self._pairs
        lost, drawn, won = self._games
        return SprtState((ll, ld, even, wd, ww), (lost, drawn, won), self._llr, self._state)

    @property
    def known(self) -> int:
        """All games of the match until the test is decided, then those that decided it."""
        return self.total if self._state == "running" else self.settled - 1

    @property
    def left(self) -> int:
        """How many games of the schedule have not been counted."""
        return self.total - 2 * sum(self._pairs)

    def job(self, k: int, results: Results) -> GameJob | None:
        """None where the test has ended: decided, or a pair can never be whole. Raises OddGame."""
        self.count(results)
        if self._state != "running" or self._missed or results.given_up:
            return None
        return self._match.job(k)

    def count(self, results: Results) -> None:
        """Count complete pairs up to the first gap, and no further than a decision."""
        while self._state == "running" and not self._missed:
            pair = [results.by_number[k] for k in (self.settled, self.settled + 1) if k in results.by_number]
            if len(pair) < 2:
                return
            if not all(result.was_played for result in pair):
                self._missed = True
                return
            first, second = (result.record for result in pair)
            assert first is not None and second is not None
            try:
                self._pairs[pair_points(first, second, self._engine)] += 1
            except NoPair as odd:
                raise OddGame(f"{odd}: the file was changed by hand; restore it from a copy") from None
            lines = {hash((game.p1, game.variant, game.fen, game.moves)) for game in (first, second)}
            self.repeated += not lines.isdisjoint(self._seen)
            self._seen |= lines
            for game in (first, second):
                self._games[half_points(game, self._engine)] += 1
            self._llr = self.test.llr(self._pairs)
            self._state = self.test.state(self._llr)
            self.settled += 2

    def stage(self, number: int) -> int:
        return number

    def result(self, record: GameRecord) -> Result:
        return result_of(record)._replace(record=record)
