"""Contained engines are started by a stand-in for the referee, as whoever runs the tests and as an ordinary user."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.containment.box import Level
from protocol.containment.probe import Part, probe
from tests.protocol.containment.referees import STAND_IN, Referee

NOBODY = 65534
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture(scope="session")
def parts() -> Callable[[Level], tuple[Part, ...]]:
    """What this machine can do at a level; probed once."""
    known: dict[Level, tuple[Part, ...]] = {}

    def ask(level: Level) -> tuple[Part, ...]:
        if level not in known:
            known[level] = probe(level)
        return known[level]

    return ask


@pytest.fixture(params=[Level.BASIC, Level.STRICT])
def level(request: pytest.FixtureRequest, parts: Callable[[Level], tuple[Part, ...]]) -> Level:
    """Each level that contains something; skips one that is not to be had here."""
    level = Level(request.param)
    if missing := [part for part in parts(level) if not part.works]:
        pytest.skip(f"{level} is not complete on this machine: {missing[0]}")
    return level


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A home directory that all users may read and write: only containment keeps an engine out."""
    folder = Path(tempfile.mkdtemp(prefix="home-"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


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
