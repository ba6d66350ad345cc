"""Results files merged into a new one, and files that appear only when they are complete."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from results.store.store import Store, StoreError, merge
from tests.results.made import PLAYERS, RUN, numbered


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    """Two files of one run, which share game 2; in the second one the run has grown."""
    paths = [tmp_path / "one.db", tmp_path / "two.db"]
    for path, numbers, games in zip(paths, [(1, 2), (2, 3)], [2, 3], strict=True):
        with Store.create_or_open(path) as store:
            store.add_run(replace(RUN, games=games), PLAYERS)
            store.add_games(numbered(number) for number in numbers)
    return paths


def test_a_shared_game_is_taken_once(tmp_path: Path, sources: list[Path]) -> None:
    """The new file has the games in the schedule's order, and the grown run, whatever the order of the sources."""
    for out, order in ((tmp_path / "out.db", sources), (tmp_path / "back.db", sources[::-1])):
        assert merge(out, order) == 3
        with Store.open_existing(out) as store:
            assert list(store.games()) == [numbered(number) for number in (1, 2, 3)]
            assert store.players(RUN.id) == list(PLAYERS)
            assert [run.games for run in store.runs()] == [3]


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
