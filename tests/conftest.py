"""What holds for all tests: how examples are drawn, what Ctrl-C does, and what spares time."""

import gc
import os
import shutil
import signal
import tempfile

from hypothesis import HealthCheck, settings

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


def pytest_unconfigure() -> None:
    """The state folder of the tests goes with them."""
    shutil.rmtree(_STATE, ignore_errors=True)


# What is imported and collected stays to the end: garbage is not looked for in it, neither now nor later.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on there is garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()
