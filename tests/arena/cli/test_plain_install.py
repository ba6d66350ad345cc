"""A plain install has no extras: what needs one says how to get it, and everything else works."""

import subprocess
import sys
from pathlib import Path

from tests.web.conftest import games, keep

PLAIN = """
import importlib.machinery, sys
find = importlib.machinery.PathFinder.find_spec
extras = {"starlette", "uvicorn", "websockets", "distributed", "cryptography"}
def plain(name, path=None, target=None):
    return None if name.partition(".")[0] in extras else find(name, path, target)
importlib.machinery.PathFinder.find_spec = staticmethod(plain)
from arena.main import main
for line in sys.argv[1:]:
    sys.argv = ["arena", *line.split()]
    try:
        main()
    except SystemExit as ended:
        sys.stderr.write(f"{ended.code}\\n")
"""
"""Runs commands as a plain install has them, one after the other, and says how each ended."""
NEEDS = {
    "play greedy --web": "web",
    "connect localhost:8430 --token-file token -- greedy": "host",
    "host start cup.toml": "host",
    "cluster status tls://127.0.0.1:1": "cluster",
}


def test_a_command_that_needs_an_extra_names_it_and_a_report_needs_none(tmp_path: Path) -> None:
    """In one sentence, before anything is begun. The pages of a report are the ones that a server shows."""
    (tmp_path / "token").write_text("token\n")
    (tmp_path / "cup.toml").write_text("[tournament]\nnodes = 1\n")
    keep(tmp_path / "cup.db", games())
    command = [sys.executable, "-c", PLAIN, *NEEDS, "report cup.db"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    *refusals, report = done.stderr.split("2\n")
    assert all(
        refusal.endswith(f"pip install 'callanish-arena[{extra}]'\n")
        for refusal, extra in zip(refusals, NEEDS.values(), strict=True)
    ), done.stderr
    assert report.endswith("0\n") and (tmp_path / "cup-report/index.html").exists() and "Traceback" not in done.stderr
