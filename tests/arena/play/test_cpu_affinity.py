"""CPUs that an arena reserves for its games."""

from pathlib import Path

import pytest

from arena.play import cpu_affinity


@pytest.fixture(autouse=True)
def four_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with four CPUs."""
    monkeypatch.setattr(cpu_affinity, "allowed", lambda: [0, 1, 2, 3])


def test_two_arenas_never_reserve_the_same_cpu(tmp_path: Path) -> None:
    """The second arena gets the CPUs that the first one left, and all are free again at the end."""
    with cpu_affinity.reserved(3, tmp_path) as first, cpu_affinity.reserved(3, tmp_path) as second:
        assert (first, second) == ([0, 1, 2], [3])
        assert [cpu_affinity.cpu_of_slot(slot, second) for slot in range(3)] == [3, None, None]
    with cpu_affinity.reserved(4, tmp_path) as again:
        assert again == [0, 1, 2, 3]


def test_more_games_than_cpus_share_them_evenly(tmp_path: Path) -> None:
    """Eight games on four CPUs: two on each."""
    with cpu_affinity.reserved(8, tmp_path) as cpus:
        assert [cpu_affinity.cpu_of_slot(slot, cpus) for slot in range(8)] == [0, 1, 2, 3] * 2


def test_without_a_folder_for_locks_nothing_is_pinned(tmp_path: Path) -> None:
    """A file in the place of the folder does not stop the games."""
    (tmp_path / "file").touch()
    with cpu_affinity.reserved(2, tmp_path / "file") as cpus:
        assert cpus == []
        assert cpu_affinity.cpu_of_slot(0, cpus) is None


def test_lists_and_ranges_of_cpus_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other tools write them."""
    monkeypatch.setattr(cpu_affinity, "allowed", lambda: list(range(9)))
    assert cpu_affinity.parse("3,5") == [3, 5]
    assert cpu_affinity.parse("6-8,2,2") == [2, 6, 7, 8]
