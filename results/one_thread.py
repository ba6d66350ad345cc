"""Loads numpy with one thread for linear algebra, unless the environment says otherwise. To be imported before numpy.

Its threads wait busily. Beside engines that use all CPUs a fit takes ten times as long with them, and the engines lose
time. The variable is taken back, because engines inherit the environment.
"""

import os

_given = "OPENBLAS_NUM_THREADS" in os.environ
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy  # noqa: E402, F401

if not _given:
    del os.environ["OPENBLAS_NUM_THREADS"]
