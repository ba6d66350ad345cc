"""Which files an engine lacks. Without its program it cannot start; without others it may play, but more weakly.

The shipped engines whose search is in C play in Python while nobody has compiled it. Starts no engine.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from arena.config.command_words import missing_script
from arena.play.jobs import EngineSpec

_COMPILED = (".so", ".dylib", ".dll")


def missing_programs(specs: Iterable[EngineSpec]) -> list[str]:
    """A sentence for each engine whose program, script or folder does not exist, with the path that the user wrote."""
    lacking = ((spec.name, _missing_program(spec)) for spec in specs)
    return [f"engine {name!r}: there is no {what}" for name, what in lacking if what]


def _missing_program(spec: EngineSpec) -> str:
    program, folder = spec.command[0], spec.sandbox.directory or ""
    if folder and not os.path.isdir(folder):
        return f"folder {folder!r}; check its directory"
    if "/" not in program and shutil.which(program, path=spec.sandbox.environment.get("PATH")) is None:
        return f"program {program!r} on the PATH; check its command"
    if "/" in program and not os.path.exists(os.path.join(folder, program)):
        return f"file {program!r}; check its command"
    script = missing_script(spec.command, folder)
    return "" if script is None else f"file {script!r}; check its command"


def missing_files(specs: Iterable[EngineSpec]) -> list[str]:
    """A sentence for each file under `files` that does not exist, with the remedy where the file is compiled."""
    owners = {path: spec.name for spec in reversed([*specs]) for path in reversed(spec.files)}
    return [_sentence(name, Path(path)) for path, name in reversed(owners.items()) if not Path(path).exists()]


def _sentence(name: str, path: Path) -> str:
    if path.suffix in _COMPILED:
        return f"{name}: {path.name} is not compiled, so it plays more weakly or not at all; `make engines` compiles it"
    return f"{name}: {path} is missing, which its registry entry has under files"
