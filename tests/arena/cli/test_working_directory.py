"""Commands that are started in a folder that somebody removes."""

import subprocess
import sys
from pathlib import Path

import pytest

IN_A_GONE_FOLDER = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"'


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["match", "greedy", "random", "--games", "2", "--movetime", "5", "--db", "{folder}/games.db"], 0, "Try next"),
        (["match", "greedy", "random", "--games", "2", "--movetime", "5", "--db", "games.db"], 2, "games.db"),
        (["check", "greedy", "--level", "smoke"], 0, "passed; rules not checked"),
        (["standings", "games.db"], 2, "games.db does not exist"),
    ],
)
def test_nothing_relative_is_needed(tmp_path: Path, words: list[str], status: int, said: str) -> None:
    """What is named by its whole path works, and what is not is not found, in one sentence."""
    words = [word.format(folder=tmp_path) for word in words]
    command = ["sh", "-c", IN_A_GONE_FOLDER, str(tmp_path / "gone"), sys.executable, "-m", "arena.main", *words]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment, check=False)
    output = ran.stdout + ran.stderr
    assert ran.returncode == status and said in output and "Traceback" not in output, output
    assert "the folder that you are in was removed" in ran.stderr
