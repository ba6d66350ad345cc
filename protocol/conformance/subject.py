"""An engine's process as a checker sees it: what a referee has, and what only a checker wants to do to one.

Owns the pipes held open, shut and left unread on purpose, and the figures that the system keeps of a process group.
Refuses to know lines and meanings.
"""

import contextlib
import os
import select
import signal
from pathlib import Path
from typing import NamedTuple

from protocol.containment.watchdog import Watchdog
from protocol.process import Command, EngineProcess

_PROC = Path("/proc")


class Usage(NamedTuple):
    """What a process and its group take at one moment."""

    memory_bytes: int
    threads: int
    peak_bytes: int


class Subject(EngineProcess):
    """A running engine that can be maltreated."""

    @classmethod
    def launch(cls, command: Command, warden: Watchdog) -> "Subject":
        """Start the command. Raises CannotStart."""
        subject = cls.spawn(command, warden)
        assert isinstance(subject, Subject)
        return subject

    @property
    def unfinished(self) -> bytes:
        """The start of a line whose end has not come."""
        return self._lines.unfinished

    def leave_errors(self) -> None:
        """Stop reading its stderr, so that the pipe fills."""
        self._poll_object.unregister(self._err)

    def read_errors(self) -> None:
        """Read its stderr again."""
        self._poll_object.register(self._err, select.POLLIN)

    def close_output(self) -> None:
        """Let go of its stdout, as a reader does that has died."""
        self._poll_object.unregister(self._out)
        # The number stays taken, so that nobody else's pipe is taken for this one.
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, self._out, inheritable=False)
        os.close(nothing)

    def send_blindly(self, data: bytes) -> None:
        """Write to its stdin, whether or not anybody reads there."""
        with contextlib.suppress(OSError):
            os.write(self._in, data)

    def terminate(self) -> None:
        """SIGTERM for the process alone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def exit_status(self) -> int | None:
        """Its exit status, negative for a signal, without reaping it; None while it lives."""
        state = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if state is None:
            return None
        return state.si_status if state.si_code == os.CLD_EXITED else -state.si_status

    def companions(self) -> list[int]:
        """The other living processes of its group and session."""
        found = []
        for folder in _PROC.glob("[0-9]*"):
            with contextlib.suppress(OSError, ValueError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                state, group, session = fields[0], int(fields[2]), int(fields[3])
                if self.pid in (group, session) and int(folder.name) != self.pid and state not in "ZX":
                    found.append(int(folder.name))
        return found

    def usage(self) -> Usage | None:
        """Memory and threads of the whole group, None where the system does not tell."""
        total, threads, peak = 0, 0, 0
        for pid in (self.pid, *self.companions()):
            try:
                status = dict(
                    line.split(":", 1) for line in (_PROC / str(pid) / "status").read_text().splitlines() if ":" in line
                )
                total += int(status["VmRSS"].split()[0]) * 1024
                peak += int(status["VmHWM"].split()[0]) * 1024
                threads += int(status["Threads"])
            except (OSError, KeyError, ValueError):
                continue
        return Usage(total, threads, peak) if total else None
