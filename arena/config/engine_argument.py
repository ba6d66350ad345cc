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

from arena.config.command_words import PATH_LISTS, PYTHON, SCRIPTS, absolute_words, missing_script
from arena.config.load import ConfigError, Registry, UnknownEngine, quoted
from arena.config.schema import LimitsTable, merged_options, option_error, twice_error
from arena.play.jobs import EngineSpec

# After a backslash a sign does not end the name or the value. Possessive, so that there is one way to read it.
_OPTION = r"((?:\\[,:=\\]|[^,:=\\])++)=((?:\\[,:=\\]|[^,])*+)"
_PAIR = re.compile(rf"{_OPTION}(?:, *|\Z)")
_OPTIONS = re.compile(rf"{_OPTION}(?:, *{_OPTION})*")
_COLON = re.compile(rf": *(?={_OPTION})")
_GIVEN = re.compile(r"((?:\\=|[^=])++)=(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\([,:=\\])")

_SHELL = re.compile(r"[12]?>>?|2>&1|&>|<|\||\|\||&|&&|;")
"""Words that only a shell understands. An engine would get them as its arguments."""
UCI, TABLUT = "uci", "tablut"
_OWN_MODULE = re.compile(r"engines\.[\w.]+")
_ADAPTER = (sys.executable, "-P", "-m")
_MOST_PARTS = 20
"""In so many words a path with blanks is looked for."""
_VARIABLE = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)


def engine_argument(text: str, registry: Registry, each: Mapping[str, str] = MappingProxyType({})) -> EngineSpec:
    """The engine in a command line's argument: a name, a path or a quoted command line, perhaps with `:Hash=16,...`.

    `each` are options of all engines; the argument's own options replace them. Raises UnknownEngine where there is no
    such engine, and ConfigError for options that cannot be sent.
    """
    name, given = _split(text.strip(), registry)
    if error := twice_error(option for option, _ in given):
        raise ConfigError(f"engine {quoted(name)}: {error}")
    options = merged_options(each, dict(given))
    for option, value in options.items():
        if error := option_error(option, value):
            raise ConfigError(f"engine {quoted(name)}: {error}")
    base = registry.get(name) or _program(name, registry)
    return replace(base, options=merged_options(base.options, options))


def option_values(pairs: Sequence[str]) -> dict[str, str]:
    """The values of `--option NAME=VALUE`, all of them. Raises ConfigError."""
    found: list[tuple[str, str]] = []
    for pair in pairs:
        given = _GIVEN.fullmatch(pair)
        name = "" if given is None else given[1].replace("\\=", "=").strip()
        if given is None or not name:
            raise ConfigError(f"--option {pair!r} cannot be read: write NAME=VALUE, such as Hash=16")
        found.append((name, given[2]))
    if error := twice_error(name for name, _ in found):
        raise ConfigError(f"--option: {error}")
    return dict(found)


def adapted(spec: EngineSpec, adapter: str, own_name: str = "") -> EngineSpec:
    """The engine with the adapter of `--adapter`: `tablut`, `uci`, or a table of its words. Raises ConfigError.

    The arena's own engines and adapters are left as they are. `own_name` is what a client without a name calls itself.
    """
    if not adapter or any(map(_OWN_MODULE.fullmatch, spec.command)):
        return spec
    named = [word for word in spec.command if os.path.isfile(word)]
    if adapter == TABLUT:
        # A client plays one game, and needs what a contest's machine has.
        contest = LimitsTable.model_validate({"preset": "contest"})
        deadlines, caps = contest.applied_to(spec.deadlines, spec.sandbox.caps)
        return replace(
            spec,
            command=(*_ADAPTER, "engines.adapters.tablut", f"--name={own_name or spec.name}", *spec.command),
            variants=("tablut-ashton",),
            sandbox=replace(spec.sandbox, loopback=True, caps=caps),
            deadlines=deadlines,
            files=(*spec.files, *named),
            restart=True,
        )
    if own_name:
        raise ConfigError("--name is for --adapter tablut: any other engine says its name itself")
    table = os.path.abspath(os.path.expanduser(adapter))
    if adapter != UCI and not os.path.isfile(table):
        raise ConfigError(
            f"--adapter {adapter}: there is no such adapter and no such file; write uci or tablut, or name a table"
        )
    tables = [] if adapter == UCI else [table]
    command = (*_ADAPTER, "engines.adapters.uci", *(f"--table={name}" for name in tables), *spec.command)
    return replace(spec, command=command, files=(*spec.files, *tables, *named))


def _split(text: str, registry: Registry) -> tuple[str, list[tuple[str, str]]]:
    """The engine and its options, which follow a colon after a registered name or an existing file.

    The last such colon counts. Any other colon belongs to the command line, as in `java -XX:Name=value`.
    """
    if registry.get(text) or os.path.isfile(os.path.expanduser(text)):
        return text, []
    colons = [(text[: colon.start()].strip(), text[colon.end() :]) for colon in reversed([*_COLON.finditer(text)])]
    candidates = [pair for pair in colons if _OPTIONS.fullmatch(pair[1]) and _takes_options(pair[0], text, registry)]
    if not candidates:
        return text, []
    # A value may have a colon too. A file that exists tells which one begins the options.
    engine, options = next((pair for pair in candidates if os.path.isfile(os.path.expanduser(pair[0]))), candidates[0])
    pairs = _PAIR.findall(options)
    return engine, [(_ESCAPED.sub(r"\1", name).strip(), _ESCAPED.sub(r"\1", value).strip()) for name, value in pairs]


