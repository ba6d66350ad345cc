"""`arena check --profile`: what an adapter cannot do is skipped, with the reason."""

import sys

import pytest
from typer.testing import CliRunner

from arena.cli.app import program
from arena.conformance.catalogue import CHECKS, PROFILES


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_a_profile_leaves_out_checks_that_exist(name: str) -> None:
    """What is fatal is never left out: an adapter must play."""
    severities = {check.id: check.severity for check in CHECKS}
    assert all(severities[check] != "F" for check in PROFILES[name])


@pytest.mark.long
def test_a_check_that_is_left_out_is_skipped_with_its_reason() -> None:
    """It is no failure and no pass: the grade is that of the other checks."""
    engine = f"{sys.executable} -P -m tests.zoo --fault slow-greeting"
    ended = CliRunner().invoke(
        program(), ["check", engine, "--only", "A5,G8", "--variant", "scottish", "--profile", "otep"]
    )
    assert ended.exit_code == 0, ended.output
    said = " ".join(ended.stdout.split())
    assert f"G8 M 7.4 skipped a move time of 1 ms to 2 s is kept, but for the margin: {PROFILES['otep']['G8']}" in said
    assert "2 checks: 1 pass, 1 skipped; grade: clean" in said
