"""Games of runs without --db are kept in the state folder of the user."""

from datetime import datetime
from pathlib import Path

import pytest

from arena.planning import kept_games as kept_games_module
from arena.planning.kept_games import kept_games
from arena.planning.run_lock import run_lock
from results.store.store import Store
from tests.results.made import PLAYERS, RUN, numbered

NOON = datetime(2026, 11, 22, 12, 0, 0)
KEPT = 3


@pytest.fixture(autouse=True)
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer than for users."""
    monkeypatch.setattr(kept_games_module, "KEPT", KEPT)


def play(folder: Path, command: str = "match", now: datetime = NOON, games: int = 1) -> Path:
    """A run that keeps this many games; the name of its database."""
    with kept_games(command, now, folder) as db:
        assert db is not None
        with Store.create_or_open(db) as store:
            store.add_run(RUN, PLAYERS)
            for number in range(1, games + 1):
                store.add_game(numbered(number))
        return db


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_named_after_the_command_and_the_time(tmp_path: Path) -> None:
    """Two runs that begin in the same second have two files."""
    first, second = play(tmp_path), play(tmp_path)
    assert (first.name, second.name) == ("match-2026-11-22-120000.db", "match-2026-11-22-120000-2.db")
    assert first.stat().st_mode & 0o077 == 0, "other users could lock it"
    with Store.open_existing(first) as store:
        assert len(store.done(RUN.id)) == 1


def test_a_run_without_a_game_leaves_no_file(tmp_path: Path) -> None:
    """Whether it was refused before anything was stored or stopped before the first game ended."""
    with pytest.raises(ZeroDivisionError), kept_games("sprt", NOON, tmp_path):
        raise ZeroDivisionError
    play(tmp_path, games=0)
    assert names(tmp_path) == []


def test_the_last_files_stay_and_the_oldest_are_removed(tmp_path: Path) -> None:
    """With all that lies beside them; files that were not made here are left alone."""
    (tmp_path / "mine.db").write_text("no database")
    old = play(tmp_path, "sprt", NOON.replace(hour=11))
    old.with_name(f"{old.name}-ab12.lock").touch()
    for minute in range(KEPT):
        play(tmp_path, now=NOON.replace(minute=minute))
    assert names(tmp_path) == [*(f"match-2026-11-22-12{minute:02}00.db" for minute in range(KEPT)), "mine.db"]


def test_a_file_that_is_in_use_is_not_removed(tmp_path: Path) -> None:
    """A reader has one open, a run plays into another. Both are removed once they are free."""
    read, played = play(tmp_path, now=NOON.replace(hour=9)), play(tmp_path, now=NOON.replace(hour=10))
    with Store.open_existing(read) as reader, run_lock(played, "ab12", "match"):
        for minute in range(KEPT):
            play(tmp_path, now=NOON.replace(minute=minute))
        assert read.exists() and played.exists()
        assert reader.game(numbered(1).id) == numbered(1)
    last = play(tmp_path, now=NOON.replace(hour=13))
    assert last.exists() and not read.exists() and not played.exists()
    assert len(names(tmp_path)) == KEPT


@pytest.mark.parametrize("folder", ["file/callanish-arena", "file"])
def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(
    tmp_path: Path, folder: str, sentences: list[str]
) -> None:
    """Then the games are in memory."""
    (tmp_path / "file").touch()
    with kept_games("match", NOON, tmp_path / folder) as db:
        assert db is None
    (sentence,) = sentences
    assert sentence.startswith(f"{tmp_path / folder} cannot be written (")
    assert sentence.endswith("so the games are not kept: --db FILE keeps them")
