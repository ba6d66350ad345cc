"""The games of a format: all known beforehand, or paired round by round from results.

Independent of processes and of the store's file.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

from arena.formats.base import Format, PairScore, Played, Progression, Round
from arena.formats.tie_breaks import shorter
from arena.games import variants
from arena.games.tafl import TaflRules
from arena.planning.schedule import RunSetting, Schedule
from arena.play.fault_budget import FaultBudget
from arena.play.jobs import FAR_AHEAD, GameJob
from results.record import FORFEITS, GameRecord, Termination, Winner, faulty
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


class OddGame(StoreError):
    """A stored game that this run cannot contain: somebody changed the file by hand."""


class _Result(NamedTuple):
    """What pairing needs of a game. `faulty` is the engine whose own fault lost it the game."""

    p1: str
    p2: str
    winner: Winner | None
    faulty: str | None
    termination: Termination
    plies: int
    captures: tuple[int, int]
    """Men that p1 and p2 captured, where the format counts them."""
    missed: tuple[bool, bool] = (False, False)
    """Was the game not played, since p1 or p2 was withdrawn?"""

    @classmethod
    def of(cls, game: GameRecord, counts_captures: bool) -> "_Result":
        captures = _captures(game) if counts_captures else (0, 0)
        return cls(game.p1, game.p2, game.winner, faulty(game), game.termination, game.ply_count, captures)


def _captures(game: GameRecord) -> tuple[int, int]:
    """Men that p1 and p2 captured: what the other side has fewer of in the end. Callanish has no captures.

    Raises OddGame for moves that the rules do not have.
    """
    rules, position = variants.resolve(game.variant, "", game.fen)
    if not isinstance(rules, TaflRules):
        return 0, 0
    boards = [position.fen().split()[0]]
    for word in game.moves:
        if (move := position.find(word)) is None:
            raise OddGame(f"game {game.id} has the illegal move {word}: restore the file from a copy")
        position = position.play(move)
    boards.append(position.fen().split()[0])
    before, after = ((board.count("d"), board.count("a")) for board in boards)
    return before[0] - after[0], before[1] - after[1]


def _after(met: PairScore, game: _Result, swapped: bool) -> PairScore:
    """The score after one more game, in which the second player was p1 if `swapped`."""
    own, other = (1, 0) if swapped else (0, 1)
    """The places of the first and the second player in what is said of p1 and p2."""
    wins = (game.winner == "p1", game.winner == "p2")
    plies = 0 if game.termination in FORFEITS else game.plies
    (mine, theirs), (fast, faster), (away, gone) = met.captures, met.shortest, met.missed
    return PairScore(
        *(met.first, met.second, met.won + wins[own], met.drawn + (game.winner == "draw"), met.lost + wins[other]),
        (mine + game.captures[own], theirs + game.captures[other]),
        (shorter(fast, plies * wins[own]), shorter(faster, plies * wins[other])),
        (away + game.missed[own], gone + game.missed[other]),
    )


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
        self._stored = {game.number: _Result.of(game, format_.counts_captures) for game in stored}
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
        pairings = () if self._round is None else self._round.pairings
        self._scores = [PairScore(*pairing, 0, 0, 0) for pairing in pairings]

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
            self._played[record.number] = result = _Result.of(record, self._format.counts_captures)
            self._count(record.number, result)

    def forfeit(self, job: GameJob) -> None:
        """The opponent wins if it still takes part."""
        absent = (job.p1 in self._withdrawn, job.p2 in self._withdrawn)
        self._withdrawn_players |= {self._setting.engines.index(job.p1)} if absent[0] else set()
        self._withdrawn_players |= {self._setting.engines.index(job.p2)} if absent[1] else set()
        winner: Winner | None = None if all(absent) else "p2" if absent[0] else "p1"
        self._count(job.number, _Result(job.p1, job.p2, winner, None, Termination.UNFINISHED, 0, (0, 0), absent))

    def _settle(self, job: GameJob, stored: "_Result") -> None:
        if (stored.p1, stored.p2) != (job.p1, job.p2):
            raise OddGame(
                f"game {job.number} of run {self._setting.run_id} is stored as {stored.p1} - {stored.p2}, where the "
                f"results before it ask for {job.p1} - {job.p2}: the file was changed by hand; restore it from a copy"
            )
        self._played[job.number] = stored
        self._count(job.number, stored)

    def _count(self, number: int, game: _Result) -> None:
        """Count one more game. Winner None: nobody won, and it was no draw."""
        assert self._round is not None
        self._known += 1
        pairing = self._setting.place(self._round, number - self._games_before - 1).pairing
        swapped = self._setting.engines[self._round.pairings[pairing].first] != game.p1
        self._scores[pairing] = _after(self._scores[pairing], game, swapped)

    @property
    def progress(self) -> Progression:
        """How far the run has come."""
        return Progression(self.past, None if self._round is None else self._played_of(self._round))

    def _played_of(self, round_: Round) -> Played:
        return Played(round_, tuple(self._scores), frozenset(self._withdrawn_players))

    def _end(self, round_: Round) -> None:
        self.past.append(self._played_of(round_))
        self._games_before += self._size
        self._openings_before += self._setting.openings(round_)
        for _, game in sorted(self._played.items()):
            for name in (game.p1, game.p2):
                if self._faults.count(name, name == game.faulty):
                    self._withdraw(name, self._faults.reason(game.termination))
        self._played.clear()
        self._met.update({frozenset(pairing): -(-round_.games // 2) for pairing in round_.pairings})
        self._begin()
