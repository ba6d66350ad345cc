"""Loads numpy with one thread for linear algebra, unless the environment says otherwise. To be imported before numpy.

Its threads wait busily. Beside engines that use all CPUs a fit takes ten times as long with them, and the engines lose
time. The variable is taken back, because engines inherit the environment.
"""

import os

_VARIABLE = "OPENBLAS_NUM_THREADS"

if _VARIABLE in os.environ:
    import numpy
else:
    os.environ[_VARIABLE] = "1"
    import numpy  # noqa: F401

    del os.environ[_VARIABLE]
