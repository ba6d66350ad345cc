"""`arena check --profile`: what an adapter cannot do is skipped, with the reason."""

from arena.conformance.catalogue import CHECKS, PROFILES


def test_a_profile_leaves_out_checks_that_exist() -> None:
    """What is fatal is never left out: an adapter must play."""
    for name in sorted(PROFILES):
        severities = {check.id: check.severity for check in CHECKS}
        assert all(severities[check] != "F" for check in PROFILES[name])
