"""A stand-in for the referee starts contained engines, as the user who runs the tests and as an ordinary user."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment import bubblewrap, kernel
from protocol.containment.landlock import ABI_SCOPES
from protocol.containment.policy import Level
from tests.protocol.containment.referees import STAND_IN, Referee

NOBODY = 65534
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture(scope="session", params=[Level.BASIC, Level.STRICT])
def level(request: pytest.FixtureRequest) -> Level:
    """Each level that contains something. Skipped where the machine lacks it by its own account, not by ours."""
    level = Level(request.param)
    if level is Level.BASIC and (kernel.landlock_abi() < ABI_SCOPES or not kernel.seccomp_available()):
        pytest.skip("this kernel has no Landlock with scopes, or no seccomp filters")
    if level is Level.STRICT:
        if bubblewrap.program() is None:
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


@pytest.fixture(scope="session", params=["ourselves", "ordinary user"])
def referee(request: pytest.FixtureRequest, home: Path) -> Iterator[Referee]:
    """Who runs the engine."""
    made = Referee(_prefix(request.param), home)
    yield made
    made.close()


def _prefix(user: str) -> tuple[str, ...]:
    if user == "ourselves":
        return (sys.executable,)
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
