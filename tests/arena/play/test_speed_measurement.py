"""The speed of a machine: measured with an engine of a known speed, on several slots at once."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.play import speed_measurement
from arena.play.engine_pool import EnginePool
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.speed_measurement import NotMeasured, SpeedSearch
from arena.play.worker import RunningGame
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy
from tests.arena.play.paced_engine import PACED

ROOT = Path(__file__).parents[3]
RANDOM = (sys.executable, "-P", "-m", "engines.random")
SEARCH = SpeedSearch("callanish-5", None)
Paced = Callable[..., EngineSpec]


@pytest.fixture
def paced(tmp_path: Path) -> Paced:
    """Makes an engine that searches so many nodes a second, and never more than `most`."""
    program = tmp_path / "paced.py"
    program.write_text(PACED)

    def make(nps: float, most: int = 10**9, told: str = "nodes") -> EngineSpec:
        return EngineSpec("paced", (sys.executable, str(program), str(nps), str(most), told))

    return make


def test_nodes_a_second_are_those_of_each_slot(paced: Paced, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of all together: an engine in a game has one slot. A search is neither too short nor too long to be timed."""
    monkeypatch.setattr(speed_measurement, "SECONDS", 0.5)
    nodes = speed_measurement.choose_nodes(paced(40_000), SEARCH)
    assert speed_measurement.FEWEST <= nodes <= 10_000
    measured = [speed_measurement.measure(paced(nps), SEARCH, 10_000, [None] * 3) for nps in (40_000, 20_000)]
    # An engine that sleeps so long may wake up later, but never earlier.
    assert 20_000 < measured[0] <= 40_000 and 10_000 < measured[1] <= 20_000


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        ((40_000, 100), "its search is over in"),
        ((40_000, 10**9, "score"), "it reports no nodes"),
        pytest.param((1, 10**9), "no bestmove within 500", marks=pytest.mark.long),
        (None, "it cannot be started"),
    ],
)
def test_an_engine_that_tells_no_speed_is_refused_with_a_reason(
    engine: tuple[int, ...] | None, why: str, paced: Paced, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that stops too early, says nothing of nodes, takes too long, or does not start."""
    monkeypatch.setattr(speed_measurement, "LONGEST_S", 0.5)
    spec = EngineSpec("none", ("/no/such/engine",)) if engine is None else paced(*engine)
    with pytest.raises(NotMeasured, match=why):
        speed_measurement.choose_nodes(spec, SEARCH)
    if engine is None or engine[0] == 1:
        with pytest.raises(NotMeasured, match=why):
            speed_measurement.measure(spec, SEARCH, 1000, [None, None])


def test_a_game_with_a_time_factor_has_longer_clocks_and_is_named_by_its_own() -> None:
    """Both clocks are multiplied, nodes are not. The record tells the factor beside the limit that was asked for."""
    terms = Terms(parse("10+0.5"), max_plies=6, p2_limit=parse("4+0"))
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    pool = EnginePool({name: EngineSpec(name, RANDOM, sandbox=box) for name in ("a", "b")})
    job = GameJob("far-1", 1, 1, "brandub", None, 0, "", "a", "b", 1, terms)
    try:
        game = RunningGame(job, 2.5)
        record = game.play(pool, []).record
        in_nodes = RunningGame(replace(job, terms=Terms(parse("nodes=7"), max_plies=6)), 2.5).play(pool, []).record
    finally:
        pool.kill()
    left = [ply.left_ms or 0 for ply in record.plies]
    assert game.clocks_ms == (25_000, 10_000)
    assert all(24_000 < one <= 25_000 + 3 * 1_250 for one in left[::2])
    assert all(9_000 < two <= 10_000 for two in left[1::2])
    assert (record.tc, record.time_factor) == ("10+0.5 | 4+0", 2.5)
    assert (in_nodes.tc, in_nodes.time_factor) == ("nodes=7", 2.5)


def test_terms_are_multiplied_in_whole_milliseconds() -> None:
    """Base, increment and time of a move; moves of a period, nodes, depth and margins stay as they are."""
    terms = Terms(parse("40/1+0.05"), 7, p2_limit=parse("movetime=33"))
    assert terms.scaled(1.5) == Terms(parse("40/1.5+0.075"), 7, p2_limit=parse("movetime=50"))
    for limit in ("nodes=5", "depth=3"):
        assert Terms(parse(limit)).scaled(2) == Terms(parse(limit))
