"""Results files merged into a new one, and files that appear only when they are complete."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from results.store.merge import merge
from results.store.store import Store, StoreError
from tests.results.made import PLAYERS, RUN, numbered


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    """Two files of one run, which share game 2."""
    paths = [tmp_path / "one.db", tmp_path / "two.db"]
    for path, numbers in zip(paths, [(1, 2), (2, 3)], strict=True):
        with Store.create_or_open(path) as store:
            store.add_run(RUN, PLAYERS)
            store.add_games(numbered(number) for number in numbers)
    return paths


def test_a_shared_game_is_taken_once(tmp_path: Path, sources: list[Path]) -> None:
    """The number of games is returned, and the new file has them in the schedule's order."""
    assert merge(tmp_path / "out.db", sources) == 3
    with Store.open_existing(tmp_path / "out.db") as store:
        assert list(store.games()) == [numbered(number) for number in (1, 2, 3)]
        assert store.players(RUN.id) == list(PLAYERS)


def test_variants_that_share_only_their_short_name_are_not_merged(tmp_path: Path, sources: list[Path]) -> None:
    """Their games would be taken for one variant. The sentence names both files; no new file is left."""
    for path, board in zip(sources, ("5/5/5", "5/2*2/5"), strict=True):
        with Store.create_or_open(path) as store:
            own = replace(numbered(7), id=f"{RUN.id}-{board[2]}", variant=f"callanish:name=mine,board={board}")
            store.add_game(own)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(StoreError, match=r"two\.db and .*one\.db have games of different variants .* 'mine'"):
        merge(tmp_path / "out.db", sources)
    assert sorted(os.listdir(tmp_path)) == before


def test_files_that_differ_in_a_game_are_not_merged(tmp_path: Path, sources: list[Path]) -> None:
    """The sentence names the game and both files; no new file is left."""
    with Store.create_or_open(tmp_path / "other.db") as store:
        store.add_run(RUN, PLAYERS)
        store.add_game(replace(numbered(1), winner="p2"))
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(
        StoreError, match=r"game 5ca1ab1e-000001 of .*other\.db is in .*out\.db already, played otherwi"
    ):
        merge(tmp_path / "out.db", [*sources, tmp_path / "other.db"])
    assert sorted(os.listdir(tmp_path)) == before


def test_a_new_store_has_its_name_only_when_it_is_complete(tmp_path: Path) -> None:
    """Nobody can open half of it, and an exception leaves nothing."""
    path = tmp_path / "new.db"
    with Store.new(path) as store:
        store.add_run(RUN, PLAYERS)
        assert not path.exists()
    assert os.listdir(tmp_path) == ["new.db"]
    with pytest.raises(StoreError, match=r"new\.db is there already"), Store.new(path):
        pass
    with pytest.raises(RuntimeError), Store.new(tmp_path / "broken.db"):
        raise RuntimeError
    with pytest.raises(StoreError, match=r"there is no folder .*nowhere, so make it first"):
        merge(tmp_path / "nowhere" / "out.db", [path])
    assert os.listdir(tmp_path) == ["new.db"]


def test_a_name_that_is_taken_meanwhile_is_refused(tmp_path: Path) -> None:
    """The file of the other program stays."""
    path = tmp_path / "new.db"
    with pytest.raises(StoreError, match="was made by another program meanwhile"), Store.new(path):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["new.db"]
