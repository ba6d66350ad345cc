"""The words of an engine's command line: which of them are files and folders.

An engine does not run in the caller's folder. So a relative path in its command line becomes an absolute one.
"""

import os
from collections.abc import Sequence
from pathlib import Path

PYTHON = "{python}"
"""Stands for the Python that runs the arena, on the command line and in files."""
CODE = frozenset({"-c", "-e", "-m", "--eval", "--module"})
"""After these options an interpreter expects code or the name of a module, not a path."""
_EVERY_JAR = f"{os.sep}*"
"""Ends the folder of a class path of which a JVM takes every jar."""


def absolute_words(command: Sequence[str], base: Path) -> tuple[str, ...]:
    """The command line with each word that names a file or a folder made absolute. Relative ones start from `base`.

    So does a list of paths with colons between them (`-cp a.jar:lib`), and the path of an option (`--net=a.bin`).
    """
    program, *rest = command
    words = [program]
    for before, word in zip(command, rest, strict=False):
        words.append(word if before in CODE else _absolute(word, base))
    return tuple(words)


def _absolute(word: str, base: Path) -> str:
    option, equals, path = word.partition("=")
    if word.startswith("-"):
        found = _path(path, base) if equals else None
        return word if found is None else f"{option}={found}"
    if (found := _path(word, base)) is not None:
        return found
    # A folder of a class path may be made later, but one of its places is there.
    places = [_path(place, base) for place in word.split(os.pathsep)]
    if len(places) == 1 or not any(places):
        return word
    return os.pathsep.join(found or place for found, place in zip(places, word.split(os.pathsep), strict=True))


def _path(text: str, base: Path) -> str | None:
    """The absolute path of a file or a folder, None where there is none."""
    if not text or "\0" in text:
        return None
    if text.endswith(_EVERY_JAR):
        folder = _path(text.removesuffix(_EVERY_JAR), base)
        return None if folder is None else folder + _EVERY_JAR
    path = os.path.join(base.absolute(), text)
    return os.path.abspath(path) if os.path.exists(path) else None
