"""Computes the k-th game of a round, with its seeds and its opening, from k alone. Nothing is stored.

Uses rounds and pairings as they are. Independent of how they were paired, of results, processes and the store.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arena.formats.base import Round
from arena.openings.book import Start
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.timing.time_control import with_lag


class GamePlace(NamedTuple):
    """A game within its round: the indices of its start and of its pairing, and its index among the pairing's games."""

    start: int
    pairing: int
    game: int


@dataclass(frozen=True, slots=True)
class RunSetting:
    """What all games of a run share.

    `specs` has by name the engines that have a limit, a margin or a lag of their own.
    """

    run_id: str
    engines: tuple[str, ...]
    starts: tuple[Start, ...]
    opening_plies: int
    seed: int
    terms: Terms
    specs: Mapping[str, EngineSpec] = field(default_factory=dict)

    def size(self, round_: Round) -> int:
        """The number of games in a round."""
        return len(self.starts) * len(round_.pairings) * round_.games

    def openings(self, round_: Round) -> int:
        """The number of openings in a round: one for two games."""
        return len(self.starts) * len(round_.pairings) * -(-round_.games // 2)

    def place(self, round_: Round, k: int) -> GamePlace:
        """The place of the k-th game of a round, from 0. Games are ordered by start, then pairing, then game."""
        rest, game = divmod(k, round_.games)
        return GamePlace(*divmod(rest, len(round_.pairings)), game)

    def job(
        self, round_: Round, k: int, games_before: int, openings_before: int, encounters_before: int = 0
    ) -> GameJob:
        """The k-th game of a round, from 0. The run had `games_before` and `openings_before` before this round.

        `encounters_before`: how often the pairing's engines met from each start before, in earlier rounds and earlier
        pairings of this round. So they get no opening of a book twice before they have had all.
        Sides swap from game to game of a pairing. Where a pairing has an odd number of games from each start, they
        also swap from start to start, so that starts balance each other.
        """
        start_index, pairing, game = self.place(round_, k)
        games = round_.games
        start = self.starts[start_index]
        encounter = start_index * len(round_.pairings) + pairing
        opening = openings_before + encounter * -(-games // 2) + game // 2
        one, two = round_.pairings[pairing]
        first, second = self.engines[one], self.engines[two]
        swapped = (game + start_index * games + round_.swapped) % 2 == 1
        p1, p2 = (second, first) if swapped else (first, second)
        number = games_before + k + 1
        book_opening = None
        if start.book is not None:
            pair = "\n".join(sorted((first, second)))
            book_opening = start.book.choose(encounters_before + game // 2, pair, self.seed)
        return GameJob(
            id=f"{self.run_id}-{number}",
            number=number,
            round=round_.number,
            variant=start.variant,
            fen=start.fen if book_opening is None or book_opening.fen is None else book_opening.fen,
            opening_plies=self.opening_plies,
            opening_seed=f"{self.seed}/opening/{opening}",
            p1=p1,
            p2=p2,
            seed=game_seed(f"{self.seed}/game/{number}"),
            terms=self._terms(start, p1, p2) if self.specs or start.limit else self.terms,
            opening=None if book_opening is None else book_opening.moves,
        )

    def _terms(self, start: Start, p1: str, p2: str) -> Terms:
        limit = start.limit or self.terms.limit
        specs = [self.specs.get(name) for name in (p1, p2)]
        one, two = ((spec and spec.limit) or limit for spec in specs)
        if lag_ms := max(spec.lag_ms if spec else 0 for spec in specs):  # else a guest has more time than the other
            one, two = with_lag(one, lag_ms), with_lag(two, lag_ms)
        own = (None if spec is None else spec.margin_ms for spec in specs)
        first, second = (self.terms.margin_ms if margin_ms is None else margin_ms for margin_ms in own)
        if one == two == self.terms.limit and first == second == self.terms.margin_ms:
            return self.terms
        p2_limit, p2_margin_ms = None if one == two else two, None if first == second else second
        return replace(self.terms, limit=one, p2_limit=p2_limit, margin_ms=first, p2_margin_ms=p2_margin_ms)


def game_seed(text: str) -> int:
    """A seed from 0 to 2**31 - 2 that depends on `text` alone, the same on every machine."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % (2**31 - 1)
