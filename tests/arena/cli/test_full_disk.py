"""On a full disk commands that read go on, and commands that write say what they could not write, and leave nothing."""

import json
import os
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Arena
from tests.small_disk import SmallDisk
from tests.small_disk import small_disk as small_disk

QUICK = ("--nodes", "1", "--variant", "callanish-5", "--games", "2", "--contain", "none", "--quiet")


@pytest.fixture
def full(small_disk: SmallDisk, db: Path, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> SmallDisk:
    """A full disk, with a database, and the folder to work in."""
    os.chmod(db, 0o600)
    (small_disk.place / "games.db").write_bytes(db.read_bytes())
    monkeypatch.chdir(small_disk.place)
    small_disk.fill()
    return small_disk


def test_a_command_that_reads_reads(full: SmallDisk, arena: Arena) -> None:
    """It needs no file beside the database."""
    for words in ("standings", "games", "show 1", "stats", "export --format jsonl", "watch --once"):
        command, *more = words.split()
        done = arena(command, "games.db", *more)
        assert done.exit_code == 0 and done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("match", "random", "greedy", "--db", "games.db", *QUICK), "games.db: games.db-shm"),
        (("match", "random", "greedy", "--db", "new.db", *QUICK), "new.db"),
        (("match", "random", "greedy", "--db", "{elsewhere}/new.db", "--pgn", "new.pgn", *QUICK), "new.pgn"),
        (("match", "random", "greedy", "--db", "{elsewhere}/new.db", "--events", "new.log", *QUICK), "new.log"),
        (("import", "{elsewhere}/games.jsonl", "--into", "new.db"), "new.db"),
        (("merge", "new.db", "games.db"), "new.db"),
        (("export", "games.db", "--format", "pgn", "--output", "new.pgn"), "new.pgn"),
        (("report", "games.db", "--output", "pages"), "pages"),
        (("show", "games.db", "1", "--svg", "new.svg"), "new.svg"),
        (("cluster", "keys", "keys"), "keys/cluster.pem"),
        (("init", "new.toml"), "new.toml"),
    ],
    ids=lambda each: each if isinstance(each, str) else each[0],
)
def test_a_command_that_writes_names_the_file_and_the_disk(
    full: SmallDisk, tmp_path: Path, arena: Arena, quick: None, words: tuple[str, ...], named: str
) -> None:
    """No lock, no half file and no advice to restore what is sound; afterwards everything is as it was."""
    game = {"p1": "a", "p2": "b", "variant": "scottish", "moves": ["d1c1"], "winner": "p1", "reason": "resignation"}
    (tmp_path / "games.jsonl").write_text(json.dumps(game))
    done = arena(*(word.replace("{elsewhere}", str(tmp_path)) for word in words))
    said = done.stderr.replace("\n", " ")
    assert done.exit_code == 2, done.output
    assert f"arena: {named} cannot be written (No space left on device): free space on the disk of {full.place}" in said
    assert not {*full.files()} - {"games.db", "games.db-shm", "games.db-wal", "new.log"}
    full.free()
    assert arena("games", "games.db").exit_code == 0
