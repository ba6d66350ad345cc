"""Reads an engine named on the command line: a registered name, a path or a command line, then perhaps options."""

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from arena.config.load import ConfigError, Registry, UnknownEngine, quoted
from arena.config.schema import merged_options, option_error
from arena.play.jobs import EngineSpec

_OPTION = r"[A-Za-z_][A-Za-z0-9_ .-]*=[^,]*"


_OPTIONS = re.compile(rf"{_OPTION}(?:,{_OPTION})*")


_COLON = re.compile(r":(?=[A-Za-z_][A-Za-z0-9_ .-]*=)")


_SCRIPTS = (".py", ".js", ".rb", ".pl", ".lua", ".jar", ".sh")


_CODE = frozenset({"-c", "-e", "-m"})
"""After these options an interpreter expects code or a module, not a script."""


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
    """The engine and its options, which follow the last colon before a NAME=, unless that is part of a file's name."""
    *_, colon = [None, *_COLON.finditer(text)]
    if colon is None or registry.get(text) or os.path.isfile(text):
        return text, {}
    engine, options = text[: colon.start()].strip(), text[colon.end() :]
    words, before = _words(text), _words(engine)
    if (words and os.path.isfile(words[-1])) or not _OPTIONS.fullmatch(options):
        return text, {}
    if before is None and not os.path.isfile(engine):  # the colon stands within quotes
        return text, {}
    return engine, dict(pair.split("=", 1) for pair in options.split(","))


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
        return EngineSpec(name=_program_name(path), command=(os.path.abspath(path),))
    argv = _words(name)
    if argv is None:
        raise UnknownEngine(f"engine {quoted(name)} cannot be split into words: check its quotes")
    if not argv or not argv[0]:
        raise UnknownEngine("an engine's name is empty: give a registered name, a path or a command line")
    program = os.path.expanduser(argv[0])
    executable = program if os.path.isfile(program) else shutil.which(argv[0])
    if executable is None:
        if "/" in argv[0]:
            raise UnknownEngine(f"engine {quoted(name)}: there is no file {quoted(argv[0])}; check the path")
        raise registry.unknown(name)
    _refuse_missing_script(name, argv)
    # An engine that an interpreter runs is named after its script: `python3 mine.py --fast` is `mine`. Arguments that
    # name files become absolute, since an engine does not run in the caller's folder.
    scripts = [os.path.abspath(word) for word in argv[1:] if os.path.isfile(word)]
    rest = [os.path.abspath(word) if os.path.isfile(word) else word for word in argv[1:]]
    executable = os.path.abspath(executable)
    return EngineSpec(name=_program_name(scripts[0] if scripts else executable), command=(executable, *rest))


def _refuse_missing_script(name: str, argv: Sequence[str]) -> None:
    """Raise UnknownEngine for an interpreter's script that does not exist: the process would only end at once."""
    if "/" in argv[0] or _CODE & set(argv):
        return  # an engine's own arguments may name files that do not exist yet
    for word in argv[1:]:
        if word.endswith(_SCRIPTS) and not word.startswith("-"):
            if not os.path.exists(word):
                raise UnknownEngine(f"engine {quoted(name)}: there is no file {quoted(word)}; check the path")
            return


def _program_name(path: str) -> str:
    """The name of a program that is not registered: its file's stem, without characters that no table can show."""
    return "".join(each if each.isprintable() else "?" for each in Path(path).stem)
