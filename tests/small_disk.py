"""A disk of one megabyte for tests, which only root may have."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


class SmallDisk:
    """A file system in memory."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._fill = place / "fill"

    def fill(self) -> None:
        """Leave no byte free."""
        with self._fill.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                return

    def free(self) -> None:
        """Take away what `fill` wrote."""
        self._fill.unlink()

    def files(self) -> list[str]:
        """The names of all files but that of `fill`."""
        return sorted(
            str(path.relative_to(self.place)) for path in self.place.rglob("*") if path.is_file() and path != self._fill
        )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """The disk, mounted while the test runs."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=50", "tmpfs", place], capture_output=True, timeout=20
    )
    if mounted.returncode:
        pytest.skip("only root may mount a file system")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "-l", place], check=True, timeout=20)
