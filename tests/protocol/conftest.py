"""With and without control groups."""

import pytest

from protocol.containment import box


@pytest.fixture(params=["in a group", "without a group"])
def grouping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the control groups that this user has, and without any."""
    if request.param == "without a group":
        monkeypatch.setattr(box, "groups", lambda: None)
