"""From numbers to games: which game the k-th of a round is, with its seeds, computed and never stored.

Knows rounds and pairings, not how they came about; refuses to know results, processes and the store.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arena.formats.encounter import Fixed, Round
from arena.jobs import GameJob, Terms
from arena.limits import Limit


@dataclass(frozen=True, slots=True)
class Start:
    """What a game starts from: a canonical variant name, and a position string unless it is the variant's own start."""

    variant: str
    fen: str | None = None


class Place(NamedTuple):
    """Where a game stands in its round: indices of its start and pairing, and which of the pairing's games it is."""

    start: int
    pairing: int
    game: int


@dataclass(frozen=True, slots=True)
class Setting:
    """What all games of a run share. `handicaps` are the limits of engines that have their own."""

    run_id: str
    engines: tuple[str, ...]
    starts: tuple[Start, ...]
    opening_plies: int
    seed: int
    terms: Terms
    handicaps: Mapping[str, Limit] = field(default_factory=dict)

    def size(self, round_: Round) -> int:
        """How many games a round has."""
        return len(self.starts) * len(round_.pairings) * round_.games

    def openings(self, round_: Round) -> int:
        """How many openings a round has: one for two games."""
        return len(self.starts) * len(round_.pairings) * -(-round_.games // 2)

    def place(self, round_: Round, k: int) -> Place:
        """Of the k-th game of a round, from 0: by start, then pairing, then game."""
        rest, game = divmod(k, round_.games)
        return Place(*divmod(rest, len(round_.pairings)), game)

    def job(self, round_: Round, k: int, games_before: int, openings_before: int) -> GameJob:
        """The k-th game of a round before which the run had so many games and openings.

        Sides swap from game to game of a pairing. Where a pairing has an odd number of games from each start, they
        also swap from start to start, so that starts balance each other.
        """
        place = self.place(round_, k)
        start = self.starts[place.start]
        encounter = place.start * len(round_.pairings) + place.pairing
        opening = openings_before + encounter * -(-round_.games // 2) + place.game // 2
        first, second = (self.engines[player] for player in round_.pairings[place.pairing])
        swapped = (place.game + place.start * round_.games + round_.swapped) % 2 == 1
        p1, p2 = (second, first) if swapped else (first, second)
        number = games_before + k + 1
        return GameJob(
            id=f"{self.run_id}-{number}",
            number=number,
            round=round_.number,
            variant=start.variant,
            fen=start.fen,
            opening_plies=self.opening_plies,
            opening_seed=f"{self.seed}/opening/{opening}",
            p1=p1,
            p2=p2,
            seed=derived(f"{self.seed}/game/{number}"),
            terms=self._terms(p1, p2),
        )

    def _terms(self, p1: str, p2: str) -> Terms:
        one, two = (self.handicaps.get(name, self.terms.limit) for name in (p1, p2))
        if one == two == self.terms.limit:
            return self.terms
        return replace(self.terms, limit=one, p2_limit=None if one == two else two)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The games of a format that asks for no results, each known from its number alone.

    Order: round, then start, then pairing, then game. `games` may cut the last round short.
    """

    setting: Setting
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
        return self.setting.job(self.fixed.round(index), within, k - within, index * self.setting.openings(first))


def derived(text: str) -> int:
    """A seed from 0 to 2**31 - 2 that depends on `text` alone, the same on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % (2**31 - 1)
