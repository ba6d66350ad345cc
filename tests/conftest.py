"""What holds for all tests: how examples are drawn, what Ctrl-C does, and what spares time."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from functools import wraps
from importlib import metadata
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from arena.games import kinds
from protocol.containment import trial
from protocol.containment.policy import Level

# What pytest makes of the tests is kept, also where the environment says that no bytecode is: else each process makes
# it anew, for some seconds.
sys.dont_write_bytecode = False
# Commands buffer what they write, as for most users: without buffers a write that fails is noticed sooner.
os.environ.pop("PYTHONUNBUFFERED", None)

# Before numpy is loaded, here and in what tests start. As many tests run at once as there are CPUs, and for matrices as
# small as those of tests its threads only wait for each other, which doubles their cost.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Runs without --db keep their games in the state folder of the user, which tests leave alone.
_STATE = tempfile.mkdtemp(prefix="arena-tests-")
os.environ["XDG_STATE_HOME"] = _STATE

# No deadline and no complaint of slowness: a busy machine stretches single examples. The suite's own limit on a test
# holds for all of them together.
settings.register_profile(
    "alike",
    derandomize=True,
    database=None,
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# More of them, and others every time: of `make test-all`.
settings.register_profile("thorough", settings.get_profile("alike"), derandomize=False, max_examples=500)
settings.load_profile("alike")

# Whoever runs the tests in the background of a script makes them, and so all that they start, ignore Ctrl-C; many of
# them send one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The same for nohup and a closed terminal: a run under nohup goes on, so tests that close the terminal would wait.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# `make venv` installs two plug-ins for tests/plugins. All other tests see the games of a plain installation.
_PLUG_INS = ("callanish-arena-ataxx", "callanish-arena-chess")


_every: Any = metadata.entry_points


@wraps(_every)
def _of_a_plain_installation(**which: str) -> Any:
    found = _every(**which)
    if which.get("group") != kinds.GROUP:
        return found
    return [point for point in found if point.dist is None or point.dist.name not in _PLUG_INS]


metadata.entry_points = _of_a_plain_installation  # type: ignore[assignment]  # an overloaded function


@pytest.fixture
def sentences() -> Iterator[list[str]]:
    """The sentences that are logged for the user."""
    from tests.logged import logged  # late: it loads typer

    with logged() as found:
        yield found


@pytest.fixture(scope="session", autouse=True)
def machine_tried_once() -> Iterator[None]:
    """Commands that run in the process of the tests find what the machine offers as containment in one attempt.

    Each attempt starts an interpreter. Tests of the attempt call it by its own name.
    """
    found: dict[tuple[Level, str | None], tuple[trial.Part, ...]] = {}
    try_it = trial.require

    def require(level: Level, *, explicit: bool) -> tuple[trial.Part, ...]:
        key = (level, os.environ.get("PATH"))
        if key in found:
            return found[key]
        parts = try_it(level, explicit=explicit)
        if all(part.works for part in parts):
            found[key] = parts
        return parts

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trial, "require", require)
        yield


def pytest_unconfigure() -> None:
    """The state folder of the tests goes with them."""
    shutil.rmtree(_STATE, ignore_errors=True)


# What is imported and collected stays to the end: garbage is not looked for in it, neither now nor later.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on there is garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()
