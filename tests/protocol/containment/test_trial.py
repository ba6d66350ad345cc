"""What is said of the walls of a machine, after a program in a box has tried to get out."""

import os
from pathlib import Path

import pytest

from protocol.containment import group, trial
from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.trial import CannotContain, Part, in_force, require, shortfall
from protocol.faults import CannotStart

MISSING = (Part("files", True, "", ""), Part("tcp", False, "an engine is not kept from TCP connections", "it needs X"))


def test_what_is_missing_is_refused_or_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default `basic` warns about missing parts; requested explicitly it refuses, as `strict` always does."""
    monkeypatch.setattr(trial, "examine", lambda level: trial.Found(MISSING, None, False))
    parts = require(Level.BASIC, explicit=False)
    assert parts == MISSING
    sentence = shortfall(Level.BASIC, parts)
    assert sentence is not None and "TCP connections" in sentence and "it needs X" in sentence
    assert in_force(SandboxPolicy(), parts)["missing"] == ["tcp"]
    for level, explicit in ((Level.BASIC, True), (Level.STRICT, False)):
        with pytest.raises(CannotContain, match=r"missing: tcp.*it needs X"):
            require(level, explicit=explicit)


def test_every_wall_of_this_machine_holds(level: Level) -> None:
    """Where the machine can do it, every part withstands its attempt. What takes a control group is told apart."""
    found = trial.examine(level)
    missing = [part for part in found.parts if not part.works]
    assert all(map(trial.of_groups, missing)), missing
    ours = group.groups()
    assert found.grouped == (ours is not None) and (ours is None or ours.caps != {"pids", "memory"} or not missing)
    assert require(level, explicit=True) == found.parts


def test_without_groups_their_remedy_is_named(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is not refused for them. The sentence says what engines are not kept from, and the command to type."""
    for place in ("box.groups", "group.groups"):
        monkeypatch.setattr(f"protocol.containment.{place}", lambda: None)
    found = trial.examine(level)
    missing = {part.name for part in found.parts if not part.works}
    strict = {"memory"} if found.user else {"memory", "processes"}
    assert missing == (strict if level is Level.STRICT else {"memory", "processes", "outliving"})
    assert require(level, explicit=True) == found.parts
    assert "systemd-run --user --scope -p Delegate=yes arena" in (shortfall(level, found.parts) or "")


def test_without_containment_the_attempts_succeed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `none` every attempt gets through that the machine does not refuse to this user by itself."""
    monkeypatch.chdir(tmp_path)
    found = trial.examine(Level.NONE)
    held = {part.name for part in found.parts if part.works}
    assert found.user == os.geteuid() and not list(tmp_path.iterdir())
    assert held <= ({"privileges"} if os.geteuid() else set())


def test_a_start_that_fails_is_one_missing_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing was tried then, so nothing else is said to be missing."""

    def refuse(*_: object) -> None:
        raise CannotStart("its sandbox could not be set up")

    with monkeypatch.context() as patched:
        patched.setattr(trial, "_answer", refuse)
        (part,) = trial.examine(Level.BASIC).parts
    assert not part.works and "could not be set up" in part.detail
    assert "does not work here: its sandbox" in (shortfall(Level.BASIC, (part,)) or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotContain, match="install bubblewrap"):
        require(Level.STRICT, explicit=True)
