"""When two engines judge a game in opposite ways, and what engines used and said."""

import random
import statistics
from dataclasses import replace

import pytest

from results.eval_disagreement import centipawns
from results.plies import Ply
from results.record import Costs
from results.store.filter import EVERYTHING, Filter
from results.store.store import Store
from results.tables.engine_stats import Stats
from tests.results.made import GAME, PLAYERS, RUN


def test_a_score_is_one_number_from_the_mover_s_side() -> None:
    """Mates lie beyond all other scores; what is no score is none."""
    for score, value in (
        ("cp 31", 31),
        ("cp -31", -31),
        ("mate 3", 99_997),
        ("mate -4", -99_996),
        ("mate 0", -100_000),
        (None, None),
        ("", None),
        ("cp", None),
        ("cp 1.5", None),
        ("cp \u0663", None),
        ("cp 1 2", None),
        ("elo 3", None),
        ("cp " + "9" * 400, None),
    ):
        assert centipawns(score) == value


def test_a_dispute_lasts_while_the_latest_scores_have_different_signs() -> None:
    """Counted in plies in a row; the longest stretch is the game's."""
    for side, scores, plies in (
        ("p1", [50, 50], 1),  # each sees itself ahead, by a hundred together
        ("p1", [49, 50], 0),
        ("p1", [50, -50], 0),  # both say that p1 is ahead
        ("p1", [-60, -60, -60, 70], 2),  # each sees itself behind, then p2 comes round
        ("p2", [80, 80, None, None, -80, 90, 90], 3),  # a ply without a score leaves the last one standing
        ("p1", [200, None, 200], 0),  # one engine alone
    ):
        made = tuple(Ply("a1", 1, None, None, score=None if each is None else f"cp {each}") for each in scores)
        assert replace(GAME, fen=f"9/9/9 {side} 1", opening=(), plies=made).sums.disputed == plies
        assert replace(GAME, fen=f"9/9/9 {side} 1", opening=("a1", "b2"), plies=made).sums.disputed == plies


def test_stats_are_what_a_list_of_all_plies_gives() -> None:
    """Means, the largest and the share of the machine exactly; the 95th percentile within a hundredth."""
    chance = random.Random(4)
    plies: list[list[object]] = [
        [chance.randint(1, 10**6), 5, None, chance.randint(1, 9), None, None, 1] for _ in range(2000)
    ]
    stats = Stats()
    for at in range(0, 2000, 20):
        stats.add(Costs("ann", "bob", "p1", plies[at : at + 20], 4000, None))
    ann, bob = stats.engines()
    own = sorted(ply[0] for ply in plies[::2] if isinstance(ply[0], int))
    assert (ann.name, ann.games, ann.plies, bob.plies) == ("ann", 100, 1000, 1000)
    assert ann.wall_mean_ms == pytest.approx(statistics.mean(own) / 1000)
    assert ann.wall_max_ms == own[-1] / 1000
    assert ann.wall_p95_ms == pytest.approx(own[949] / 1000, rel=0.01)
    assert (ann.cpu_mean_ms, ann.nodes_mean, ann.nodes_per_s) == (0.005, None, None)
    assert (ann.idle_cpu_mean_ms, bob.idle_cpu_mean_ms) == (4.0, None)
    assert ann.late_share == pytest.approx(1000 / sum(own))


def test_who_plays_first_after_the_opening_is_charged_for_it() -> None:
    """The mover follows from the position and the opening's length."""
    with Store.in_memory() as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(replace(GAME, opening=("a1",), plies=(Ply("b2", 7000, None, None, nodes=14),)))
        stats = Stats()
        store.read_costs(EVERYTHING, stats.add)
        ann, bob = stats.engines()
        assert (ann.plies, ann.wall_mean_ms) == (0, None)
        assert (bob.plies, bob.wall_mean_ms, bob.nodes_per_s) == (1, 7.0, 2000.0)
        nobody = Stats()
        store.read_costs(Filter(engine="cyd"), nobody.add)
        assert nobody.engines() == []
