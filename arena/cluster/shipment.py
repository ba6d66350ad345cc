"""What of an engine travels to another machine: its command line, and the files that belong to it.

In the command line `{python}` is the Python of the machine, a bare name a program of its PATH, and
`{files}/home/ann/fox` a file that was shipped: files stand beside each other there as they do here. Folders are not
shipped.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from arena.cluster.errors import ClusterError
from arena.config.command_words import CODE, PYTHON
from arena.games.user_file import file_sha256
from arena.play.jobs import EngineSpec

MOST_BYTES = 256 << 20
"""No file that is larger is shipped."""
OURS = Path(__file__).resolve().parents[2]
"""The folder of our own packages, which every machine has."""
FILES = "{files}"
_OPTION = re.compile(r"(-{0,2}[A-Za-z_][\w.-]*=|@)(.+)", re.DOTALL)
"""A word in which a path follows: `--net=a.bin`, `@a.txt`."""


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file of an engine, by its path here."""

    path: str
    sha256: str
    executable: bool


@dataclass(frozen=True, slots=True)
class PackedEngine:
    """An engine as it travels, with the files that it needs."""

    spec: EngineSpec
    files: tuple[ShippedFile, ...]

    @property
    def digest(self) -> str:
        """It names the files' contents and places, and nothing else."""
        text = "\0".join(f"{file.path}\0{file.sha256}\0{file.executable}" for file in self.files)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def pack(spec: EngineSpec) -> PackedEngine:
    """The engine as it travels. Raises ClusterError for what cannot be shipped."""
    _refuse(spec)
    program, *rest = spec.command
    if not os.path.dirname(program):  # what is on the PATH has its whole path by now
        raise ClusterError(f"engine {spec.name!r}: there is no program {program!r} on the PATH")
    paths: dict[str, None] = {}
    words = [_packed(word, paths, spec, "its command line") for word in rest]
    options = {name: _packed(value, paths, spec, f"option {name}") for name, value in spec.options.items()}
    name = os.path.basename(program)
    if program == sys.executable:
        program = PYTHON
    elif (paths or CODE.intersection(rest)) and shutil.which(name) == program:
        program = name  # an interpreter, which each machine has of its own
    else:
        paths[os.path.normpath(program)] = None
        program = FILES + os.path.normpath(program)
    paths |= dict.fromkeys(map(os.path.normpath, spec.files))
    sandbox = replace(spec.sandbox, reads=())
    there = replace(spec, command=(program, *words), options=options, files=(), sandbox=sandbox)
    return PackedEngine(there, tuple(_shipped(spec, path) for path in paths))


def unpack(engine: PackedEngine, cache: "EngineCache") -> EngineSpec:
    """The engine with the paths of this machine. Raises ClusterError if this machine lacks a program."""
    spec, folder = engine.spec, str(cache.folder(engine.digest))
    program, *rest = (word.replace(FILES, folder) for word in spec.command)
    reads = (folder,) if engine.files else ()
    if program == PYTHON:
        program, reads = sys.executable, (*reads, str(OURS))
    elif not os.path.dirname(program):
        there = shutil.which(program, path=spec.sandbox.environment.get("PATH"))
        if there is None:
            raise ClusterError(f"engine {spec.name!r}: there is no program {program!r} on the PATH")
        program = there
    return replace(
        spec,
        command=(program, *rest),
        options={name: value.replace(FILES, folder) for name, value in spec.options.items()},
        sandbox=replace(spec.sandbox, reads=reads),
    )


