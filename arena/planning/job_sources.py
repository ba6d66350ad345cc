"""The games of a format: all known beforehand, or paired round by round from results.

Independent of processes and of the store's file.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

from arena.formats.base import Format, PairScore, Played, Round
from arena.planning.schedule import RunSetting, Schedule
from arena.play.fault_budget import FaultBudget
from arena.play.jobs import FAR_AHEAD, GameJob
from results.record import GameRecord, Termination, Winner, faulty
from results.store.files import StoreError
from results.store.int_ranges import IntRanges


class FixedJobs:
    """Games that are all known before the first one is played, in their order."""

    ahead = FAR_AHEAD

    def __init__(self, jobs: Iterable[GameJob]) -> None:
        self._jobs = iter(jobs)

    def next(self) -> GameJob | None:
        return next(self._jobs, None)

    # The order stays, whatever becomes of the games.
    def record(self, record: GameRecord) -> None: ...
    def forfeit(self, job: GameJob) -> None: ...


def missing(schedule: Schedule, done: IntRanges) -> FixedJobs:
    """The games of a schedule that are still to play. Games that are done are not computed."""
    return FixedJobs(schedule[number - 1] for number in done.missing(len(schedule)))


class _Result(NamedTuple):
    """What pairing needs of a game. `faulty` is the engine whose own fault lost it the game."""

    p1: str
    p2: str
    winner: Winner | None
    faulty: str | None
    termination: Termination

    @classmethod
    def of(cls, game: GameRecord) -> "_Result":
        return cls(game.p1, game.p2, game.winner, faulty(game), game.termination)


class OddGame(StoreError):
    """A stored game that this run cannot contain: somebody changed the file by hand."""


class PairedJobs:
    """The games of a format that pairs by results, a round at a time.

    A round is paired once all games of the rounds before are known, from their scores alone. The order in which they
    ended does not count, so a resumed run comes to the same rounds. A withdrawn engine loses the games that are not
    played; where both engines are withdrawn, nobody wins.

    Faults are counted when a round is over, in the order of its games, and an engine with too many of them is out from
    the next round on. If it were out at once, it would depend on the number of games at once which games it plays.
    """

    ahead = FAR_AHEAD  # no more than the rest of a round, in which results change nothing

    def __init__(
        self,
        setting: RunSetting,
        format_: Format,
        stored: Iterable[GameRecord],
        withdrawn: Container[str],
        withdraw: Callable[[str, str], None] = lambda name, reason: None,
        fault_budget: int = 0,
    ) -> None:
        """`stored` are the games that the run has already; `withdrawn` is read before each game is given.

        `withdraw` gets each engine that has used up its fault budget, and the reason; then it is in `withdrawn`.
        """
        self._setting = setting
        self._format = format_
        self._stored = {game.number: _Result.of(game) for game in stored}
        self._withdrawn = withdrawn
        self._withdraw = withdraw
        self._faults = FaultBudget(fault_budget)
        self._played: dict[int, _Result] = {}
        """The results of this round that are known, by the numbers of their games."""
        self.past: list[Played] = []
        """The rounds of which all games are known."""
        self._withdrawn_players: set[int] = set()
        self.left_out = 0
        """Games that were not given, because an engine was withdrawn before."""
        self._games_before = self._openings_before = 0
        self._met: Counter[frozenset[int]] = Counter()
        """How often two engines met from each start before this round."""
        self._begin()

    def _begin(self) -> None:
        self._round = self._format.next(self.past)
        self._size = 0 if self._round is None else self._setting.size(self._round)
        self._given = 0
        self._known = 0
        self._scores = [[0, 0, 0] for _ in (self._round.pairings if self._round is not None else ())]

    def next(self) -> GameJob | None:
        """The next game of this round; of the next round where this one is complete. Raises OddGame."""
        while self._round is not None:
            while self._given < self._size:
                met = self._met[frozenset(self._round.pairings[self._setting.place(self._round, self._given).pairing])]
                job = self._setting.job(self._round, self._given, self._games_before, self._openings_before, met)
                self._given += 1
                if job.number in self._stored:
                    self._settle(job, self._stored.pop(job.number))
                elif job.p1 in self._withdrawn or job.p2 in self._withdrawn:
                    self.left_out += 1
                    self.forfeit(job)
                else:
                    return job
            if self._known < self._size:
                return None
            self._end(self._round)
        return None

    def record(self, record: GameRecord) -> None:
        """Keep its score. A stopped game leaves the round open until the run is resumed."""
        if record.winner is not None:
            self._played[record.number] = _Result.of(record)
            self._count(record.number, record.p1, record.winner)

    def forfeit(self, job: GameJob) -> None:
        """The opponent wins if it still takes part."""
        absent = [name in self._withdrawn for name in (job.p1, job.p2)]
        self._withdrawn_players |= {self._setting.engines.index(job.p1)} if absent[0] else set()
        self._withdrawn_players |= {self._setting.engines.index(job.p2)} if absent[1] else set()
        self._count(job.number, job.p1, None if all(absent) else "p2" if absent[0] else "p1")

    def _settle(self, job: GameJob, stored: "_Result") -> None:
        if (stored.p1, stored.p2) != (job.p1, job.p2):
            raise OddGame(
                f"game {job.number} of run {self._setting.run_id} is stored as {stored.p1} - {stored.p2}, where the "
                f"results before it ask for {job.p1} - {job.p2}: the file was changed by hand; restore it from a copy"
            )
        self._played[job.number] = stored
        self._count(job.number, stored.p1, stored.winner)

    def _count(self, number: int, p1: str, winner: Winner | None) -> None:
        """Count one more game. Winner None: nobody won, and it was no draw."""
        assert self._round is not None
        self._known += 1
        pairing = self._setting.place(self._round, number - self._games_before - 1).pairing
        first_is_p1 = self._setting.engines[self._round.pairings[pairing].first] == p1
        if winner is not None:
            self._scores[pairing][1 if winner == "draw" else 0 if (winner == "p1") == first_is_p1 else 2] += 1

    def _end(self, round_: Round) -> None:
        met = tuple(PairScore(*pairing, *score) for pairing, score in zip(round_.pairings, self._scores, strict=True))
        self.past.append(Played(round_, met, frozenset(self._withdrawn_players)))
        self._games_before += self._size
        self._openings_before += self._setting.openings(round_)
        for _, game in sorted(self._played.items()):
            for name in (game.p1, game.p2):
                if self._faults.count(name, name == game.faulty):
                    self._withdraw(name, self._faults.reason(game.termination))
        self._played.clear()
        self._met.update({frozenset(pairing): -(-round_.games // 2) for pairing in round_.pairings})
        self._begin()
