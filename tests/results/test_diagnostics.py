"""How far ratings may be trusted: results that do not fit the model, and groups that few games connect."""

import itertools
import random
from collections.abc import Iterable, Mapping

import pytest

from results.ratings import PairResult
from results.tables.standings import Standings, standings
from tests.results.ratings.played import as_counts, both_ways, played

SIX = "abcdef"


def told(games: Iterable[PairResult]) -> Standings:
    """The standings of these games, none of them alike."""
    return standings(as_counts(games))


def league(names: str, games: int, seed: int) -> list[PairResult]:
    """A round robin of some near-equals."""
    chance = random.Random(seed)
    return played(
        {name: chance.gauss(0, 2) for name in names}, both_ways(itertools.combinations(names, 2)), games, seed
    )


def likelihood(found: Standings) -> float:
    """How often chance alone gives as large a misfit."""
    assert found.misfit is not None
    return found.misfit.p


def odd(found: Standings) -> set[frozenset[str]]:
    """The pairs of engines that stick out."""
    assert found.misfit is not None
    return {frozenset((each.a, each.b)) for each in found.misfit.pairings}


@pytest.mark.long
def test_a_field_from_the_model_is_seldom_a_misfit() -> None:
    """Of 100 small fields, wide and narrow, few games a pair and many, at most a few are told; none of them loudly."""
    found, chi_square, freedom = [], 0.0, 0.0
    for seed in range(100):
        chance = random.Random(seed)
        skills = {name: chance.gauss(0, chance.choice((1, 5, 12))) for name in SIX[: chance.choice((3, 5))]}
        pairs = both_ways(itertools.combinations(skills, 2))
        margin = chance.choice((0.0, 1.5, 4.0))
        seen = told(played(skills, pairs, chance.choice((4, 20, 100)), seed, margin=margin))
        assert seen.misfit is not None
        found.append(seen.misfit.p)
        chi_square, freedom = chi_square + seen.misfit.chi_square, freedom + seen.misfit.freedom
    assert sum(p < 0.01 for p in found) <= 4
    assert min(found) > 1e-4
    assert sum(p > 0.3 for p in found) > 40
    assert chi_square == pytest.approx(freedom, rel=0.2)


def test_a_cycle_is_a_misfit_and_its_pairings_stick_out() -> None:
    """a beats b, b beats c, c beats a: no rating tells that. All others played as one expects."""
    cycle = [PairResult(one, two, 70, 0, 30) for one, two in ("ab", "bc", "ca")]
    cycle += [PairResult(two, one, 30, 0, 70) for one, two in ("ab", "bc", "ca")]
    others = [PairResult(one, two, 50, 0, 50) for one, two in both_ways(itertools.combinations(SIX, 2))]
    found = told([*cycle, *(each for each in others if not {each.p1, each.p2} <= set("abc"))])
    assert likelihood(found) < 1e-6
    assert odd(found) == {frozenset(pair) for pair in ("ab", "bc", "ca")}
    assert found.misfit is not None
    first = found.misfit.pairings[0]
    assert first.games == 200 and first.score in (60, 140)
    assert first.expected_score == pytest.approx(100, abs=3)


def test_draws_that_differ_by_engine_are_a_misfit() -> None:
    """All are equal, but in games of a nearly all are drawn, and in the others hardly any."""
    calm = [PairResult(one, two, 5, 90, 5) for one, two in both_ways(("a", two) for two in "bcd")]
    wild = [PairResult(one, two, 48, 4, 48) for one, two in both_ways(itertools.combinations("bcd", 2))]
    found = told([*calm, *wild])
    assert likelihood(found) < 1e-6 and frozenset("ab") in odd(found)
    assert found.misfit is not None
    draws: Mapping[tuple[str, str], tuple[float, float]] = {
        (each.a, each.b): (each.draws, each.expected_draws) for each in found.misfit.pairings
    }
    assert draws["a", "b"][0] == 180 > 120 > draws["a", "b"][1] > draws["b", "c"][0] == 8


def test_one_upset_in_a_foregone_pairing_is_no_misfit() -> None:
    """It happens to everybody once."""
    games = [PairResult("a", "b", 40, 0, 0), PairResult("b", "a", 1, 0, 39)]
    games += [PairResult(one, two, 6, 0, 4) for one, two in ("ac", "ca", "bd", "db")]
    assert likelihood(told(games)) > 0.05


def test_two_groups_that_few_games_of_one_engine_connect_are_told() -> None:
    """Four and four with 40 games a pair, and 12 games of a single engine between them."""
    found = told([*league("abcd", 20, 1), *league("wxyz", 20, 2), PairResult("d", "w", 6, 0, 6)])
    (bridge,) = found.bridges
    assert {bridge.smaller, bridge.larger} == {tuple("abcd"), tuple("wxyz")}
    assert [(frozenset(pair), games) for *pair, games in bridge.pairs] == [(frozenset("dw"), 12)]
    firm = told([*league("abcd", 20, 1), *league("wxyz", 20, 2), PairResult("d", "w", 60, 0, 60)])
    assert firm.bridges == ()
