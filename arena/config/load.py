"""Reads engine registries and tournament files (TOML), and engines named on the command line.

All errors of a file are reported at once, each with its key. Starts no process.
"""

import difflib
import logging
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import platformdirs
from pydantic import BaseModel, ValidationError

from arena.config import messages
from arena.config.command_words import as_player
from arena.config.schema import LONGEST_NAME, HostFile, RegistryFile, TournamentFile, TournamentTable
from arena.config.settings import LIMIT_KINDS, GameSettings, LimitKeys, Waits
from arena.games.boards import start_of
from arena.games.rules import BadPosition, RulesError
from arena.games.user_file import NotUtf8, read_start, utf8_text, why_no_toml
from arena.openings import books
from arena.openings.books import Start
from arena.play.jobs import EngineSpec
from arena.timing import time_control
from arena.timing.time_control import Limit
from results.safe_text import harmless

LOG = logging.getLogger("arena")

SHIPPED = Path(__file__).parents[2] / "engines" / "engines.toml"
MAX_BYTES = 1 << 20
"""No file is longer: a registry of a thousand engines is shorter. So reading an endless device stops."""
DATABASE = b"SQLite format 3\0"
"""The first bytes of a database, which may be given by mistake for the file beside it."""
_KEY = re.compile(r'"[^"]*"|[^."=]+')
_KEYS = re.compile(rf"\s*((?:{_KEY.pattern})(?:\.(?:{_KEY.pattern}))*)=")


class ConfigError(ValueError):
    """Files, fields or engine names that cannot be used. The message has a sentence for each."""

    exit_code = 2
    has_lines = True


class UnknownEngine(ConfigError):
    """An engine that is neither registered nor a program that can be run."""


File = TypeVar("File", bound=BaseModel)


class Registry:
    """Engines by name. A later file's entry replaces an earlier one: shipped, the user's, the file that was named."""

    def __init__(self, specs: Iterable[EngineSpec]) -> None:
        self._specs = {spec.name: spec for spec in specs}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._specs))

    def get(self, name: str) -> EngineSpec | None:
        """The engine of this name; without its compiled search it is another player, under another name."""
        spec = self._specs.get(name)
        return None if spec is None else as_player(spec)

    def unknown(self, name: str) -> UnknownEngine:
        """The error for a name that is neither registered nor a program."""
        if not self._specs:
            return UnknownEngine(
                f"engine {quoted(name)} is not a program that can be run; give a path or a command line"
            )
        plain = name.partition(":")[0].strip()
        near = difflib.get_close_matches(plain, self.names, 1) or difflib.get_close_matches(
            plain.lower(), self.names, 1
        )
        hint = f"did you mean {near[0]!r}?" if near else f"registered are: {', '.join(self.names)}."
        return UnknownEngine(f"engine {quoted(name)} is neither registered nor a program that can be run; {hint}")


def user_registry_path() -> Path:
    return Path(platformdirs.user_config_dir("callanish-arena")) / "engines.toml"


def load_registry(named: Path | None = None) -> Registry:
    """The shipped engines, the user's own, and those of the file `named`, if any. Raises ConfigError."""
    paths = [SHIPPED, user_registry_path()]
    specs: list[EngineSpec] = []
    for path in [path for path in paths if path.exists()] + ([named] if named else []):
        data = _data(path)
        if "tournament" in data:
            raise ConfigError(
                f"{path}: is a tournament file, not a registry: play it with 'arena tournament', and name here a file "
                "that only has [[engines]]"
            )
        for entry in _validated(RegistryFile, data, path).engines:
            if entry.command is None:
                raise ConfigError(f"{path}: engine {entry.name!r} has no command: add command = [...]")
            for key in sorted({"tc", "movetime", "nodes", "depth", "margin"} & entry.model_fields_set):
                what = "a margin" if key == "margin" else "a time control"
                raise ConfigError(f"{path}: engine {entry.name!r} has {what}: give it in a tournament file")
            specs.append(entry.spec(path.parent))
    return Registry(specs)


