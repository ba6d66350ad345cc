"""Which game of a run is next: what is missing, what is played again, who is withdrawn, and how a run grows."""

import itertools
import time
import tracemalloc
from dataclasses import replace

import pytest

from arena.formats.base import Fixed, Pairing
from arena.formats.round_robin import Gauntlet, Pyramid, RoundRobin
from arena.openings.books import Start
from arena.play.jobs import GameJob, Terms
from arena.run.run import TRIES, GamesToPlay, WorkerLost
from arena.run.source import FixedSource, RunSetting
from arena.timing.time_control import parse
from results.record import Termination
from results.store.reader import IntRanges
from tests.arena.run.playing import Listed
from tests.arena.run.test_play import jobs, record


def setting(engines: int, starts: int = 1) -> RunSetting:
    names = tuple(f"e{number}" for number in range(engines))
    variants = tuple(Start(f"v{number}") for number in range(starts))
    return RunSetting("run", names, variants, 2, 7, Terms(parse("nodes=1")))


def given(run: GamesToPlay) -> list[int]:
    """The numbers of all games that it gives until it waits or is over."""
    numbers = []
    while isinstance(job := run.next(), GameJob):
        numbers.append(job.number)
    return numbers


def test_a_game_without_a_result_is_given_again_and_then_given_up() -> None:
    """The others are played; who wants to know is told of its last try."""
    run = GamesToPlay(Listed(jobs(2)))
    for _ in range(TRIES):
        job = run.next()
        assert isinstance(job, GameJob) and job.number == 1
        run.ended(replace(record(job), winner=None, termination=Termination.UNFINISHED), None)
    assert given(run) == [2] and set(run.results.given_up) == {1}


def test_a_game_that_loses_its_worker_too_often_stops_the_run() -> None:
    """Games that were only in hand then are not charged."""
    run = GamesToPlay(Listed(jobs(2)))
    first, second = run.next(), run.next()
    assert isinstance(first, GameJob) and isinstance(second, GameJob)
    for _ in range(2 * TRIES):
        run.give_again(second.number)
        assert run.next() == second
    for _ in range(TRIES - 1):
        run.lost(first, 9)
        assert run.next() == first
    with pytest.raises(WorkerLost, match=r"game 1 lost its worker 3 times \(exit code 9\)"):
        run.lost(first, 9)


@pytest.mark.parametrize(("blamed", "out"), [("x.xx.x", False), ("xxx...", True), (".xxx..", True), ("......", False)])
def test_faults_in_a_row_are_counted_in_the_order_of_the_games(blamed: str, out: bool) -> None:
    """Whatever the order in which six games at once end: three faults in a row withdraw an engine, and no others."""
    for order in itertools.islice(itertools.permutations(range(6)), 0, None, 29):
        run = GamesToPlay(Listed(jobs(6)), fault_budget=3)
        going = [job for _ in range(6) if isinstance(job := run.next(), GameJob)]
        for number in order:
            run.ended(record(going[number]), "a" if blamed[number] == "x" else None)
        assert set(run.withdrawn) == ({"a"} if out else set())


def test_one_long_game_does_not_hide_the_faults_of_an_engine_that_does_not_play_it() -> None:
    """Faults are counted for each engine: game 1 of two others goes on while it loses its own."""
    fixed = Fixed(4, (Pairing(0, 1), Pairing(2, 3), Pairing(2, 1), Pairing(2, 3), Pairing(2, 1)), 4, 1)
    run = GamesToPlay(FixedSource(setting(4), [(fixed, 4)]), fault_budget=3)
    played = 0
    while isinstance(job := run.next(), GameJob) and played < 20:
        if job.number > 1:
            played += 1
            run.ended(record(job), "e2" if "e2" in (job.p1, job.p2) else None)
    assert set(run.withdrawn) == {"e2"} and played < 8


@pytest.mark.parametrize("pairings", [RoundRobin, Pyramid, Gauntlet])
@pytest.mark.parametrize("games", [1, 2, 3])
def test_a_run_that_grows_keeps_its_games_and_gets_what_a_larger_one_has(pairings: type, games: int) -> None:
    """More rounds, then more engines, then both: old numbers stay, and in the end all have met equally often."""

    def form(players: int, rounds: int) -> tuple[Fixed, int]:
        return Fixed(players, pairings(players), rounds, games), rounds

    before: list[GameJob | None] = []
    forms: list[tuple[Fixed, int]] = []
    for players, rounds in ((3, 2), (3, 3), (5, 3), (6, 5)):
        if forms and forms[-1][0].players == players:
            forms.pop()
        forms.append(form(players, rounds))
        source = FixedSource(setting(6, 2), forms)
        now = [source.job(k) for k in range(1, source.total + 1)]
        assert now[: len(before)] == before
        assert [job.number for job in now if job] == list(range(1, source.total + 1))
        met = sorted((*sorted((job.p1, job.p2)), job.variant) for job in now if job)
        whole = FixedSource(setting(6, 2), [form(players, rounds)])
        others = [job for k in range(whole.total) if (job := whole.job(k + 1)) is not None]
        assert met == sorted((*sorted((job.p1, job.p2)), job.variant) for job in others)
        before = now


def test_a_run_of_21_million_games_is_begun_in_a_second_and_in_100_mb() -> None:
    """2 049 engines and five rounds of two games: nothing is made before it is asked for."""
    fixed = Fixed(2049, RoundRobin(2049), 5, 2)
    tracemalloc.start()
    begun = time.process_time()
    run = GamesToPlay(FixedSource(setting(2049), [(fixed, 5)]), IntRanges(((1, 20_000_000),)))
    job = run.next()
    assert isinstance(job, GameJob) and job.number == 20_000_001
    assert run.source.total == 20_981_760
    assert time.process_time() - begun < 1
    assert tracemalloc.get_traced_memory()[1] < 100 << 20
    tracemalloc.stop()
