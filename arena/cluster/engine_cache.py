"""The files of engines that came from another machine: a folder for each shipment, named by its digest.

A folder is there whole or not at all: it is written aside and then renamed, so two runs may receive it at once.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import platformdirs

from arena.cluster.errors import ClusterError
from arena.cluster.shipment import MOST_BYTES, Shipment, file_sha256

_PART = ".part-"


class EngineCache:
    """The shipments of this machine."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(platformdirs.user_cache_dir("callanish-arena")) / "engines"
        self._parts: dict[str, Path] = {}

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """Use the cache until the block ends. If nobody else does, first remove what killed processes left in part."""
        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError):  # a cache that cannot be written says so when an engine comes
                self._folder.mkdir(parents=True, exist_ok=True)
                # The system releases a lock when its process ends; O_CLOEXEC keeps it from workers.
                lock = held.enter_context(open(self._folder / ".lock", "w"))
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    for part in self._folder.glob(f"{_PART}*"):
                        shutil.rmtree(part, ignore_errors=True)
                fcntl.flock(lock, fcntl.LOCK_SH)
            yield

    def path(self, digest: str) -> Path:
        """Where the files of a shipment are, or will be."""
        return self._folder / digest

    def has(self, shipment: Shipment) -> bool:
        """Is the shipment here? Each file is read, for it may have been changed since."""
        folder = self.path(shipment.digest)
        try:
            return all(file_sha256(folder / file.name) == file.sha256 for file in shipment.files)
        except OSError:
            return False

    def write(self, digest: str, name: str, offset: int, data: bytes) -> None:
        """Write a piece of a file of a shipment that is not here. Raises OSError and ClusterError."""
        if not 0 <= offset <= MOST_BYTES - len(data):
            raise ClusterError(f"the shipped file {name!r} is larger than {MOST_BYTES >> 20} MB")
        if digest not in self._parts:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._parts[digest] = Path(tempfile.mkdtemp(prefix=_PART, dir=self._folder))
        path = _within(self._parts[digest], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("r+b" if offset else "wb") as file:
            file.seek(offset)
            file.write(data)

    def finish(self, shipment: Shipment) -> None:
        """Put a shipment in its place, all files of which were written. Raises ClusterError and OSError."""
        if (part := self._parts.pop(shipment.digest, None)) is None:
            raise ClusterError("no file of this shipment has come to this machine")
        folder = self.path(shipment.digest)
        try:
            files = {_within(part, file.name): file for file in shipment.files}
            for path in [part, *part.rglob("*")]:
                if path.is_dir():
                    os.chmod(path, 0o755)
                elif path not in files:
                    raise ClusterError(f"{path.name} came to this machine and is no file of its shipment")
            for path, file in files.items():
                if file_sha256(path) != file.sha256:
                    raise ClusterError(f"{file.name} changed on its way to this machine")
                os.chmod(path, 0o755 if file.executable else 0o644)
            if folder.exists() and not self.has(shipment):
                shutil.rmtree(folder)
            with contextlib.suppress(OSError):  # another run was faster; what it wrote is looked at below
                part.rename(folder)
            if not self.has(shipment):
                raise ClusterError(f"{folder}: cannot be written; check its permissions")
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def drop_parts(self) -> None:
        """Remove the shipments that came in part: who sent them has gone."""
        while self._parts:
            shutil.rmtree(self._parts.popitem()[1], ignore_errors=True)


def _within(folder: Path, name: str) -> Path:
    """The file of this name in the folder. Raises ClusterError for a name that leads out of it."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
        raise ClusterError(f"a shipped file has the name {name!r}, which leads out of its folder")
    return folder / path
