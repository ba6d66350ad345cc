"""`arena new`: an engine in a new folder, or one sentence and nothing."""

from pathlib import Path

import pytest

from arena.kit.write import LANGUAGES
from tests.arena.cli.conftest import Arena


def test_the_next_commands_are_printed(arena: Arena, tmp_path: Path) -> None:
    """Build it, check it, let it play: as they are to be typed."""
    done = arena("new", "fox", "--language", "c")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["cd", "arena", "arena"]
    assert (tmp_path / "fox" / "engine.c").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("full",), "is not empty"),
        (("file",), "is a file"),
        (("2fast",), "cannot be the name of an engine"),
        (("a\x1b[2J",), "cannot be the name of an engine"),
        (("down/fox",), "is a path"),
        (("..",), "cannot be the name of an engine"),
        (("fox", "--language", "rusty"), "did you mean rust?"),
        (("fox", "--language", "js"), "did you mean javascript?"),
        (("fox", "--language", "cobol"), f"choose one of {', '.join(LANGUAGES)}"),
    ],
)
def test_what_cannot_be_written_is_refused(words: tuple[str, ...], told: str, arena: Arena, tmp_path: Path) -> None:
    """One sentence with the remedy, and nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").touch()
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    done = arena("new", *words)
    assert done.exit_code == 2 and told in done.stderr and "\x1b" not in done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_cannot_be_written_leaves_nothing(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in the middle of the work, such as a full disk, leaves no half of an engine."""

    def fail(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("arena.kit.write._write", fail)
    done = arena("new", "fox")
    assert done.exit_code == 2 and "No space left on device" in done.stderr
    assert not list(tmp_path.iterdir())
