"""What an engine was, so that two runs can tell whether they played the same one."""

import hashlib
import os
import shutil
from pathlib import Path

from arena.jobs import EngineSpec


def sha256(spec: EngineSpec) -> str:
    """Hex digest over the executable, every argument that names a file, and the files that the registry lists.

    A file that cannot be read counts by its absence: a fingerprint never stops a run.
    """
    program, *rest = spec.command
    # A bare name is looked for where the engine's process will look.
    found = shutil.which(program, path=spec.box.environment.get("PATH")) or program
    digest = hashlib.sha256()
    for name in (found, *rest, *spec.files):
        path = Path(name)
        try:
            content = path.read_bytes() if path.is_file() else None
        except OSError:
            content = None
        digest.update(os.fsencode(path.name) + b"\0")
        digest.update(b"-" if content is None else hashlib.sha256(content).digest())
    return digest.hexdigest()
