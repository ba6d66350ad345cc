"""A plain install has no extras: what needs one says how to get it, and everything else works."""

import subprocess
import sys
from pathlib import Path

from tests.web.conftest import games, keep

PLAIN = (
    "import importlib.machinery, sys\n"
    "find = importlib.machinery.PathFinder.find_spec\n"
    "extras = {'starlette', 'uvicorn', 'websockets', 'distributed', 'cryptography'}\n"
    "def plain(name, path=None, target=None):\n"
    "    return None if name.partition('.')[0] in extras else find(name, path, target)\n"
    "importlib.machinery.PathFinder.find_spec = staticmethod(plain)\n"
    "from arena.main import main\n"
    "main()\n"
)


def typed(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Runs `arena` as a plain install has it."""
    command = [sys.executable, "-c", PLAIN, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_command_that_needs_an_extra_names_it(tmp_path: Path) -> None:
    """In one sentence, before anything is begun."""
    (tmp_path / "token").write_text("token\n")
    for words, extra in (
        ("play greedy --web", "web"),
        ("connect localhost:8430 --token-file token -- greedy", "host"),
        ("cluster status tls://127.0.0.1:1", "cluster"),
    ):
        done = typed(tmp_path, *words.split())
        assert done.returncode == 2
        assert done.stderr.endswith(f"pip install 'callanish-arena[{extra}]'\n") and "Traceback" not in done.stderr


def test_a_report_needs_no_extra(tmp_path: Path) -> None:
    """Its pages are the ones that a server shows."""
    keep(tmp_path / "cup.db", games())
    done = typed(tmp_path, "report", "cup.db")
    assert (done.returncode, (tmp_path / "cup-report/index.html").exists()) == (0, True), done.stderr
