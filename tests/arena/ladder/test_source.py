"""A ladder's choice of games, played here by strengths and dice: no process, no file, no clock."""

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from arena.ladder.source import NEWCOMER_GAMES, ChooseField, LadderSource, choose_pairs
from arena.openings.books import Book, Opening, Start
from arena.play.jobs import GameJob, Terms
from arena.run.run import GamesToPlay
from arena.run.source import Result, RunSetting, result_of
from arena.timing.time_control import fixed
from results.record import GameRecord, Winner, faulty
from tests.results.made import game_of

STRENGTH = {"ann": 9.0, "bob": 6.0, "cyd": 3.0, "dan": 0.0, "eve": -3.0, "fay": -6.0}
SETTING = RunSetting("r1", (), (Start("callanish-5"), Start("callanish-7")), 4, 7, Terms(fixed("nodes", 10)))
BATCH = 16


class Ladder(GamesToPlay):
    """A ladder that is played by hand. `gone` are engines that get no more games."""

    def __init__(
        self,
        setting: RunSetting,
        batch: int,
        field: ChooseField,
        stored: Sequence[Result] = (),
        last_field: Sequence[str] = (),
    ) -> None:
        self.gone: set[str] = set()
        self.away: set[str] = set()
        self.ladder = LadderSource(setting, batch, field, stored=stored, last_field=last_field)
        super().__init__(self.ladder, stored=stored)

    def misses(self, name: str, number: int) -> bool:
        return name in self.gone or super().misses(name, number)

    def may_begin(self, job: GameJob) -> bool:
        return not self.away & {job.p1, job.p2}

    def give(self) -> GameJob | None:
        return job if isinstance(job := self.next(), GameJob) else None

    def record(self, record: GameRecord) -> None:
        self.ended(record, faulty(record))


def played(job: GameJob, termination: str = "line", winner: Winner | None = None) -> GameRecord:
    """The game as the dice of its seed decide it, by strength."""
    ahead = STRENGTH.get(job.p1, 0) - STRENGTH.get(job.p2, 0)
    won: Winner = "p1" if random.Random(job.seed).gauss(ahead, 6) > 0 else "p2"
    return game_of(job, winner=winner or won, termination=termination, variant=job.variant)


def everybody(faulty: Mapping[str, str]) -> Sequence[str]:
    return [name for name in STRENGTH if name not in faulty]


def ladder(stored: Sequence[Result] = (), field: ChooseField = everybody, last: Sequence[str] = (*STRENGTH,)) -> Ladder:
    return Ladder(SETTING, BATCH, field, stored=stored, last_field=last)


def climb(on: Ladder, games: int, slots: int = 1, seed: int = 0) -> list[GameRecord]:
    """So many games, so many at once, which end in an order of their own."""
    chance = random.Random(seed)
    running: list[GameJob] = []
    found: list[GameRecord] = []
    while len(found) < games:
        while len(running) < slots and len(found) + len(running) < games and (job := on.give()) is not None:
            running.append(job)
        record = played(running.pop(chance.randrange(len(running))))
        on.record(record)
        found.append(record)
    return sorted(found, key=lambda record: record.number)


def known(records: Iterable[GameRecord]) -> list[Result]:
    return [result_of(record) for record in records]


@pytest.fixture(scope="module")
def long() -> list[GameRecord]:
    """Three batches, one game at a time."""
    return climb(ladder(), 3 * BATCH)


def test_the_order_of_the_finish_decides_nothing(long: list[GameRecord]) -> None:
    """The same games at any concurrency, whichever ends first."""
    assert climb(ladder(), 3 * BATCH, slots=5, seed=1) == long[: 3 * BATCH]
    assert climb(ladder(), 3 * BATCH, slots=40, seed=2) == long[: 3 * BATCH]