class LoadedTournament(NamedTuple):
    """A tournament file that was read, and checked as far as it can be without its engines."""

    table: TournamentTable
    engines: tuple[EngineSpec, ...]
    """With unique names."""
    starts: tuple[Start, ...]
    """Of each variant."""


def load_tournament(
    path: Path,
    registry: Registry,
    changes: Sequence[str] = (),
    given: Mapping[str, Any] = MappingProxyType({}),
    *,
    guests: bool = False,
    starts: tuple[Start, ...] | None = None,
) -> LoadedTournament:
    """Read a tournament file. Raises ConfigError.

    `changes` replace keys of the file first: `rounds=4`, `each.nodes=9`, `engines.2.options.Hash=16`; so do `given`,
    the options of the command, which are keys of the tournament's table.
    Where guests join the engines of the file, it may name none, and its format has no effect. With `starts`, which are
    known or of no use, no board and no book is read.
    """
    data = _data(path)
    _change_all(data, changes, given)
    file = _validated(HostFile if guests else TournamentFile, data, path)
    wrong: list[tuple[str, str]] = []
    if starts is None:
        starts, wrong = _starts(file.tournament, path.parent)
    errors = [f"tournament{key}: {sentence}" for key, sentence in wrong]
    common = _own_limit(file.each, file.tournament)
    specs = []
    for table in file.engines:
        limit = _own_limit(table, file.tournament) or common
        if table.command is not None:
            specs.append(replace(as_player(table.spec(path.parent, file.each)), limit=limit))
        elif (registered := registry.get(table.name)) is not None:
            specs.append(replace(table.spec(path.parent, file.each, registered), limit=limit))
        else:
            errors.append(f"engines: {registry.unknown(table.name)}")
    engines = unique(specs)
    if not (errors or guests):
        faults = file.tournament.format_config.faults([spec.name for spec in engines])
        errors += [f"tournament.{field}: {sentence}" for field, sentence in faults]
    if errors:
        raise ConfigError("\n".join(harmless(f"{path}: {line}") for line in errors))
    return LoadedTournament(file.tournament, engines, starts)


def load_options(
    engines: Sequence[EngineSpec],
    limits: Mapping[str, str | None],
    given: Mapping[str, Any],
    waits: Mapping[str, Any],
    model: type[TournamentTable] = TournamentTable,
    pairs: int = 0,
) -> LoadedTournament:
    """The tournament that options of a command describe. Raises ConfigError.

    `limits` has the limit of each engine alone, by the option that gives it. A variant's own book is used by default if
    it has `pairs` openings.
    """
    table = validated_options(model, given)
    deadlines = validated_options(Waits, waits).model_dump(exclude_unset=True) if waits else {}
    starts, errors = _starts(table, Path(), pairs)
    for key, sentence in errors:
        raise ConfigError(harmless(f"--{key[1:]}: {sentence}" if key else sentence))
    specs = [replace(spec, deadlines=replace(spec.deadlines, **deadlines)) for spec in engines]
    for place, (flag, text) in enumerate(limits.items()):
        if text is not None:
            keys = validated_options(LimitKeys, {"tc": text}, {"tc": flag})
            specs[place] = replace(specs[place], limit=_own_limit(keys, table))
    return LoadedTournament(table, unique(specs), starts)


def validated_options(
    model: type[File], given: Mapping[str, Any], flags: Mapping[str, str] = MappingProxyType({})
) -> File:
    """The table of options as they were typed. Raises ConfigError, which names the option, if need be by `flags`."""
    try:
        return model.model_validate(dict(given), strict=False)
    except ValidationError as wrong:
        raise ConfigError("\n".join(map(harmless, messages.of_options(wrong.errors(), model, flags)))) from None


def _own_limit(keys: LimitKeys, table: TournamentTable) -> Limit | None:
    """The limit in an engine's own keys, None if it has none. Raises BadLimit if it is too long for the time scale."""
    return keys.limit and time_control.scaled(keys.limit, table.time_scale)


