"""Schedules: which games are played, in which order, from which seeds."""

from dataclasses import replace
from itertools import pairwise

import pytest

from arena.formats.base import Fixed, Pairing
from arena.formats.round_robin import RoundRobin
from arena.openings.books import Book, Opening, Order, Start
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.run.source import RunSetting, game_seed
from arena.timing.time_control import parse, with_lag
from tests.scheduled import Schedule

TERMS = Terms(parse("1+0"))


def schedule(engines: int, variants: int = 1, rounds: int = 1, seed: int = 1, games: int | None = None) -> Schedule:
    starts = tuple(Start(f"variant-{i}") for i in range(variants))
    names = tuple(f"engine-{i}" for i in range(engines))
    fixed = Fixed(engines, RoundRobin(engines), rounds if games is None else games)
    total = fixed.most * variants if games is None else games
    return Schedule(RunSetting("run", names, starts, 2, seed, TERMS), fixed, total)


def test_in_a_match_the_first_engine_is_p1_in_game_1_and_sides_swap_every_game() -> None:
    """Five games: a b, b a, a b, b a, a b."""
    assert [(job.p1, job.number) for job in schedule(2, games=5)] == [
        (f"engine-{number % 2}", number + 1) for number in range(5)
    ]


def test_each_pairing_is_played_with_both_sides_from_one_opening() -> None:
    """Games 2k and 2k+1 share opening, variant and engines, swapped; the next pair has another opening.

    Each ordered pair meets once in each round and variant.
    """
    jobs = list(schedule(5, variants=2, rounds=3))
    assert len({(job.round, job.variant, job.p1, job.p2) for job in jobs}) == len(jobs) == 3 * 2 * 5 * 4
    openings = []
    for first, second in zip(jobs[::2], jobs[1::2], strict=True):
        assert (first.p1, first.p2, first.variant, first.round) == (second.p2, second.p1, second.variant, second.round)
        assert first.opening_seed == second.opening_seed
        openings.append(first.opening_seed)
    assert len(set(openings)) == len(openings)


def test_seeds_depend_on_the_run_seed_and_the_game() -> None:
    """Same seed, same games; another seed, other games; no two games alike."""
    assert [job.seed for job in schedule(3)] == [job.seed for job in schedule(3)]
    assert [job.seed for job in schedule(3)] != [job.seed for job in schedule(3, seed=2)]
    seeds = [job.seed for job in schedule(3, rounds=20)]
    assert len(set(seeds)) == len(seeds)
    assert all(abs(a - b) > 1 for a, b in pairwise(sorted(seeds))), "seed and seed + 1 are the two sides'"
    assert game_seed("1/game/1") == 1_639_117_359, "the same on every machine"


def test_an_engine_with_a_limit_and_a_margin_of_its_own_has_them_on_either_side() -> None:
    """Two equal handicaps are one limit; without any, all games share the same terms."""
    specs = {name: EngineSpec(name, (), limit=parse("2+0"), margin_ms=7) for name in ("engine-0", "engine-1")}
    setting = replace(schedule(3).setting, specs=specs)
    for job in replace(schedule(3), setting=setting):
        limits = [str(job.terms.limit_of(side)) for side in (0, 1)]
        assert limits == ["1+0" if name == "engine-2" else "2+0" for name in (job.p1, job.p2)]
        assert [str(job.terms.of(side).limit) for side in (0, 1)] == limits
        assert all(job.terms.of(side).p2_limit is None for side in (0, 1))
        margins = [job.terms.of(side).margin_ms for side in (0, 1)]
        assert margins == [TERMS.margin_ms if name == "engine-2" else 7 for name in (job.p1, job.p2)]
        assert job.terms.tc == (limits[0] if limits[0] == limits[1] else " | ".join(limits))
    assert all(job.terms is TERMS for job in schedule(3))


def test_games_have_the_time_control_of_their_variant() -> None:
    """An engine's own limit comes before it."""
    starts = Start("a", limit=parse("9+0")), Start("b")
    setting = replace(schedule(3).setting, starts=starts, specs={"engine-0": EngineSpec("", (), limit=parse("2+0"))})
    games = list(replace(schedule(3, variants=2), setting=setting))
    assert {job.variant for job in games} == {"a", "b"}
    for job in games:
        usual = "9+0" if job.variant == "a" else "1+0"
        limits = [str(job.terms.limit_of(side)) for side in (0, 1)]
        assert limits == ["2+0" if name == "engine-0" else usual for name in (job.p1, job.p2)]


BOOK = Book(tuple(Opening(None if k % 2 else f"board {k} p1", (f"a{k}",)) for k in range(5)))


def opening(job: GameJob) -> tuple[str | None, tuple[str, ...] | None]:
    return job.fen, job.opening


@pytest.mark.parametrize("order", ["sequential", "random"])
@pytest.mark.parametrize("games", [2, 3])
def test_no_pairing_has_an_opening_of_a_book_twice_before_it_had_all(order: Order, games: int) -> None:
    """In every round, start and listing of the pairing; both games of an encounter have the same one."""
    starts = (Start("a", book=replace(BOOK, order=order, start=3)), Start("b"))
    listed = (Pairing(0, 1), Pairing(0, 2), Pairing(1, 0), Pairing(0, 1))
    setting = RunSetting("run", ("x", "y", "z"), starts, 0, 1, TERMS)
    whole = Schedule(setting, Fixed(3, listed, 12, games), 12 * len(listed) * games * 2)
    had: dict[frozenset[str], list[tuple[str | None, tuple[str, ...] | None]]] = {}
    for index in range(0, len(whole), games):
        jobs = [whole[index + k] for k in range(games)]
        if jobs[0].variant == "b":
            assert {opening(job) for job in jobs} == {(None, None)}
            continue
        for one, two in zip(jobs[::2], jobs[1::2], strict=False):
            assert (opening(one), one.p1, one.p2) == (opening(two), two.p2, two.p1)
        had.setdefault(frozenset((jobs[0].p1, jobs[0].p2)), []).extend(opening(job) for job in jobs[::2])
    size = len(BOOK.openings)
    for openings in had.values():
        assert len(openings) >= 2 * size
        for first in range(0, len(openings) - size + 1, size):
            assert len(set(openings[first : first + size])) == size
    known = {(each.fen, each.moves) for each in BOOK.openings}
    assert {each for openings in had.values() for each in openings} == known


def test_both_sides_of_a_game_over_a_line_have_the_lag_and_other_games_have_none() -> None:
    """Else a guest would have more time than its opponent. Of two lags the longer one holds; nodes have none."""
    lags = {"engine-0": 250, "engine-1": 100}
    for text in ("5+0.2", "movetime=9", "nodes=9"):
        specs = {name: EngineSpec(name, (), lag_ms=lag_ms) for name, lag_ms in lags.items()}
        specs["engine-2"] = EngineSpec("engine-2", (), limit=parse("9"))
        setting = replace(schedule(3).setting, terms=Terms(parse(text)), specs=specs)
        for job in replace(schedule(3), setting=setting):
            most = max(lags.get(name, 0) for name in (job.p1, job.p2))
            for side, name in enumerate((job.p1, job.p2)):
                limit = parse("9") if name == "engine-2" else parse(text)
                assert job.terms.limit_of(side) == with_lag(limit, most)
