"""`arena watch`, as a user runs it."""

import hashlib
import json
import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.commands.reading import watch
from arena.live.file import events_path, events_paths
from arena.live.reader import LiveFile, LiveFiles
from arena.live.state import LiveResult, LiveRun, LiveScore
from tests.arena.cli.conftest import Arena
from tests.arena.live.made import GAME, running, written

SCORES = {"ann": LiveScore("ann", 2, 1), "bob": LiveScore("bob", 0, 1, 2)}
RUN = replace(running(GAME), run="aa11", name="match aa11", scores=SCORES)
"""A run of the database that is played by this process."""


def content(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_one_picture_of_a_run_is_printed(arena: Arena, db: Path) -> None:
    """Boards, clocks and standings, and the database and its folder stay as they are."""
    written(db, RUN)
    before = content(db.parent)
    shown = arena("watch", db, "--once")
    assert shown.exit_code == 0, shown.stderr
    lines = [line.rstrip() for line in shown.stdout.splitlines()]
    assert lines[0].startswith("match aa11: 3 of 40 games")
    assert "7  · ·[○]○[○]· ·" in lines
    assert any(line.startswith("> bob") for line in lines) and any(line.startswith("ann ") for line in lines)
    assert content(db.parent) == before


def test_another_run_of_the_same_database_is_named(arena: Arena, db: Path) -> None:
    """With the option that shows it; whoever has chosen a run is told nothing."""
    written(db, RUN)
    written(db, replace(RUN, run="ab22", name="the other", began_ns=RUN.began_ns - 1))
    written(db, replace(RUN, run="ac33"), is_played=False)
    shown = arena("watch", db, "--once")
    assert shown.stdout.startswith("match aa11: 3 of 40 games")
    assert shown.stderr == "arena: the other is also being played: --run ab22 shows it\n"
    chosen = arena("watch", db, "--once", "--run", "ab22")
    assert chosen.stdout.startswith("the other: 3 of 40 games") and chosen.stderr == ""


def test_how_a_run_stands_is_told_as_json(arena: Arena, db: Path) -> None:
    """With the moment by the clock of its times; also of a run whose process was killed."""
    written(db, RUN)
    written(db, replace(RUN, run="ab22"), is_played=False)
    events_path(db, "ac33").write_text("{}")
    told = json.loads(arena("watch", db, "--json").stdout)
    assert [(run["run"], run["state"]) for run in told["runs"]] == [("aa11", "running"), ("ab22", "stopped")]
    thought = {"score": "cp 31", "depth": 7, "nodes": 818, "line": "d7b6e5 e4c3c5"}
    assert told["runs"][0]["playing"][0]["thoughts"][0] == thought
    assert abs(told["now_ns"] - time.monotonic_ns()) < 10**11
    (problem,) = told["problems"]
    assert "is not a file of an arena's events" in problem


def test_without_a_run_the_last_result_is_shown(arena: Arena, db: Path) -> None:
    """And the database and its folder stay as they are."""
    before = content(db.parent)
    shown = arena("watch", db)
    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.startswith(f"no run plays into {db}\nmatch aa11: 3 of 3 games are stored\n")
    assert "alpha" in shown.stdout and "TrueSkill" in shown.stdout
    assert content(db.parent) == before


def test_a_run_whose_process_was_killed_is_said_to_have_stopped(arena: Arena, db: Path) -> None:
    """Not to be playing; its games are there."""
    written(db, RUN, is_played=False)
    shown = arena("watch", db)
    assert shown.exit_code == 0
    assert shown.stdout.startswith("match aa11 was stopped: its process was killed; what was stored is safe\n")
    assert "3 of 3 games are stored" in shown.stdout


def script(monkeypatch: pytest.MonkeyPatch, db: Path, *states: LiveRun | None) -> None:
    """Each look at the live files finds the next state; None: the run has ended."""
    left, look = iter(states), LiveFiles.look

    def next_state(files: LiveFiles) -> tuple[LiveFile, ...]:
        state = next(left)
        if state is not None:
            written(db, state, is_played=state.run != "dead")
        else:
            for path in events_paths(db):
                path.unlink()
        return look(files)

    monkeypatch.setattr(LiveFiles, "look", next_state)
    monkeypatch.setattr(watch, "LOOK_S", 0.0)


def test_in_a_pipe_each_game_that_ends_has_a_line(arena: Arena, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then what became of the run, and its standings."""
    result = LiveResult(4, "callanish-7", "ann", "bob", "p2", "time", "", 9)
    script(monkeypatch, db, RUN, replace(RUN, last=(result,)), None)
    shown = arena("watch", db)
    assert shown.stdout.splitlines()[:4] == [
        "match aa11: 3 of 40 games",
        "4: ann - bob, callanish-7: bob, time",
        "match aa11 has ended",
        "match aa11: 3 of 3 games are stored",
    ]


def test_on_a_terminal_the_picture_changes_with_the_run(
    arena: Arena, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault has a line above it as it happens. At the end the standings follow."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    lost = LiveResult(4, "callanish-7", "ann", "bob", "p2", "illegal-move", "a1 at ply 3", 9)
    script(monkeypatch, db, RUN, RUN, replace(RUN, lost=(lost,), last=(lost,)), None)
    shown = arena("watch", db)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.stdout)
    assert shown.exit_code == 0, shown.stderr
    assert plain.count("game 4: ann lost by illegal-move: a1 at ply 3\n") == 1
    assert "last: 4: ann - bob, callanish-7: bob, illegal-move" in plain and "[○]○[○]" in plain
    assert "match aa11 has ended" in plain and "TrueSkill" in plain


def test_whoever_is_early_can_wait(arena: Arena, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a database that is still to be made. A file that a killed run left does not count."""
    later = db.with_name("later.db")
    killed = replace(RUN, run="dead")
    script(monkeypatch, later, None, killed, killed, replace(RUN, run="bb22"), None)
    shown = arena("watch", later, "--wait")
    assert shown.exit_code == 0
    assert shown.stderr.count(f"waiting for a run to play into {later}") == 1
    assert shown.stdout == "match aa11: 3 of 40 games\nmatch aa11 has ended\n"


@pytest.mark.usefixtures("quick")
def test_a_run_with_a_database_keeps_an_event_file(arena: Arena, tmp_path: Path) -> None:
    """Also without a terminal and with --quiet; it tells the whole run; not with --no-live."""
    words = "match random greedy --variant callanish-5 --nodes 5 --max-plies 6 --quiet --contain none --db x.db"
    played = arena(*words.split())
    assert played.exit_code == 0, played.stderr
    (path,) = events_paths(tmp_path / "x.db")
    assert {each.name for each in tmp_path.iterdir()} == {"x.db", path.name}
    first, *events = map(json.loads, path.read_text().splitlines())
    assert (first["state"]["name"], first["state"]["games"]) == ("random against greedy", 2)
    counts = Counter(event["event"] for event in events)
    assert (counts["start"], counts["game"], counts["end"]) == (2, 2, 1)
    path.unlink()
    assert arena(*words.split(), "--games", "4", "--no-live").exit_code == 0
    assert not events_paths(tmp_path / "x.db")
