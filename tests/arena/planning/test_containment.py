"""What a run says of its database and its engines' sandboxes."""

from pathlib import Path

import pytest

from arena.planning.containment import Containment
from protocol.containment.policy import Level


@pytest.mark.parametrize(("level", "mode", "said"), [("basic", 0o640, 1), ("basic", 0o600, 0), ("none", 0o666, 0)])
def test_a_database_that_other_users_may_open_is_told(
    tmp_path: Path, level: str, mode: int, said: int, sentences: list[str]
) -> None:
    """Its mode stays, since its owner chose it. Who contains no engine is not told."""
    path = tmp_path / "games.db"
    path.touch()
    path.chmod(mode)
    Containment(Level(level), db=path).verify(())
    expected = f"{path}: other users may open it (its mode is {mode:o}), and who can open it can hold up the run; "
    assert [each for each in sentences if str(path) in each] == [f"{expected}`chmod 600 {path}` closes it"] * said
    assert path.stat().st_mode & 0o777 == mode
