"""What a tournament asks its engines before the first game."""

import json
import subprocess
import sys
from pathlib import Path

from arena.config.load import contained
from arena.play.jobs import EngineSpec
from arena.verification import smoke
from protocol.containment.policy import Level

HEAD = """
[tournament]
name = "cup"
variants = ["callanish-7"]
nodes = 20
max_plies = 30
seed = 1
[[engines]]
name = "random"
[[engines]]
name = "greedy"
"""


def tournament(folder: Path, *fault: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """A tournament of two good engines and one with this fault of the zoo."""
    command = [sys.executable, "-m", "engines.zoo", "--fault", *fault]
    (folder / "cup.toml").write_text(HEAD + f'[[engines]]\nname = "odd"\ncommand = {json.dumps(command)}\n')
    command = [sys.executable, "-m", "arena.main", "tournament", "cup.toml", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=50)


def test_an_engine_that_cannot_be_refereed_is_kept_out_and_told_why(tmp_path: Path) -> None:
    """The others play; the sentence names the engine, what failed and the command that shows it again."""
    done = tournament(tmp_path, "illegal-move", "--at", "first")
    assert done.returncode == 0, done.stderr
    told = next(line for line in done.stderr.splitlines() if "'odd'" in line)
    assert "E1" in told and "arena check" in told and "--only" in told
    assert "4 of 6 scheduled games were not played" in done.stdout


def test_a_lesser_fault_is_told_and_keeps_nobody_out() -> None:
    """A doubt that names the check, and nothing against its taking part; an engine without faults has neither."""
    odd = EngineSpec("odd", (sys.executable, "-m", "engines.zoo", "--fault", "nameless"))
    good = EngineSpec("good", (sys.executable, "-m", "engines.zoo"))
    found = smoke.check_engines(contained([odd, good], Level.BASIC, {}, []), "callanish-7")
    assert found["good"] == smoke.Fitness()
    assert "'odd' fails A4" in found["odd"].doubt
    assert not found["odd"].unfit


def test_without_the_smoke_checks_everybody_plays(tmp_path: Path) -> None:
    """The faulty engine forfeits instead, and nothing is said of checks."""
    done = tournament(tmp_path, "illegal-move", "--at", "first", options=("--no-smoke",))
    assert done.returncode == 0, done.stderr
    assert "check" not in done.stderr
    assert "not played" not in done.stdout
