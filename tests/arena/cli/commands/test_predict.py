"""`arena predict`, as a user reads it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.arena.cli.field import Made, keep, round_robin

Arena = Callable[..., Result]


@pytest.fixture
def field(tmp_path: Path) -> Path:
    """Three engines, ann the strongest, and in other games two whom they never met."""
    path = keep(tmp_path / "field.db", "aa11", round_robin("ann bob cyd", 16))
    return keep(path, "bb22", round_robin("dan eve", 8), "callanish-7")


def test_the_score_is_told_for_each_side_and_both(arena: Arena, field: Path) -> None:
    """The stronger engine scores more than half; both sides alike lies between the sides, within its interval."""
    done = arena("predict", "ann", "cyd", field, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    for side in ("p1", "p2", "both"):
        told = found[side]
        assert 0.5 < told["score"] < 1 and told["lower"] < told["score"] < told["upper"]
        assert told["win"] + told["draw"] + told["loss"] == pytest.approx(1, abs=1e-5)
    low, high = sorted((found["p1"]["score"], found["p2"]["score"]))
    assert low <= found["both"]["score"] <= high
    assert found["stronger"] > 0.9
    assert found["games"] == {"between": 16, "all": 48, "distinct": 48, "engines": 3}


def test_the_other_way_round_is_the_rest(arena: Arena, field: Path) -> None:
    """What A scores as p1 and what B scores as p2 add up to one point."""
    one = json.loads(arena("predict", "ann", "bob", field, "--json").stdout)
    two = json.loads(arena("predict", "bob", "ann", field, "--json").stdout)
    assert one["p1"]["score"] + two["p2"]["score"] == pytest.approx(1, abs=1e-5)
    assert one["p1"]["lower"] + two["p2"]["upper"] == pytest.approx(1, abs=1e-5)
    assert one["both"]["score"] + two["both"]["score"] == pytest.approx(1, abs=1e-5)
    assert one["stronger"] + two["stronger"] == pytest.approx(1)


def test_people_read_a_table_and_who_is_stronger(arena: Arena, field: Path) -> None:
    """Whoever is named first; one variant is named, several are counted."""
    done = arena("predict", "bob", "ann", field)
    assert "as p1" in done.stdout and "both sides alike" in done.stdout
    assert "ann is stronger than bob with a probability of" in done.stdout
    assert "from 16 games of the two, 48 in all of 3 engines" in done.stdout
    assert "2 variants together" in done.stdout
    only = arena("predict", "bob", "ann", field, "--variant", "scottish")
    assert "bob against ann, scottish" in only.stdout and "48 in all of 3 engines" in only.stdout


def test_an_engine_that_never_lost_a_point_is_bounded_on_one_side(arena: Arena, tmp_path: Path) -> None:
    """A note says so, because the other end of the interval follows from the prior alone."""
    path = keep(tmp_path / "a.db", "aa", [*round_robin("ann bob", 8), ("zoe", "ann", "p1"), ("zoe", "bob", "p1")])
    assert "zoe, alone or with a few equals, gave the others no point" in arena("predict", "zoe", "ann", path).stdout


def test_games_can_be_chosen(arena: Arena, tmp_path: Path) -> None:
    """By run and time control."""
    path = keep(tmp_path / "a.db", "aa", round_robin("ann bob cyd", 8))
    keep(path, "bb", [("dan", "ann", "p1"), ("ann", "dan", "p1")] * 6)
    assert "all of 3 engines" in arena("predict", "ann", "bob", path, "--run", "aa", "--tc", "5+0.05").stdout
    assert arena("predict", "ann", "dan", path, "--run", "aa").exit_code == 2
    refused = arena("predict", "ann", "bob", path, "--tc", "1+0")
    assert refused.exit_code == 2 and "--tc 1+0: " in refused.stderr and "it has 5+0.05" in refused.stderr
    assert json.loads(arena("predict", "dan", "ann", path, "--json").stdout)["time_controls"] == ["5+0.05"]


def test_roles_are_in_every_prediction(arena: Arena, tmp_path: Path) -> None:
    """Who is good as p1 is known to be bad as p2, and nobody needs to ask for it."""
    others = round_robin("ann bob cyd", 16)
    games: list[Made] = [*others]
    for other in ("ann", "bob", "cyd"):
        games += [("dan", other, "p1"), (other, "dan", "p1")] * 12
        games += [("dan", other, "p2"), (other, "dan", "p2")] * 2
    path = keep(tmp_path / "a.db", "aa", games)
    told = {
        pair: json.loads(arena("predict", *pair, path, "--json").stdout) for pair in (("dan", "bob"), ("bob", "cyd"))
    }
    apart = {pair[0]: found["p1"]["score"] - found["p2"]["score"] for pair, found in told.items()}
    assert apart["dan"] > 0.5 and apart["dan"] > apart["bob"] + 0.1
    assert arena("predict", "dan", "bob", path, "--roles").exit_code == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ann", "eve"), "no games connect ann and eve, not even through others"),
        (("ann", "annn"), "has no engine 'annn'; did you mean 'ann'?"),
        (("ann", "ann"), "'ann' cannot meet itself"),
        (("ann", "bob", "--variant", "callanish-7"), "ann has no decided game"),
        (("ann", "bob", "--variant", "chess"), "has no such games; it has callanish-7, scottish"),
    ],
)
def test_what_cannot_be_told_is_refused_in_a_sentence(
    arena: Arena, field: Path, words: tuple[str, ...], sentence: str
) -> None:
    """Unknown, unconnected, or nothing to predict."""
    done = arena("predict", *words[:2], field, *words[2:])
    assert done.exit_code == 2 and sentence in done.stderr and not done.stdout
