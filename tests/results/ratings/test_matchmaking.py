"""Who is paired with whom."""

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from results.ratings.estimates import PairResult
from results.ratings.fit import fit
from results.ratings.matchmaking import AT_RANDOM, Belief, Pair, assign_sides, next_pair, placing

LADDER = [PairResult(one, two, 8, 0, 4) for one, two in ("ab", "bc", "cd", "de", "ba", "cb", "dc", "ed")]


def belief(means: Sequence[float], sigmas: Sequence[float]) -> Belief:
    """Independent skills of engines a, b, c ..."""
    return Belief(tuple("abcdefgh"[: len(means)]), np.array(means), np.diag(np.array(sigmas) ** 2))


def test_nobody_meets_itself() -> None:
    """Not even where every game of others is foregone, and tells nearly nothing."""
    for means, sigma in (([0, 10], 0.3), ([0, 15], 1.5), ([0, 300], 1), ([0, 12, 25], 0.2)):
        told, chance = belief(means, [sigma] * len(means)), random.Random(1)
        assert (told.gains() >= 0).all()
        for _ in range(50):
            pair = next_pair(told, {}, chance)
            assert pair.p1 != pair.p2


@pytest.mark.parametrize(
    ("mean", "variance", "near"),
    [(3, 41, 0.06), (0, 1, 0.03), (15, 4, 0.03), (8, 100, 0.06)],
)
def test_the_gain_is_what_a_game_tells(mean: float, variance: float, near: float) -> None:
    """The mutual information of result and difference, integrated in small steps: by some hundredths of itself."""
    from statistics import NormalDist

    normal, noise = NormalDist(), 25 / 6 * 2**0.5
    gains = belief([mean, 0], [math.sqrt(variance / 2)] * 2).gains()
    skill = NormalDist(mean, variance**0.5)
    steps = [skill.inv_cdf((k + 0.5) / 4000) for k in range(4000)]

    def bits(win: float) -> float:
        return -win * math.log2(win) - (1 - win) * math.log2(1 - win) if 0 < win < 1 else 0.0

    chances = [normal.cdf(at / noise) for at in steps]
    exact = bits(sum(chances) / 4000) - sum(map(bits, chances)) / 4000
    assert gains[0, 1] == pytest.approx(exact, rel=near)


def test_a_running_game_makes_its_pair_less_urgent() -> None:
    """The doubt of the two shrinks about as a fit with one more game would say; a third is not touched."""
    found = fit(LADDER)
    before = Belief.of(found)
    after = before.after(Pair("b", "c"))

    def doubt(of: Belief) -> float:
        row = of.covariance[1] - of.covariance[2]
        return math.sqrt(row[1] - row[2])

    played = [fit([*LADDER, PairResult("b", "c", won, 0, 1 - won)]).difference("b", "c").sigma for won in (0, 1)]
    assert doubt(after) == pytest.approx(sum(played) / 2, rel=0.03)
    assert doubt(after) < doubt(before)
    assert after.gains()[1, 2] < before.gains()[1, 2]
    assert after.means is before.means


def test_a_quarter_of_the_pairs_is_random() -> None:
    """All others are the one that tells most."""
    chance, told = random.Random(1), belief([0, 0.1, 9, 30, -30], [3, 3, 1, 1, 1])
    found = Counter(frozenset(next_pair(told, {}, chance)) for _ in range(600))
    best, count = found.most_common(1)[0]
    assert best == {"a", "b"}
    assert count / 600 == pytest.approx(1 - AT_RANDOM * 0.9, abs=0.05)
    assert len(found) == 10


def test_sides_are_balanced() -> None:
    """Within a pair first, then over all games; after any number of games no pair is more than one apart."""
    chance, told, counts = random.Random(2), Belief.of(fit(LADDER)), Counter[tuple[str, str]]()
    for _ in range(300):
        counts[next_pair(told, counts, chance)] += 1
    assert all(abs(games - counts[two, one]) <= 1 for (one, two), games in list(counts.items()))
    assert assign_sides("a", "b", {("a", "c"): 1}, chance) == ("b", "a")
    assert assign_sides("a", "b", {("a", "b"): 3, ("b", "a"): 2, ("b", "c"): 9}, chance) == ("b", "a")


def test_a_newcomer_meets_opponents_from_all_over_the_list() -> None:
    """One from each stretch, in any order; the same for the same seed."""
    ranked = [f"e{k:02}" for k in range(50)]

    def first(games: int, among: list[str], seed: int) -> list[int]:
        chance, met = random.Random(seed), Counter[str]()
        found = []
        for _ in range(games):
            found.append(placing(among, met, games, {}, chance))
            met[found[-1]] += 2
        return [among.index(name) for name in found]

    for seed in range(20):
        opponents = first(10, ranked, seed)
        assert sorted(place // 5 for place in opponents) == [*range(10)] != opponents
        assert opponents == first(10, ranked, seed)
        assert len(set(first(4, ranked[:4], seed))) == 4 == len(set(first(4, ranked[:5], seed)))
        assert Counter(first(4, ranked[:3], seed)).most_common()[0][1] == 2
    assert first(4, ["y"], 1) == [0] * 4


def test_among_newcomers_those_with_the_fewest_games_are_met_first() -> None:
    """So that nobody has many before others have any; whom one has met already comes last."""
    chance = random.Random(1)
    assert {placing(["a", "b"], {}, 4, {"a": 4, "b": 2}, chance) for _ in range(20)} == {"b"}
    assert {placing(["a", "b"], {"b": 2}, 4, {"a": 4, "b": 2}, chance) for _ in range(20)} == {"a"}
