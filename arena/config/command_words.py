"""The words of an engine's command line: which of them are files and folders.

An engine does not run in the caller's folder. So a relative path in its command line becomes an absolute one.
The searches in C of the shipped engines are words, too: where they are, and who lacks one.
"""

import itertools
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.play.jobs import EngineSpec
from engines.native.build import ENGINES, cache, compiler, library

PYTHON = "{python}"
"""Stands for the Python that runs the arena, on the command line and in files."""
CODE = frozenset({"-c", "-e", "-m", "--eval", "--module"})
"""After these options an interpreter expects code or the name of a module, not a path."""
_MODULE = frozenset({"-m", "--module"})
_OPTION = re.compile(r"-{0,2}[A-Za-z_][\w.-]*")
"""What stands before the `=` of `--net=a.bin`, `net=a.bin`, or a variable for `env`."""
_EVERY_JAR = f"{os.sep}*"
"""Ends the folder of a class path of which a JVM takes every jar."""
SCRIPTS = (".py", ".js", ".mjs", ".rb", ".pl", ".lua", ".jar", ".sh")
PATH_LISTS = frozenset({"-cp", "-classpath", "--class-path", "-p", "--module-path"})
"""After these options a JVM expects files and folders with colons between them."""
_INTERPRETER = re.compile(r"(python|pypy)[0-9.]*|node|perl|ruby|lua|bash|sh")
"""Programs whose first argument is a file unless it is an option."""
_SYMBOL = re.compile(rf"\{{compiled:({'|'.join(ENGINES)})\}}")


def missing_script(command: Sequence[str], folder: str = "") -> str | None:
    """The script that an interpreter is to run, where it does not exist; None where it does, or there is none.

    Relative paths start from `folder`. An engine's own arguments may name files that do not exist yet.
    """
    program = os.path.basename(command[0])
    interpreter = command[0] == sys.executable or _INTERPRETER.fullmatch(program) is not None
    if CODE & set(command) or not (interpreter or command[0] in (program, shutil.which(program))):
        return None
    for number, (before, word) in enumerate(itertools.pairwise(command)):
        named = word.endswith(SCRIPTS) and before not in PATH_LISTS
        if not word.startswith("-") and (named or (interpreter and number == 0)):
            return None if os.path.exists(os.path.join(folder, word)) else word
    return None


def absolute_words(command: Sequence[str], base: Path) -> tuple[str, ...]:
    """The command line with each word that names a file or a folder made absolute. Relative ones start from `base`.

    So does a list of paths with colons between them (`-cp a.jar:lib`), the path of an option (`--net=a.bin`), and a
    file of arguments (`@a.txt`).
    """
    program, *rest = command
    words = [program]
    for before, word in zip(command, rest, strict=False):
        # After `-c` or `-e` there may be a file (`-c my.cfg`): no code is spelt as a path that exists.
        may_be_file = before not in _MODULE and ("." in word or "/" in word)
        is_code = before in CODE and not (may_be_file and os.path.isfile(os.path.join(base, word)))
        words.append(word if is_code else _absolute(word, base))
    return tuple(words)


def _absolute(word: str, base: Path) -> str:
    if not word.startswith("-") and (absolute := _path(word, base)) is not None:
        return absolute
    option, equals, path = word.partition("=")
    if equals and _OPTION.fullmatch(option):
        absolute = _paths(os.path.expanduser(path), base)
        return word if absolute is None else f"{option}={absolute}"
    if word.startswith("@") and (absolute := _path(word[1:], base)) is not None:
        return f"@{absolute}"
    return word if word.startswith("-") else _paths(word, base) or word


def _paths(text: str, base: Path) -> str | None:
    """The absolute path of a file or a folder, or of each in a list with colons. None where there is none."""
    if (absolute := _path(text, base)) is not None:
        return absolute
    # A folder of a class path may be made later, but one of its places is there.
    places = [_path(place, base) for place in text.split(os.pathsep)]
    if len(places) == 1 or not any(places):
        return None
    return os.pathsep.join(absolute or place for absolute, place in zip(places, text.split(os.pathsep), strict=True))


def _path(text: str, base: Path) -> str | None:
    """The absolute path of a file or a folder, None where there is none."""
    if not text or "\0" in text:
        return None
    if text.endswith(_EVERY_JAR):
        folder = _path(text.removesuffix(_EVERY_JAR), base)
        return None if folder is None else folder + _EVERY_JAR
    path = os.path.join(base.absolute(), text)
    return os.path.abspath(path) if os.path.exists(path) else None


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
