"""A study of sides: its pairings, and what it makes of results. No process is started."""

from collections import Counter
from dataclasses import replace

import pytest

from arena.play.jobs import EngineSpec, Terms
from arena.run.schedule import RunSetting, Schedule, Start
from arena.studies.side_advantage import SideStudy
from arena.timing.time_control import fixed
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


def test_a_fall_is_told_where_neighbours_overlap() -> None:
    """The intervals of all levels overlap, so they alone would say nothing; the trend does."""
    games = []
    for nodes, wins in ((10, 18), (100, 13), (1000, 9)):
        for number in range(30):
            names = (f"one@{nodes}", f"one@{nodes}'")
            games.append(game(100 * nodes + number, *names, "p1" if number < wins else "p2"))
    found = STUDY.findings(games)
    scores = [level.score for level in found.levels]
    assert all(score is not None for score in scores)
    assert max(score.lower for score in scores if score) < min(score.upper for score in scores if score)
    assert found.trend is not None and found.trend.p < 0.05 and found.uneven
    assert found.trend.slope == pytest.approx(-0.15)


def test_draws_are_told_apart_from_decided_games() -> None:
    """Two of three decided games are p1's, however many draws there are."""
    games = [game(n, "one@10", "one@10'", "p1" if n < 4 else "p2" if n < 6 else "draw") for n in range(20)]
    level = STUDY.findings(games).levels[0]
    assert level.decided is not None and level.decided[0] == pytest.approx(2 / 3)
    assert level.score is not None and level.score.score == pytest.approx((4 + 7) / 20)
    only_draws = STUDY.findings([game(n, "one@10", "one@10'", "draw") for n in range(3)])
    assert only_draws.levels[0].decided is None


def test_each_engine_has_findings_of_its_own() -> None:
    """One falls and the other does not; together they fall less."""
    games = []
    for number in range(40):
        for nodes, wins in ((10, 30), (100, 10)):
            one, two = (f"one@{nodes}", f"one@{nodes}'"), (f"two@{nodes}", f"two@{nodes}'")
            games.append(game(number * 1000 + nodes, *one, "p1" if number < wins else "p2"))
            games.append(game(number * 1000 + nodes + 1, *two, "p1" if number < 20 else "p2"))
    found = STUDY.findings(games)
    first, second = found.engines
    assert (first.name, second.name) == ("one", "two")
    assert first.trend is not None and first.trend.slope == pytest.approx(-0.5)
    assert second.trend is not None and second.trend.slope == pytest.approx(0)
    assert found.trend is not None and found.trend.slope == pytest.approx(-0.25)


def test_a_study_of_engines_against_themselves_has_no_other_games_and_no_ratings() -> None:
    """Its last line is p1's score in all games: there are no other players to allow for."""
    alone = replace(STUDY, self_only=True)
    assert set(alone.choice(4).values["pairings"]) == {
        (f"{name}@{nodes}", f"{name}@{nodes}'") for name in ("one", "two") for nodes in (10, 100, 1000)
    }
    found = alone.findings(
        [game(n, "one@10", "one@10'", "p1") for n in range(3)] + [game(9, "two@100", "two@100'", "p2")]
    )
    assert [level.rating for level in found.levels] == [None] * 3
    assert found.fitted is not None and found.fitted.score == 0.75


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
