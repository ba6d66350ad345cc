"""What a run says of its database and its engines' sandboxes."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import ConfigError
from arena.planning.containment import Containment
from arena.play.jobs import EngineSpec
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
    expected = f"{path}: other users may open it (its mode is {mode:o}), and whoever can open it can block the run; "
    assert [each for each in sentences if str(path) in each] == [f"{expected}`chmod 600 {path}` closes it"] * said
    assert path.stat().st_mode & 0o777 == mode


def test_what_an_adapted_engine_may_not_read_is_named(tmp_path: Path, sentences: list[str]) -> None:
    """As of an engine that needs no adapter: its script leads to an interpreter in another folder."""
    interpreter, engine = tmp_path / "pythons" / "python3", tmp_path / "fish" / "fish"
    for path, first in ((interpreter, "/bin/sh"), (engine, interpreter)):
        path.parent.mkdir()
        path.write_text(f"#!{first}\n")
        path.chmod(0o755)
    command = (sys.executable, "-P", "-m", "engines.adapters.uci", str(engine))
    Containment(Level.BASIC).verify([EngineSpec("fish", command)])
    assert any(f"'fish' may not read {interpreter}, which its program leads to" in each for each in sentences)


def test_words_that_no_database_can_keep_are_refused_before_a_run() -> None:
    """A path of another encoding, of the engine or of what it may read: JSON would hold half a character."""
    fox = EngineSpec("fox", ("/bin/fox",))
    for spec, reads in ((replace(fox, command=("/caf\udce9/fox",)), ()), (fox, [Path("/caf\udce9")])):
        with pytest.raises(ConfigError, match=r"^engine 'fox': '/caf\\udce9(/fox)?' has a byte that is no UTF-8: "):
            Containment(reads=reads).apply([spec])
