"""A run on two machines: what becomes of it when something fails."""

import os
import re
import signal
import time

import pytest

from tests.arena.cli.conftest import ENGINE_IN_C
from tests.arena.cluster.lab import is_possible
from tests.arena.cluster.runs import DEADLINE_S, GAMES, ON_CLUSTER, PLACE, Match, wait_for

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytestmark = [
    pytest.mark.netns,
    pytest.mark.long,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not is_possible(), reason="only root may make network namespaces"),
    pytest.mark.skipif(not ENGINE_IN_C.exists(), reason="wants the engine in C: make venv"),
    pytest.mark.xdist_group("netns"),
]


def test_a_thousand_games_are_those_that_one_machine_plays(match: Match) -> None:
    """A tournament, move by move, by number; both machines have played, and only engines' files came to them."""
    command = match.tournament()
    arena = match.lab.start([*command, "cluster.db", *ON_CLUSTER], "arena.log")
    alone = match.lab.start([*command, "local.db"], "local.log")
    match.assert_whole(arena, 1000)
    assert alone.wait(DEADLINE_S) == 0
    assert match.stored() == match.stored("local.db")
    assert set(match.hosts()) == {"m1", "m2"}
    said = match.lab.said("arena.log")
    assert "m1 plays, 2 games at once" in said and re.search(r"played by m1: \d+ games, m2: \d+ games", said)


def test_a_machine_whose_program_is_killed_costs_no_game(match: Match) -> None:
    """Its engines end with it, the run says so, and the other machine plays the rest."""
    arena = match.start()
    match.wait_for_games(GAMES // 5)
    os.kill(match.machines[1].pid, signal.SIGKILL)
    wait_for(lambda: not match.busy(1), "its workers and engines end")
    match.assert_whole(arena)
    match.assert_told()
    how = "(its connection has ended|it cannot be reached|it has left)"  # whichever is noticed first
    assert re.search(f"m1 is lost: {how}; its games are played again on other machines", match.lab.said("arena.log"))


def test_a_cable_that_is_plugged_in_again_brings_the_machine_back(match: Match) -> None:
    """It was given up, ends what it played, and plays on for the same run, which lasts until it is told to end."""
    arena = match.start(games=100 * GAMES)
    match.wait_for_games(GAMES // 10)
    match.lab.cut(1)
    began = time.monotonic()
    wait_for(lambda: "m1 is lost: it has not answered for 10 s" in match.lab.said("arena.log"), "the loss is told")
    assert time.monotonic() - began <= 15
    match.lab.mend(1)
    wait_for(lambda: match.lab.said("arena.log").count("m1 plays, 2 games at once") == 2, "it plays again")
    assert sum("spawn_main" in each for each in match.busy(1)) <= 2
    before = match.hosts()["m1"]
    wait_for(lambda: match.hosts()["m1"] > before, "games of it are stored")
    arena.send_signal(signal.SIGINT)
    assert arena.wait(DEADLINE_S) == 130
    match.assert_told(match.stored())
    wait_for(lambda: not match.busy(), "all workers end")


def test_a_run_stops_with_its_scheduler_and_goes_on_with_the_next_one(match: Match) -> None:
    """Machines wait for it and come back by themselves; games that were stored are not played again."""
    arena = match.start()
    match.wait_for_games(GAMES // 5)
    match.scheduler.kill()
    assert arena.wait(DEADLINE_S) == 1
    assert f"{PLACE} is gone: the run is stopped, the games that ended are kept" in match.lab.said("arena.log")
    wait_for(lambda: not match.busy(), "all workers end")
    kept = len(match.stored())
    match.start_scheduler("scheduler-2.log")
    match.assert_whole(match.start("arena-2.log"))
    assert f"{GAMES - kept} games to play" in match.lab.said("arena-2.log")


def test_a_machine_that_joins_late_plays_with_the_others(match: Match) -> None:
    """It gets the engine, and its games. The run lasts until it is told to end."""
    arena = match.start(games=100 * GAMES)
    match.wait_for_games(GAMES // 10)
    match.join(3)
    wait_for(lambda: match.hosts().get("m3"), "games of it are stored")
    arena.send_signal(signal.SIGINT)
    assert arena.wait(DEADLINE_S) == 130
    assert set(match.hosts()) == {"m1", "m2", "m3"}
    assert "m3 plays, 2 games at once" in match.lab.said("arena.log")
    wait_for(lambda: not match.busy(), "all workers end")
