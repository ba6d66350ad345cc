"""Finds and reads the event files beside a database. What they say is checked, for anybody may have written them."""

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from arena.live.file import LONGEST, START, VERSION, events_paths, fields_of, read_from
from arena.live.fold import State, fold, live_run
from arena.live.process import is_alive
from arena.live.state import LiveRun

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_LARGEST = 1 << 62


RunState = Literal["running", "stopped", "ended"]
"""A run is played; the process that played it was killed; it has ended."""


class BadEventFile(ValueError):
    """A file that says nothing of a run. The message is one sentence and names the file."""


@dataclass(frozen=True, slots=True)
class LiveFile:
    """An event file and how its run stands."""

    path: Path
    run: LiveRun | None = None
    """None where the file cannot be used."""
    state: RunState = "stopped"
    problem: str = ""
    """Why the file cannot be used, in one sentence."""


class LiveFiles:
    """The event files beside a database. Only what is new is read."""

    def __init__(self, db: Path) -> None:
        self._db = db
        self._known: dict[Path, EventReader] = {}

    def look(self) -> tuple[LiveFile, ...]:
        """All of them now: first those whose runs are played, the latest first, then stopped and ended ones."""
        self._known = {path: self._known.get(path) or EventReader(path) for path in events_paths(self._db)}
        files = (reader.look() for reader in self._known.values())
        return tuple(sorted((each for each in files if each is not None), key=_rank))

    def as_json(self) -> dict[str, object]:
        """The runs that have not ended, and what is wrong with files, as plain values."""
        files = self.look()
        going = [each for each in files if each.run is not None and each.state != "ended"]
        value = {
            "now_ns": time.monotonic_ns(),
            "runs": [{"state": each.state, **fields_of(each.run)} for each in going],
            "problems": [each.problem for each in files if each.problem],
        }
        return dict(json.loads(json.dumps(value, default=fields_of)))


class EventReader:
    """Reads one event file again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seal = (-1, -1)
        """Which file it was."""
        self._offset = 0
        self._rest = b""
        """The beginning of a line of which the end is still to come."""
        self._state: State | None = None
        self._last: LiveFile | None = None

    def look(self) -> LiveFile | None:
        """How the run stands now. None if the file is gone."""
        try:
            is_new = self._read()
        except FileNotFoundError:
            return None
        except BadEventFile as bad:
            self._seal, self._state = (-1, -1), None
            return LiveFile(self._path, problem=str(bad))
        if self._state is None:
            return None
        try:
            run = self._last.run if self._last is not None and not is_new else checked(self._path, self._state)
        except BadEventFile as bad:
            return LiveFile(self._path, problem=str(bad))
        assert run is not None
        state: RunState = "running" if is_alive(run.process) else "stopped"
        self._last = LiveFile(self._path, run, "ended" if self._state["ended"] else state)
        return self._last

    def _read(self) -> bool:
        """Read what is new. Is there anything? Raises FileNotFoundError and BadEventFile."""
        try:
            status, data = read_from(self._path, self._offset, LONGEST + 1)
            seal = status.st_dev, status.st_ino
            if seal != self._seal or status.st_size < self._offset:
                self._seal, self._offset, self._rest, self._state = seal, 0, b"", None
                status, data = read_from(self._path, 0, LONGEST + 1)
                if (status.st_dev, status.st_ino) != seal:
                    self._seal = (-1, -1)
                    return False  # it was begun anew just now
        except FileNotFoundError:
            raise
        except OSError as error:
            raise BadEventFile(f"{self._path}: cannot be read ({error.strerror}), so it is ignored") from None
        if self._offset == 0 and not data.startswith(START):
            raise BadEventFile(f"{self._path}: is no file of an arena's events, so it is ignored")
        if self._offset + len(data) > LONGEST:
            raise BadEventFile(f"{self._path}: is longer than {LONGEST} bytes, so it is ignored")
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        try:
            for line in lines:
                event = json.loads(line, parse_int=_integer, parse_float=_refused, parse_constant=_refused)
                if event["event"] == "state" and event["version"] != VERSION:
                    raise BadEventFile(f"{self._path}: was written by another version of the arena, so it is ignored")
                if event["event"] == "state" or self._state is not None:
                    self._state = fold(self._state or {}, event)
        except BadEventFile:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
            raise BadEventFile(f"{self._path}: is damaged ({_reason(error)}), so it is ignored") from None
        return bool(lines)


def checked(path: Path, state: State) -> LiveRun:
    """How a run stands by a state that anybody may have written. Raises BadEventFile."""
    try:
        # Strictly: a text is no number.
        run: LiveRun = _adapter().validate_json(json.dumps(live_run(state), default=fields_of), strict=True)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise BadEventFile(f"{path}: is damaged ({_reason(error)}), so it is ignored") from None
    return run


def _rank(file: LiveFile) -> tuple[bool, int, str, int]:
    run = file.run
    if run is None:
        return True, 0, "", 0
    # The moments of two times between restarts of the machine cannot be compared.
    return False, ("running", "stopped", "ended").index(file.state), run.process.boot, -run.began_ns


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
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
