"""What an engine was, so that two runs can tell whether they played the same one."""

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from arena.play.jobs import EngineSpec


def all_of(specs: Sequence[EngineSpec]) -> tuple[str, ...]:
    """Of each engine; each file is read once, however many engines it serves."""
    read: dict[str, bytes] = {}
    return tuple(sha256(spec, read) for spec in specs)


def twins(specs: Sequence[EngineSpec], fingerprints: Sequence[str]) -> list[tuple[str, ...]]:
    """Names of engines between which nothing tells: one program, the same arguments, options and limit."""
    alike: dict[tuple[object, ...], list[str]] = {}
    for spec, print_ in zip(specs, fingerprints, strict=True):
        key = (print_, spec.command[1:], tuple(sorted(spec.options.items())), spec.limit, _environment(spec))
        alike.setdefault(key, []).append(spec.name)
    return [tuple(names) for names in alike.values() if len(names) > 1]


def _environment(spec: EngineSpec) -> tuple[object, ...]:
    return tuple(sorted(spec.box.environment.items())), spec.box.directory


def sha256(spec: EngineSpec, read: dict[str, bytes] | None = None) -> str:
    """Hex digest over the executable, every argument that names a file, and the files that the registry lists.

    A file that cannot be read counts by its absence: a fingerprint never stops a run. `read` keeps what files were.
    """
    read = {} if read is None else read
    program, *rest = spec.command
    # A bare name is looked for where the engine's process will look.
    found = shutil.which(program, path=spec.box.environment.get("PATH")) or program
    digest = hashlib.sha256()
    for name in (found, *rest, *spec.files):
        if name not in read:
            read[name] = _content(Path(name))
        digest.update(os.fsencode(os.path.basename(name)) + b"\0" + read[name])
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    """Stands for a file's content, and for there being none."""
    try:
        return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b"-"
    except OSError:
        return b"-"
