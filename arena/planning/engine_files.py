"""The files of engines: a digest that shows whether two runs played the same programs, and what is missing.

Without its program an engine cannot start; without others it may play, but more weakly. Starts no engine.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from arena.config.command_words import missing_script, remedy, searches_in_python
from arena.games.user_file import file_sha256
from arena.play.jobs import EngineSpec


def marked(specs: Sequence[EngineSpec]) -> tuple[EngineSpec, ...]:
    """The engines with their fingerprints. A file that several engines share is read once."""
    digests: dict[str, bytes] = {}
    return tuple(spec if spec.sha256 else replace(spec, sha256=sha256(spec, digests)) for spec in specs)


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
                    digests[name] = bytes.fromhex(file_sha256(Path(name)))
        digest.update(os.fsencode(os.path.basename(name)) + b"\0" + digests[name])
    return digest.hexdigest()


def names_of_files(spec: EngineSpec) -> tuple[str, ...]:
    """The files that the fingerprint covers, and arguments that name none."""
    program, *rest = spec.command
    # A bare name is searched on the PATH of the engine's process.
    executable = shutil.which(program, path=spec.sandbox.environment.get("PATH")) or program
    return (executable, *rest, *spec.files)


def missing_programs(specs: Iterable[EngineSpec]) -> list[str]:
    """A sentence for each engine whose program, script or folder does not exist, with the path that the user wrote."""
    sentences = []
    for spec in specs:
        program, folder = spec.command[0], spec.sandbox.directory
        # Without a directory an engine starts in an empty folder: nothing is there that was not found before.
        start = folder or os.devnull
        what, key = "", "command"
        if folder and not os.path.isdir(folder):
            what, key = f"folder {folder!r}", "directory"
        elif "/" not in program and shutil.which(program, path=spec.sandbox.environment.get("PATH")) is None:
            what = f"program {program!r} on the PATH"
        elif "/" in program and not os.path.exists(os.path.join(start, program)):
            what = f"file {program!r}"
        elif script := missing_script(spec.command, start):
            what = f"file {script!r}"
        if what:
            sentences.append(f"engine {spec.name!r}: there is no {what}; check its {key}")
    return sentences


def missing_files(specs: Iterable[EngineSpec], arena: str = "arena") -> list[str]:
    """A sentence for the engines whose search nobody has compiled, and one for each file under `files` that is missing.

    The remedy is a command of the program, which is called `arena` here.
    """
    engines = [*specs]
    sentences = []
    if names := ", ".join(dict.fromkeys(spec.name for spec in engines if searches_in_python(spec))):
        sentences.append(
            f"{names}: the search in C is not compiled, and that in Python is much weaker; {remedy(arena)}"
        )
    owners = {path: spec.name for spec in reversed(engines) for path in reversed(spec.files)}
    return sentences + [
        f"{name}: {path} is missing, which its registry entry has under files"
        for path, name in reversed(owners.items())
        if not Path(path).exists()
    ]
