"""CPUs that an arena reserves for its games."""

import subprocess
import sys
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


HOLDS = """
import sys
from pathlib import Path
from arena.play import cpu_affinity
cpu_affinity.allowed = lambda: [0, 1]
with cpu_affinity.reserved(1, Path(sys.argv[1])) as cpus:
    print(cpus, flush=True)
    sys.stdin.read()
"""


def test_a_cpu_is_reserved_by_one_process_until_that_process_ends(tmp_path: Path) -> None:
    """A killed process, which cannot release anything, frees its CPUs, too."""
    words = [sys.executable, "-c", HOLDS, str(tmp_path)]
    root = Path(__file__).parent.parent.parent.parent
    with subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "[0]\n"
        with cpu_affinity.reserved(4, tmp_path) as cpus:
            assert cpus == [1, 2, 3]
        other.kill()
    with cpu_affinity.reserved(4, tmp_path) as cpus:
        assert cpus == [0, 1, 2, 3]
