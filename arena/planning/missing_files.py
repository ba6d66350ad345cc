"""Which files of its registry entry an engine lacks. Such an engine may start and play, but weaker than it should.

The shipped engines whose search is in C play in Python while nobody has compiled it. Starts no engine.
"""

from collections.abc import Iterable
from pathlib import Path

from arena.play.jobs import EngineSpec

_COMPILED = (".so", ".dylib", ".dll")


def missing_files(specs: Iterable[EngineSpec]) -> list[str]:
    """A sentence for each file under `files` that does not exist, with the remedy where the file is compiled."""
    owners = {path: spec.name for spec in reversed([*specs]) for path in reversed(spec.files)}
    return [_sentence(name, Path(path)) for path, name in reversed(owners.items()) if not Path(path).exists()]


def _sentence(name: str, path: Path) -> str:
    if path.suffix in _COMPILED:
        return f"{name}: {path.name} is not compiled, so it plays more weakly or not at all; `make engines` compiles it"
    return f"{name}: {path} is missing, which its registry entry has under files"
