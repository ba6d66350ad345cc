"""Which game is number k of a run: pure functions of k and of the results before it.

A source keeps nothing but a memo of results that will not change. So the order in which games end decides nothing, and
a run that goes on comes to the same games. The k-th game of a round, with its seeds and its opening, is computed from k
alone (`RunSetting`).
"""

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from arena.formats.base import Fixed, Format, Pairing, Pairings, PairScore, Played, Progression, Round
from arena.formats.tie_breaks import shorter
from arena.games import variants
from arena.openings.books import Start
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.timing.time_control import with_lag
from results.record import FORFEITS, GameRecord, Termination, Winner, faulty
from results.store.files import StoreError

WAIT: Literal["wait"] = "wait"
SKIP: Literal["skip"] = "skip"
FAR_AHEAD = 40
"""How many games a slot may have in hand where they are tiny. A kill of this program costs so many a slot at most."""


class OddGame(StoreError):
    """A stored game that this run cannot contain: somebody changed the file by hand."""


class Result(NamedTuple):
    """What a run needs of a game that has ended, or that is not played."""

    number: int
    p1: str
    p2: str
    winner: Winner | None
    """None: the game is not played, and both engines are withdrawn."""
    faulty: str | None = None
    """The engine whose own fault lost it the game."""
    termination: str = Termination.UNFINISHED
    plies: int = 0
    captures: tuple[int, int] = (0, 0)
    """Men that p1 and p2 captured, where the format counts them."""
    variant: str = ""
    missed: tuple[bool, bool] = (False, False)
    """Whether the game is not played, since p1 or p2 is withdrawn."""
    record: GameRecord | None = None
    """Only where the source looks at more than the result."""

    @property
    def was_played(self) -> bool:
        return not any(self.missed)


@dataclass(slots=True)
class Results:
    """The results of a run, as far as its source may still ask for them."""

    by_number: dict[int, Result] = field(default_factory=dict)
    withdrawn: dict[str, str] = field(default_factory=dict)
    """The engines that are withdrawn by now, each with the reason. Results of a whole stage say who is out after it."""
    given_up: dict[int, GameRecord] = field(default_factory=dict)
    """Games that never had a result, however often they were tried."""


NextJob = GameJob | Literal["wait", "skip"] | None
"""A game; WAIT: another one must end first; SKIP: no game has this number; None: over, as far as is known now."""


class Source(Protocol):
    """The games of a run by their numbers, from 1."""

    @property
    def total(self) -> int:
        """How many games there are; at most so many where results decide it."""

    @property
    def known(self) -> int:
        """How many games there are, as far as the results so far tell."""

    @property
    def is_fixed(self) -> bool:
        """Whether results change nothing. Then games that are stored are not even computed."""

    @property
    def ahead(self) -> int:
        """How many games a slot may have in hand where they are tiny."""

    @property
    def settled(self) -> int:
        """It asks for no result of a number below this one, and gives no such game unless it is fixed."""

    def job(self, k: int, results: Results) -> NextJob:
        """Game number k."""

    def stage(self, number: int) -> int:
        """The stage of a game that was given. An engine withdrawn in one stage is out from the next one on."""

    def result(self, record: GameRecord) -> Result:
        """What it needs to know of a game that ended with a winner or drawn. Raises OddGame."""


class GamePlace(NamedTuple):
    """A game within its round: the indices of its start and of its pairing, and its index among the pairing's games."""

    start: int
    pairing: int
    game: int


