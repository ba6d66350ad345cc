"""Which settings name another run, and how a plan differs from a stored one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import load_registry, load_tournament
from arena.ladder.file_watch import digest
from arena.planning import build_plan, stored_runs
from arena.play.jobs import GameJob
from results.store.store import Store
from tests.arena.conftest import cup

TWO = cup("random", "greedy", variants=["callanish-5"], nodes=5, seed=1)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no registry of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return tmp_path


def test_a_margin_of_ones_own_is_played_and_names_another_run(here: Path) -> None:
    """As a fresh process for each game does; who asks for neither has the run and the ladder's version that he had."""
    plans = []
    for more in ("", "margin = 900\n", "restart = true\n"):
        Path("t.toml").write_text(TWO + more)
        loaded = load_tournament(Path("t.toml"), load_registry(), ("seed=1",))
        plans.append(build_plan.plan_of(loaded, "tournament"))
    usual, late, fresh = plans
    assert len({plan.run_id for plan in plans}) == len({digest(plan.engines[1], "") for plan in plans}) == 3
    assert [set(plan.config["engines"][1]) - set(usual.config["engines"][1]) for plan in plans] == [  # type: ignore[index]  # JSON
        set(),
        {"margin_ms"},
        {"restart"},
    ]
    with Store.in_memory() as store:
        job = late.games_to_play(store).next()
    assert isinstance(job, GameJob)
    assert (job.p1, job.terms.of(0).margin_ms, job.terms.of(1).margin_ms) == ("random", 50, 900)
    assert fresh.setting.specs == {}


def test_the_time_to_read_a_position_is_a_setting_that_names_another_run(here: Path) -> None:
    """Ladders of earlier versions, of which the settings do not have it, had the usual one."""
    Path("t.toml").write_text(TWO)
    plans = []
    for changes in ((), ("reading=5",), ("reading=80",)):
        loaded = load_tournament(Path("t.toml"), load_registry(), (*changes, "seed=1"))
        plans.append(build_plan.plan_of(loaded, "tournament"))
    usual, same, longer = plans
    assert usual.run_id == same.run_id != longer.run_id
    assert [plan.terms.reading_ms for plan in plans] == [5, 5, 80]
    settings = {key: value for key, value in usual.config.items() if key != "reading_ms"}
    earlier = replace(usual.run({}), config=json.dumps(settings))
    assert not stored_runs.differences(usual, earlier) and not stored_runs.differences(usual, usual.run({}))
    assert stored_runs.differences(longer, earlier) == ["reading_ms was 5, is 80"]
    assert stored_runs.differences(usual, longer.run({})) == ["reading_ms was 80, is 5"]
