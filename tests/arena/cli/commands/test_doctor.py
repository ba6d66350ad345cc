"""`arena doctor`: what it says of each level, and of what is missing."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from protocol import cpu_counter
from protocol.containment import engine_user, kernel

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


def test_the_loopback_of_strict_is_told(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried with all other parts, and not there without bubblewrap."""
    told = " ".join(arena("doctor").stdout.split())
    parts = {part["name"]: part for part in json.loads(arena("doctor", "--json").stdout)["strict"]}
    able = parts.get("loopback", {}).get("works", False)
    assert f"has TCP on a loopback of its own: `strict` {'yes' if able else 'no'}." in told
    assert able == all(part["works"] for part in parts.values())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "`strict` no." in " ".join(arena("doctor").stdout.split())


def test_root_is_told_as_whom_engines_run(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root reads which user its engines get, and what keeps them from another; an ordinary user reads nothing."""
    told = arena("doctor").stdout
    assert ("You are root" in told) == (os.geteuid() == 0)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(engine_user, "obstacle", lambda: "the arena lacks CAP_KILL")
    told = " ".join(arena("doctor").stdout.split())
    assert "run as root without capabilities: the arena lacks CAP_KILL." in told


def test_what_tells_the_cpu_time_of_engines_is_said(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's counter at each level that has one, or /proc and what would help."""
    told = " ".join(arena("doctor").stdout.split())
    counted = json.loads(arena("doctor", "--json").stdout)["counted"]
    assert ("A counter of the kernel tells the CPU time" in told) == bool(counted) == cpu_counter.available()

    def refuse(pid: int) -> int:
        raise PermissionError

    monkeypatch.setattr(kernel, "count_cpu_time", refuse)
    told = " ".join(arena("doctor").stdout.split())
    assert "is told by /proc" in told and "kernel.perf_event_paranoid" in told
    assert json.loads(arena("doctor", "--json").stdout)["counted"] == []
