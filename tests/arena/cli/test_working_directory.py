"""Commands that are started in a folder that somebody removes."""

import subprocess
import sys
from pathlib import Path

from tests.arena.conftest import QUICK, ROOT

IN_A_GONE_FOLDER = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"'


def test_nothing_relative_is_needed(tmp_path: Path) -> None:
    """What is named by its whole path works, and what is not is not found, in one sentence."""
    match = ["match", QUICK, f"{QUICK} x", "--variant", "callanish-5", "--nodes", "5", "--no-pin", "--db"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for words, status, said in (
        ([*match, f"{tmp_path}/games.db"], 0, "Try next"),
        (["standings", "games.db"], 2, "games.db does not exist"),
    ):
        command = ["sh", "-c", IN_A_GONE_FOLDER, str(tmp_path / "gone"), sys.executable, "-m", "arena.main", *words]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment, check=False)
        output = ran.stdout + ran.stderr
        assert ran.returncode == status and said in output and "Traceback" not in output, output
        assert "the folder that you are in was removed" in ran.stderr
