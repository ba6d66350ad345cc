"""`arena doctor`: what it says of each level, and of what is missing."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from protocol.containment import engine_user

Arena = Callable[..., Result]


def test_a_machine_without_bubblewrap_misses_one_thing(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One remedy is named, the column of strict is empty, and basic and none are tried all the same."""
    monkeypatch.setenv("PATH", str(tmp_path))
    told = arena("doctor").stdout
    assert told.count("bubblewrap is not on the PATH") == 1 and told.count("apt install bubblewrap") == 1
    rows = [line for line in told.splitlines() if line.startswith(("TCP", "signals"))]
    assert len(rows) == 2 and all(row.split()[-3] == "no" and row.split()[-1] == "-" for row in rows)
    values = json.loads(arena("doctor", "--json").stdout)
    assert [part["name"] for part in values["strict"]] == ["namespaces"] and len(values["basic"]) > 10


def test_root_is_told_as_whom_engines_run(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root reads which user its engines get, and what keeps them from another; an ordinary user reads nothing."""
    told = arena("doctor").stdout
    assert ("You are root" in told) == (os.geteuid() == 0)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(engine_user, "obstacle", lambda: "the arena lacks CAP_KILL")
    told = " ".join(arena("doctor").stdout.split())
    assert "run as root without capabilities: the arena lacks CAP_KILL." in told
