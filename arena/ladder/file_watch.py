"""Watches a ladder's file: which engines it names now, and digests of their programs.

A ladder's file is a tournament file whose format has no effect. An engine whose program or settings changed is another
player of the ladder, under another name.
"""

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena.config.load import ConfigError, LoadedTournament, Registry, load_tournament
from arena.formats.registry import KEYS
from arena.planning.engine_files import marked, names_of_files
from arena.play.jobs import EngineSpec
from results.record import Player
from results.safe_text import harmless

WITHOUT_EFFECT = ("format", *KEYS)
"""Keys of a tournament file that a ladder does not read, because it chooses its games itself."""

RETIRED, AWAY = "retired", "away"
"""Why a player gets no games: it is not in the file; it is a guest who is not connected."""

SETTLED_NS = 1_000_000_000
"""A change is taken over once the file has been left alone for so many ns: editors and compilers write in parts."""

VERSION = re.compile(r"@[1-9][0-9]*\Z")
"""The end of the names of changed engines. No other engine may have such a name."""

Contain = Callable[[Sequence[EngineSpec]], tuple[EngineSpec, ...]]
FileState = tuple[int, int, int] | None


class LadderFile:
    """A ladder's file and the programs that it names, as they were at the last look."""

    def __init__(
        self,
        path: Path,
        registry: Callable[[], Registry],
        contain: Contain,
        *,
        beside: Sequence[Path] = (),
        guests: bool = False,
        changes: Sequence[str] = (),
        given: Mapping[str, Any] = MappingProxyType({}),
        now_ns: Callable[[], int] = time.time_ns,  # the file system's clock
    ) -> None:
        """`registry` reads `beside`; `contain` puts engines in sandboxes. Raises ConfigError.

        Where `guests` join the engines of the file, it may name none. `changes` and `given` replace keys of the file.
        """
        self.path = path
        self._files = (path, *beside)
        self._guests = guests
        self._changes, self._given = changes, given
        self._now_ns = now_ns
        self._registry = registry
        self._boxes = contain
        self._file_states = {each: _file_state(each) for each in self._files}
        self.engine_list = self._read()

    @property
    def without_effect(self) -> list[str]:
        """The keys of the file that a ladder does not read."""
        return [key for key in WITHOUT_EFFECT if key in self.engine_list.table.model_fields_set]

    def look(self) -> LoadedTournament | None:
        """The engines that it names now; None where nothing changed since the last look.

        Raises ConfigError for a file that cannot be used, once for each edit; the engine list stays as it was.
        """
        file_states = {path: _file_state(path) for path in self._file_states}
        now_ns = self._now_ns()
        # A file that was just changed may still be being written.
        fresh = any(stamp is not None and 0 <= now_ns - stamp[0] < SETTLED_NS for stamp in file_states.values())
        if file_states == self._file_states or fresh:
            return None
        before, self._file_states = self.engine_list, file_states
        engine_list = self._read()
        if engine_list.engines == before.engines:
            return None
        self.engine_list = engine_list
        return engine_list

    def why_missing(self, name: str) -> str:
        """Why a player is not in the engine list."""
        return RETIRED

    def _read(self) -> LoadedTournament:
        known = getattr(self, "engine_list", None)
        loaded = load_tournament(
            *(self.path, self._registry(), self._changes, self._given),
            guests=self._guests,
            starts=None if known is None else known.starts,  # a ladder keeps its settings, books included
        )
        table = loaded.table
        taken = [
            f"{self.path}: engines[{number}].name: {spec.name!r} ends like a version, and versions are named by the "
            f"ladder itself: take another name, such as {spec.name.replace('@', '-')!r}"
            for number, spec in enumerate(loaded.engines, 1)
            if VERSION.search(spec.name)
        ]
        if taken:
            raise ConfigError("\n".join(map(harmless, taken)))
        before = table if known is None else known.table
        read = [key for key in type(table).model_fields if key not in WITHOUT_EFFECT]
        if keys := [key for key in read if getattr(table, key) != getattr(before, key)]:
            raise ConfigError(
                f"{self.path}: the [tournament] table was changed ({', '.join(keys)}): a ladder keeps the settings "
                "with which it began, so put them back"
            )
        engines = self._boxes(loaded.engines)
        self._file_states = {path: self._file_states[path] for path in self._files} | {
            path: _file_state(path) for spec in engines for path in map(Path, names_of_files(spec))
        }
        return loaded._replace(
            engines=tuple(replace(spec, sha256=digest(spec, spec.sha256)) for spec in marked(engines))
        )


def _file_state(path: Path) -> FileState:
    """Time, size and inode: they change when a file is written or replaced. None where there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def digest(spec: EngineSpec, fingerprint: str) -> str:
    """A digest of all that may change how it plays: program, files, arguments, options, environment, limit."""
    arguments = [Path(word).name if os.path.isfile(word) else word for word in spec.command[1:]]
    made_of = (
        fingerprint,
        arguments,
        sorted(spec.options.items()),
        sorted(spec.sandbox.environment.items()),
        None if spec.limit is None else str(spec.limit),
        # Only where they are asked for, so that engines without them keep their names.
        *(() if spec.margin_ms is None else (spec.margin_ms,)),
        *(("restart",) if spec.restart else ()),
    )
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def named(specs: Sequence[EngineSpec], players: Iterable[Player]) -> tuple[EngineSpec, ...]:
    """The engines under their names in the ladder, each with the family that joins its versions.

    An unchanged engine keeps its name. A changed one is `name@2`, then `name@3`. No two engines get the same name:
    their own names differ, and none of these ends like a version.
    """
    known = {player.name: player.sha256 for player in players}

    def version(name: str, made_of: str) -> str:
        same = sorted(each for each in known if known[each] == made_of and VERSION.sub("", each) == name)
        free = (each for each in chain([name], (f"{name}@{number}" for number in count(2))) if each not in known)
        return same[0] if same else next(free)

    return tuple(replace(spec, name=version(spec.name, spec.sha256), family=spec.family or spec.name) for spec in specs)
