"""A run is prepared and played without the command line, as a web page or a script would do it."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from arena.config.load import load_registry
from arena.planning import build_plan
from arena.planning.containment import Containment
from arena.planning.errors import PlanError
from arena.planning.introductions import OtherMachines
from arena.planning.plan import Plan
from arena.planning.prepared_run import RunOptions, RunOutcome, fitted, prepared_run, refuse_freeze
from arena.run.events import GameEnded
from protocol.containment.policy import Level
from tests.arena.conftest import QUICK, cup
from tests.arena.live.made import record
from tests.arena.run.playing import play_out

DEAD = 'name = "dead"\ncommand = ["false"]'
BIG = 'name = "big"\ncommand = ["true"]\nlimits = { memory_mb = 7952 }'
NO_BOX = Containment(Level.NONE)

pytestmark = pytest.mark.usefixtures("quick")


def planned(folder: Path, *engines: str, **keys: object) -> Plan:
    """The plan of a file in this folder."""
    file = folder / "cup.toml"
    settings: dict[str, object] = {"name": "cup", "variants": ["callanish-7"], "nodes": 5, "openings": 4}
    file.write_text(cup("random", "greedy", *engines, **settings | keys))
    plan, _ = build_plan.tournament(file, load_registry(), NO_BOX)
    return plan


def options(db: Path | None = None) -> RunOptions:
    """A tournament's, as when nothing else is asked for."""
    return RunOptions(NO_BOX, db, 1, seed_given=False, need_all=False, pin=False)


def test_a_script_plays_a_plan_and_goes_on_with_it(tmp_path: Path, sentences: list[str]) -> None:
    """A plan that names no seed takes that of the run and plays what is missing."""
    db = tmp_path / "cup.db"
    with prepared_run(planned(tmp_path), options(db)) as run:
        assert run.done == 0
        assert play_out(run).not_played == 0
        assert len(run.store.done(run.plan.run_id)) == run.plan.games == 2
    with prepared_run(planned(tmp_path), options(db)) as again:
        assert (again.done, again.plan.run_id) == (2, run.plan.run_id)
        again.store.keep_withdrawn(run.plan.run_id, {"random": "5 faults in a row"})  # and then it was fixed
        play_out(again)
        assert again.store.withdrawn(run.plan.run_id) == {}
    assert sentences == []


def test_a_run_with_other_settings_is_refused_if_it_was_named_and_else_another_one_beside_it(
    tmp_path: Path, sentences: list[str]
) -> None:
    """With the names of what differs, and what to do for a new run."""
    db = tmp_path / "cup.db"
    with prepared_run(planned(tmp_path), options(db)) as run:
        play_out(run)
    with pytest.raises(PlanError, match=r"max_plies was 0, is 9\): put them back .* another name or another --db"):
        with prepared_run(planned(tmp_path, max_plies=9), replace(options(db), name_given=True)):
            pass
    with prepared_run(planned(tmp_path, max_plies=9), options(db)) as other:
        assert other.done == 0
    assert sentences == [f"{db} holds 'cup' with other settings (max_plies was 0, is 9): a new run begins beside it"]


def test_an_engine_that_cannot_be_started_is_reported_and_left_out(tmp_path: Path, sentences: list[str]) -> None:
    """The others play."""
    with prepared_run(planned(tmp_path, DEAD), options()) as run:
        assert play_out(run).not_played == 4
    assert [line for line in sentences if line.startswith("engine 'dead' cannot be started")] == sentences


@pytest.mark.parametrize(
    ("memory_mb", "concurrency", "most", "told"),
    [
        (31_000, 4, 3, "this machine can hold 3 games at once: two engines may take 10000 MB"),
        (31_000, 3, 3, ""),
        (9_000, 2, 1, "this machine can hold 1 game at once"),
        (9_000, 1, 1, "warning: two engines may take 10000 MB (limits.memory_mb), and this machine has 9000 MB"),
    ],
)
def test_no_more_games_than_fit_into_memory(
    tmp_path: Path, memory_mb: int, concurrency: int, most: int, told: str, sentences: list[str]
) -> None:
    """If both engines take what they may. More are refused with the number; where none was given, it is lowered."""
    plan = planned(tmp_path, BIG)
    if concurrency > most:
        with pytest.raises(PlanError, match=told):
            fitted(plan, replace(options(), concurrency=concurrency), memory_mb)
    else:
        fitted(plan, replace(options(), concurrency=concurrency), memory_mb)
        assert told in " ".join(sentences) and bool(sentences) == bool(told)


def test_a_machine_that_cannot_freeze_engines_is_asked_only_if_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other machines of a cluster have control groups of their own, or say that they have none."""
    monkeypatch.setattr("arena.planning.prepared_run.group.groups", lambda: None)
    with pytest.raises(PlanError, match="no control groups on this machine, which freeze engines: leave it out"):
        refuse_freeze(options())
    refuse_freeze(replace(options(), machines=cast(OtherMachines, object())))


def test_games_at_once_are_lowered_where_nobody_gave_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentences: list[str]
) -> None:
    """With a sentence; the usual caps of engines lower nothing."""
    monkeypatch.setattr("arena.games_at_once.cpus", lambda: 9)
    big = planned(tmp_path, BIG)
    assert fitted(big, replace(options(), concurrency=None), 31_000).games_at_once == 3
    assert sentences == [
        "games at once: 3; two engines may take 10000 MB (limits.memory_mb), and this machine has 31000 MB"
    ]
    assert fitted(planned(tmp_path), replace(options(), concurrency=None), 4_000).games_at_once == 8


def test_without_a_sandbox_engines_that_speak_tcp_play_one_game_at_a_time(tmp_path: Path) -> None:
    """Their ports are those of the machine. In strict each has its own."""
    plan = planned(tmp_path, 'name = "fox"\ncommand = ["true"]\ngrants = ["loopback"]')
    with pytest.raises(PlanError, match=r"1 game at once: fox speaks TCP, .* or play with --contain strict"):
        fitted(plan, replace(options(), concurrency=2))
    boxed = [replace(spec, sandbox=replace(spec.sandbox, level=Level.STRICT)) for spec in plan.engines]
    assert fitted(replace(plan, engines=tuple(boxed)), replace(options(), concurrency=2)).concurrency == 2


def test_each_engine_is_started_once_for_a_whole_run(tmp_path: Path) -> None:
    """It says who it is in the worker that plays its games, also where it names itself."""
    engines, starts = list[str](), tmp_path / "starts"
    for name in ("one", "two"):
        script = tmp_path / name
        script.write_text(f"#!/bin/sh\necho {name} >> {starts}\nexec {QUICK}\n")
        script.chmod(0o755)
        engines.append(f'name = "{name}"\ncommand = ["{script}"]')
    plan = planned(tmp_path, *engines)
    plan = replace(plan, engines=tuple(replace(spec, named=spec.name != "two") for spec in plan.engines))
    with prepared_run(plan, options()) as run:
        assert starts.read_text().split() == ["one", "two"]
        assert play_out(run).not_played == 0
        assert len(run.store.done(run.plan.run_id)) == run.plan.games
    assert starts.read_text().split() == ["one", "two"]


def test_a_game_that_lost_its_worker_and_was_played_again_is_not_missing() -> None:
    """Neither where it was lost several times. One that never had a result is missing once."""
    outcome = RunOutcome()
    for number in (1, 3, 1, 3):
        outcome.add([GameEnded(0, record(number, None))])
    outcome.add([GameEnded(0, record(2, "p1"))])
    outcome.add([GameEnded(0, record(1, "draw"))])
    assert [game.number for game in outcome.unfinished] == [3]
