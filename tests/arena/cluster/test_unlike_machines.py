"""A run on machines that differ: one lacks an engine, one has another Python."""

import os
import shutil
from pathlib import Path

import pytest

from tests.arena.cli.conftest import ENGINE_IN_C
from tests.arena.cluster.lab import is_possible
from tests.arena.cluster.runs import ON_CLUSTER, Match, wait_for

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytestmark = [
    pytest.mark.netns,
    pytest.mark.long,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not is_possible(), reason="only root may make network namespaces"),
    pytest.mark.skipif(not ENGINE_IN_C.exists(), reason="wants the engine in C: make venv"),
    pytest.mark.xdist_group("netns"),
]
RUNNER = "foxrun"
"""A program that runs the script of an engine. It is not sent to other machines."""


def away(match: Match, number: int) -> None:
    """Let a machine leave."""
    match.machines[number].terminate()
    match.machines[number].wait(60)


def joined(match: Match, number: int) -> None:
    wait_for(lambda: "has joined" in match.lab.said(f"m{number}.log"), "it joins")


@pytest.fixture
def script(match: Match, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that starts the engine, for a program that this machine and m2 have on their PATH and m1 has not."""
    (match.folder / "bin").mkdir()
    shutil.copy("/bin/sh", match.folder / "bin" / RUNNER)
    found = match.folder / "fox.sh"
    found.write_text('exec "$(dirname "$0")/fox"\n')
    path = f"{match.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    away(match, 2)
    match.join(2, path=path)
    joined(match, 2)
    return found


def entry(name: str, command: str, more: str = "") -> str:
    return f'[[engines]]\nname = "{name}"\ncommand = {command}\n{more}'


def test_a_machine_that_cannot_start_an_engine_plays_nothing_and_the_others_all_games(
    match: Match, script: Path
) -> None:
    """It is told what it lacks; every game is played once."""
    engines = entry("fox", '["./fox"]') + entry("scripted", f'["{RUNNER}", "{script.name}"]', 'files = ["fox"]\n')
    arena = match.lab.start([*match.tournament(20, engines), "cluster.db", *ON_CLUSTER], "arena.log")
    match.assert_whole(arena, 40)
    assert set(match.hosts()) == {"m2"}
    reason = f"engine 'scripted': there is no program '{RUNNER}' on the PATH"
    assert f"m1 plays nothing of this run: {reason}" in match.lab.said("arena.log")
