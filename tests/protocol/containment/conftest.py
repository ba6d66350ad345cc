"""A stand-in for the referee starts contained engines, as the user who runs the tests and as an ordinary user."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment import group, landlock
from protocol.containment.policy import Level
from tests.protocol.containment.referees import STAND_IN, Referee

NOBODY = 65534
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture(scope="session", params=[Level.BASIC, Level.STRICT])
def level(request: pytest.FixtureRequest) -> Level:
    """Each level that contains something. Skipped where the machine lacks it by its own account, not by ours."""
    level = Level(request.param)
    if level is Level.BASIC and landlock.abi() < landlock.ABI_SIGNALS:
        pytest.skip("this kernel has no Landlock with scopes")
    if level is Level.STRICT:
        if shutil.which("bwrap") is None:
            pytest.skip("bubblewrap is not installed")
        plain = ["bwrap", "--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
        if subprocess.run(plain, capture_output=True, timeout=10, check=False).returncode:
            pytest.skip("bubblewrap may not make its namespaces here")
    return level


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A home directory that all users may read and write: only containment keeps an engine out. Beside it `tmp`."""
    root = Path(tempfile.mkdtemp(prefix="contained-"))
    root.chmod(0o755)
    for folder in (root / "me", root / "tmp"):
        folder.mkdir()
        folder.chmod(0o777)
    try:
        yield root / "me"
    finally:
        shutil.rmtree(root)


OTHERS = [pytest.param(user, marks=pytest.mark.long) for user in ("ordinary user", "user with a delegated group")]


@pytest.fixture(scope="session", params=["ourselves", *OTHERS])
def referee(request: pytest.FixtureRequest, home: Path) -> Iterator[Referee]:
    """Who runs the engine: each column of the table of CONTAINMENT.md."""
    if request.param == "ourselves":
        ours = group.groups()
        made = Referee((sys.executable,), home, None if ours is None else ours.caps)
        yield made
    elif request.param == "ordinary user":
        made = Referee(as_ordinary_user(), home, None)
        yield made
    else:
        with _delegated() as (enter, caps):
            made = Referee((*enter, *as_ordinary_user()), home, caps)
            yield made
            made.close()
        return
    made.close()


def as_ordinary_user() -> tuple[str, ...]:
    """The Python of an ordinary user, as the start of a command."""
    if os.geteuid() != 0:
        pytest.skip("the tests run as an ordinary user already")
    prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", SYSTEM_PYTHON)
    if shutil.which("setpriv") is None or not os.path.exists(SYSTEM_PYTHON):
        pytest.skip(f"becoming an ordinary user takes setpriv and {SYSTEM_PYTHON}")
    trial = f"open({str(STAND_IN)!r}).close(); import enum; enum.StrEnum"
    able = subprocess.run([*prefix, "-c", trial], capture_output=True, timeout=10, check=False)
    if able.returncode:
        pytest.skip(f"an ordinary user cannot run this checkout with {SYSTEM_PYTHON}: {able.stderr.decode()[-200:]}")
    return prefix


@contextlib.contextmanager
def _delegated() -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """A group that belongs to an ordinary user, as systemd delegates one; what enters it; the caps that it may set."""
    ours = group.groups() if os.geteuid() == 0 else None
    if ours is None:
        pytest.skip("delegating a group takes root and control groups")
    made = []
    try:
        for folder in ours.folders.values():
            path = Path(folder).parent / f"delegated-{os.getpid()}"
            path.mkdir()
            made.append(path)
            for each in (path, *path.iterdir()):
                if each.name in (path.name, "cgroup.procs", "cgroup.subtree_control", "cgroup.threads", "tasks"):
                    os.chown(each, NOBODY, NOBODY)
        script = 'for folder in $0; do echo $$ >"$folder/cgroup.procs"; done; exec "$@"'
        yield ("sh", "-c", script, " ".join(map(str, made))), ours.caps
    finally:
        for path in made:
            with contextlib.suppress(OSError):
                group.remove(str(path))
