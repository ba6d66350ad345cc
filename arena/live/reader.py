"""Finds and reads the event files beside a database. What they say is checked, for anybody may have written them."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from arena.live.file import LONGEST, START, VERSION, events_paths, fields_of, is_written, read_from
from arena.live.state import LiveResult, LiveRun, fold

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_LARGEST = 1 << 62


RunState = Literal["running", "stopped", "ended"]
"""A run is played; the process that played it was killed; it has ended."""


class BadEventFile(ValueError):
    """A file that says nothing of a run. The message is a clause without a subject."""


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
        going = [each for each in files if each.state != "ended"]
        value = {
            "now_ns": time.monotonic_ns(),
            "runs": [{"state": each.state, **_as_json(each.run)} for each in going if each.run is not None],
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
        self._state: LiveRun | None = None
        self._last: LiveFile | None = None

    def look(self) -> LiveFile | None:
        """How the run stands now. None if the file is gone."""
        try:
            is_new = self._read()
            if self._state is None:
                return None
            last = self._last
            run = last.run if last is not None and last.run is not None and not is_new else checked(self._state)
            state: RunState = "ended" if run.is_over else "running" if is_written(self._path) else "stopped"
        except FileNotFoundError:
            return None
        except (BadEventFile, OSError) as bad:
            why = f"cannot be read ({bad.strerror})" if isinstance(bad, OSError) else bad
            self._seal, self._state, self._last = (-1, -1), None, None
            return LiveFile(self._path, problem=f"{self._path}: {why}, so it is ignored")
        self._last = LiveFile(self._path, run, state)
        return self._last

    def _read(self) -> bool:
        """Read what is new. True if there is anything. Raises OSError and BadEventFile."""
        status, data = read_from(self._path, self._offset, LONGEST + 1)
        seal = status.st_dev, status.st_ino
        if seal != self._seal or status.st_size < self._offset:
            self._seal, self._offset, self._rest, self._state = seal, 0, b"", None
            status, data = read_from(self._path, 0, LONGEST + 1)
            if (status.st_dev, status.st_ino) != seal:
                self._seal = (-1, -1)
                return False  # it was begun anew just now
        if self._offset == 0 and not data.startswith(START):
            raise BadEventFile("is not a file of an arena's events")
        if self._offset + len(data) > LONGEST:
            raise BadEventFile(f"is longer than {LONGEST} bytes")
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        with _damage():
            for line in lines:
                event = json.loads(line, parse_int=_integer)
                if event["event"] != "state":
                    self._state = self._state and fold(self._state, event)
                elif event["version"] == VERSION:
                    self._state = _adapter().validate_json(json.dumps(event["state"]), strict=True)
                else:
                    raise BadEventFile("was written by another version of the arena")
        return bool(lines)


def checked(state: LiveRun) -> LiveRun:
    """How a run stands after events that anybody may have written. Raises BadEventFile."""
    with _damage():  # strictly: a text is no number
        return _adapter().validate_json(json.dumps(state, default=fields_of), strict=True)


@contextlib.contextmanager
def _damage() -> Iterator[None]:
    """Raise BadEventFile for what the block finds that an arena does not write."""
    try:
        yield
    except BadEventFile:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise BadEventFile(f"is damaged ({_reason(error)})") from None


def _as_json(run: LiveRun) -> dict[str, object]:
    """The run with its standings in their order, and with how many engines and running games it has."""
    values = fields_of(run) | {"standings": run.standings, "engines": len(run.scores), "at_once": len(run.playing)}
    del values["scores"]
    return values


def _rank(file: LiveFile) -> tuple[bool, int, int]:
    run = file.run
    if run is None:
        return True, 0, 0
    return False, ("running", "stopped", "ended").index(file.state), -run.began_ns


@cache
def _adapter() -> "TypeAdapter[LiveRun]":
    from pydantic import TypeAdapter  # late: it takes longer to load than all else here

    return TypeAdapter(LiveRun)


def _integer(text: str) -> int:
    value = int(text)
    if abs(value) > _LARGEST:
        raise ValueError("a number is too large")
    return value


def _reason(error: Exception) -> str:
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


@dataclass(frozen=True, slots=True)
class Followed:
    """What has become of the run that is followed."""

    state: RunState | Literal["none"]
    run: LiveRun | None = None
    """How it stands, or stood last; None where there is none."""


class Follower:
    """Follows the first run that is played, to its end. `look` gives all event files, as `LiveFiles.look` does."""

    def __init__(self, look: Callable[[], tuple[LiveFile, ...]], run_id: str = "", wait: bool = False) -> None:
        """Only a run whose id begins with `run_id` is followed. With `wait`, killed runs are passed over."""
        self._look = look
        self._run_id = run_id
        self._wait = wait
        self._run: LiveRun | None = None
        self._known: set[int] = set()
        self.problems: dict[str, None] = {}
        """The sentences about files that cannot be used, each once."""
        self.others: tuple[LiveRun, ...] = ()
        """The other runs that are played into the same database, at the last look."""

    def now(self) -> Followed:
        """What has become of it by now. Once it has stopped or ended it stays so."""
        files = self._look()
        self.problems |= dict.fromkeys(each.problem for each in files if each.problem)
        followed = next((each for each in files if self._is_followed(each)), None)
        if followed is None:
            return Followed("none" if self._run is None else "ended", self._run)
        assert followed.run is not None
        self._run = followed.run
        self.others = tuple(
            each.run for each in files if each.run is not None and each.state == "running" and each.run is not self._run
        )
        return Followed(followed.state, self._run)

    def _is_followed(self, file: LiveFile) -> bool:
        if file.run is None:
            return False
        if self._run is not None:
            return file.run.run == self._run.run
        return file.run.run.startswith(self._run_id) and file.state in ("running", *["stopped"] * (not self._wait))

    def news(self, run: LiveRun) -> list[LiveResult]:
        """The games that ended since the last call, the oldest first; only those that `run.last` still has."""
        new = [result for result in reversed(run.last) if result.number not in self._known]
        # A game's number comes once in a run, and only the last games are told.
        self._known = {result.number for result in run.last}
        return new
