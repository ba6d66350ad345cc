"""Reads what users write: the engine registry and tournament files (TOML), and engines named on the command line.

Everything wrong with a file is reported at once, each with its path in the file. Starts nothing.
"""

import difflib
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.jobs import EngineSpec, Patience

SHIPPED = Path(__file__).parent.parent / "engines" / "engines.toml"


class ConfigError(ValueError):
    """A file, field or engine name that cannot be used, said in a sentence each."""


class UnknownEngine(ConfigError):
    """An engine that is neither registered nor a program that can be run."""


class Strict(BaseModel):
    """Misspelt keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LimitsTable(Strict):
    """`limits` of an engine: how long it may take outside its own thinking, in ms."""

    start_ms: int = Field(10_000, ge=1, le=3_600_000)
    ready_ms: int = Field(10_000, ge=1, le=3_600_000)
    newgame_ms: int = Field(60_000, ge=1, le=3_600_000)
    quit_ms: int = Field(2_000, ge=1, le=3_600_000)


class EngineTable(Strict):
    """One `[[engines]]` entry of the registry, and of a tournament file where it has a command of its own."""

    name: str = Field(min_length=1, max_length=80, pattern=r"^[^\s:,=][^\x00-\x1f:,=]*$")
    command: list[str] | None = Field(None, min_length=1)
    variants: list[str] = []
    files: list[str] = []
    options: dict[str, str | int | bool] = {}
    directory: str | None = None
    environment: dict[str, str] = {}
    limits: LimitsTable = LimitsTable.model_construct()

    def spec(self, base: Path) -> EngineSpec:
        """The engine that this entry names; relative paths start from the folder `base` of the file."""
        assert self.command is not None
        return EngineSpec(
            name=self.name,
            command=_command(self.command, base),
            options={name: option_text(value) for name, value in self.options.items()},
            variants=() if "*" in self.variants else tuple(self.variants),
            directory=None if self.directory is None else str(base.absolute() / self.directory),
            environment=dict(self.environment),
            files=tuple(str(base.absolute() / name) for name in self.files),
            patience=Patience(**self.limits.model_dump()),
        )


class RegistryFile(Strict):
    """A whole registry file."""

    engines: list[EngineTable] = []


class TournamentTable(Strict):
    """The `[tournament]` table."""

    name: str = Field("tournament", min_length=1, max_length=80)
    variants: list[str] = Field(["callanish-9"], min_length=1)
    rules: str = ""
    board: str | None = None
    fen: str | None = None
    rounds: int = Field(1, ge=1, le=1_000_000)
    tc: str | None = None
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: int = Field(50, ge=0, le=600_000)
    move_limit: float = Field(60, gt=0, le=86_400)
    max_plies: int = Field(0, ge=0, le=1_000_000)
    openings: int = Field(2, ge=0, le=200)
    seed: int | None = Field(None, ge=0, lt=2**63)
    concurrency: int | None = Field(None, ge=1, le=1024)


class TournamentFile(Strict):
    """A whole tournament file."""

    tournament: TournamentTable = TournamentTable.model_construct()
    engines: list[EngineTable] = Field(min_length=2)


File = TypeVar("File", bound=BaseModel)


def option_text(value: str | int | bool) -> str:
    """An option's value as the protocol writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _command(command: Sequence[str], base: Path) -> tuple[str, ...]:
    """The argv of a registered command: `{python}` is our interpreter, words that name files start from `base`."""
    program, *rest = (word.replace("{python}", sys.executable) for word in command)
    if "/" in program:
        program = str(base.absolute() / program)
    return (program, *(str(base.absolute() / word) if (base / word).is_file() else word for word in rest))


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
        return UnknownEngine(f"engine {name!r} is neither registered nor a program that can be run; {hint}")


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
            specs.append(entry.spec(path.parent))
    return Registry(specs)


def load_tournament(path: Path, registry: Registry) -> tuple[TournamentTable, tuple[EngineSpec, ...]]:
    """A tournament file's settings and its engines, names made unique. Raises ConfigError."""
    file = _parse(TournamentFile, path)
    if sum(limit is not None for limit in (file.tournament.tc, *_fixed(file.tournament))) > 1:
        raise ConfigError(f"{path}: tournament: give one of tc, movetime, nodes and depth, not several")
    specs = []
    for entry in file.engines:
        if entry.command is not None:
            specs.append(entry.spec(path.parent))
            continue
        base = registry.get(entry.name)
        if base is None:
            raise ConfigError(f"{path}: engines: {registry.unknown(entry.name)}")
        specs.append(_overridden(base, entry, path.parent))
    return file.tournament, unique(specs)


def _fixed(table: TournamentTable) -> tuple[int | None, int | None, int | None]:
    return table.movetime, table.nodes, table.depth


