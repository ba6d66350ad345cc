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
