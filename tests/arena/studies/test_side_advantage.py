"""A study of sides: its pairings, and what it makes of results. No process is started."""

from collections import Counter
from dataclasses import replace

import pytest

from arena.planning.schedule import RunSetting, Schedule, Start
from arena.play.jobs import EngineSpec, Terms
from arena.play.time_control import fixed
from arena.studies.side_advantage import SideStudy
from results.record import GameRecord, Winner
from tests.results.made import GAME

STUDY = SideStudy((EngineSpec("one", ("one",)), EngineSpec("two", ("two",))), (10, 100, 1000))


def game(number: int, p1: str, p2: str, winner: Winner | None, alike: bool = False) -> GameRecord:
    moves = GAME.opening if alike else (f"a{number}", "b2")
    return replace(GAME, number=number, p1=p1, p2=p2, winner=winner, opening=moves)


def test_each_rung_plays_itself_its_neighbours_and_the_other_engine() -> None:
    """Not everybody: games between a weak and a strong one tell nothing of the sides."""
    pairings = set(STUDY.choice(4).values["pairings"])
    assert {("one@10", "one@10'"), ("two@1000", "two@1000'")} <= pairings
    assert {("one@10", "one@100"), ("two@100", "two@1000"), ("one@100", "two@100")} <= pairings
    assert ("one@10", "one@1000") not in pairings and ("one@10", "two@100") not in pairings
    assert len(pairings) == 6 + 4 + 3


def test_a_player_has_its_own_name_and_limit_and_its_engine_as_family() -> None:
    """So that ratings of later runs know what it was."""
    by_name = {spec.name: spec for spec in STUDY.players}
    assert len(by_name) == 12
    assert by_name["two@100"].limit == fixed("nodes", 100) == by_name["two@100'"].limit
    assert by_name["two@100'"].family == "two" and by_name["two@100"].command == ("two",)


def test_every_game_of_a_pairing_has_its_own_opening_and_sides_balance() -> None:
    """An engine that always answers alike would only repeat a game whose sides are swapped."""
    choice = STUDY.choice(4)
    names = [spec.name for spec in STUDY.players]
    format_ = choice.make(names, 1)
    setting = RunSetting("r", tuple(names), (Start("callanish-5"),), 4, 1, Terms(fixed("nodes", 10)))
    jobs = list(Schedule(setting, format_, 4 * len(choice.values["pairings"])))  # type: ignore[arg-type]  # pairings are fixed
    assert len({job.opening_seed for job in jobs}) == len(jobs) == 52
    sides = Counter((job.p1, job.p2) for job in jobs)
    assert set(sides.values()) == {2} and all(sides[p2, p1] == count for (p1, p2), count in sides.items())


def test_levels_that_no_one_advantage_fits_are_told() -> None:
    """Where p1 wins all among the weak and loses all among the strong; ten games of each are enough."""
    weak = [game(n, "one@10", "one@10'", "p1") for n in range(10)]
    strong = [game(n, "one@100", "one@100'", "p2") for n in range(10, 20)]
    assert STUDY.findings([*weak, *strong]).uneven
    assert not STUDY.findings(weak).uneven and not STUDY.findings([]).uneven
    assert not STUDY.findings([*weak[:1], *strong[:1]]).uneven


def test_a_level_has_the_games_of_engines_against_themselves() -> None:
    """From the first side's point of view, whichever seat had it; other games do not count there."""
    games = [
        game(1, "one@10", "one@10'", "p1"),
        game(2, "one@10'", "one@10", "p1"),
        game(3, "two@10'", "two@10", "draw"),
        game(4, "one@10", "two@10", "p2"),
        game(5, "one@10", "one@10'", None),
    ]
    found = STUDY.findings(games)
    level = found.levels[0]
    assert (level.scored.wins, level.scored.draws, level.scored.losses) == (2, 1, 0)
    assert level.score is not None and level.score.draw == pytest.approx(1 / 3)
    assert level.score.lower < 5 / 6 == level.score.score < level.score.upper
    assert found.levels[1].score is None and (found.games, found.distinct) == (4, 4)


def test_a_repeated_game_counts_once() -> None:
    """Also where the two seats of one player changed sides."""
    found = STUDY.findings([game(n, *seats, "p1", alike=True) for n, seats in enumerate(SEATS, 1)])
    assert found.levels[0].scored.games == 1 and (found.games, found.distinct) == (2, 1)


SEATS = (("one@10", "one@10'"), ("one@10'", "one@10"))


def test_the_interval_is_wilsons() -> None:
    """Compared with his formula for 8 of 10, as tables have it: 0.490 to 0.943."""
    games = [game(n, "one@10", "one@10'", "p1" if n > 2 else "p2") for n in range(1, 11)]
    score = STUDY.findings(games).levels[0].score
    assert score is not None
    assert score.lower == pytest.approx(0.490, abs=5e-4)
    assert score.upper == pytest.approx(0.943, abs=5e-4)


def test_the_fitted_side_uses_all_games_and_finds_a_real_advantage() -> None:
    """Whoever is first wins three of four, on every rung and between them."""
    games = []
    for number in range(1, 161):
        p1, p2 = (("one@10", "one@100"), ("one@100", "one@10"), ("one@10", "one@10'"), *SEATS[:1])[number % 4]
        games.append(game(number, p1, p2, "p1" if number % 16 < 12 else "p2"))
    fitted = STUDY.findings(games).fitted
    assert fitted is not None and 0.5 < fitted.lower < 0.75 < fitted.upper
    assert fitted.score == pytest.approx(0.75, abs=0.03)


def test_no_games_say_nothing() -> None:
    """A study that has not begun has levels without figures."""
    found = STUDY.findings([])
    assert found.fitted is None and [level.score for level in found.levels] == [None] * 3
