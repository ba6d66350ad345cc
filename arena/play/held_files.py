"""Files that must not outlast this process, also where a second Ctrl-C ends it at once."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_held: set[Path] = set()


@contextlib.contextmanager
def removed_at_the_end(path: Path) -> Iterator[None]:
    """Remove the file when the block ends, however it is left."""
    _held.add(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        _held.discard(path)


def leave(code: int) -> None:
    """End this process at once, but for these files: whatever else is to be cleaned up may take long."""
    for path in [*_held]:
        with contextlib.suppress(OSError):
            path.unlink()
    os._exit(code)
