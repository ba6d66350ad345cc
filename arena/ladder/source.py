"""The games of a ladder, batch after batch. A ladder has no last game.

The games of a batch are chosen once all results of the batches before are known: from the seed, the batch's number,
those results in the schedule's order and the engines that take part then. So the order of the finish decides nothing,
and a resumed ladder chooses the same games: newcomers first, then the pairs whose games tell most.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arena.formats.base import Pairing, Round
from arena.openings.books import Start
from arena.play.jobs import GameJob
from arena.run.source import FAR_AHEAD, SKIP, WAIT, NextJob, Result, Results, RunSetting, result_of
from results.ratings.estimates import PairResult
from results.ratings.fit import fit
from results.ratings.matchmaking import Belief, Pair, next_pair, placing
from results.ratings.scale import for_order
from results.record import GameRecord, Winner

SMALLEST_BATCH = 16
"""How many games the smallest batch has."""
NEWCOMER_OPPONENTS = 4
"""How many different opponents a newcomer meets first, spread over the whole ranking."""
NEWCOMER_GAMES = 2 * NEWCOMER_OPPONENTS
"""An engine with this number of games is no longer a newcomer: both sides against each of those opponents."""

PairCounts = Mapping[tuple[str, str], tuple[int, int, int]]
"""By p1 and p2: games that p1 won, draws, games that p2 won."""
_SCORES: dict[Winner, int] = {"p1": 0, "draw": 1, "p2": 2}


def batch_for(concurrency: int) -> int:
    """How many games a batch has: enough that slots seldom wait for the last one."""
    return max(SMALLEST_BATCH, 8 * concurrency)


@dataclass(slots=True)
class VariantCounts:
    """How many games of each variant a pair played, an engine played, and all engines played."""

    _games: Counter[tuple[frozenset[str], str]] = field(default_factory=Counter)
    """The key is a variant with a set of two engines, of one engine, or of none, which means all engines."""

    def add(self, one: str, two: str, variant: str, games: int) -> None:
        for who in ((one, two), (one,), (two,), ()):
            self._games[frozenset(who), variant] += games

    def of(self, variant: str, *who: str) -> int:
        """Games of a pair, of one engine against anybody, or, where none is named, of all."""
        return self._games[frozenset(who), variant]

    def copy(self) -> "VariantCounts":
        return VariantCounts(self._games.copy())

    def start(self, one: str, two: str, starts: Sequence[Start]) -> Start:
        """The start that this pair played least; among equals, what both engines, then all engines, played least.

        The games of each engine count as a share of its games, so that a newcomer's few weigh as much as others' many.
        """

        def share(name: str, variant: str) -> float:
            return self.of(variant, name) / max(1, sum(self.of(start.variant, name) for start in starts))

        def had(start: Start) -> tuple[int, float, int]:
            variant = start.variant
            return self.of(variant, one, two), share(one, variant) + share(two, variant), self.of(variant)

        return min(starts, key=had)


ChooseField = Callable[[Mapping[str, str]], Sequence[str]]
"""Gets the engines that are out for faults; returns those that take part in the next batch."""


class LadderSource:
    """The games of a ladder by their numbers."""

    is_fixed = False

    def __init__(
        self,
        setting: RunSetting,
        batch: int,
        field_: ChooseField,
        *,
        stored: Iterable[Result] = (),
        last_field: Sequence[str] = (),
        ahead: int = FAR_AHEAD,
    ) -> None:
        """Go on after the games `stored`. `last_field` took part in the batch of the last of them.

        The engines of `setting` do not matter; limits and margins of single engines are read for each game.
        """
        self.total = self.known = 0
        self.ahead = ahead
        self._setting = setting
        self._batch = batch
        self._field = field_
        self._known: dict[tuple[str, str], tuple[int, int, int]] = {}
        self._tally = VariantCounts()
        """The results of all finished batches."""
        self._number = -1
        """Of the batch that is played."""
        self._jobs: dict[int, GameJob] = {}
        """The games of this batch that are played, by their numbers."""
        self._given: set[int] = set()
        self._resume(list(stored), last_field)

    def _resume(self, stored: list[Result], last_field: Sequence[str]) -> None:
        if not stored:
            return
        self._number = (max(game.number for game in stored) - 1) // self._batch
        self._close(game for game in stored if game.number < self.settled)
        there = [game for game in stored if game.number >= self.settled]
        if len(there) < self._batch and len(last_field) >= 2:
            chosen = {job.number: job for job in self._chosen(last_field)}
            # If other games were played, an engine has left since, or another version of this program chose them. Then
            # that batch is over, and its other games are not played.
            jobs = [chosen[game.number] for game in there]
            if all(
                (job.p1, job.p2, job.variant) == (game.p1, game.p2, game.variant)
                for job, game in zip(jobs, there, strict=True)
            ):
                self._jobs = chosen
        self._given = {game.number for game in there}

    @property
    def settled(self) -> int:
        return max(0, self._number) * self._batch + 1

    def job(self, k: int, results: Results) -> NextJob:
        if k <= (self._number + 1) * self._batch:
            if (job := self._jobs.get(k)) is None:
                return SKIP
            self._given.add(k)
            return job
        known = results.by_number
        if any(number not in known and number not in results.given_up for number in self._given):
            return WAIT
        self._close(known[number] for number in self._given if number in known)
        self._given, self._jobs = set(), {}
        taking_part = self._field(results.withdrawn)
        if len(taking_part) < 2:
            return None
        self._number += 1
        self._jobs = {job.number: job for job in self._chosen(taking_part)}
        return self.job(k, results)

    def _close(self, games: Iterable[Result]) -> None:
        """Count the games of a finished batch."""
        for game in sorted(games, key=lambda game: game.number):
            if game.winner is not None and game.was_played:
                counts = list(self._known.get((game.p1, game.p2), (0, 0, 0)))
                counts[_SCORES[game.winner]] += 1
                self._known[game.p1, game.p2] = (counts[0], counts[1], counts[2])
                self._tally.add(game.p1, game.p2, game.variant, 1)

    def cut(self) -> None:
        """Play no more games of this batch than were given, so that the next one is chosen soon."""
        self._jobs = {number: job for number, job in self._jobs.items() if number in self._given}

    def stage(self, number: int) -> int:
        return (number - 1) // self._batch

    def result(self, record: GameRecord) -> Result:
        return result_of(record)

    def _chosen(self, taking_part: Sequence[str]) -> list[GameJob]:
        """All games of batch `_number`."""
        chance = random.Random(f"{self._setting.seed}/ladder/{self._number}")
        pairs = choose_pairs(self._known, taking_part, self._batch // 2, chance)
        jobs, tally = [], self._tally.copy()
        for place, pair in enumerate(pairs):
            before = self._number * self._batch + 2 * place
            start = tally.start(pair.p1, pair.p2, self._setting.starts)
            setting = replace(self._setting, engines=(pair.p1, pair.p2), starts=(start,))
            round_ = Round(self._number + 1, (Pairing(0, 1),), 2)
            had = -(-tally.of(start.variant, pair.p1, pair.p2) // 2)
            jobs += [setting.job(round_, game, before, before // 2, had) for game in (0, 1)]
            tally.add(pair.p1, pair.p2, start.variant, 2)
        return jobs


def choose_pairs(known: PairCounts, field: Sequence[str], count: int, chance: random.Random) -> list[Pair]:
    """`count` pairs of the field. Each plays two games: the first with the sides given, the second with sides swapped.

    A chosen pair counts at once as two more games, so that a batch is not all one pair. Raises ValueError for a field
    of fewer than two engines.
    """
    if len(field) < 2:
        raise ValueError("a game needs two engines")
    met = (PairResult(p1, p2, *results) for (p1, p2), results in known.items())
    # Other engines have played, and play no more.
    everybody = Belief.of(fit(met, field))
    place = {name: k for k, name in enumerate(everybody.names)}
    at = [place[name] for name in field]
    belief = Belief(tuple(field), everybody.means[at], everybody.covariance[at][:, at])
    games = {pair: sum(results) for pair, results in known.items()}
    pairs: list[Pair] = []

    def take(pair: Pair) -> None:
        nonlocal belief
        pairs.append(pair)
        belief = belief.after(pair).after(pair)
        for sides in ((pair.p1, pair.p2), (pair.p2, pair.p1)):
            games[sides] = games.get(sides, 0) + 1

    for pair in _placement_pairs(known, belief, count, chance):
        take(pair)
    while len(pairs) < count:
        take(next_pair(belief, games, chance))
    return pairs


def _placement_pairs(known: PairCounts, belief: Belief, most: int, chance: random.Random) -> list[Pair]:
    """The games that newcomers still need, fewest games first, against engines that are no newcomers.

    While there are few of these, against any engine. Opponents of earlier batches count: as long as there are others, a
    newcomer meets a new one.
    """
    met: Counter[frozenset[str]] = Counter()
    played: Counter[str] = Counter()

    def count(one: str, two: str, games: int) -> None:
        met[frozenset((one, two))] += games
        played.update({one: games, two: games})

    for (p1, p2), results in known.items():
        count(p1, p2, sum(results))
    strength = dict(zip(belief.names, map(for_order, belief.means.tolist()), strict=True))
    field = chance.sample(belief.names, len(belief.names))
    ranked = sorted(field, key=strength.__getitem__, reverse=True)
    placed = [name for name in ranked if played[name] >= NEWCOMER_GAMES]
    pairs: list[Pair] = []
    while len(pairs) < most and played[name := min(field, key=played.__getitem__)] < NEWCOMER_GAMES:
        others = [other for other in (placed if len(placed) >= NEWCOMER_OPPONENTS else ranked) if other != name]
        seen = {other: met[frozenset((name, other))] for other in others}
        games = {other: min(played[other], NEWCOMER_GAMES) for other in others}
        other = placing(others, seen, NEWCOMER_OPPONENTS, games, chance)
        pairs.append(Pair(name, other))
        count(name, other, 2)
    return pairs