def _overridden(base: EngineSpec, entry: EngineTable, folder: Path) -> EngineSpec:
    """A registered engine with what a tournament's entry sets itself."""
    own = entry.model_copy(update={"command": list(base.command)}).spec(folder)
    given = entry.model_fields_set
    return EngineSpec(
        name=base.name,
        command=base.command,
        options={**base.options, **own.options},
        variants=own.variants if "variants" in given else base.variants,
        directory=own.directory if "directory" in given else base.directory,
        environment={**base.environment, **own.environment},
        files=base.files + own.files,
        patience=own.patience if "limits" in given else base.patience,
    )


_OPTIONS = re.compile(r"(?P<engine>.+?):(?P<options>[A-Za-z_][\w .-]*=[^,]*(?:,[A-Za-z_][\w .-]*=[^,]*)*)", re.DOTALL)


def engine_argument(text: str, registry: Registry) -> EngineSpec:
    """The engine that a word names: a registered name, a path or a quoted command line, then perhaps `:Hash=16,...`.

    Raises UnknownEngine where there is no such thing.
    """
    options: dict[str, str] = {}
    name = text.strip()
    if not Path(name).exists() and (found := _OPTIONS.fullmatch(name)):
        name = found["engine"].strip()
        options = dict(pair.split("=", 1) for pair in found["options"].split(","))
    if registered := registry.get(name):
        base = registered
    else:
        base = _program(name, registry)
    return _renamed(base, base.name, {**base.options, **options})


def _program(name: str, registry: Registry) -> EngineSpec:
    path = Path(name).expanduser()
    if path.is_dir():
        raise UnknownEngine(f"engine {name!r} is a directory: name the program in it")
    if path.is_file():
        return EngineSpec(name=path.stem, command=(str(path.absolute()),))
    try:
        argv = shlex.split(name)
    except ValueError as wrong:
        raise UnknownEngine(f"engine {name!r} cannot be split into words ({wrong}): check its quotes") from None
    if not argv:
        raise UnknownEngine("an engine's name is empty: give a registered name, a path or a command line")
    program = Path(argv[0]).expanduser()
    found = str(program.absolute()) if program.is_file() else shutil.which(argv[0])
    if found is None:
        if "/" in argv[0]:
            raise UnknownEngine(f"engine {name!r}: there is no file {argv[0]!r}; check the path")
        raise registry.unknown(name)
    # Scripts run by an interpreter are told apart by their script: `python3 mine.py --fast` is `mine`. Arguments
    # that name files are made absolute, since an engine does not run in the caller's folder.
    rest = [str(Path(word).absolute()) if Path(word).is_file() else word for word in argv[1:]]
    scripts = [word for word in rest if Path(word).is_file()]
    return EngineSpec(name=Path(scripts[0] if scripts else found).stem, command=(found, *rest))


def _renamed(spec: EngineSpec, name: str, options: dict[str, str]) -> EngineSpec:
    return EngineSpec(
        name, spec.command, options, spec.variants, spec.directory, spec.environment, spec.files, spec.patience
    )


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
        result.append(_renamed(spec, name, dict(spec.options)))
    return tuple(result)


def _parse(model: type[File], path: Path) -> File:
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; check the path") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{path}: cannot be read: {getattr(wrong, 'strerror', None) or 'not UTF-8 text'}") from None
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(f"{path}: is not valid TOML: {wrong}") from None
    try:
        return model.model_validate(data)
    except ValidationError as wrong:
        lines = [f"{path}: {_where(error['loc'])}: {_what(error, model)}" for error in wrong.errors()]
        raise ConfigError("\n".join(lines)) from None


def _where(location: tuple[int | str, ...]) -> str:
    """`engines[2].name` from ('engines', 1, 'name'): entries are counted from 1, as people do."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part not in ("str", "int", "bool"):  # the arm of a union that was tried is no place in the file
            text += f".{part}" if text else part
    return text or "the file"


def _what(error: Any, model: type[BaseModel]) -> str:
    if error["type"] == "extra_forbidden":
        key = str(error["loc"][-1])
        near = difflib.get_close_matches(key, sorted(_keys(model)), 1)
        return "unknown key; " + (f"did you mean {near[0]!r}?" if near else "see the README for the keys that exist")
    if error["type"] == "missing":
        return "is missing"
    return f"{error['msg']} (it is {error['input']!r})"


def _keys(model: type[BaseModel]) -> set[str]:
    """All keys that a file of this model may have, at any depth."""
    tables: list[type[BaseModel]] = [RegistryFile, TournamentFile, TournamentTable, EngineTable, LimitsTable]
    return set(model.model_fields) | {key for table in tables for key in table.model_fields}
