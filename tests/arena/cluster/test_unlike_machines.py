"""A run on machines that differ: one lacks an engine, one has another Python."""

import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from tests.arena.cli.conftest import ENGINE_IN_C
from tests.arena.cluster.lab import is_possible
from tests.arena.cluster.runs import GAMES, ON_CLUSTER, Match, wait_for

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


def test_a_machine_that_lacks_one_engine_plays_the_games_of_the_others(match: Match, script: Path) -> None:
    """It is told what it lacks; every game is played once."""
    engines = entry("fox", '["./fox"]') + entry("cub", '["./fox"]', "nodes = 10\n")
    engines += entry("scripted", f'["{RUNNER}", "{script.name}"]', 'files = ["fox"]\n')
    arena = match.lab.start([*match.tournament(50, engines), "cluster.db", *ON_CLUSTER], "arena.log")
    match.assert_whole(arena, 300)
    assert {(one, two) for host, one, two in match.pairings() if host == "m1"} == {("fox", "cub"), ("cub", "fox")}
    assert {host for host, one, two in match.pairings() if "scripted" in (one, two)} == {"m2"}
    reason = f"engine 'scripted': there is no program '{RUNNER}' on the PATH"
    assert f"m1 plays no game of an engine that it cannot start: {reason}" in match.lab.said("arena.log")


def test_a_machine_without_the_only_engine_plays_nothing(match: Match, script: Path) -> None:
    """It is told why, and the other machine plays all games."""
    command = f'["{RUNNER}", "{script.name}"]'
    engines = "".join(entry(name, command, f'files = ["fox"]\nnodes = {n}\n') for name, n in (("one", 20), ("two", 10)))
    arena = match.lab.start([*match.tournament(20, engines), "cluster.db", *ON_CLUSTER], "arena.log")
    match.assert_whole(arena, 40)
    assert set(match.hosts()) == {"m2"}
    reason = f"engine 'one': there is no program '{RUNNER}' on the PATH"
    assert f"m1 plays nothing of this run: {reason}" in match.lab.said("arena.log")


def test_a_python_with_another_digest_plays_and_is_told(match: Match) -> None:
    """Engines in Python run by the Python of the machine; its version may be the same and its file another one."""
    other = match.folder / "other" / "bin" / "python"
    other.parent.mkdir(parents=True)
    shutil.copy(os.path.realpath(sys.executable), other)
    with other.open("ab") as file:
        file.write(b"\0")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", match.folder / "other")
    (match.folder / "other" / "lib").symlink_to(Path(sys.prefix) / "lib")
    away(match, 1)
    match.join(1, other)
    joined(match, 1)
    arena = match.start(engines=["random", str(match.engine)], nodes=20)
    alone = match.lab.start(match.command("local.db", GAMES, ["random", str(match.engine)]), "local.log")
    match.assert_whole(arena)
    assert alone.wait(600) == 0
    assert match.stored() == match.stored("local.db")
    assert set(match.hosts()) == {"m1", "m2"}
    assert "m1 runs engines in Python with another interpreter than ours" in match.lab.said("arena.log")
    assert "m2 runs engines in Python" not in match.lab.said("arena.log")
