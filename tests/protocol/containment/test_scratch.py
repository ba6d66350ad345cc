"""Temporary folders go with their makers, whatever is in them."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from protocol.containment import scratch

DEEP = """
import os, sys
os.mkdir('closed'); open('closed/x', 'w').close(); os.chmod('closed', 0)
for _ in range(int(sys.argv[1])):
    os.mkdir(sys.argv[2]); os.chdir(sys.argv[2])
"""


def gone(folder: str) -> bool:
    """True if the folder goes within 60 s."""
    end = time.monotonic() + 60
    while os.path.lexists(folder):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_a_scratch_is_removed_whatever_was_done_to_it() -> None:
    """Folders that are nested 2 500 deep, have long names or are closed to their owner: nobody waits for them."""
    for depth, name in ((1, "d"), (2_500, "d"), (50, "d" * 250)):
        folder = scratch.make()
        subprocess.run([sys.executable, "-c", DEEP, str(depth), name], cwd=folder, check=True, timeout=120)
        began = time.monotonic()
        scratch.remove(folder)
        assert time.monotonic() - began < 5
        assert gone(folder)


def test_a_scratch_is_its_owners_alone() -> None:
    """No other user may look into it."""
    folder = scratch.make()
    try:
        assert os.stat(folder).st_mode & 0o777 == 0o700 and os.stat(folder).st_uid == os.geteuid()
    finally:
        scratch.remove(folder)
    assert not os.path.exists(folder), "a small one is gone at once"


def test_a_scratch_that_cannot_be_removed_hides_no_other_failure() -> None:
    """If no more files may be opened, the caller says so, and the folder stays until the next arena sweeps it."""
    folder = scratch.make()
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        scratch.remove(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    scratch.remove(folder)
    assert not os.path.exists(folder)


def test_what_a_killed_arena_left_is_swept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By whoever makes the next folder. That of a living process stays, and so does what is not ours."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = subprocess.Popen(["/bin/true"])
    dead.wait(10)
    (tmp_path / "arena-of-another").mkdir()
    with scratch.folder("check") as living:
        for kind in ("cell", "trial", "check"):
            Path(living.replace("-check-", f"-{kind}-").replace(f"-{os.getpid()}-", f"-{dead.pid}-")).mkdir()
        with scratch.folder("trial") as other:
            assert {living, other} == {str(path) for path in tmp_path.iterdir() if path.name != "arena-of-another"}
    assert os.listdir(tmp_path) == ["arena-of-another"]
