"""Whether machines agree: the statistic against published figures, and how often it is wrong."""

import random
from collections.abc import Callable, Sequence
from typing import get_args

import pytest

from results.ratings import homogeneity
from results.ratings.homogeneity import agreement, chi_square_tail
from results.record import Winner
from results.tally import HostCount

BERKELEY = {
    "A": ((512, 313), (89, 19)),
    "B": ((353, 207), (17, 8)),
    "C": ((120, 205), (202, 391)),
    "D": ((138, 279), (131, 244)),
    "E": ((53, 138), (94, 299)),
    "F": ((22, 351), (24, 317)),
}
"""Men and women who were admitted and rejected, by department (Bickel, Hammel and O'Connell, Science 187, 1975)."""


def count(host: str, p1: str, p2: str, winner: Winner, games: int = 1, variant: str = "v") -> HostCount:
    return HostCount("run", host, variant, "1+0", p1, p2, winner, games)


def berkeley() -> list[HostCount]:
    """Departments as variants, men and women as machines, admission as a win of p1."""
    admitted_or_not: tuple[Winner, Winner] = ("p1", "p2")
    return [
        count(host, "a", "b", winner, games, department)
        for department, table in BERKELEY.items()
        for host, row in zip(("men", "women"), table, strict=True)
        for winner, games in zip(admitted_or_not, row, strict=True)
    ]


@pytest.mark.parametrize(
    ("value", "freedom", "p"),
    [(3.841458821, 1, 0.05), (18.30703805, 10, 0.05), (1, 4, 0.9097959896), (67.50480655, 50, 0.05), (0, 3, 1)],
)
def test_tails_of_the_chi_square_are_those_of_the_tables(value: float, freedom: int, p: float) -> None:
    """From both ways of computing them."""
    assert chi_square_tail(value, freedom) == pytest.approx(p, rel=1e-7)


def test_the_statistic_is_that_of_cochran_mantel_and_haenszel() -> None:
    """R's `mantelhaen.test(UCBAdmissions, correct = FALSE)` gives 1.5246, one degree of freedom, p 0.2169."""
    test = agreement(berkeley()).test
    assert test is not None and (test.method, test.freedom, test.games) == ("chi-square", 1, 4526)
    assert test.statistic == pytest.approx(1.5246, abs=5e-5) and test.p == pytest.approx(0.2169, abs=5e-5)


def test_the_order_of_the_engines_does_not_matter() -> None:
    """With two engines, what one loses the other wins: there is one degree of freedom for each further machine."""
    turned: dict[str, Winner] = {"p1": "p2", "p2": "p1", "draw": "draw"}
    swapped = [each._replace(p1=each.p2, p2=each.p1, winner=turned[each.winner]) for each in berkeley()]
    one, two = agreement(berkeley()).test, agreement(swapped).test
    assert one is not None and two is not None and one.statistic == pytest.approx(two.statistic)


def played(chance: random.Random, games: int, edge: float, engines: str = "ab", hosts: str = "xyz") -> list[HostCount]:
    """Games between random engines on random machines; `a` wins more often by `edge` on the machine `x`."""
    found = []
    for _ in range(games):
        p1, p2 = chance.sample(engines, 2)
        host = chance.choice(hosts)
        win = 0.4 + (edge if host == "x" else 0) * ((p1 == "a") - (p2 == "a"))
        found.append(count(host, p1, p2, chance.choices(get_args(Winner), (win, 0.8 - win, 0.2))[0]))
    return found


def ps(make: Callable[[random.Random], Sequence[HostCount]], times: int) -> list[float]:
    tests = [agreement(make(random.Random(number))).test for number in range(times)]
    return [1.0 if test is None else test.p for test in tests]


@pytest.mark.parametrize(("games", "times"), [(24, 60), pytest.param(1500, 40, marks=pytest.mark.long)])
def test_machines_that_agree_are_suspected_as_rarely_as_p_says(
    games: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both with so few games that they are shuffled and with many."""
    monkeypatch.setattr(homogeneity, "SHUFFLES", 199)
    found = ps(lambda chance: played(chance, games, 0.0, "abcd"), times)
    assert sum(p <= 0.05 for p in found) / times <= 0.09
    assert 0.4 < sum(found) / times < 0.6


def test_an_engine_that_is_stronger_on_one_machine_is_found() -> None:
    """Although it plays both sides, where the differences would cancel out if sides alone were compared."""
    found = agreement(played(random.Random(1), 4000, 0.2, "abc"))
    assert found.test is not None and found.test.p < 1e-6
    by_place = {(score.host, score.engine): score for score in found.scores}
    best = by_place["x", "a"]
    assert best.difference is not None and best.plus_minus is not None
    assert best.difference == pytest.approx(0.2, abs=0.06) and best.difference > best.plus_minus
    assert by_place["x", "b"].difference is not None and by_place["x", "b"].difference < 0


def test_few_games_are_judged_by_shuffling_them() -> None:
    """Six games to none of each kind: of 924 ways to deal them, two are as extreme."""
    games = [count("x", "a", "b", "p1", 6), count("y", "a", "b", "p2", 6)]
    test = agreement(games).test
    assert test is not None and (test.method, test.games) == ("permutation", 12)
    assert test.p == pytest.approx(2 / 924, abs=0.002)
    assert agreement(games).test == test, "the same games have the same p"


def test_only_like_games_are_compared() -> None:
    """Another pairing, the other sides, another variant or run tell nothing; the games are counted all the same."""
    games = [
        count("x", "a", "b", "p1", 9),
        count("y", "b", "a", "p1", 9),
        count("y", "a", "c", "p2", 9),
        count("y", "a", "b", "p2", 9, "w"),
        count("y", "a", "b", "p2", 9)._replace(run="other"),
    ]
    found = agreement(games)
    assert found.test is None and found.games == {"x": 9, "y": 36}
    assert {score.compared for score in found.scores} == {0}
    on_y = {score.engine: score.games for score in found.scores if score.host == "y"}
    assert on_y == {"a": 36, "b": 27, "c": 9}
    alike = agreement([count("x", "a", "b", "p1", 9), count("y", "a", "b", "p1", 3)])
    assert alike.test is None and {score.difference for score in alike.scores} == {0.0}
