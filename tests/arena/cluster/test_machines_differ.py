"""Two machines of different speed, each a network namespace: one of them searches half as fast."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.arena.cluster.lab import ARENA, HUB, Lab, is_possible, lab
from tests.arena.play.paced_engine import PACED

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytestmark = [
    pytest.mark.netns,
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not is_possible(), reason="only root may make network namespaces"),
    pytest.mark.xdist_group("netns"),
]
PLACE = f"tcp://{HUB}:8786"
HALF = "nps, most, told = 40_000 if platform.node() == 'm1' else 20_000, 10**9, 'nodes'"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Lab]:
    """Machines m1 and m2 have joined; the engines `fox` and `owl` have their speed from the name of the machine."""
    program = PACED.replace("nps, most, told = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]", HALF)
    (tmp_path / "paced.py").write_text(program.replace("import sys", "import platform, sys"))
    with lab(tmp_path, 2) as laboratory:
        laboratory.start([*ARENA, "cluster", "scheduler", "--host", HUB, "--insecure"], "scheduler.log")
        for number in (1, 2):
            join = [*ARENA, "cluster", "join", PLACE, "--insecure", "--slots", "2"]
            laboratory.start(join, f"m{number}.log", number)
        yield laboratory


def test_the_slow_machine_has_twice_the_time(two: Lab) -> None:
    """The run tells the factors, each game keeps its own, and clocks on the slow machine begin with twice the base."""
    words = ["match", "{python} paced.py", "{python} paced.py", "--variant", "callanish-5", "--max-plies", "2"]
    limits = ["--tc", "5+0", "--games", "40", "--openings", "0", "--contain", "none"]
    cluster = ["--cluster", PLACE, "--insecure", "--normalise", "--db", "x.db"]
    assert two.start([*ARENA, *words, *limits, *cluster], "arena.log").wait(300) == 0, two.said("arena.log")
    with closing(sqlite3.connect(two.folder / "x.db")) as db:
        factors = dict(db.execute("SELECT host, factor FROM machines"))
        games = db.execute("SELECT host, tc, time_factor, plies ->> '$[0][2]' FROM games").fetchall()
    assert factors.keys() == {"m1", "m2"} == {host for host, *_ in games} and len(games) == 40
    assert 1.6 < factors["m2"] / factors["m1"] < 2.4
    for host, tc, factor, left_ms in games:
        assert (tc, factor) == ("5+0", factors[host])
        assert 0.9 * 5000 * factor < left_ms <= 5000 * factor
    assert "times of games are multiplied by the factor of their machine" in two.said("arena.log")
