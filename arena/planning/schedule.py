"""From numbers to games: which game the k-th of a round is, with its seeds, computed and never stored.

Knows rounds and pairings, not how they came about; refuses to know results, processes and the store.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from arena.formats.base import Fixed, Pairing, Round
from arena.openings.book import Book
from arena.play.jobs import GameJob, Terms
from arena.play.time_control import Limit


@dataclass(frozen=True, slots=True)
class Start:
    """What a game starts from: a canonical variant name, and a position string unless it is the variant's own start.

    Where there is a book, each of its openings starts from a position string of its own or from the variant's start.
    """

    variant: str
    fen: str | None = None
    book: Book | None = None


class GamePlace(NamedTuple):
    """Where a game stands in its round: indices of its start and pairing, and which of the pairing's games it is."""

    start: int
    pairing: int
    game: int


@dataclass(frozen=True, slots=True)
class RunSetting:
    """What all games of a run share. `handicaps` and `margins_ms` are those of engines that have their own."""

    run_id: str
    engines: tuple[str, ...]
    starts: tuple[Start, ...]
    opening_plies: int
    seed: int
    terms: Terms
    handicaps: Mapping[str, Limit] = field(default_factory=dict)
    margins_ms: Mapping[str, int] = field(default_factory=dict)

    def size(self, round_: Round) -> int:
        """How many games a round has."""
        return len(self.starts) * len(round_.pairings) * round_.games

    def openings(self, round_: Round) -> int:
        """How many openings a round has: one for two games."""
        return len(self.starts) * len(round_.pairings) * -(-round_.games // 2)

    def place(self, round_: Round, k: int) -> GamePlace:
        """Of the k-th game of a round, from 0: by start, then pairing, then game."""
        rest, game = divmod(k, round_.games)
        return GamePlace(*divmod(rest, len(round_.pairings)), game)

    def job(
        self, round_: Round, k: int, games_before: int, openings_before: int, encounters_before: int = 0
    ) -> GameJob:
        """The k-th game of a round before which the run had so many games and openings.

        `encounters_before` had the two of its pairing from each start, in earlier rounds or as earlier pairings of this
        one: so they get no opening of a book twice before they have had all.
        Sides swap from game to game of a pairing. Where a pairing has an odd number of games from each start, they
        also swap from start to start, so that starts balance each other.
        """
        at, pairing, game = self.place(round_, k)
        games = round_.games
        start = self.starts[at]
        encounter = at * len(round_.pairings) + pairing
        opening = openings_before + encounter * -(-games // 2) + game // 2
        one, two = round_.pairings[pairing]
        first, second = self.engines[one], self.engines[two]
        swapped = (game + at * games + round_.swapped) % 2 == 1
        p1, p2 = (second, first) if swapped else (first, second)
        number = games_before + k + 1
        chosen = None
        if start.book is not None:
            met = encounters_before + game // 2
            chosen = start.book.choose(met, "\n".join(sorted((first, second))), self.seed)
        return GameJob(
            id=f"{self.run_id}-{number}",
            number=number,
            round=round_.number,
            variant=start.variant,
            fen=start.fen if chosen is None or chosen.fen is None else chosen.fen,
            opening_plies=self.opening_plies,
            opening_seed=f"{self.seed}/opening/{opening}",
            p1=p1,
            p2=p2,
            seed=derived(f"{self.seed}/game/{number}"),
            terms=self._terms(p1, p2),
            opening=None if chosen is None else chosen.moves,
        )

    def _terms(self, p1: str, p2: str) -> Terms:
        if not self.handicaps and not self.margins_ms:
            return self.terms
        one, two = (self.handicaps.get(name, self.terms.limit) for name in (p1, p2))
        first, second = (self.margins_ms.get(name, self.terms.margin_ms) for name in (p1, p2))
        if one == two == self.terms.limit and first == second == self.terms.margin_ms:
            return self.terms
        p2_limit, p2_margin_ms = None if one == two else two, None if first == second else second
        return replace(self.terms, limit=one, p2_limit=p2_limit, margin_ms=first, p2_margin_ms=p2_margin_ms)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The games of a format that asks for no results, each known from its number alone.

    Order: round, then start, then pairing, then game. `games` may cut the last round short.
    """

    setting: RunSetting
    fixed: Fixed
    games: int

    def __len__(self) -> int:
        return self.games

    def __iter__(self) -> Iterator[GameJob]:
        return (self[k] for k in range(self.games))

    def __getitem__(self, k: int) -> GameJob:
        """The k-th game, from 0; its `number` is k + 1."""
        if not 0 <= k < self.games:
            raise IndexError(k)
        first = self.fixed.round(0)
        index, within = divmod(k, self.setting.size(first))
        openings_before = index * self.setting.openings(first)
        return self.setting.job(
            self.fixed.round(index), within, k - within, openings_before, self._encounters_before(index, within)
        )

    def _encounters_before(self, index: int, within: int) -> int:
        """Of the two that play this game: how often they met from each start in the pairings before this one."""
        pairings = self.fixed.pairings
        before, each = 0, 1
        if isinstance(pairings, tuple):  # a list may name two engines more than once; computed pairings do not
            before, each = _meetings(pairings)[within // self.fixed.games % len(pairings)]
        return (index * each + before) * -(-self.fixed.games // 2)


@lru_cache(maxsize=4)
def _meetings(pairings: tuple[Pairing, ...]) -> tuple[tuple[int, int], ...]:
    """For each of a list: how often the same two stand before it there, and how often in all."""
    pairs = [frozenset(pairing) for pairing in pairings]
    before: list[int] = []
    seen: Counter[frozenset[int]] = Counter()
    for pair in pairs:
        before.append(seen[pair])
        seen[pair] += 1
    return tuple((earlier, seen[pair]) for earlier, pair in zip(before, pairs, strict=True))


def derived(text: str) -> int:
    """A seed from 0 to 2**31 - 2 that depends on `text` alone, the same on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % (2**31 - 1)
