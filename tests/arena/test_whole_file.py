"""Files are written whole or not at all, and what must not be written is refused."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from arena.whole_file import CannotWrite, check_target, write_whole


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """What was there stays until the new text is complete, and nothing is left beside it."""
    file = tmp_path / "games.csv"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "new \ud800")
    assert os.listdir(tmp_path) == ["games.csv"] and file.read_text() == "old"
    write_whole(file, "a\r\nb\n")
    assert os.listdir(tmp_path) == ["games.csv"] and file.read_bytes() == b"a\r\nb\n"


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(tmp_path: Path, there: bool) -> None:
    """What it points to is replaced, or made."""
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "games.csv", tmp_path / "link"
    if there:
        target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert os.listdir(tmp_path / "folder") == ["games.csv"]


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    """A file that others may not read is not opened to them; the name may be as long as names can be."""
    file = tmp_path / ("n" * 255)
    file.write_text("old")
    file.chmod(0o640)
    write_whole(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o640)


def test_a_device_is_written_to() -> None:
    """It is not replaced by a file; a terminal is one that no file could replace even if that went wrong."""
    ours, theirs = os.openpty()
    try:
        write_whole(Path(os.ttyname(theirs)), "text")
        assert os.read(ours, 100) == b"text"
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_file_behind_an_open_descriptor_is_added_to(tmp_path: Path) -> None:
    """`--output /dev/stdout >> log` loses nothing of the log."""
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as file:
        write_whole(Path(f"/dev/fd/{file.fileno()}"), "after\n")
    assert log.read_text() == "before\nafter\n"


@pytest.mark.parametrize("name", ["games.db", "games.db-wal", "link", "twin"])
def test_a_database_is_never_written_over(tmp_path: Path, name: str) -> None:
    """Neither by its name, nor through a link, nor what belongs to it."""
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE games (id)")
    db.close()
    (tmp_path / "link").symlink_to(path)
    (tmp_path / "twin").hardlink_to(path)
    before = path.read_bytes()
    with pytest.raises(CannotWrite, match=r"--pgn .* would destroy the database"):
        check_target(tmp_path / name, "--pgn")
    with pytest.raises(CannotWrite, match="would destroy the database"):
        write_whole(tmp_path / name, "x")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is a folder"),
        ("none/x", "there is no folder .*/none'; make it"),
        ("file/x", "Not a directory"),
        ("n" * 300, "name"),
    ],
)
def test_a_target_that_cannot_be_is_refused_by_its_own_name(tmp_path: Path, name: str, said: str) -> None:
    """Before any work is done, and with the option that named it."""
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match=f"^--svg '{tmp_path / name}': .*{said}") as refused:
        check_target(tmp_path / name, "--svg")
    assert ".part" not in str(refused.value)
    assert os.listdir(tmp_path) == ["file"]
