"""Options of a match for both engines and for one: options, limits, fresh processes; and the CPUs that are used."""

import json
import os
import shlex
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Arena
from tests.arena.conftest import QUICK as QUICK_ENGINE
from tests.arena.conftest import cup

pytestmark = pytest.mark.usefixtures("quick")
QUICK = ("--variant", "callanish-5", "--nodes", "5", "--contain", "none", "--seed", "3", "--json")
STARTS = "#!/bin/sh\necho $$ >>{log}\nexec {engine}\n"


def test_an_option_of_a_match_is_for_both_engines_and_yields_to_ones_own(arena: Arena) -> None:
    """As the run's configuration says."""
    done = arena("match", "random:Seed=3", "random", "--option", "seed=4", "--games", "2", "--db", "m.db", *QUICK)
    assert done.exit_code == 0, done.stderr
    engines = json.loads(arena("show", "m.db", "1", "--json").stdout)["config"]["engines"]
    assert [engine["options"] for engine in engines] == [{"Seed": "3"}, {"seed": "4"}]
    for wrong in ("Seed", "=4"):
        refused = arena("match", "random", "greedy", "--option", wrong)
        assert (refused.exit_code, f"--option {wrong!r} cannot be read" in refused.stderr) == (2, True)


def test_each_engine_of_a_match_can_have_its_own_limit(arena: Arena) -> None:
    """On either side, times scaled as the others are."""
    words = ("match", "random", "greedy", "--limit-a", "movetime=20", "--limit-b", "depth=1", "--time-scale", "2")
    done = arena(*words, *QUICK)
    assert done.exit_code == 0, done.stderr
    times = [game["tc"] for game in json.loads(done.stdout)["games"]]
    assert times == ["movetime=40 | depth=1", "depth=1 | movetime=40"]
    refused = arena("match", "random", "greedy", "--limit-b", "soon")
    assert (refused.exit_code, "--limit-b: time control 'soon' cannot be read" in refused.stderr) == (2, True)


def test_an_engine_gets_a_fresh_process_for_each_game_where_it_asks_for_it(arena: Arena, tmp_path: Path) -> None:
    """Two games, one introduction: three processes, not one."""
    log = tmp_path / "starts"
    Path("mine").write_text(STARTS.format(log=shlex.quote(str(log)), engine=QUICK_ENGINE))
    Path("mine").chmod(0o755)
    mine = 'name = "mine"\ncommand = ["./mine"]\nrestart = true'
    Path("t.toml").write_text(cup("greedy", mine, variants=["callanish-5"], nodes=5, concurrency=1))
    done = arena("tournament", "t.toml", "--no-smoke", "--contain", "none", "--db", "none", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (len(found["games"]), found["withdrawn"]) == (2, {})
    assert len(log.read_text().split()) == 3


def test_games_are_kept_to_the_cpus_that_were_named(arena: Arena) -> None:
    """The arena runs on them from then on, and so does all that it starts."""
    before = os.sched_getaffinity(0)
    try:
        done = arena("match", "random", "greedy", "--cpus", str(max(before)), *QUICK)
        assert done.exit_code == 0, done.stderr
        assert os.sched_getaffinity(0) == {max(before)}
    finally:
        os.sched_setaffinity(0, before)
