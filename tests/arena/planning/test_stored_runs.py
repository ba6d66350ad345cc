"""Which settings name another run, and how a plan differs from a stored one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import load_registry, load_tournament
from arena.planning import build_plan, stored_runs
from tests.arena.conftest import cup

TWO = cup("random", "greedy", variants=["callanish-5"], nodes=5, seed=1)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no registry of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return tmp_path


def test_the_time_to_read_a_position_is_a_setting_that_names_another_run(here: Path) -> None:
    """Ladders of earlier versions, of which the settings do not have it, had the usual one."""
    Path("t.toml").write_text(TWO)
    plans = []
    for changes in ((), ("reading=5",), ("reading=80",), ("variants=scottish",)):
        loaded = load_tournament(Path("t.toml"), load_registry(), (*changes, "seed=1"))
        plans.append(build_plan.plan_of(loaded, "tournament"))
    usual, same, longer, other = plans
    assert usual.run_id == same.run_id != longer.run_id
    assert [plan.terms.reading_ms for plan in plans] == [5, 5, 80, 5]
    settings = {key: value for key, value in usual.config.items() if key != "reading_ms"}
    earlier = replace(usual.run(()), config=json.dumps(settings))
    assert not stored_runs.differences(usual, earlier) and not stored_runs.differences(usual, usual.run(()))
    assert stored_runs.differences(longer, earlier) == ["reading_ms was 5, is 80"]
    assert stored_runs.differences(usual, longer.run(())) == ["reading_ms was 80, is 5"]
    assert stored_runs.differences(other, usual.run(())) == ["variant was callanish-5, is scottish"]