def _takes_options(engine: str, text: str, registry: Registry) -> bool:
    """Whether the text before a colon ends with something that options may follow."""
    if registry.get(engine) or os.path.isfile(os.path.expanduser(engine)):
        return True
    words = _words(engine)
    if not words:  # the colon stands within quotes
        return False
    if len(words) == 1:
        # A path that does not exist takes them too, so that the error names the path alone.
        return "/" in words[0] or shutil.which(words[0]) is not None
    # A colon between the files of a class path is none of ours, and ` -` begins another word of the command line.
    if words[-2] in PATH_LISTS or " -" in text[len(engine) :].partition("=")[0]:
        return False
    whole = _words(text)
    if whole and os.path.isfile(whole[-1]):  # the last word has the colon in its own name
        return False
    return os.path.isfile(os.path.expanduser(words[-1])) or words[-1].endswith(SCRIPTS)


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
    if error := _of_a_shell(argv) or (_unquoted(name) if executable is None else ""):
        raise UnknownEngine(f"engine {quoted(name)}: {error}")
    if executable is None:
        raise _no_program(name, argv, registry)
    if (word := missing_script(argv)) is not None:  # the process would only end at once
        before, colon, _ = word.partition(":")
        if colon and os.path.isfile(before):
            raise _odd_options(name, before)
        remedy = _unquoted(name) or f"there is no file {quoted(word)}; check the path"
        raise UnknownEngine(f"engine {quoted(name)}: {remedy}")
    executable, *rest = absolute_words((os.path.abspath(executable), *argv[1:]), Path.cwd())
    return EngineSpec(_program_name(_named_after(executable, rest)), (executable, *rest), named=False)


def _of_a_shell(argv: Sequence[str]) -> str:
    """The remedy for a command line that only a shell understands; empty where it is none."""
    if sign := next((word for word in argv if _SHELL.fullmatch(word) or word.endswith(";")), None):
        return f"{quoted(sign)} is for a shell, and none reads this line: put the whole of it in bash -c '...'"
    if _VARIABLE.fullmatch(argv[0]) and not os.path.exists(argv[0]):
        return "a variable before the program is for a shell: write env before it, or use --env NAME=VALUE"
    if variable := next((word for word in argv if re.match(r"\$\{?[A-Za-z_]", word)), None):
        return f"no shell fills in {quoted(variable)}: write the whole path, or ~ for your home"
    return ""


def _unquoted(name: str) -> str:
    """The remedy for a path with blanks in a command line; empty where there is none."""
    parts = name.split(" ")[:_MOST_PARTS]
    for begin, end in itertools.combinations(range(len(parts) + 1), 2):
        path = " ".join(parts[begin:end])
        if end - begin > 1 and os.path.isfile(os.path.expanduser(path)):
            words = [*parts[:begin], shlex.quote(path), *name.split(" ")[end:]]
            return f"a path has a blank: write it in quotes, as in {quoted(' '.join(words))}"
    return ""


def _odd_options(name: str, path: str) -> UnknownEngine:
    how = r"write NAME=VALUE,NAME=VALUE, and \, for a comma in a value"
    return UnknownEngine(f"engine {quoted(name)}: after {path} and a colon come options: {how}")


def _no_program(name: str, argv: Sequence[str], registry: Registry) -> UnknownEngine:
    before, colon, _ = name.partition(":")
    if colon and (registry.get(before) or os.path.isfile(os.path.expanduser(before))):
        return _odd_options(name, before)
    if len(argv) > 1 and " -" not in name and "/" in argv[-1]:
        neither = f"there is neither a program {quoted(argv[0])} nor a file {quoted(name)}"
        return UnknownEngine(f"engine {quoted(name)}: {neither}; check the path")
    if "/" in argv[0]:
        return UnknownEngine(f"engine {quoted(name)}: there is no file {quoted(argv[0])}; check the path")
    if argv[0].lower().startswith("{python"):
        return UnknownEngine(f"engine {quoted(name)}: the Python that runs the arena is written {PYTHON}")
    if len(argv) > 1 and registry.get(argv[0]) is None:
        return UnknownEngine(
            f"engine {quoted(name)}: there is no program {quoted(argv[0])} on the PATH; install it or give its path"
        )
    if len(argv) == 1 and argv[0].endswith(SCRIPTS):
        return UnknownEngine(f"engine {quoted(name)}: there is no file {quoted(argv[0])}; check the path")
    return registry.unknown(name)


def _named_after(executable: str, arguments: Sequence[str]) -> str:
    """An engine that an interpreter runs is named after its script: `python3 mine.py --net a.bin` is `mine`.

    Any other file may be a setting of the engine: `/opt/fox --config a.toml` is `fox`.
    """
    files = [word for word in arguments if os.path.isfile(word)]
    scripts = [word for word in files if word.endswith(SCRIPTS) or os.access(word, os.X_OK)]
    from_path = shutil.which(os.path.basename(executable)) == executable
    return next(iter(scripts or (files if from_path else [])), executable)


def _program_name(path: str) -> str:
    """The name of a program that is not registered: its file's stem, without characters that no table can show."""
    return "".join(each if each.isprintable() else "?" for each in Path(path).stem)
