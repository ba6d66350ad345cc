"""Finds and reads the live files beside a database. What they say is checked, for anybody may have written them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.live.file import MOST_BYTES, START, VERSION, live_paths, read_start
from arena.live.process import is_alive
from arena.live.state import LiveRun

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_LARGEST = 1 << 62


class BadLiveFile(ValueError):
    """A file that says nothing of a run. The message is one sentence and names the file."""


@dataclass(frozen=True, slots=True)
class LiveFile:
    """A live file and what it says."""

    path: Path
    run: LiveRun | None = None
    """None where the file cannot be used."""
    is_running: bool = False
    """Does the process that plays the run still live? If not it was killed, for a run that ends removes its file."""
    problem: str = ""
    """Why the file cannot be used, in one sentence."""


class LiveFiles:
    """The live files beside a database. A file is read again only if it has changed."""

    def __init__(self, db: Path) -> None:
        self._db = db
        self._known: dict[Path, tuple[tuple[int, int, int], LiveFile]] = {}

    def look(self) -> tuple[LiveFile, ...]:
        """All of them now: first the runs that are played, the latest first, then those of killed processes."""
        known: dict[Path, tuple[tuple[int, int, int], LiveFile]] = {}
        for path in live_paths(self._db):
            try:
                status = path.lstat()
                seal = status.st_ino, status.st_mtime_ns, status.st_size
                before = self._known.get(path)
                known[path] = before if before is not None and before[0] == seal else (seal, _live_file(path))
            except FileNotFoundError:
                continue  # the run has ended meanwhile
        self._known = known
        files = (_with_process(each) for _, each in known.values())
        return tuple(sorted((each for each in files if each is not None), key=_rank))


def read_live(path: Path) -> LiveRun:
    """What a live file says. Raises FileNotFoundError, and BadLiveFile for a file that cannot be used."""
    try:
        data = read_start(path, MOST_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BadLiveFile(f"{path}: cannot be read ({error.strerror}), so it is ignored") from None
    if not data.startswith(START):
        raise BadLiveFile(f"{path}: is no live file of an arena, so it is ignored")
    if len(data) > MOST_BYTES:
        raise BadLiveFile(f"{path}: is longer than {MOST_BYTES} bytes, so it is ignored")
    try:
        values = json.loads(data, parse_int=_integer, parse_float=_refused, parse_constant=_refused)
        if values["arena-live"] != VERSION:
            raise BadLiveFile(f"{path}: was written by another version of the arena, so it is ignored")
        # Strictly: a text is no number.
        run: LiveRun = _adapter().validate_json(data, strict=True)
    except BadLiveFile:
        raise
    except (ValueError, TypeError, RecursionError) as error:
        raise BadLiveFile(f"{path}: is damaged ({_reason(error)}), so it is ignored") from None
    return run


def _live_file(path: Path) -> LiveFile:
    try:
        return LiveFile(path, read_live(path))
    except BadLiveFile as bad:
        return LiveFile(path, problem=str(bad))


def _with_process(file: LiveFile) -> LiveFile | None:
    """Whether the process of a run still lives; None where the run has ended meanwhile."""
    if file.run is None:
        return file
    is_running = is_alive(file.run.process)
    # The process removes its file before it ends, so a file that stays is one of a killed process.
    return LiveFile(file.path, file.run, is_running) if is_running or file.path.exists() else None


def _rank(file: LiveFile) -> tuple[bool, bool, str, int]:
    run = file.run
    if run is None:
        return True, True, "", 0
    # The moments of two times between restarts of the machine cannot be compared.
    return False, not file.is_running, run.process.boot, -run.began_ns


@cache
def _adapter() -> "TypeAdapter[LiveRun]":
    from pydantic import TypeAdapter  # late: it takes longer to load than all else here

    return TypeAdapter(LiveRun)


def _integer(text: str) -> int:
    value = int(text)
    if abs(value) > _LARGEST:
        raise ValueError("a number is too large")
    return value


def _refused(text: str) -> Any:
    raise ValueError("a number is no whole number")


def _reason(error: Exception) -> str:
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
