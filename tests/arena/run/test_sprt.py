"""A sequential test as a supply of games: what counts, in which order, and when it ends."""

import random
from collections.abc import Callable, Iterable

import pytest

from arena.formats.base import Fixed
from arena.formats.round_robin import RoundRobin
from arena.openings.books import Start
from arena.planning.sprt_summary import uncounted
from arena.play.jobs import GameJob, Terms
from arena.run.run import TRIES, GamesToPlay
from arena.run.source import FixedSource, RunSetting
from arena.run.sprt import SprtSource, SprtState
from arena.timing.time_control import parse
from results.ratings.sprt import Sprt
from results.record import GameRecord, Termination
from tests.results.made import game_of

TEST = Sprt(0, 100)
SETTING = RunSetting("5ca1ab1e", ("ann", "bob"), (Start("callanish-9"),), 2, 7, Terms(parse("1+0")))
MOST = 2000


def match(games: int = MOST) -> FixedSource:
    return FixedSource(SETTING, [(Fixed(2, RoundRobin(2), games), games)], games)


class Trial(GamesToPlay):
    """A test that is played by hand."""

    def __init__(self, games: int = MOST, stored: Iterable[GameRecord] = (), test: Sprt = TEST) -> None:
        self.test = SprtSource(test, "ann", match(games))
        self.count = 0
        known = [self.test.result(game) for game in stored]
        super().__init__(self.test, stored=known, fault_budget=0)
        self.count = len(known)

    def give(self) -> GameJob | None:
        return job if isinstance(job := self.next(), GameJob) else None

    def record(self, record: GameRecord) -> None:
        self.count += record.winner is not None
        self.ended(record, None)
        self.test.count(self.results)

    def play(self, winner: Callable[[GameJob], str]) -> list[int]:
        """Play all games, one by one; their numbers."""
        numbers = []
        while (job := self.give()) is not None:
            numbers.append(job.number)
            assert self.standing.state == "running"
            self.record(played(job, winner(job)))
        return numbers

    @property
    def standing(self) -> SprtState:
        self.test.count(self.results)
        return self.test.standing

    @property
    def uncounted(self) -> int:
        return uncounted(self.test, self.count)


def played(job: GameJob, winner: str | None, opening: int | None = None) -> GameRecord:
    """The record of a job that `winner`, or nobody, won; pairs have openings of their own."""
    side = {job.p1: "p1", job.p2: "p2", "draw": "draw"}.get(winner or "")
    termination = "line" if side else Termination.UNFINISHED
    place = (job.number + 1) // 2 if opening is None else opening
    return game_of(job, opening=(f"a{place}",), winner=side, termination=termination)


def winner_of(job: GameJob) -> str:
    """A field in which ann is the stronger one, and the same for the same game."""
    return random.Random(job.number).choices(["ann", "bob", "draw"], [6, 3, 2])[0]


def test_games_are_handed_out_in_order_until_a_bound_is_reached() -> None:
    """Played one by one, nothing is wasted: the pair that decides is the last one."""
    test = Trial()
    jobs = test.play(winner_of)
    standing = test.standing
    assert jobs == list(range(1, len(jobs) + 1))
    assert (standing.state, 2 * standing.played, test.uncounted) == ("H1", len(jobs), 0)
    assert standing.llr == TEST.llr(standing.pairs) >= TEST.upper
    assert sum(standing.games) == len(jobs)
    assert standing.games[1] + 2 * standing.games[2] == sum(points * n for points, n in enumerate(standing.pairs))


@pytest.fixture(scope="module")
def end() -> SprtState:
    """How the test ends whose games are played one by one."""
    alone = Trial()
    alone.play(winner_of)
    return alone.standing


def test_the_order_in_which_games_finish_does_not_matter(end: SprtState) -> None:
    """Eight at once, ending in any order: the same pairs decide, and what is beyond them is not counted."""
    for seed in range(2):
        chance = random.Random(seed)
        test, finished = Trial(), 0
        running: list[GameJob] = []
        while True:
            while len(running) < 8 and (job := test.give()) is not None:
                running.append(job)
            if not running:
                break
            job = running.pop(chance.randrange(len(running)))
            test.record(played(job, winner_of(job)))
            finished += 1
        assert test.standing == end, seed
        assert test.uncounted == finished - 2 * test.standing.played, seed


def test_a_resumed_test_plays_what_is_missing_and_comes_to_the_same_end(end: SprtState) -> None:
    """Whichever games had ended before."""
    for seed in range(2):
        chance = random.Random(seed)
        kept = [job for job in map(match().job, range(1, 41)) if job is not None and chance.random() < 0.6]
        test = Trial(stored=[played(job, winner_of(job)) for job in kept])
        handed = set(test.play(winner_of))
        assert test.standing == end, seed
        assert not {job.number for job in kept} & handed, seed
        assert set(range(1, 2 * end.played + 1)) <= {job.number for job in kept} | handed, seed


def test_a_side_that_always_wins_decides_nothing_for_h1() -> None:
    """Every pair is even: both engines win with the same side, and ann is no stronger."""
    test = Trial()
    test.play(lambda job: job.p1)
    assert test.standing.state == "H0"
    assert test.standing.pairs == (0, 0, test.standing.played, 0, 0)


def test_a_game_without_a_result_is_played_again_and_then_stops_the_test() -> None:
    """Pairs behind it wait, so a test that went on would play for nothing."""
    test = Trial()
    for _ in range(TRIES):
        first = test.give()
        assert first is not None and first.number == 1
        test.record(played(first, None))
    assert test.give() is None
    assert set(test.results.given_up) == {1} and (test.standing.played, test.standing.state) == (0, "running")


def test_at_the_end_of_the_schedule_a_test_may_be_undecided() -> None:
    """Six games are too few to tell; the last odd one has no partner and does not count."""
    test = Trial(7)
    test.play(lambda job: "draw")
    assert (test.standing.state, test.standing.pairs) == ("running", (0, 0, 3, 0, 0))


def test_a_test_ends_undecided_when_an_engine_is_withdrawn() -> None:
    """There is nobody else to play; what was counted stays."""
    test = Trial()
    for winner in ("ann", "bob"):
        job = test.give()
        assert job is not None
        test.record(played(job, winner))
    test.withdraw("bob", "it is gone")
    assert (test.give(), test.standing.state, test.standing.played) == (None, "running", 1)


def test_pairs_that_repeat_a_game_are_told() -> None:
    """The same moves by the same engines are no new evidence; with sides swapped they are another game."""
    test = Trial(12)
    for opening in (1, 2, 1, 3, 2, 1):
        for winner in ("ann", "bob"):
            job = test.give()
            assert job is not None
            test.record(played(job, winner, opening))
    assert (test.standing.played, test.test.repeated) == (6, 3)
