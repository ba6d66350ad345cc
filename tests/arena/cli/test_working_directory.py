"""Commands that are started in a folder that somebody removes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.conftest import QUICK, ROOT

IN_A_GONE_FOLDER = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"'

MATCH = "--variant callanish-5 --nodes 5 --no-pin --db {}/games.db"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        pytest.param(["match", QUICK, f"{QUICK} x", *MATCH.split()], 0, "Try next", marks=pytest.mark.long),
        (["standings", "games.db"], 2, "games.db does not exist"),
    ],
)
def test_nothing_relative_is_needed(tmp_path: Path, words: list[str], status: int, said: str) -> None:
    """What is named by its whole path works, and what is not is not found, in one sentence."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    typed = [word.replace("{}", str(tmp_path)) for word in words]
    command = ["sh", "-c", IN_A_GONE_FOLDER, str(tmp_path / "gone"), sys.executable, "-m", "arena.main", *typed]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment, check=False)
    output = ran.stdout + ran.stderr
    assert ran.returncode == status and said in output and "Traceback" not in output, output
    assert "the current folder was removed" in ran.stderr
