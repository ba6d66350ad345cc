"""`arena doctor`: what it says of each level, and of what is missing."""

import json
import os
from pathlib import Path

import pytest

from protocol.containment import box, group, reads
from tests.arena.cli.conftest import Arena


def test_a_machine_without_bubblewrap_misses_one_level(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One remedy is named, the column of strict is empty, and basic and none are tried all the same."""
    monkeypatch.setenv("PATH", str(tmp_path))
    lines = arena("doctor").stdout.splitlines()
    told = " ".join(" ".join(lines).split())
    assert told.count("bubblewrap, which is not on the PATH") == 1 and told.count("apt install bubblewrap") == 1
    rows = [line for line in lines if line.startswith(("TCP", "signals"))]
    assert len(rows) == 2 and all(row.split()[-3] == "no" and row.split()[-1] == "-" for row in rows)
    values = json.loads(arena("doctor", "--json").stdout)
    assert [part["name"] for part in values["strict"]] == ["start"] and len(values["basic"]) > 5


def test_it_is_told_as_whom_engines_run_and_what_only_a_control_group_keeps(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root reads which user its engines get, and what keeps them from it; an ordinary user reads nothing.

    Each engine has a control group, or the command that gives them to an ordinary user is there to type.
    """
    told = " ".join(arena("doctor").stdout.split())
    assert ("You are root" in told) == (os.geteuid() == 0)
    assert ("Each engine gets a control group" in told) == (group.groups() is not None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(reads, "may_everybody_read", lambda path: False)
    monkeypatch.setattr(group, "groups", lambda: None)
    monkeypatch.setattr(box, "groups", lambda: None)
    told = " ".join(arena("doctor").stdout.split())
    assert "is closed to other users." in told
    assert f"starts the arena with them: {group.REMEDY}" in told
    monkeypatch.setattr(box, "may_become_user", lambda: False)
    told = " ".join(arena("doctor").stdout.split())
    assert "run as root without capabilities: this container has no user for them." in told
    values = json.loads(arena("doctor", "--json").stdout)
    assert not values["control_groups"]
    kept = [part["works"] for part in values["basic"] if part["name"] in ("processes", "memory", "outliving")]
    if os.getuid() == 0:  # else no engine starts as if by root
        assert kept == [False] * 3
