"""CPUs that games call their own."""

from pathlib import Path

import pytest

from arena.play import cpu_affinity


@pytest.fixture(autouse=True)
def four_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with four of them."""
    monkeypatch.setattr(cpu_affinity, "allowed", lambda: [0, 1, 2, 3])


def test_two_arenas_do_not_meet_on_one_cpu(tmp_path: Path) -> None:
    """The second takes what the first has left, and all are free again at the end."""
    with cpu_affinity.claimed(3, tmp_path) as first, cpu_affinity.claimed(3, tmp_path) as second:
        assert (first, second) == ([0, 1, 2], [3])
        assert [cpu_affinity.seat(slot, second) for slot in range(3)] == [3, None, None]
    with cpu_affinity.claimed(4, tmp_path) as again:
        assert again == [0, 1, 2, 3]


def test_more_games_than_cpus_share_them_evenly(tmp_path: Path) -> None:
    """Eight games on four CPUs: two each."""
    with cpu_affinity.claimed(8, tmp_path) as mine:
        assert [cpu_affinity.seat(slot, mine) for slot in range(8)] == [0, 1, 2, 3] * 2


def test_without_a_place_for_claims_nothing_is_pinned(tmp_path: Path) -> None:
    """A file where the folder should be is no reason to stop."""
    (tmp_path / "file").touch()
    with cpu_affinity.claimed(2, tmp_path / "file") as mine:
        assert mine == []
        assert cpu_affinity.seat(0, mine) is None
