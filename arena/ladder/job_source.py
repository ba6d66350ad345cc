"""The games of a ladder, batch after batch. A ladder has no last game.

The games of a batch are chosen once all results of the batches before are known: from the seed, the batch's number,
those results in the schedule's order and the engines that take part then. So the order of the finish decides nothing,
and a resumed ladder chooses the same games. Independent of processes, files and the store.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arena.formats.base import Pairing, Round
from arena.ladder.pairing import choose_pairs
from arena.ladder.variant_rotation import VariantCounts
from arena.planning.schedule import RunSetting
from arena.play.fault_budget import FaultBudget
from arena.play.jobs import GameJob
from results.record import GameRecord, GameResult, Winner, faulty

TRIES = 3
"""How often one game may end without a result before its batch goes on without it."""
SMALLEST_BATCH = 16
"""How many games the smallest batch has."""
_SCORES: dict[Winner, int] = {"p1": 0, "draw": 1, "p2": 2}


def batch_for(concurrency: int) -> int:
    """How many games a batch has: enough that slots seldom wait for the last one."""
    return max(SMALLEST_BATCH, 8 * concurrency)


class LadderGame(NamedTuple):
    """The facts of a finished game that a ladder counts."""

    number: int
    p1: str
    p2: str
    winner: Winner
    faulty: str | None
    """The engine that lost by its own fault; None where nobody did."""
    variant: str


def ladder_game(number: int, game: GameRecord | GameResult) -> LadderGame | None:
    """The facts of a game; None for a game without a result."""
    if game.winner is None:
        return None
    return LadderGame(number, game.p1, game.p2, game.winner, faulty(game), game.variant)


@dataclass(slots=True)
class FinishedBatches:
    """The results of all finished batches, and each engine's faults in a row in the order of the games' numbers."""

    faults: FaultBudget
    known: dict[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)
    tally: VariantCounts = field(default_factory=VariantCounts)
    out: dict[str, str] = field(default_factory=dict)
    """Engines that are out for too many faults, each with the reason. They do not come back."""

    def add(self, games: Iterable[LadderGame]) -> None:
        for game in sorted(games):
            counts = list(self.known.get((game.p1, game.p2), (0, 0, 0)))
            counts[_SCORES[game.winner]] += 1
            self.known[game.p1, game.p2] = (counts[0], counts[1], counts[2])
            self.tally.add(game.p1, game.p2, game.variant, 1)
            for name in (game.p1, game.p2):
                if self.faults.count(name, name == game.faulty):
                    self.out.setdefault(name, f"{self.faults.budget} faults in a row, the last in game {game.number}")


ChooseField = Callable[[Mapping[str, str]], Sequence[str]]
"""Gets the engines that are out for faults; returns those that take part in the next batch."""


class Ladder:
    """The job source of a ladder. `gone` are engines that get no more games; it may change at any time."""

    def __init__(
        self,
        setting: RunSetting,
        batch: int,
        field_: ChooseField,
        *,
        stored: Iterable[LadderGame] = (),
        last_field: Sequence[str] = (),
        fault_budget: int = 5,
    ) -> None:
        """Go on after the games `stored`. `last_field` took part in the batch of the last of them.

        The engines of `setting` do not matter; limits and margins of single engines are read for each game.
        """
        self._setting = setting
        self._batch = batch
        self._field = field_
        self._closed = FinishedBatches(FaultBudget(fault_budget))
        self.gone: set[str] = set()
        self._waiting: list[GameJob] = []
        """The games of this batch that are to be given, in their order."""
        self._open: dict[int, GameJob] = {}
        """Those that were given and have not ended, by their numbers."""
        self._tries: dict[int, int] = {}
        self._results: list[LadderGame] = []
        self._number = -1
        self._resume(list(stored), last_field)

    def _resume(self, stored: list[LadderGame], last_field: Sequence[str]) -> None:
        if not stored:
            return
        self._number = (max(game.number for game in stored) - 1) // self._batch
        before = self._number * self._batch
        self._closed.add(game for game in stored if game.number <= before)
        self._results = [game for game in stored if game.number > before]
        if len(self._results) == self._batch or len(last_field) < 2:
            return
        chosen = {job.number: job for job in self._chosen(last_field)}
        there = [chosen.pop(game.number) for game in self._results]
        # If other games were played, an engine has left since, or another version of this program chose them. Then
        # that batch is over, and its other games are not played.
        if all(
            (job.p1, job.p2, job.variant) == (game.p1, game.p2, game.variant)
            for job, game in zip(there, self._results, strict=True)
        ):
            self._waiting = list(chosen.values())

    @property
    def out(self) -> Mapping[str, str]:
        """Engines that are out for faults in finished batches, each with the reason."""
        return self._closed.out

    def next(self, may_begin: Callable[[GameJob], bool] = lambda job: True) -> GameJob | None:
        """The next game of this batch that may begin; of the next one where this is over.

        None: wait, or nobody can play.
        """
        while True:
            place = 0
            while place < len(self._waiting):
                job = self._waiting[place]
                if {job.p1, job.p2} & self.gone:
                    del self._waiting[place]
                elif may_begin(job):
                    del self._waiting[place]
                    self._open[job.number] = job
                    return job
                else:
                    place += 1
            if self._open or self._waiting:
                return None
            self._closed.add(self._results)
            self._results = []
            taking_part = self._field(self._closed.out)
            if len(taking_part) < 2:
                return None
            self._number += 1
            self._waiting = self._chosen(taking_part)

    def cut(self) -> None:
        """Play no more games of this batch than have begun, so that the next one is chosen soon."""
        self._waiting.clear()

    def record(self, record: GameRecord) -> None:
        """A game has ended. A game without a result is given again, TRIES times at most."""
        job = self._open.pop(record.number)
        known = ladder_game(record.number, record)
        if known is not None:
            self._results.append(known)
            return
        self._tries[record.number] = self._tries.get(record.number, 0) + 1
        if self._tries[record.number] < TRIES:
            self._waiting.insert(0, job)

    def forfeit(self, job: GameJob) -> None:
        """The batch goes on without this game."""
        del self._open[job.number]

    def _chosen(self, taking_part: Sequence[str]) -> list[GameJob]:
        """All games of batch `_number`."""
        chance = random.Random(f"{self._setting.seed}/ladder/{self._number}")
        pairs = choose_pairs(self._closed.known, taking_part, self._batch // 2, chance)
        jobs, tally = [], self._closed.tally.copy()
        for place, pair in enumerate(pairs):
            before = self._number * self._batch + 2 * place
            start = tally.start(pair.p1, pair.p2, self._setting.starts)
            setting = replace(self._setting, engines=(pair.p1, pair.p2), starts=(start,))
            round_ = Round(self._number + 1, (Pairing(0, 1),), 2)
            had = -(-tally.of(start.variant, pair.p1, pair.p2) // 2)
            jobs += [setting.job(round_, game, before, before // 2, had) for game in (0, 1)]
            tally.add(pair.p1, pair.p2, start.variant, 2)
        return jobs
