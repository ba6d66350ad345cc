"""What of an engine travels to another machine: its command line with symbols, and the files that belong to it.

`{python}` is the Python of the machine, `{program:java}` a program of its PATH, `{file:DIGEST/name}` a file that was
shipped. The machine alone knows what they stand for there. Folders are not shipped.
"""

import errno
import hashlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote

from arena.cluster.errors import ClusterError
from arena.config.command_words import CODE, PYTHON
from arena.play.jobs import EngineSpec

MOST_BYTES = 256 << 20
"""No file that is larger is shipped."""
OURS = Path(__file__).resolve().parents[2]
"""The folder of our own packages, which every machine has."""
_SYMBOL = re.compile(r"\{python\}|\{program:([^{}]+)\}|\{file:([0-9a-f]{64})/([^{}]+)\}")
_OPTION = re.compile(r"(-{0,2}[A-Za-z_][\w.-]*=|@)(.+)", re.DOTALL)
"""A word in which a path follows: `--net=a.bin`, `@a.txt`."""


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file of an engine, by its path within the engine's own folder."""

    name: str
    sha256: str
    size: int
    executable: bool


@dataclass(frozen=True, slots=True)
class Shipment:
    """All files of an engine."""

    files: tuple[ShippedFile, ...]

    @property
    def digest(self) -> str:
        """It names the files' contents and places, and nothing else."""
        text = "\0".join(f"{file.name}\0{file.sha256}\0{file.executable}" for file in self.files)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class PackedEngine:
    """An engine as it travels. Its specification has symbols where there were paths."""

    spec: EngineSpec
    shipment: Shipment


@dataclass(frozen=True, slots=True)
class Packed:
    """An engine that is ready to travel, and where its files are here."""

    engine: PackedEngine
    sources: Mapping[str, Path]
    """The files by their names in the shipment."""


def pack(spec: EngineSpec) -> Packed:
    """The engine with symbols for paths. Raises ClusterError for what cannot be shipped."""
    _refuse(spec)
    program, *rest = spec.command
    if not os.path.dirname(program):  # what is on the PATH has its whole path by now
        raise ClusterError(f"engine {spec.name!r}: there is no program {program!r} on the PATH")
    paths: list[str] = []

    def note(path: str) -> str:
        paths.append(path)
        return path

    words = [_in_word(word, note, spec, "its command line") for word in rest]
    values = [_in_word(value, note, spec, f"option {name}") for name, value in spec.options.items()]
    symbol = _program_symbol(program, rest, paths)
    files = dict.fromkeys([*([program] if symbol is None else []), *paths, *spec.files])
    names = _names(list(files))
    shipment = Shipment(tuple(_shipped(spec, path, names[path]) for path in files))

    def symbolic(path: str) -> str:
        return f"{{file:{shipment.digest}/{quote(names[path], safe='/')}}}"

    words = [_in_word(word, symbolic, spec, "") for word in rest]
    values = [_in_word(value, symbolic, spec, "") for value in spec.options.values()]
    return Packed(
        PackedEngine(
            replace(
                spec,
                command=(symbol or symbolic(program), *words),
                options=dict(zip(spec.options, values, strict=True)),
                files=(),
                sandbox=replace(spec.sandbox, reads=()),
            ),
            shipment,
        ),
        {names[path]: Path(path) for path in files},
    )


def unpack(engine: PackedEngine, folder: Callable[[str], Path]) -> EngineSpec:
    """The engine with the paths of this machine. `folder` says where the files of a shipment are.

    Raises ClusterError where this machine lacks a program.
    """

    def path(symbol: re.Match[str]) -> str:
        program, digest, name = symbol.groups()
        if digest:
            return str(folder(digest) / unquote(name))
        if not program:
            return sys.executable
        there = shutil.which(program, path=engine.spec.sandbox.environment.get("PATH"))
        if there is None:
            raise ClusterError(f"engine {engine.spec.name!r}: there is no program {program!r} on the PATH")
        return there

    spec = engine.spec
    reads: tuple[str, ...] = (str(OURS),) if PYTHON in spec.command[0] else ()
    if engine.shipment.files:
        reads += (str(folder(engine.shipment.digest)),)
    return replace(
        spec,
        command=tuple(_SYMBOL.sub(path, word) for word in spec.command),
        options={name: _SYMBOL.sub(path, value) for name, value in spec.options.items()},
        sandbox=replace(spec.sandbox, reads=reads),
    )


