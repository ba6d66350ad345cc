"""Reads what users write: the engine registry and tournament files (TOML), and engines named on the command line.

Everything wrong with a file is reported at once, each with its path in the file. Starts nothing.
"""

import difflib
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ValidationError

from arena.config import messages
from arena.config.schema import LimitKeys, RegistryFile, TournamentFile, TournamentTable, layered, unfit
from arena.games.boards import start_of
from arena.games.rules import BadPosition, RulesError
from arena.play import time_control
from arena.play.jobs import EngineSpec
from arena.play.time_control import Limit
from protocol.containment.policy import Level

SHIPPED = Path(__file__).parents[2] / "engines" / "engines.toml"
DEFAULT_TC = "5+0.05"
MAX_BYTES = 1 << 20
"""A registry of a thousand engines is shorter; a device without end is told from a file by this."""

DATABASE = b"SQLite format 3\0"
"""So begins what is given by mistake for the file beside it."""


class ConfigError(ValueError):
    """A file, field or engine name that cannot be used, said in a sentence each."""


class UnknownEngine(ConfigError):
    """An engine that is neither registered nor a program that can be run."""


File = TypeVar("File", bound=BaseModel)


class Registry:
    """Engines by name, later files before earlier ones: shipped, the user's, the one named."""

    def __init__(self, specs: Iterable[EngineSpec]) -> None:
        self._specs = {spec.name: spec for spec in specs}

    @property
    def names(self) -> tuple[str, ...]:
        """All registered names, sorted."""
        return tuple(sorted(self._specs))

    def get(self, name: str) -> EngineSpec | None:
        """The engine registered under `name`."""
        return self._specs.get(name)

    def unknown(self, name: str) -> UnknownEngine:
        """The error for a name that is neither registered nor a program."""
        near = difflib.get_close_matches(name, self.names, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"registered are: {', '.join(self.names)}."
        return UnknownEngine(f"engine {_shown(name)} is neither registered nor a program that can be run; {hint}")


def user_registry_path() -> Path:
    """Where a user's own registry lies."""
    return Path(platformdirs.user_config_dir("callanish-arena")) / "engines.toml"


def load_registry(named: Path | None = None) -> Registry:
    """The shipped engines, the user's own and, where given, those of the file `named`. Raises ConfigError."""
    paths = [SHIPPED, user_registry_path()]
    specs: list[EngineSpec] = []
    for path in [path for path in paths if path.exists()] + ([named] if named else []):
        for entry in _parse(RegistryFile, path).engines:
            if entry.command is None:
                raise ConfigError(f"{path}: engine {entry.name!r} has no command: add command = [...]")
            for key in sorted({"tc", "movetime", "nodes", "depth", "margin"} & entry.model_fields_set):
                said = "a margin" if key == "margin" else "a time control"
                raise ConfigError(f"{path}: engine {entry.name!r} has {said}: give it in a tournament file")
            specs.append(entry.spec(path.parent))
    return Registry(specs)


def load_tournament(
    path: Path, registry: Registry, changes: Sequence[str] = ()
) -> tuple[TournamentTable, tuple[EngineSpec, ...]]:
    """A tournament file's settings and its engines, names made unique. Raises ConfigError.

    `changes` are made to what the file says first: `rounds=4`, `each.nodes=9`, `engines.2.options.Hash=16`.
    """
    file = _parse(TournamentFile, path, changes)
    wrong = list(_wrong_settings(file.tournament, path))
    common, bad = _own_limit(file.each, file.tournament)
    wrong += [f"each: {bad}"] if bad else []
    specs = []
    for number, said in enumerate(file.engines, 1):
        base, entry = registry.get(said.name), said.among(file.each)
        own, bad = _own_limit(entry, file.tournament)
        limit = common if own is None else own
        if bad:
            wrong.append(f"engines[{number}]: {bad}")
        elif entry.command is not None:
            specs.append(replace(entry.spec(path.parent), limit=limit))
        elif base is not None:
            specs.append(replace(entry.over(base, path.parent), limit=limit))
        else:
            wrong.append(f"engines: {registry.unknown(entry.name)}")
    engines = unique(specs)
    if not wrong:
        wrong += _wrong_together(file.tournament, engines)
    if wrong:
        raise ConfigError("\n".join(f"{path}: {line}" for line in wrong))
    return file.tournament, engines


def _own_limit(keys: LimitKeys, table: TournamentTable) -> tuple[Limit | None, str]:
    """What an engine may spend by its own keys, None where it has none; and what is wrong with them."""
    try:
        return keys.limit and time_control.scaled(keys.limit, table.time_scale), ""
    except time_control.BadLimit as bad:
        return None, str(bad)


def _wrong_settings(table: TournamentTable, path: Path) -> Iterator[str]:
    """Limits and starts that nothing can be played with, each with its place in the file."""
    try:
        if (limit := table.limit) is not None:
            time_control.scaled(limit, table.time_scale)
    except time_control.BadLimit as wrong:
        yield f"tournament: {wrong}"
    yield from _wrong_books(table)
    if (table.board is not None or table.fen is not None) and len(table.variants) > 1:
        yield f"tournament: a board or fen goes with one variant, not with {len(table.variants)}"
        return
    board = None if table.board is None else path.parent / table.board
    place = "tournament" if table.fen is None else "tournament.fen"
    for variant in table.asked:
        try:
            start_of(variant, table.rules, board, table.fen)
        except BadPosition as wrong:
            yield f"{place}: {wrong}"
        except RulesError as wrong:
            yield f"tournament: {wrong}"


def _wrong_together(table: TournamentTable, engines: Sequence[EngineSpec]) -> Iterator[str]:
    """What does not go together: the format with the engines."""
    for field, sentence in table.format_config.faults([spec.name for spec in engines]):
        yield f"tournament.{field}: {sentence}"


def _wrong_books(table: TournamentTable) -> Iterator[str]:
    """A book beside what it takes the place of, and one that a variant lacks."""
    given = table.model_fields_set
    if table.book is None:
        for key in ("book_order", "book_start", "book_plies"):
            if getattr(table, key) != TournamentTable.model_fields[key].default:
                yield f"tournament.{key}: says how a book is used: name one with book, or leave it out"
        return
    for key in ("openings", "fen", "board"):
        if key in given:
            yield f"tournament.{key}: a book says where games start: leave out one of the two"
    for variant in table.variants:
        if variant not in table.books:
            yield f"tournament.book: there is none for {variant!r}: name a file for each variant"
    for variant in table.books:
        if variant not in table.variants:
            yield f"tournament.book: {variant!r} is not played: variants has {', '.join(table.variants)}"


_OPTION = r"[A-Za-z_][A-Za-z0-9_ .-]*=[^,]*"
_OPTIONS = re.compile(rf"{_OPTION}(?:,{_OPTION})*")
_COLON = re.compile(r":(?=[A-Za-z_][A-Za-z0-9_ .-]*=)")
_SCRIPTS = (".py", ".js", ".rb", ".pl", ".lua", ".jar", ".sh")
_CODE = frozenset({"-c", "-e", "-m"})
"""After these an interpreter is given code or a module, not a script."""


def engine_argument(text: str, registry: Registry, each: Mapping[str, str] = MappingProxyType({})) -> EngineSpec:
    """The engine that a word names: a registered name, a path or a quoted command line, then perhaps `:Hash=16,...`.

    `each` are options that it has unless the word says otherwise. Raises UnknownEngine where there is no such thing,
    and ConfigError for options that cannot be sent.
    """
    name, options = _split(text.strip(), registry)
    if not name:
        raise UnknownEngine("an engine's name is empty: give a registered name, a path or a command line")
    options = layered(each, options)
    for option, value in options.items():
        if wrong := unfit(option, value):
            raise ConfigError(f"engine {_shown(name)}: {wrong}")
    base = registry.get(name) or _program(name, registry)
    return replace(base, options=layered(base.options, options))


def _split(text: str, registry: Registry) -> tuple[str, dict[str, str]]:
    """The engine and its options: what follows the last colon before a NAME=, unless that belongs to a file's name."""
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
        raise UnknownEngine(f"engine {_shown(name)} is a directory: name the program in it")
    if os.path.isfile(path):
        return EngineSpec(name=_called(path), command=(os.path.abspath(path),))
    argv = _words(name)
    if argv is None:
        raise UnknownEngine(f"engine {_shown(name)} cannot be split into words: check its quotes")
    if not argv or not argv[0]:
        raise UnknownEngine("an engine's name is empty: give a registered name, a path or a command line")
    program = os.path.expanduser(argv[0])
    found = program if os.path.isfile(program) else shutil.which(argv[0])
    if found is None:
        if "/" in argv[0]:
            raise UnknownEngine(f"engine {_shown(name)}: there is no file {_shown(argv[0])}; check the path")
        raise registry.unknown(name)
    _refuse_missing_script(name, argv)
    # Scripts run by an interpreter are told apart by their script: `python3 mine.py --fast` is `mine`. Arguments
    # that name files are made absolute, since an engine does not run in the caller's folder.
    scripts = [os.path.abspath(word) for word in argv[1:] if os.path.isfile(word)]
    rest = [os.path.abspath(word) if os.path.isfile(word) else word for word in argv[1:]]
    return EngineSpec(name=_called(scripts[0] if scripts else found), command=(os.path.abspath(found), *rest))


def _refuse_missing_script(name: str, argv: Sequence[str]) -> None:
    """Raise UnknownEngine where an interpreter is given a script that does not exist: it would only end at once."""
    if "/" in argv[0] or _CODE & set(argv):
        return  # an engine's own arguments are its own business
    for word in argv[1:]:
        if word.endswith(_SCRIPTS) and not word.startswith("-"):
            if not os.path.exists(word):
                raise UnknownEngine(f"engine {_shown(name)}: there is no file {_shown(word)}; check the path")
            return


def _called(path: str) -> str:
    """What a program is called that has no other name; a file's name may hold what no table can show."""
    return "".join(each if each.isprintable() else "?" for each in Path(path).stem)


def _shown(name: str) -> str:
    """A name as messages show it: quoted, and not longer than people read."""
    return repr(name if len(name) <= 100 else f"{name[:97]}...")


def contained(
    specs: Iterable[EngineSpec], level: Level, environment: Mapping[str, str], reads: Sequence[str]
) -> tuple[EngineSpec, ...]:
    """The same engines at a level of containment, with what the command line adds to the environment and grants."""
    return tuple(
        replace(
            spec,
            box=replace(
                spec.box,
                level=level,
                environment={**spec.box.environment, **environment},
                reads=(*spec.box.reads, *(str(Path(path).absolute()) for path in reads), *_imports(spec.command[0])),
            ),
        )
        for spec in specs
    )


def _imports(program: str) -> tuple[str, ...]:
    """Where this program, if it is the Python that runs the arena, finds our own packages for engines to import."""
    ours = Path(program).is_absolute() and Path(program).parent == Path(sys.executable).parent
    return (str(SHIPPED.parent.parent),) if ours else ()


def unique(specs: Iterable[EngineSpec]) -> tuple[EngineSpec, ...]:
    """The same engines with every name once: the second `random` becomes `random-2`."""
    taken: set[str] = set()
    result = []
    for spec in specs:
        name, count = spec.name, 1
        while name in taken:
            count += 1
            name = f"{spec.name}-{count}"
        taken.add(name)
        result.append(replace(spec, name=name))
    return tuple(result)


def _parse(model: type[File], path: Path, changes: Sequence[str] = ()) -> File:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if content.startswith(DATABASE):
            other = " that says which engines play, and name a database by --db" if model is TournamentFile else ""
            raise ConfigError(f"{path}: is a database: give a TOML file with [[engines]]{other}")
        if len(content) > MAX_BYTES:
            raise ConfigError(f"{path}: is longer than {MAX_BYTES >> 20} MiB: give a registry or a tournament file")
        data = tomllib.loads(content.decode())
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; check the path") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{path}: cannot be read: {getattr(wrong, 'strerror', None) or 'not UTF-8 text'}") from None
    except ConfigError:
        raise
    except (ValueError, RecursionError) as wrong:  # also numbers and nesting beyond Python's own limits
        raise ConfigError(f"{path}: is not valid TOML: {wrong}") from None
    if model is RegistryFile and "tournament" in data:
        raise ConfigError(
            f"{path}: is a tournament file, not a registry: play it with 'arena tournament', and name here a file that "
            "only has [[engines]]"
        )
    for change in changes:
        _change(data, change)
    try:
        return model.model_validate(data)
    except ValidationError as wrong:
        lines = [f"{path}: {messages.of(error, model)}" for error in wrong.errors()]
        raise ConfigError("\n".join(lines)) from None


def _change(data: dict[str, Any], change: str) -> None:
    """Set one value: `KEY=VALUE` in the tournament's table, `each.KEY=VALUE` and `engines.2.KEY=VALUE` in others.

    The value is read as TOML, and as a text where it is none. Raises ConfigError.
    """
    place, equals, text = change.partition("=")
    keys = place.strip().split(".")
    if not equals or not all(keys):
        raise ConfigError(f"--set {change!r} cannot be read: write KEY=VALUE, such as rounds=4")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    at: Any = data
    for key in keys[:-1] if keys[0] in ("each", "engines", "tournament") else ("tournament", *keys[:-1]):
        if isinstance(at, list):
            if not key.isascii() or not key.isdigit() or not 1 <= int(key) <= len(at):
                raise ConfigError(f"--set {change!r}: there is no engine {key}; count from 1 to {len(at)}")
            at = at[int(key) - 1]
        elif isinstance(at, dict):
            at = at.setdefault(key, {})
        else:
            raise ConfigError(f"--set {change!r}: {key!r} is within something that has no keys")
    if not isinstance(at, dict):
        raise ConfigError(f"--set {change!r}: name a key, such as engines.1.options.Hash=16")
    at[keys[-1]] = value