def _starts(table: GameSettings, folder: Path, pairs: int = 0) -> tuple[tuple[Start, ...], list[tuple[str, str]]]:
    """Where the games of each variant start; and of what cannot be used the key, with a point, and a sentence.

    A variant's own book is used by default if it has `pairs` openings.
    """
    errors = [
        (".book", f"there is no file {file!r} for {key}; check the path")
        for key, file in table.books.items()
        if file != books.DEFAULT and not (folder / file).exists()
    ]
    starts = []
    for variant in () if errors else table.asked:
        try:
            starts.append(_start(table, variant, folder, pairs))
        except RulesError as wrong:
            key = ".fen" if table.fen is not None else ".board" if table.board is not None else ""
            errors.append((key if isinstance(wrong, BadPosition) else "", str(wrong)))
    return tuple(starts), errors


def _start(table: GameSettings, variant: str | None, folder: Path, pairs: int) -> Start:
    """Where the games of this variant start. Raises RulesError."""
    board = None if table.board is None else folder / table.board
    rules, position = start_of(variant, table.rules, board, table.fen, folder)
    for warning in rules.warnings(position):
        LOG.warning(warning)
    given = table.fen if board is None else board
    if (outcome := position.outcome) is not None:
        ended = f"that game is finished already ({outcome.winner} by {outcome.reason})"
        raise BadPosition(f"{given}: {ended}: give another start")
    name = variant or table.variants[0]
    limit = table.limit_of(name) if isinstance(table.tc, dict) else None
    start = Start(rules.name, None if given is None else position.fen(), limit=limit)
    file = table.books.get(name)
    if file == books.DEFAULT:
        return replace(start, book=books.shipped_book(start.variant, table.book_use(books.USUAL_ORDER.order)))
    if file is not None:
        return replace(start, book=books.load(folder / file, start.variant, table.book_use("sequential")))
    if given is not None or "openings" in table.model_fields_set or books.shipped_file(start.variant) is None:
        return start
    book = books.shipped_book(start.variant)
    return start if len(book.openings) < pairs else replace(start, book=book)


def quoted(name: str) -> str:
    """A name as messages show it: quoted, and cut at 100 characters."""
    return repr(name if len(name) <= 100 else f"{name[:97]}...")


def unique(specs: Iterable[EngineSpec]) -> tuple[EngineSpec, ...]:
    """The engines with unique names.

    `stornoway` twice with Strength 3 and 5 becomes `stornoway Strength=3` and `stornoway Strength=5`. Where no option
    tells two engines apart, the second one gets a number: `random-2`.
    """
    given = list(specs)
    if len({spec.name for spec in given}) == len(given):
        return tuple(given)
    taken: set[str] = set()
    result: list[EngineSpec] = []
    for spec in (replace(spec, name=_with_options(spec, given)) for spec in given):
        name, count = spec.name, 1
        while name in taken:
            count += 1
            name = f"{spec.name}-{count}"
        if count > 1 and spec.named and spec.command != next(each.command for each in result if each.name == spec.name):
            LOG.info(f"several engines are named {spec.name}: one of them is called {name}")
        taken.add(name)
        result.append(replace(spec, name=name))
    return tuple(result)


def _with_options(spec: EngineSpec, specs: Sequence[EngineSpec]) -> str:
    """The name of an engine with those of its options that others of this name do not have alike."""
    others = [{key.lower(): text for key, text in each.options.items()} for each in specs if each.name == spec.name]
    own = [
        f"{key}={text}" for key, text in spec.options.items() if any(other.get(key.lower()) != text for other in others)
    ]
    name = " ".join([spec.name, *own])
    return name if len(name) <= LONGEST_NAME else spec.name


