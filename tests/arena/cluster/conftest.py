"""A lab with a cluster of two machines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.cluster.lab import lab
from tests.arena.cluster.runs import Match


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    with lab(tmp_path, 3) as laboratory:
        match = Match(laboratory, tmp_path)
        yield match
        match.assert_leaves_nothing()