@pytest.mark.parametrize("cut", [15, 16, 40])
def test_a_ladder_that_is_gone_on_with_chooses_the_same(long: list[GameRecord], cut: int) -> None:
    """From its stored games alone, also where some of them, in the midst of a batch, are missing."""
    chance = random.Random(cut)
    kept = [record for record in long[:cut] if record.number <= (cut - 1) // BATCH * BATCH or chance.random() < 0.7]
    rest = climb(ladder(known(kept)), 3 * BATCH - len(kept), slots=2)
    assert sorted([*kept, *rest], key=lambda record: record.number) == long[: 3 * BATCH]


def test_each_pair_plays_an_opening_with_both_sides_and_no_opening_twice() -> None:
    """So neither a side nor an opening favours anybody."""
    on = ladder()
    jobs: list[GameJob] = []
    for _ in range(4 * BATCH):
        job = on.give()
        assert job is not None
        jobs.append(job)
        on.record(played(job))
    assert [job.number for job in jobs] == [*range(1, 4 * BATCH + 1)]
    for one, two in zip(jobs[::2], jobs[1::2], strict=True):
        assert (one.p1, one.p2, one.variant, one.opening_seed) == (two.p2, two.p1, two.variant, two.opening_seed)
    assert len({job.opening_seed for job in jobs}) == len(jobs) / 2


def gap(games: Iterable[GameRecord]) -> int:
    """How many more games there are of one of the two variants than of the other."""
    variants = Counter(game.variant for game in games)
    return abs(variants["callanish-5"] - variants["callanish-7"])


def test_every_engine_has_as_much_of_one_variant_as_of_another() -> None:
    """And so have each two of them, to an opening or two; also where one joins late."""
    late = [*STRENGTH]
    late.remove("cyd")
    first = climb(ladder(field=lambda faulty: late), 6 * BATCH)
    games = [*first, *climb(ladder(known(first)), 6 * BATCH)]
    for one in STRENGTH:
        mine = [game for game in games if one in (game.p1, game.p2)]
        assert len(mine) > BATCH and gap(mine) <= 4
        for two in STRENGTH:
            assert gap(game for game in mine if two != one and two in (game.p1, game.p2)) <= 2
    assert gap(games) <= 8


def test_a_newcomer_is_placed_against_opponents_from_all_over_the_list() -> None:
    """Its first games are with four of them, strong and weak, and in the very next batch."""
    late = [*STRENGTH]
    late.remove("cyd")
    before = climb(ladder(field=lambda faulty: late), 4 * BATCH)
    on = ladder(known(before))
    first = [record for record in climb(on, BATCH) if "cyd" in (record.p1, record.p2)][:NEWCOMER_GAMES]
    met = Counter(record.p1 if record.p2 == "cyd" else record.p2 for record in first)
    assert len(first) == NEWCOMER_GAMES and len(met) == 4 and set(met.values()) == {2}
    ranks = sorted(late.index(name) for name in met)
    assert ranks[0] <= 1 and ranks[-1] >= 3


def test_games_are_played_where_they_tell_most() -> None:
    """Neighbours meet more often than the first and the last, who meet now and then, since a quarter is random."""
    names = sorted(STRENGTH, key=STRENGTH.__getitem__)
    results = {(one, two): (0, 0, 0) for one in names for two in names if one != two}
    for record in climb(ladder(), 10 * BATCH):
        won, drawn, lost = results[record.p1, record.p2]
        results[record.p1, record.p2] = (won + (record.winner == "p1"), drawn, lost + (record.winner == "p2"))
    chosen = Counter(frozenset(pair) for pair in choose_pairs(results, names, 200, random.Random(1)))
    near = sum(chosen[frozenset(pair)] for pair in itertools.pairwise(names)) / 5
    far = sum(chosen[frozenset((one, two))] for place, one in enumerate(names) for two in names[place + 3 :]) / 6
    assert near > 2 * far > 0


def test_games_that_somebody_missed_stay_missed_when_a_ladder_is_gone_on_with() -> None:
    """The batch after was chosen without them, and is chosen so again."""
    staying = [name for name in STRENGTH if name != "fay"]
    on = ladder(field=lambda faulty: staying if on.gone else [*STRENGTH])
    records = climb(on, 6)
    assert "fay" in {name for record in records for name in (record.p1, record.p2)}
    on.gone = {"fay"}
    while (job := on.give()) is not None and job.number <= BATCH:
        records.append(played(job))
        on.record(records[-1])
    assert len(records) < BATCH and job is not None
    again = ladder(known(records), lambda faulty: staying, staying)
    assert again.give() == job


def test_one_engine_alone_has_nobody_to_play() -> None:
    """No game, and no error: others may come."""
    here = ["ann"]
    on = ladder(field=lambda faulty: here)
    assert on.give() is None
    here.append("bob")
    assert on.give() is not None


def test_two_engines_get_every_opening_of_a_book_before_one_comes_again() -> None:
    """Also when the ladder is gone on with in between: what they have had follows from their games."""
    book = Book(tuple(Opening(None, (move, "b2")) for move in ("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8")))
    setting = replace(SETTING, starts=(Start("callanish-5", book=book), Start("callanish-7", book=book)))
    records: list[GameRecord] = []
    had: dict[tuple[frozenset[str], str], list[str]] = {}
    for _ in range(4):
        on = Ladder(setting, BATCH, lambda faulty: ["ann", "bob"], stored=known(records), last_field=["ann", "bob"])
        for _ in range(BATCH):
            job = on.give()
            assert job is not None and job.opening is not None
            had.setdefault((frozenset((job.p1, job.p2)), job.variant), []).append(job.opening[0])
            records.append(played(job))
            on.record(records[-1])
    for openings in had.values():
        assert len(openings) == 32
        assert openings[::2] == openings[1::2] and len(set(openings[:16])) == 8 == len(set(openings[16:]))


def test_a_game_that_may_not_begin_waits_and_others_are_given_before_it() -> None:
    """Such as that of a guest who is away. The batch ends when it has been played, or its engine is gone."""
    on = ladder()
    first = on.give()
    assert first is not None
    away = on.away = {"ann"}
    given = [first]
    while (job := on.give()) is not None:
        given.append(job)
    assert not any("ann" in (job.p1, job.p2) for job in given[1:]) and len(given) < BATCH
    for job in given:
        on.record(played(job))
    on.away = set()
    waiting = on.give()
    assert waiting is not None and "ann" in (waiting.p1, waiting.p2) and waiting.number <= BATCH
    on.gone = away
    on.record(played(waiting))
    after = on.give()
    assert after is not None and after.number > BATCH


def test_a_batch_that_is_cut_plays_what_has_begun_and_no_more() -> None:
    on = ladder()
    begun = [on.give(), on.give()]
    on.ladder.cut()
    assert on.give() is None
    for job in begun:
        assert job is not None
        on.record(played(job))
    after = on.give()
    assert after is not None and after.number == BATCH + 1