def _data(path: Path) -> dict[str, Any]:
    """What a TOML file says. Raises ConfigError."""
    try:
        content = read_start(path, MAX_BYTES + 1)
        if content.startswith(DATABASE):
            raise ConfigError(f"{path}: is a database: give a TOML file with [[engines]], and name a database by --db")
        if len(content) > MAX_BYTES:
            raise ConfigError(f"{path}: is longer than {MAX_BYTES >> 20} MiB: give a registry or a tournament file")
        return tomllib.loads(utf8_text(content))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; check the path") from None
    except (OSError, NotUtf8) as wrong:
        raise ConfigError(f"{path}: cannot be read: {getattr(wrong, 'strerror', wrong)}") from None
    except ConfigError:
        raise
    except (ValueError, RecursionError) as wrong:  # also numbers and nesting beyond Python's own limits
        why = why_no_toml(wrong)
        hint = ": begin each engine with [[engines]]" if "declare engines twice" in why else ""
        raise ConfigError(f"{path}: is not valid TOML: {why}{hint}") from None


def _validated(model: type[File], data: dict[str, Any], path: Path) -> File:
    try:
        return model.model_validate(data)
    except ValidationError as wrong:
        lines = [f"{path}: {line}" for line in messages.all_of(wrong.errors(), model)]
        raise ConfigError("\n".join(map(harmless, lines))) from None


def _change_all(data: dict[str, Any], changes: Sequence[str], given: Mapping[str, Any]) -> None:
    """Put the changes of `--set`, and options of the command, in the place of what the file says."""
    changed: set[tuple[int, str]] = set()
    for change in changes:
        _change(data, change, changed)
    if given:
        own = data.setdefault("tournament", {})
        has_book = isinstance(own, dict) and own.get("book") is not None
        # They may say how the file's own book is used, which is looked at later, with the rest of the file.
        book = {"book": books.DEFAULT} if has_book and given.keys() & {"book_order", "book_start", "book_plies"} else {}
        table = validated_options(TournamentTable, book | dict(given))
        if isinstance(own, dict):
            if {*LIMIT_KINDS} & given.keys():
                for kind in LIMIT_KINDS:
                    own.pop(kind, None)
            own |= {key: getattr(table, key) for key in given}


def _change(data: dict[str, Any], change: str, changed: set[tuple[int, str]]) -> None:
    """Set one value: `KEY=VALUE` in the tournament's table, `each.KEY=VALUE` and `engines.2.KEY=VALUE` in others.

    A key with a point or a `=` in it stands in quotes. The value is read as TOML, or as plain text if it is not TOML. A
    limit replaces one of another kind in the file, but not one among `changed`, the keys that were set before, by their
    tables. Raises ConfigError.
    """
    if (place := _KEYS.match(change)) is None:
        raise ConfigError(f"--set {change!r} cannot be read: write KEY=VALUE, such as rounds=4")
    keys, text = [key.strip('"') for key in _KEY.findall(place[1].strip())], change[place.end() :]
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    table: Any = data
    for key in keys[:-1] if keys[0] in ("each", "engines", "tournament") else ("tournament", *keys[:-1]):
        if isinstance(table, list):
            if not key.isascii() or not key.isdigit() or not 1 <= int(key) <= len(table):
                raise ConfigError(f"--set {change!r}: there is no engine {key}; count from 1 to {len(table)}")
            table = table[int(key) - 1]
        elif isinstance(table, dict):
            table = table.setdefault(key, {})
        else:
            raise ConfigError(f"--set {change!r}: {key!r} is within a value that has no keys")
    if not isinstance(table, dict):
        raise ConfigError(f"--set {change!r}: name a key, such as engines.1.options.Hash=16")
    is_option = keys[-2:-1] == ["options"]
    new = id(table), keys[-1].lower() if is_option else keys[-1]  # the case of an option's name does not matter
    if new in changed:
        raise ConfigError(f"--set {change!r}: {keys[-1]} is set twice: leave out one of the two")
    changed.add(new)
    for key in list(table):
        if is_option and key.lower() == keys[-1].lower():
            del table[key]
        elif not is_option and {key, keys[-1]} <= {*LIMIT_KINDS} and (id(table), key) not in changed:
            del table[key]
    table[keys[-1]] = value
