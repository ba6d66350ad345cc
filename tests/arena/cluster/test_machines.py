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
ENGINES = "".join(
    f'[[engines]]\nname = "{name}"\ncommand = ["./fox"]\nnodes = {nodes}\n'
    for name, nodes in (("fox", 20), ("cub", 10), ("vixen", 30), ("kit", 1))
)


def test_a_thousand_games_are_those_that_one_machine_plays(match: Match) -> None:
    """A tournament, move by move, by number; both machines have played, and only engines' files came to them."""
    command = match.tournament(50, ENGINES + '[[engines]]\nname = "random"\n')
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


def test_a_worker_that_is_killed_costs_no_game(match: Match) -> None:
    """As on one machine; the run says on which one it was."""
    arena = match.start()
    match.wait_for_games(GAMES // 5)
    worker = wait_for(lambda: [each for each in match.lab.processes(1) if "spawn_main" in each], "a worker runs")[0]
    os.kill(int(worker.split()[0]), signal.SIGKILL)
    match.assert_whole(arena)
    match.assert_told()
    assert "m1: a worker has ended (exit code -9)" in match.lab.said("arena.log")


def test_a_cable_that_is_pulled_for_three_seconds_costs_nothing(match: Match) -> None:
    """The machine plays on and is not given up."""
    arena = match.start()
    match.wait_for_games(GAMES // 5)
    match.lab.cut(1)
    time.sleep(3)
    match.lab.mend(1)
    match.assert_whole(arena)
    match.assert_told()
    assert "lost" not in match.lab.said("arena.log")


def test_a_cable_that_is_pulled_for_ever_costs_a_machine(match: Match) -> None:
    """It is given up, and ends its workers by itself. The other one waits for its games 15 s at most."""
    arena = match.start(nodes=20)
    match.wait_for_games(GAMES // 5)
    match.lab.cut(1)
    began = time.monotonic()
    wait_for(lambda: "m1 is lost" in match.lab.said("arena.log"), "the loss is told")
    assert time.monotonic() - began <= 15
    match.assert_whole(arena)
    match.assert_told()
    assert "m1 is lost: it has not answered for 10 s" in match.lab.said("arena.log")
    pause_s = match.longest_pause_s()
    print(f"slots were idle for {pause_s:.1f} s after a machine had died in silence")
    assert pause_s <= 15


def test_a_cable_that_is_plugged_in_again_brings_the_machine_back(match: Match) -> None:
    """It was given up, ends what it played, and plays on for the same run, which lasts until it is told to end."""
    arena = match.start(games=100 * GAMES)
    match.wait_for_games(GAMES // 10)
    match.lab.cut(1)
    wait_for(lambda: "m1 is lost" in match.lab.said("arena.log"), "the loss is told")
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


def test_a_run_whose_arena_is_killed_goes_on(match: Match) -> None:
    """The machines notice it within some 15 s, end its games, and are free for the next one."""
    command = [*match.tournament(34, ENGINES.partition('[[engines]]\nname = "kit"')[0]), "cluster.db", *ON_CLUSTER]
    arena = match.lab.start([*command, "--no-smoke"], "arena.log")
    match.wait_for_games(40)
    arena.kill()
    arena.wait(DEADLINE_S)
    kept = len(match.stored())
    assert kept < 204, "it was killed too late"
    match.assert_whole(match.lab.start([*command], "arena-2.log"), 204)
    assert f"{204 - kept} games to play" in match.lab.said("arena-2.log")


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