def _refuse(spec: EngineSpec) -> None:
    """Raise ClusterError for settings that mean a place on this machine."""
    alone = "which is on this machine alone"
    if spec.sandbox.directory is not None:
        raise ClusterError(
            f"engine {spec.name!r}: its working directory is {spec.sandbox.directory}, {alone}; "
            "leave out `directory` and list its files under `files`, or play it without --cluster"
        )
    if strange := [path for path in spec.sandbox.reads if Path(path).resolve() != OURS]:
        raise ClusterError(
            f"engine {spec.name!r}: it may read {strange[0]}, {alone}; "
            "list its files under `files`, or play it without --cluster"
        )
    if spec.trace:
        raise ClusterError("--trace: dialogues are written where engines run; leave it out with --cluster")
    for name, value in spec.sandbox.environment.items():
        places = [] if name == "PATH" else [part for part in value.split(os.pathsep) if os.path.isabs(part)]
        if place := next((part for part in places if os.path.exists(part)), None):
            raise ClusterError(
                f"engine {spec.name!r}: its variable {name} names {place}, {alone}; "
                "name the file in its command line, or play it without --cluster"
            )


def _packed(word: str, paths: dict[str, None], spec: EngineSpec, place: str) -> str:
    """The word with FILES before each absolute path of a file, which is noted. Raises ClusterError for a folder."""
    option = None if os.path.isabs(word) else _OPTION.fullmatch(word)
    begin, text = option.groups() if option else ("", word)
    parts = text.split(os.pathsep)
    for at, part in enumerate(parts):
        if os.path.isabs(part) and os.path.isdir(part):
            raise ClusterError(
                f"engine {spec.name!r}: {place} names the folder {part}, and folders are not shipped to other "
                "machines; name its files one by one"
            )
        if os.path.isabs(part) and os.path.isfile(part):
            path = os.path.normpath(part)
            paths[path] = None
            parts[at] = FILES + path
    return begin + os.pathsep.join(parts)


def _shipped(spec: EngineSpec, path: str) -> ShippedFile:
    try:
        if os.stat(path).st_size > MOST_BYTES:
            raise ClusterError(
                f"engine {spec.name!r}: {path} is larger than {MOST_BYTES >> 20} MB, too large for other machines"
            )
        return ShippedFile(path, file_sha256(Path(path)), os.access(path, os.X_OK))
    except OSError as wrong:
        raise ClusterError(f"engine {spec.name!r}: {path} cannot be read: {wrong.strerror}") from None


class EngineCache:
    """The files of engines that came to this machine: a folder for each set of them, named by its digest."""

    def __init__(self, root: Path | None = None) -> None:
        self._root = root or Path(platformdirs.user_cache_dir("callanish-arena")) / "engines"

    def folder(self, digest: str) -> Path:
        """Where the files of an engine are, or will be."""
        return self._root / digest

    def lacks(self, engine: PackedEngine) -> list[ShippedFile]:
        """The files of an engine that are not here. Each one is read, for it may have been changed since."""
        folder = self.folder(engine.digest)
        return [file for file in engine.files if not _has(folder, file)]

    def put(self, digest: str, file: ShippedFile, data: bytes) -> None:
        """Put a file in its place, whole. Raises ClusterError and OSError."""
        if len(data) > MOST_BYTES or hashlib.sha256(data).hexdigest() != file.sha256:
            raise ClusterError(f"the shipped file {file.path} is too large, or changed on its way to this machine")
        path = _place(self.folder(digest), file)
        path.parent.mkdir(parents=True, exist_ok=True)
        fd, part = tempfile.mkstemp(dir=path.parent)
        try:
            with open(fd, "wb") as written:
                written.write(data)
                os.fchmod(fd, 0o755 if file.executable else 0o644)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise


def _place(folder: Path, file: ShippedFile) -> Path:
    """Where a shipped file is. Raises ClusterError for one that leads out of its folder."""
    place = os.path.normpath(f"{folder}/{file.path}")
    if not place.startswith(f"{folder}/") or "\0" in place:
        raise ClusterError(f"the shipped file {file.path!r} leads out of its folder")
    return Path(place)


def _has(folder: Path, file: ShippedFile) -> bool:
    try:
        return file_sha256(_place(folder, file)) == file.sha256
    except OSError:
        return False
