"""The searches in C of the shipped engines, as their registry entries name them: where they are, and who lacks one."""

import re
from dataclasses import replace
from pathlib import Path

from arena.play.jobs import EngineSpec
from engines.native.build import ENGINES, cache, compiler, library

_SYMBOL = re.compile(rf"\{{compiled:({'|'.join(ENGINES)})\}}")


def with_libraries(word: str) -> str:
    """A word of a command line with `{compiled:stornoway}` replaced by the library of that engine.

    So the word names a file as any other: it belongs to the fingerprint, the engine may read it, and it travels.
    """
    return _SYMBOL.sub(lambda symbol: str(library(symbol[1])), word)


def searches_in_python(spec: EngineSpec) -> bool:
    """True for an engine whose search in C nobody has compiled."""
    return any(Path(word).parent == cache() and not Path(word).exists() for word in spec.command[1:])


def as_player(spec: EngineSpec) -> EngineSpec:
    """The engine under the name of its search, for ratings join games by name: another search is another player."""
    return replace(spec, name=f"{spec.name}-python") if searches_in_python(spec) else spec


def remedy(arena: str) -> str:
    """How the searches get compiled on this machine, as a clause. `arena` is what the program is called."""
    needs = "" if compiler() else "install a C compiler, such as gcc, then "
    return f"{needs}`{arena} engines build` compiles it"