@dataclass(frozen=True, slots=True)
class RunSetting:
    """What all games of a run share.

    `specs` has by name the engines that have a limit or a margin of their own, and in a ladder all, for guests' lag.
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


def result_of(record: GameRecord) -> Result:
    """The plain result of a game."""
    return Result(
        *(record.number, record.p1, record.p2, record.winner, faulty(record), record.termination, record.ply_count),
        variant=record.variant,
    )


class Block(NamedTuple):
    """Rounds of the same pairings, one after the other."""

    games_before: int
    openings_before: int
    first_round: int
    """Its index, from 0."""
    fixed: Fixed
    games: int
    """Of each round, as are the openings."""
    openings: int


class FixedSource:
    """The games of a format that needs no results, ordered by round, then start, then pairing, then game.

    `games` may cut the last round short. Where engines joined a run that had begun, `grown` says how many engines and
    rounds it had before, each time: first come the past rounds of the pairings that are new, then rounds of all.
    """

    is_fixed, ahead, settled = True, FAR_AHEAD, 1 << 62

    def __init__(self, setting: RunSetting, growths: Sequence[tuple[Fixed, int]], games: int | None = None) -> None:
        """`growths` are the pairings of the run as it began and after each growth, each with the rounds by then."""
        self.setting = setting
        self._blocks: list[Block] = []
        self._games = self._openings = 0
        engines = rounds_before = 0
        for fixed, rounds in growths:
            if engines:
                new: Pairings = tuple(pairing for pairing in fixed.pairings if max(pairing) >= engines)
                self._add(0, rounds_before, Fixed(fixed.players, new, rounds_before, fixed.games))
            self._add(rounds_before, rounds - rounds_before, fixed)
            engines, rounds_before = fixed.players, max(rounds, rounds_before)
        self.total = self.known = self._games if games is None else games
        self._starts_of_blocks = [block.games_before for block in self._blocks]

    def _add(self, first_round: int, rounds: int, fixed: Fixed) -> None:
        if rounds > 0:
            round_ = fixed.round(first_round)
            games, openings = self.setting.size(round_), self.setting.openings(round_)
            self._blocks.append(Block(self._games, self._openings, first_round, fixed, games, openings))
            self._games += rounds * games
            self._openings += rounds * openings

    def job(self, k: int, results: Results | None = None) -> GameJob | None:
        if not 0 < k <= self.total:
            return None
        block = self._blocks[bisect_right(self._starts_of_blocks, k - 1) - 1]
        index, within = divmod(k - 1 - block.games_before, block.games)
        round_ = block.fixed.round(block.first_round + index)
        openings_before = block.openings_before + index * block.openings
        fixed, met, each = block.fixed, 0, 1
        if isinstance(fixed.pairings, tuple):  # a list may have two engines more than once, computed pairings do not
            met, each = _meetings(fixed.pairings)[within // fixed.games % len(fixed.pairings)]
        encounters_before = ((block.first_round + index) * each + met) * -(-fixed.games // 2)
        return self.setting.job(round_, within, k - 1 - within, openings_before, encounters_before)

    def stage(self, number: int) -> int:
        return number

    def result(self, record: GameRecord) -> Result:
        return result_of(record)


@lru_cache(maxsize=4)
def _meetings(pairings: tuple[Pairing, ...]) -> tuple[tuple[int, int], ...]:
    """For each pairing of a list: how often its two engines stand before it in the list, and how often in all."""
    pairs = [frozenset(pairing) for pairing in pairings]
    before: list[int] = []
    seen: Counter[frozenset[int]] = Counter()
    for pair in pairs:
        before.append(seen[pair])
        seen[pair] += 1
    return tuple((earlier, seen[pair]) for earlier, pair in zip(before, pairs, strict=True))


class PairedSource:
    """The games of a format that pairs by results, a round at a time: a Swiss, a knockout, a contest.

    A round is paired once all games of the rounds before are known, from their scores and from who is withdrawn then.
    An engine that is withdrawn loses the games that are not played; where both are withdrawn, nobody wins.
    """

    is_fixed, ahead = False, FAR_AHEAD

    def __init__(
        self,
        setting: RunSetting,
        format_: Format,
        stored: Iterable[GameRecord] = (),
        before: Sequence[tuple[Format, int]] = (),
    ) -> None:
        """`stored` are the games that the run has already. They say since when an engine has been withdrawn.

        `before`: the format before engines joined, each time, and up to which round it was that.
        """
        self.setting = setting
        self.format = format_
        self._before = before
        self.total = format_.most * len(setting.starts)
        self.settled = 1
        self.past: list[Played] = []
        """The rounds of which all games are known."""
        self.round: Round | None = None
        self._size = 0
        self._is_begun = False
        self._stored = {game.number: (game.p1, game.p2) for game in stored}
        self._last = {name: number for number, pair in sorted(self._stored.items()) for name in pair}
        """The number of the last stored game of each engine."""
        self._numbers = {name: number for number, name in enumerate(setting.engines)}
        self._gone: frozenset[int] = frozenset()
        self._openings_before = 0
        self._met: Counter[frozenset[int]] = Counter()
        """How often two engines met from each start before this round."""

    def _begin(self, withdrawn: Iterable[str]) -> None:
        """Pair the next round, without those who are withdrawn.

        A run that goes on knows who is withdrawn, and not since when: it is the first round after their last game whose
        stored games agree with that.
        """
        self._is_begun = True
        out = frozenset(self._numbers[name] for name in withdrawn if self._last.get(name, 0) < self.settled)
        self.round = self._next(self._gone | out)
        if out and not self._agrees(self.round):
            self.round = self._next(self._gone)
        else:
            self._gone |= out
        self._size = 0 if self.round is None else self.setting.size(self.round)
        if self.past:  # the format looks at all rounds again before the next one
            self.past[-1] = self.past[-1]._replace(withdrawn=self._gone)

    def _next(self, withdrawn: frozenset[int]) -> Round | None:
        last = [each._replace(withdrawn=withdrawn) for each in self.past[-1:]]
        format_ = next((each for each, rounds in self._before if len(self.past) < rounds), self.format)
        return format_.next([*self.past[:-1], *last], withdrawn)

    def _agrees(self, round_: Round | None) -> bool:
        """Whether the stored games of this round are those of its pairings."""
        if round_ is None:
            return not any(number >= self.settled for number in self._stored)
        for within in range(self.setting.size(round_)):
            if (known := self._stored.get(self.settled + within)) is not None:
                pairing = round_.pairings[self.setting.place(round_, within).pairing]
                if {self._numbers[name] for name in known} != set(pairing):
                    return False
        return True

    def job(self, k: int, results: Results) -> NextJob:
        if not self._is_begun:
            self._begin(results.withdrawn)
        while self.round is not None:
            if k < self.settled + self._size:
                within = k - self.settled
                met = self._met[frozenset(self.round.pairings[self.setting.place(self.round, within).pairing])]
                return self.setting.job(self.round, within, self.settled - 1, self._openings_before, met)
            numbers = range(self.settled, self.settled + self._size)
            if any(number not in results.by_number for number in numbers):
                return WAIT
            self.past.append(self._played(self.round, results))
            self._gone = self.past[-1].withdrawn
            self.settled += self._size
            self._openings_before += self.setting.openings(self.round)
            self._met.update({frozenset(pairing): -(-self.round.games // 2) for pairing in self.round.pairings})
            self._begin(results.withdrawn)
        return None

    def _played(self, round_: Round, results: Results) -> Played:
        """A round with the scores of those of its games that are known."""
        scores = [PairScore(*pairing, 0, 0, 0) for pairing in round_.pairings]
        gone = set(self._gone)
        for within in range(self._size):
            if (game := results.by_number.get(self.settled + within)) is None:
                continue
            at = self.setting.place(round_, within).pairing
            swapped = self.setting.engines[round_.pairings[at].first] != game.p1
            scores[at] = _after(scores[at], game, swapped)
            gone |= {
                self._numbers[name] for name, missed in zip((game.p1, game.p2), game.missed, strict=True) if missed
            }
        return Played(round_, tuple(scores), frozenset(gone))

    def progress(self, results: Results) -> Progression:
        """How far the run has come."""
        return Progression(self.past, None if self.round is None else self._played(self.round, results))

    @property
    def known(self) -> int:
        """The games of the rounds so far, the present one included."""
        return self.settled - 1 + self._size

    def stage(self, number: int) -> int:
        return len(self.past)

    def result(self, record: GameRecord) -> Result:
        plain = result_of(record)
        return plain._replace(captures=_captures(record)) if self.format.counts_captures else plain


def _captures(game: GameRecord) -> tuple[int, int]:
    """Men that p1 and p2 captured: what the other side has fewer of in the end.

    Raises OddGame for moves that the rules do not have.
    """
    rules, position = variants.resolve(game.variant, "", game.fen)
    kind, start = variants.kind_of(rules), position
    if not all(kind.men):
        return 0, 0
    for word in game.moves:
        if (move := position.find(word)) is None:
            raise OddGame(f"game {game.id} has the illegal move {word}: restore the file from a copy")
        position = position.play(move)
    before, after = ("".join(kind.rows(each)) for each in (start, position))
    p1, p2 = (before.count(letter) - after.count(letter) for letter in kind.men)
    return p2, p1


def _after(met: PairScore, game: Result, swapped: bool) -> PairScore:
    """The score after one more game, in which the second player was p1 if `swapped`."""
    own, other = (1, 0) if swapped else (0, 1)
    """The places of the first and the second player in what is said of p1 and p2."""
    wins = (game.winner == "p1", game.winner == "p2")
    plies = 0 if game.missed != (False, False) or game.termination in FORFEITS else game.plies
    (mine, theirs), (fast, faster), (away, gone) = met.captures, met.shortest, met.missed
    return PairScore(
        *(met.first, met.second, met.won + wins[own], met.drawn + (game.winner == "draw"), met.lost + wins[other]),
        (mine + game.captures[own], theirs + game.captures[other]),
        (shorter(fast, plies * wins[own]), shorter(faster, plies * wins[other])),
        (away + game.missed[own], gone + game.missed[other]),
    )
