"""What engines lack that a registry entry names. Such an engine may start and play, but weaker than it should.

Starts no engine.
"""

from collections.abc import Iterable
from pathlib import Path

from arena.config.compiled import remedy, searches_in_python
from arena.play.jobs import EngineSpec


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
