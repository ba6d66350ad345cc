"""What tests of runs share."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from arena.run import slots
from tests.arena import workers

ROOT = Path(__file__).parents[2]
ENGINE_IN_C = ROOT / "engines" / "bin" / "independent"
QUICK = shlex.join([str(ENGINE_IN_C)] if ENGINE_IN_C.exists() else [sys.executable, "-P", "-m", "engines.random"])
"""A command line for tests that are about no engine: that in C starts in a hundredth of the time."""


def engine(path: Path, ugi: str = "echo id author A. Author", before: str = "") -> Path:
    """An engine in sh, which plays no good move: what it does at its start, and what it answers `ugi` besides."""
    path.write_text(
        f"#!/bin/sh\n{before}\nwhile read -r word rest; do case $word in\n"
        f"ugi) echo id name Brief; {ugi}; echo ugiok ;;\n"
        "isready) echo readyok ;;\ngo) echo bestmove d4 ;;\nquit) exit ;;\nesac; done\n"
    )
    path.chmod(0o755)
    return path


def cup(*engines: str, more: object = "", **keys: object) -> str:
    """A tournament file with these keys and more of them; engines by their names, or as their tables have them."""
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
    entries = (each if "=" in each else f"name = {json.dumps(each)}" for each in engines)
    return f"[tournament]\n{table}{more}\n" + "".join(f"[[engines]]\n{entry}\n" for entry in entries)


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of this process get workers that are forked; for tests that are about no worker."""
    monkeypatch.setattr(slots, "started", workers.started)


@pytest.fixture(scope="session")
def quick_registry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's settings in which the engine in C stands for those in Python, where it was built.

    Its process starts in a hundredth of their time, which is most of what a short run costs.
    """
    folder = tmp_path_factory.mktemp("settings")
    if ENGINE_IN_C.exists():
        (folder / "callanish-arena").mkdir()
        (folder / "callanish-arena" / "engines.toml").write_text(
            "".join(
                f"[[engines]]\nname = {json.dumps(name)}\ncommand = {json.dumps([str(ENGINE_IN_C), name])}\n"
                for name in ("random", "greedy", "alphabeta", "mcts")
            )
        )
    return folder


@pytest.fixture
def quick(quick_registry: Path, quick_workers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run here find those engines under the shipped names; for tests about no engine and no worker."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(quick_registry))
