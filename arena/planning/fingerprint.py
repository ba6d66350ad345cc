"""Fingerprints of engines: they show whether two runs played the same programs."""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.play.jobs import EngineSpec


def marked(specs: Sequence[EngineSpec]) -> tuple[EngineSpec, ...]:
    """The engines with their fingerprints. A file that several engines share is read once."""
    digests: dict[str, bytes] = {}
    return tuple(spec if spec.sha256 else replace(spec, sha256=sha256(spec, digests)) for spec in specs)


def twins(specs: Sequence[EngineSpec]) -> list[tuple[str, ...]]:
    """The names of engines that are equal: the same program, arguments, options, limit, environment and directory."""
    names: dict[tuple[object, ...], list[str]] = {}
    for spec in specs:
        options, environment = sorted(spec.options.items()), sorted(spec.sandbox.environment.items())
        key = (spec.sha256, spec.command[1:], tuple(options), spec.limit, tuple(environment), spec.sandbox.directory)
        names.setdefault(key, []).append(spec.name)
    return [tuple(equal) for equal in names.values() if len(equal) > 1]


def sha256(spec: EngineSpec, digests: dict[str, bytes] | None = None) -> str:
    """Hex digest over the executable, every argument that names a file, and the files that the registry lists.

    A file that cannot be read counts as absent, so a fingerprint never stops a run. `digests` caches those of files.
    """
    digests = {} if digests is None else digests
    digest = hashlib.sha256()
    for name in names_of_files(spec):
        if name not in digests:
            digests[name] = b"-"
            with contextlib.suppress(OSError):
                if os.path.isfile(name):
                    digests[name] = hashlib.sha256(Path(name).read_bytes()).digest()
        digest.update(os.fsencode(os.path.basename(name)) + b"\0" + digests[name])
    return digest.hexdigest()


def names_of_files(spec: EngineSpec) -> tuple[str, ...]:
    """The files that the fingerprint covers, and arguments that name none."""
    program, *rest = spec.command
    # A bare name is searched on the PATH of the engine's process.
    executable = shutil.which(program, path=spec.sandbox.environment.get("PATH")) or program
    return (executable, *rest, *spec.files)
