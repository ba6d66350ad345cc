"""Shows the plug-ins that `make venv` installs, which all other tests do not see."""

from collections.abc import Iterator
from importlib import metadata

import pytest

from arena.games import kinds, variants


@pytest.fixture(autouse=True)
def plug_ins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For one test, in the process of the tests. Engines that are started see them anyway."""
    monkeypatch.setattr(metadata, "entry_points", metadata.entry_points.__wrapped__)  # type: ignore[attr-defined]  # of tests/conftest.py
    kinds.installed.cache_clear()
    variants._kind.cache_clear()
    yield
    kinds.installed.cache_clear()
    variants._kind.cache_clear()
