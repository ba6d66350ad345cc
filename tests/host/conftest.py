"""The command line run in this process, as its own tests have it, and a hub."""

from collections.abc import Iterator

import pytest

from tests.arena.cli.conftest import arena as arena
from tests.host.guests import Lab, hub


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One hub for all tests: to start it takes longer than any of them."""
    with hub(tmp_path_factory.mktemp("hub"), "fox", "cat", "owl") as made:
        yield made


@pytest.fixture
def nobody_is_there(lab: Lab) -> None:
    """What the test before left is gone."""
    lab.wait_until(lambda guests: not guests)
