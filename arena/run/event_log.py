"""The file of `--events`: one JSON object a line, for other programs. It names each stored game once.

docs/reference/EVENTS.md describes each event.
"""

import json
import os
from pathlib import Path

from results.store.disk import naming
from results.store.files import is_database

LINE_START = b'{"event": "'
"""Every line of a log begins with this."""
GAME_EVENTS = (LINE_START + b'game"', LINE_START + b'lost"')
"""The lines that say which games the log names begin with one of these."""


class NotAnEventLog(ValueError):
    """A file with other content than events. The message is one clause without a subject."""


class EventLog:
    """A file of events, to which each run is added, or a pipe or device that takes them. It must be closed."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. A last line that a kill cut short is removed. Raises OSError and NotAnEventLog."""
        self._path = path
        if is_database(path):  # only SQLite may open that: it may be the run's own
            raise NotAnEventLog("is a database; name another file")
        self._is_file = path.is_file() or not path.exists()
        # A pipe or device is not read: that would wait for what we are about to write.
        flags = os.O_RDWR | os.O_CREAT if self._is_file else os.O_WRONLY
        self._file = os.open(path, flags | os.O_APPEND | os.O_CLOEXEC, 0o644)
        if not self._is_file:
            return
        try:
            head = os.pread(self._file, len(LINE_START), 0)
            if head != LINE_START[: len(head)]:
                raise NotAnEventLog("is not a file of events; name another file, or a new one")
            size = os.fstat(self._file).st_size
            whole = _whole_lines(self._file, size)
            if whole < size:
                os.ftruncate(self._file, whole)
        except BaseException:
            self.close()
            raise

    def logged(self, run: str) -> set[int]:
        """The numbers of the run's games that the log names as won or drawn, and not as lost after that."""
        numbers: set[int] = set()
        if not self._is_file:
            return numbers
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.startswith(GAME_EVENTS) or run.encode() not in line:
                    continue
                try:
                    event = json.loads(line)
                    if event["run"] != run:
                        continue
                    if event["event"] == "lost":
                        numbers.discard(event["number"])
                    elif event["winner"] is not None:
                        numbers.add(event["number"])
                except (ValueError, KeyError, TypeError):  # changed by hand
                    continue
        return numbers

    def write(self, line: str) -> None:
        """Add a line in one write, so that a kill does not leave half of it."""
        data = line.encode()
        with naming(self._path):
            while data:
                data = data[os.write(self._file, data) :]

    def close(self) -> None:
        os.close(self._file)


def _whole_lines(file: int, size: int) -> int:
    """The number of bytes up to the end of the last whole line of a file."""
    step = 1 << 16
    end = size
    while end > 0:
        start = max(0, end - step)
        newline = os.pread(file, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0
