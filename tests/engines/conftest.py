"""The engines in C."""

import pytest

from engines.native.build import ENGINES, up_to_date


@pytest.fixture(scope="module")
def libraries() -> None:
    """Their libraries: those of `make venv`, or our own."""
    for engine in ENGINES:
        up_to_date(engine)
