"""Which files engines lack. Without its program an engine cannot start; without others it may play, but more weakly.

Starts no engine.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from arena.config.command_words import missing_script
from arena.config.compiled import remedy, searches_in_python
from arena.play.jobs import EngineSpec


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
