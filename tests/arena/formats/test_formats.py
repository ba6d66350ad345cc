"""Round robins, gauntlets and lists of pairings, by counting; and what a tournament file may ask of a format."""

import itertools
from collections import Counter

import pytest

from arena.formats.base import Fixed, Pairing, Pairings
from arena.formats.registry import FORMATS, FormatConfig
from arena.formats.round_robin import Gauntlet, Pyramid, RoundRobin
from arena.openings.books import Start
from arena.play.jobs import Terms
from arena.run.source import RunSetting
from arena.timing.time_control import parse
from tests.scheduled import Schedule

FIELDS = (*range(2, 9), 15, 16, 50)


def sides(jobs: Schedule) -> Counter[str]:
    """How many games more everybody was p1 than p2."""
    balance: Counter[str] = Counter()
    for job in jobs:
        balance[job.p1] += 1
        balance[job.p2] -= 1
    return balance


def schedule(pairings: Pairings, players: int, rounds: int = 1, games: int = 1, starts: int = 1) -> Schedule:
    names = tuple(f"e{i}" for i in range(players))
    setting = RunSetting("run", names, tuple(Start(f"v{i}") for i in range(starts)), 2, 1, Terms(parse("1+0")))
    fixed = Fixed(players, pairings, rounds, games)
    return Schedule(setting, fixed, fixed.most * starts)


def test_in_a_round_robin_everybody_meets_everybody_once() -> None:
    """All pairs, each once; each cycle of players // 2 names nobody twice, and all but the bye of an odd number."""
    for players in FIELDS:
        met = list(RoundRobin(players))
        assert sorted(tuple(sorted(pair)) for pair in met) == [
            (a, b) for a in range(players) for b in range(a + 1, players)
        ]
        boards = players // 2
        for first in range(0, len(met), boards):
            names = Counter(name for pair in met[first : first + boards] for name in pair)
            assert set(names.values()) == {1}
            assert len(names) == players - players % 2


def test_in_a_gauntlet_each_seed_meets_all_the_rest_and_nobody_else_meets() -> None:
    """For every number of seeds."""
    for players in (2, 3, 4, 7, 10):
        for seeds in range(1, players):
            met = sorted(tuple(sorted(pair)) for pair in Gauntlet(players, seeds))
            assert met == [(a, b) for a in range(seeds) for b in range(seeds, players)]


def test_in_a_pyramid_each_meets_all_before_it() -> None:
    """In their order; engines that follow at the end change nothing of what was before."""
    met = [tuple(sorted(pair)) for pair in Pyramid(50)]
    assert met == [(earlier, later) for later in range(50) for earlier in range(later)]
    for players in FIELDS:
        assert list(Pyramid(players)) == list(Pyramid(50))[: players * (players - 1) // 2]


@pytest.mark.parametrize("players", [2, 3, 4, 7, pytest.param(15, marks=pytest.mark.long)])
def test_sides_are_balanced_to_within_one(players: int) -> None:
    """Also where two meet an odd number of times, over several rounds and starts."""
    for rounds, (starts, games) in itertools.product((1, 2, 3), ((1, 1), (2, 1), (3, 1), (1, 3), (1, 2))):
        every = (RoundRobin(players), Gauntlet(players), Gauntlet(players, players // 2), Pyramid(players))
        for pairings in every:
            found = sides(schedule(pairings, players, rounds, games, starts))
            assert all(abs(balance) <= 1 for balance in found.values()), (rounds, starts, games, pairings)
            if games % 2 == 0 or rounds % 2 == 0:
                assert not any(found.values())


def test_a_list_of_pairings_is_played_as_it_stands() -> None:
    """Who is named first is p1 in the first game; sides swap from game to game and from round to round."""
    jobs = list(schedule((Pairing(2, 0), Pairing(1, 2)), 3, rounds=2, games=1))
    assert [(job.round, job.p1, job.p2) for job in jobs[:2]] == [(1, "e2", "e0"), (1, "e1", "e2")]
    assert [(job.round, job.p1, job.p2) for job in jobs[2:]] == [(2, "e0", "e2"), (2, "e2", "e1")]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (FormatConfig("swiss", seeds=2), "seeds: has no meaning"),
        (FormatConfig("gauntlet", seeds=4), "seeds: must leave somebody"),
        (FormatConfig("swiss", rounds=4), "rounds: after 3 rounds of 4 engines all have met"),
        (FormatConfig("swiss", tie_breaks=("luck",)), "tie_breaks: 'luck' is not one of this format"),
        (FormatConfig("pairings"), "pairings: is missing"),
        (FormatConfig("pairings", pairings=(("a", "x"),)), "pairings.1: there is no engine 'x'"),
        (FormatConfig("pairings", pairings=(("a", "b"), ("c", "c"))), "pairings.2: 'c' cannot meet itself"),
        (FormatConfig("knockout", games_per_pairing=4), "games_per_pairing: has no meaning"),
    ],
)
def test_what_a_format_cannot_use_is_said_with_its_field(choice: FormatConfig, said: str) -> None:
    """One sentence each."""
    found = [f"{field}: {sentence}" for field, sentence in choice.faults(("a", "b", "c", "d"))]
    assert len(found) == 1
    assert found[0].startswith(said)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_had_with_its_defaults(name: str) -> None:
    """For 2 to 50 engines it has a first round in which nobody plays himself or twice on one board."""
    for players in FIELDS:
        names = tuple(f"e{i}" for i in range(players))
        choice = FormatConfig(name, pairings=[[names[0], names[1]]] if name == "pairings" else [])
        assert not list(choice.faults(names))
        format_ = choice.make(names, 1)
        first = format_.next(())
        assert first is not None
        assert all(one != two for one, two in first.pairings)
        assert 0 < len(first.pairings) * first.games <= format_.most