def _refuse(spec: EngineSpec) -> None:
    """Raise ClusterError for settings that mean a place on this machine."""
    if spec.sandbox.directory is not None:
        raise ClusterError(
            f"engine {spec.name!r}: its working directory {spec.sandbox.directory} is on this machine alone; "
            "leave out `directory` and list its files under `files`, or play it without --cluster"
        )
    if strange := [path for path in spec.sandbox.reads if Path(path).resolve() != OURS]:
        raise ClusterError(
            f"engine {spec.name!r}: it may read {strange[0]}, which is on this machine alone; "
            "list its files under `files`, or play it without --cluster"
        )
    if spec.trace:
        raise ClusterError("--trace: dialogues are written where engines run; leave it out with --cluster")
    for name, value in spec.sandbox.environment.items():
        places = [] if name == "PATH" else [part for part in value.split(os.pathsep) if os.path.isabs(part)]
        if place := next((part for part in places if os.path.exists(part)), None):
            raise ClusterError(
                f"engine {spec.name!r}: its variable {name} names {place}, which is on this machine alone; "
                "name the file in its command line, or play it without --cluster"
            )


def _program_symbol(program: str, rest: Sequence[str], paths: Sequence[str]) -> str | None:
    """The symbol for an interpreter, which each machine has of its own; None for a program that is shipped."""
    if program == sys.executable:
        return PYTHON
    name = os.path.basename(program)
    runs_another = bool(paths) or bool(CODE.intersection(rest))
    return f"{{program:{name}}}" if runs_another and shutil.which(name) == program else None


def _in_word(word: str, change: Callable[[str], str], spec: EngineSpec, place: str) -> str:
    """The word with each absolute path of a file in it changed. Raises ClusterError for a folder."""
    begin, text = "", word
    if not os.path.isabs(word) and (option := _OPTION.fullmatch(word)):
        begin, text = option.groups()
    parts = text.split(os.pathsep)
    if not any(os.path.isabs(part) and os.path.exists(part) for part in parts):
        return word
    changed = []
    for part in parts:
        if os.path.isabs(part) and os.path.isdir(part):
            raise ClusterError(
                f"engine {spec.name!r}: {place} names the folder {part}, and folders are not shipped to other "
                "machines; name its files one by one"
            )
        changed.append(change(part) if os.path.isabs(part) and os.path.isfile(part) else part)
    return begin + os.pathsep.join(changed)


def _names(paths: Sequence[str]) -> dict[str, str]:
    """Each file's path within the engine's folder: files that stand beside each other here do so there."""
    if not paths:
        return {}
    top = os.path.commonpath([os.path.dirname(path) for path in paths])
    return {path: os.path.relpath(path, top) for path in paths}


def _shipped(spec: EngineSpec, path: str, name: str) -> ShippedFile:
    try:
        size = os.stat(path).st_size
        if size > MOST_BYTES:
            raise ClusterError(
                f"engine {spec.name!r}: {path} is larger than {MOST_BYTES >> 20} MB, too large for other machines"
            )
        return ShippedFile(name, file_sha256(Path(path)), size, os.access(path, os.X_OK))
    except OSError as wrong:
        raise ClusterError(f"engine {spec.name!r}: {path} cannot be read: {wrong.strerror}") from None


def file_sha256(path: Path) -> str:
    """Hex digest of a file's content. Raises OSError, also for what is no file: a device or a pipe would never end."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "is no file", str(path))
        return hashlib.file_digest(file, "sha256").hexdigest()
