"""A run: what its source asks for, less what is stored; repeats, withdrawals and faults, once for every kind of run."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal

from arena.play.jobs import GameJob
from arena.run.events import Events, News, Withdrawn
from arena.run.source import WAIT, NextJob, OddGame, Result, Results, Source
from results.record import GameRecord
from results.store.reader import IntRanges

TRIES = 3
"""How often a game is tried that loses its worker, or that ends without a result."""


NOTHING = IntRanges()


class WorkerLost(RuntimeError):
    """One game lost its worker several times. That is a bug of ours or a machine in trouble, not an engine's fault."""

    exit_code = 1


class GamesToPlay:
    """The games of a source that are still to be played, and who plays them."""

    def __init__(
        self,
        source: Source,
        done: IntRanges = NOTHING,
        stored: Iterable[Result] = (),
        *,
        withdrawn: Mapping[str, str] | None = None,
        fault_budget: int = 5,
        admit: Callable[[str], str] | None = None,
        run_id: str = "",
    ) -> None:
        """`done` are the numbers of the games that are stored, `stored` their results: a fixed source needs none.

        `withdrawn` are engines that are out from the beginning. `admit` is asked of each engine before its first game,
        and says why it cannot play, or nothing.
        """
        self.source = source
        self.results = Results(withdrawn=dict(withdrawn or {}))
        self.not_played = 0
        """Games that are left out, because an engine of theirs is withdrawn."""
        self._fault_budget = fault_budget
        self._admit = admit
        self._run_id = run_id
        self._later: list[GameJob] = []
        """Games that may not begin yet."""
        self._again: list[int] = []
        """Numbers of games to be given again, the lowest first."""
        self._tries: Counter[int] = Counter()
        self._admitted: set[str] = set()
        self._told: set[str] = set()
        """Of which engines it was told that they are withdrawn."""
        self._out_after = dict.fromkeys(self.results.withdrawn, -1)
        """Of each withdrawn engine, the stage after which it is out."""
        self._open: defaultdict[str, dict[int, tuple[int, Result] | None]] = defaultdict(dict)
        """Of each engine, its games that are not counted yet, in the order of their numbers; None: not ended."""
        self._in_a_row: Counter[str] = Counter()
        self._stored: dict[int, Result] = {}
        """Stored results that were not met yet."""
        first = 1 if source.is_fixed else source.settled
        for known in sorted(stored, key=lambda result: result.number):
            if known.number < first:  # nothing is asked of it but who was faulty
                self._begin(known.p1, known.p2, known.number)
                self._count_result(known)
            else:
                self._stored[known.number] = known
        self._numbers: Iterator[int] = done.missing(source.total) if source.is_fixed else count(first)
        self._number: int | None = next(self._numbers, None)

    @property
    def withdrawn(self) -> dict[str, str]:
        """The engines that get no more games, each with the reason. It grows."""
        now = None if self._number is None else self.source.stage(self._number)
        return {
            name: reason
            for name, reason in self.results.withdrawn.items()
            if now is None or self._out_after[name] < now
        }

    def attach(self, nudge: Callable[[], None]) -> None:
        """It is played from now on. `nudge` is to be called when games may begin that could not before."""

    def hear(self, events: Events) -> None:
        """This happened, and its games are stored."""

    def news(self) -> Sequence[News]:
        """What has become of engines since the last call."""
        new = [Withdrawn(name, reason) for name, reason in self.withdrawn.items() if name not in self._told]
        self._told |= {each.name for each in new}
        return new

    def may_produce_more(self) -> bool:
        """True while the run may still produce games, although it has none now."""
        return False

    def withdraw(self, name: str, reason: str) -> None:
        """Give an engine no more games, from now on."""
        self.results.withdrawn.setdefault(name, reason)
        self._out_after[name] = -1

    def next(self) -> NextJob:
        """The next game to play; `wait`: none before another one has ended; None: none any more, as far as is known.

        Raises OddGame.
        """
        for waiting in self._later:
            if self._is_missed(waiting) or self.may_begin(waiting):
                self._later.remove(waiting)
                return GamesToPlay.next(self) if self._is_missed(waiting, count=True) else waiting
        while isinstance(job := self._next(), GameJob):
            if self._is_missed(job, count=True):
                continue
            if self.may_begin(job):
                return job
            self._later.append(job)
        return WAIT if self._later else job

    def may_begin(self, job: GameJob) -> bool:
        """Whether this game may begin now. Others may, before it."""
        return True

    def _is_missed(self, job: GameJob, *, count: bool = False) -> bool:
        """Whether a game is not played, since an engine of it is withdrawn. With `count` it has ended so."""
        missed = self.misses(job.p1, job.number), self.misses(job.p2, job.number)
        if any(missed) and count:
            self.not_played += 1
            winner: Literal["p1", "p2"] | None = None if all(missed) else "p2" if missed[0] else "p1"
            self._end(Result(job.number, job.p1, job.p2, winner, missed=missed))
        return any(missed)

    def misses(self, name: str, number: int) -> bool:
        """Whether the engine does not play this game, since it is withdrawn."""
        if name not in self._admitted and name not in self._out_after:
            self._admitted.add(name)
            if self._admit is not None and (reason := self._admit(name)):
                self.withdraw(name, reason)
        return name in self._out_after and self._out_after[name] < self.source.stage(number)

    def _next(self) -> NextJob:
        while self._again:
            job = self.source.job(self._again[0], self.results)
            if job is None or job == WAIT:
                return job
            number = heapq.heappop(self._again)
            if isinstance(job, GameJob):
                return job
            self._forget(number)
        while self._number is not None:
            number, job = self._number, self.source.job(self._number, self.results)
            if job is None or job == WAIT:
                return job
            self._number = next(self._numbers, None)
            known = self._stored.pop(number, None)
            if not isinstance(job, GameJob):
                if known is not None:
                    self._begin(known.p1, known.p2, number)
                    self._end(known)
                continue
            self._begin(job.p1, job.p2, number)
            if known is None:
                return job
            if (known.p1, known.p2) != (job.p1, job.p2):
                raise OddGame(
                    f"game {number} of run {self._run_id} is stored as {known.p1} - {known.p2}, but the results "
                    f"before it ask for {job.p1} - {job.p2}: the file was changed by hand; restore it from a copy"
                )
            self._end(known)
        return None

    def ended(self, record: GameRecord, faulty: str | None) -> bool:
        """A game has ended. False: it had no result, and is given again unless it was tried too often."""
        if record.winner is None:
            self._tries[record.number] += 1
            if self._tries[record.number] < TRIES:
                self.give_again(record.number)
            else:
                self.results.given_up[record.number] = record
                self._forget(record.number)
            return False
        self._end(self.source.result(record)._replace(faulty=faulty))
        return True

    def give_again(self, number: int) -> None:
        """A game was not played, and nobody is to blame."""
        heapq.heappush(self._again, number)

    def lost(self, job: GameJob, exit_code: int | None) -> None:
        """A game lost its worker. Raises WorkerLost where that happened too often."""
        self._tries[job.number] += 1
        if self._tries[job.number] >= TRIES:
            raise WorkerLost(
                f"game {job.number} lost its worker {self._tries[job.number]} times (exit code {exit_code}): "
                "the run is stopped, the games that ended are kept"
            )
        self.give_again(job.number)

    def _begin(self, p1: str, p2: str, number: int) -> None:
        self._open[p1][number] = self._open[p2][number] = None

    def _end(self, result: Result) -> None:
        if not self.source.is_fixed:
            self.results.by_number[result.number] = result
            if len(self.results.by_number) % 4096 == 0:
                known, settled = self.results.by_number, self.source.settled
                self.results.by_number = {number: each for number, each in known.items() if number >= settled}
        self._count_result(result)

    def _count_result(self, result: Result) -> None:
        counted = self.source.stage(result.number), result
        for name in (result.p1, result.p2):
            self._open[name][result.number] = counted
            self._count(name)

    def _forget(self, number: int) -> None:
        """No result comes of this game."""
        for name in [name for name, games in self._open.items() if number in games]:
            del self._open[name][number]
            self._count(name)

    def _count(self, name: str) -> None:
        """Count an engine's faults in a row up to the first of its games that has not ended."""
        games = self._open[name]
        while games and (first := games[number := next(iter(games))]) is not None:
            del games[number]
            stage, result = first
            if not result.was_played:
                continue
            self._in_a_row[name] = self._in_a_row[name] + 1 if result.faulty == name else 0
            if self._fault_budget and self._in_a_row[name] >= self._fault_budget and name not in self._out_after:
                self._out_after[name] = stage
                self.results.withdrawn[name] = f"{self._fault_budget} faults in a row, the last: {result.termination}"
