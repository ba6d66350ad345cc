"""The games of a run, each computed from its number alone: nothing is stored, so a resume is a set difference."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from arena.jobs import GameJob, Terms
from arena.pairings import pairings, round_robin


@dataclass(frozen=True, slots=True)
class Start:
    """What a game starts from: a canonical variant name, and a position string unless it is the variant's own start."""

    variant: str
    fen: str | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """A round robin over one or more variants; a match is one of two engines.

    Order: round, then variant, then pairing, then side. The two games of a pairing share one opening, and the engine
    that stands first in `engines` is p1 in the first of them. `games` cuts the last pairing short.
    """

    run_id: str
    engines: tuple[str, ...]
    starts: tuple[Start, ...]
    games: int
    opening_plies: int
    seed: int
    terms: Terms

    @staticmethod
    def full(engines: int, starts: int, rounds: int) -> int:
        """How many games `rounds` whole rounds have."""
        return rounds * starts * pairings(engines) * 2

    def __len__(self) -> int:
        return self.games

    def __iter__(self) -> Iterator[GameJob]:
        return (self[k] for k in range(self.games))

    def __getitem__(self, k: int) -> GameJob:
        """The k-th game, from 0; its `number` is k + 1."""
        if not 0 <= k < self.games:
            raise IndexError(k)
        encounter, swapped = divmod(k, 2)
        rest, pairing = divmod(encounter, pairings(len(self.engines)))
        round_, which = divmod(rest, len(self.starts))
        start = self.starts[which]
        first, second = (self.engines[i] for i in round_robin(len(self.engines), pairing))
        p1, p2 = (second, first) if swapped else (first, second)
        number = k + 1
        return GameJob(
            id=f"{self.run_id}-{number}",
            number=number,
            round=round_ + 1,
            variant=start.variant,
            fen=start.fen,
            opening_plies=self.opening_plies,
            opening_seed=f"{self.seed}/opening/{encounter}",
            p1=p1,
            p2=p2,
            seed=derived(f"{self.seed}/game/{number}"),
            terms=self.terms,
        )


def derived(text: str) -> int:
    """A seed from 0 to 2**31 - 2 that depends on `text` alone, the same on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % (2**31 - 1)
