"""A ladder's file, looked at again and again: which engines it names now, and what they are made of.

A ladder's file is a tournament file whose format is left out. Refuses to know players, processes and results.
"""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.config.load import ConfigError, Registry, load_tournament
from arena.config.schema import TournamentTable
from arena.ladder.versions import digest, is_version
from arena.planning import fingerprint
from arena.play.jobs import EngineSpec

CHOSEN = ("format", "rounds", "games_per_pairing", "seeds", "best_of", "tie_breaks", "pairings")
"""What a ladder decides itself."""
BOOKS = ("book", "book_order", "book_start", "book_plies")

SETTLED_NS = 1_000_000_000
"""So long nothing may have been written before a change is taken over: editors and compilers write in parts."""

Boxes = Callable[[Sequence[EngineSpec]], tuple[EngineSpec, ...]]
Stamp = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Lineup:
    """The engines that are to take part, and a digest of what each is made of."""

    table: TournamentTable
    engines: tuple[EngineSpec, ...]
    digests: tuple[str, ...]


class LadderFile:
    """The file, and the programs that it names, as they were when last looked at."""

    def __init__(
        self,
        path: Path,
        registry: Callable[[], Registry],
        boxes: Boxes,
        *,
        beside: Sequence[Path] = (),
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`registry` reads `beside`, `boxes` are put around engines, `now_ns` is the file system's clock.

        Raises ConfigError.
        """
        self.path = path
        self._files = (path, *beside)
        self._now_ns = now_ns
        self._registry = registry
        self._boxes = boxes
        self._stamps = {each: _stamp(each) for each in self._files}
        self.lineup = self._read()

    def look(self) -> Lineup | None:
        """What it names now; None where nothing has changed since the last look.

        Raises ConfigError, once for each edit, for a file that cannot be used; the lineup stays as it was.
        """
        stamps = {path: _stamp(path) for path in self._stamps}
        if stamps == self._stamps or any(self._is_fresh(stamp) for stamp in stamps.values()):
            return None
        before, self._stamps = self.lineup, stamps
        found = self._read()
        if (found.engines, found.digests) == (before.engines, before.digests):
            return None
        self.lineup = found
        return found

    def _is_fresh(self, stamp: Stamp) -> bool:
        """Is it perhaps still being written?"""
        return stamp is not None and 0 <= self._now_ns() - stamp[0] < SETTLED_NS

    def _read(self) -> Lineup:
        table, specs = load_tournament(self.path, self._registry())
        for key in CHOSEN:
            if key in table.model_fields_set:
                raise ConfigError(f"{self.path}: tournament.{key}: a ladder chooses its games itself: leave it out")
        for key in BOOKS:
            if key in table.model_fields_set:
                raise ConfigError(
                    f"{self.path}: tournament.{key}: a ladder draws its openings, as many plies as `openings` says: "
                    "leave it out"
                )
        taken = [
            f"{self.path}: engines[{number}].name: {spec.name!r} ends like a version, and versions are named by the "
            f"ladder itself: take another name, such as {spec.name.replace('@', '-')!r}"
            for number, spec in enumerate(specs, 1)
            if is_version(spec.name)
        ]
        if taken:
            raise ConfigError("\n".join(taken))
        if hasattr(self, "lineup") and table != self.lineup.table:
            keys = (key for key in type(table).model_fields if getattr(table, key) != getattr(self.lineup.table, key))
            raise ConfigError(
                f"{self.path}: the [tournament] table was changed ({', '.join(keys)}): a ladder keeps the settings "
                "with which it began, so put them back"
            )
        engines = self._boxes(specs)
        self._stamps = {path: self._stamps[path] for path in self._files} | {
            path: _stamp(path) for spec in engines for path in _parts(spec)
        }
        prints = fingerprint.all_of(engines)
        return Lineup(table, engines, tuple(digest(spec, print_) for spec, print_ in zip(engines, prints, strict=True)))


def _parts(spec: EngineSpec) -> list[Path]:
    """What its fingerprint covers."""
    program = shutil.which(spec.command[0], path=spec.box.environment.get("PATH")) or spec.command[0]
    return [Path(name) for name in (program, *spec.command[1:], *spec.files)]


def _stamp(path: Path) -> Stamp:
    """What changes when a file is written or replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
