"""What tests of runs share."""

import pytest

from arena.run import slots
from tests.arena import workers


@pytest.fixture
def quick_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of this process get workers that are forked; for tests that are about no worker."""
    monkeypatch.setattr(slots, "started", workers.started)
