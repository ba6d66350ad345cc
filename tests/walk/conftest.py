"""A fresh clone with its environment and the games of its demo: what a newcomer has after the first command."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.walk.documents import ROOT
from tests.walk.screen import Terminal, in_terminal

DEMO_S = 900.0
"""The deadline of `make demo`: it installs packages, and other tests may use all CPUs."""


@dataclass(frozen=True)
class Clone:
    """A copy of the files that git knows, as its newcomer sees it."""

    folder: Path
    environment: Mapping[str, str]
    demo: Terminal
    """80 columns and 24 lines, after `make demo`."""

    def home(self, folder: Path) -> dict[str, str]:
        """The environment of somebody whose home this folder is, with `arena` on the path."""
        path = f"{self.folder / '.venv' / 'bin'}{os.pathsep}{self.environment['PATH']}"
        return {**self.environment, "PATH": path, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}


def _environment(home: Path) -> dict[str, str]:
    """Little more than a terminal has, and where pip finds packages on this machine."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    config = Path.home() / ".config" / "pip" / "pip.conf"
    if config.is_file():
        kept.setdefault("PIP_CONFIG_FILE", str(config))
    path = os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin"])
    return {**kept, "PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """Cloned, and `make demo` typed: the first command of the README. Files that are not committed yet come along."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no clone of a repository")
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, timeout=60).stdout
    folder = tmp_path_factory.mktemp("walk") / "arena"
    for name in filter(None, os.fsdecode(names).split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    environment = _environment(folder.parent)
    with in_terminal("make demo", (80, 24), folder, environment, deadline_s=DEMO_S) as terminal:
        code = terminal.end()
        assert code == 0, terminal.picture()
        return Clone(folder, environment, terminal)
