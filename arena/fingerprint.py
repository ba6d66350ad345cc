"""What an engine was, so that two runs can tell whether they played the same one."""

import hashlib
from pathlib import Path

from arena.jobs import EngineSpec


def sha256(spec: EngineSpec) -> str:
    """Hex digest over the executable, every argument that names a file, and the files that the registry lists.

    A file that cannot be read counts by its absence: a fingerprint never stops a run.
    """
    digest = hashlib.sha256()
    for name in (*spec.command, *spec.files):
        path = Path(name)
        try:
            content = path.read_bytes() if path.is_file() else None
        except OSError:
            content = None
        digest.update(path.name.encode() + b"\0" + (hashlib.sha256(content).digest() if content is not None else b"-"))
    return digest.hexdigest()
