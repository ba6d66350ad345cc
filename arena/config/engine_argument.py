"""Reads an engine named on the command line: a registered name, a path or a command line, then perhaps options."""

import itertools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from arena.config.command_words import CODE, PYTHON, absolute_words
from arena.config.load import ConfigError, Registry, UnknownEngine, quoted
from arena.config.schema import merged_options, option_error
from arena.play.jobs import EngineSpec

_OPTION = r"[A-Za-z_][A-Za-z0-9_ .-]*=[^,]*"
_OPTIONS = re.compile(rf"{_OPTION}(?:,{_OPTION})*")
_COLON = re.compile(r":(?=[A-Za-z_][A-Za-z0-9_ .-]*=)")

_SCRIPTS = (".py", ".js", ".mjs", ".rb", ".pl", ".lua", ".jar", ".sh")
_PATH_LISTS = frozenset({"-cp", "-classpath", "--class-path", "-p", "--module-path"})
"""After these options a JVM expects files and folders with colons between them."""


def engine_argument(text: str, registry: Registry, each: Mapping[str, str] = MappingProxyType({})) -> EngineSpec:
    """The engine in a command line's argument: a name, a path or a quoted command line, perhaps with `:Hash=16,...`.

    `each` are options of all engines; the argument's own options replace them. Raises UnknownEngine where there is no
    such engine, and ConfigError for options that cannot be sent.
    """
    name, options = _split(text.strip(), registry)
    if not name:
        raise UnknownEngine("an engine's name is empty: give a registered name, a path or a command line")
    options = merged_options(each, options)
    for option, value in options.items():
        if error := option_error(option, value):
            raise ConfigError(f"engine {quoted(name)}: {error}")
    base = registry.get(name) or _program(name, registry)
    return replace(base, options=merged_options(base.options, options))


def _split(text: str, registry: Registry) -> tuple[str, dict[str, str]]:
    """The engine and its options, which follow a colon behind a registered name or an existing file.

    The last such colon counts. Any other colon belongs to the command line, as in `java -XX:Name=value`.
    """
    if registry.get(text) or os.path.isfile(os.path.expanduser(text)):
        return text, {}
    for colon in reversed([*_COLON.finditer(text)]):
        engine, options = text[: colon.start()].strip(), text[colon.end() :]
        if _OPTIONS.fullmatch(options) and _takes_options(engine, text, registry):
            return engine, dict(pair.split("=", 1) for pair in options.split(","))
    return text, {}


def _takes_options(engine: str, text: str, registry: Registry) -> bool:
    """Does the text before a colon end with something that options may follow?"""
    if registry.get(engine) or os.path.isfile(os.path.expanduser(engine)):
        return True
    words = _words(engine)
    if not words:  # the colon stands within quotes
        return False
    if len(words) == 1:
        # A path that does not exist takes them too, so that the error names the path alone.
        return "/" in words[0] or shutil.which(words[0]) is not None
    # A colon between the files of a class path is none of ours, and ` -` begins another word of the command line.
    if words[-2] in _PATH_LISTS or " -" in text[len(engine) :].partition("=")[0]:
        return False
    whole = _words(text)
    if whole and os.path.isfile(whole[-1]):  # the last word has the colon in its own name
        return False
    return os.path.isfile(os.path.expanduser(words[-1])) or words[-1].endswith(_SCRIPTS)


def _words(text: str) -> list[str] | None:
    try:
        return shlex.split(text)
    except ValueError:
        return None


def _program(name: str, registry: Registry) -> EngineSpec:
    path = os.path.expanduser(name)
    if os.path.isdir(path):
        raise UnknownEngine(f"engine {quoted(name)} is a directory: name the program in it")
    if os.path.isfile(path):
        return EngineSpec(_program_name(path), (os.path.abspath(path),), named=False)
    argv = _words(name)
    if argv is None:
        raise UnknownEngine(f"engine {quoted(name)} cannot be split into words: check its quotes")
    if not argv or not argv[0]:
        raise UnknownEngine("an engine's name is empty: give a registered name, a path or a command line")
    argv = [os.path.expanduser(word.replace(PYTHON, sys.executable)) for word in argv]
    executable = argv[0] if os.path.isfile(argv[0]) else shutil.which(argv[0])
    if executable is None:
        if "/" in argv[0]:
            raise UnknownEngine(f"engine {quoted(name)}: there is no file {quoted(argv[0])}; check the path")
        raise registry.unknown(name)
    _refuse_missing_script(name, argv)
    # An engine that an interpreter runs is named after its script: `python3 mine.py --fast` is `mine`.
    executable, *rest = absolute_words((os.path.abspath(executable), *argv[1:]), Path.cwd())
    scripts = [word for word in rest if os.path.isfile(word)]
    return EngineSpec(_program_name(scripts[0] if scripts else executable), (executable, *rest), named=False)


def _refuse_missing_script(name: str, argv: Sequence[str]) -> None:
    """Raise UnknownEngine for an interpreter's script that does not exist: the process would only end at once."""
    python = argv[0] == sys.executable
    if ("/" in argv[0] and not python) or CODE & set(argv):
        return  # an engine's own arguments may name files that do not exist yet
    for before, word in itertools.pairwise(argv):
        if word.endswith(_SCRIPTS) and not word.startswith("-") and before not in _PATH_LISTS:
            if not os.path.exists(word):
                raise UnknownEngine(f"engine {quoted(name)}: there is no file {quoted(word)}; check the path")
            return


def _program_name(path: str) -> str:
    """The name of a program that is not registered: its file's stem, without characters that no table can show."""
    return "".join(each if each.isprintable() else "?" for each in Path(path).stem)
