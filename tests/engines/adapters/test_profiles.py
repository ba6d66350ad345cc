"""`arena check --profile`: what an adapter cannot do is skipped, with the reason."""

import pytest

from arena.conformance.catalogue import CHECKS, PROFILES


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_a_profile_leaves_out_checks_that_exist(name: str) -> None:
    """What is fatal is never left out: an adapter must play."""
    severities = {check.id: check.severity for check in CHECKS}
    assert all(severities[check] != "F" for check in PROFILES[name])
