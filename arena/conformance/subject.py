"""An engine's process with what only a checker needs: to misuse its pipes and to measure its process group."""

import contextlib
import os
import select
import signal
from pathlib import Path
from typing import NamedTuple

from protocol.cpu_meter import CpuMeter
from protocol.process import Command, EngineProcess
from protocol.transport import TransportTimeout

_PROC = Path("/proc")


class Usage(NamedTuple):
    """The memory of a process group at one moment, and the most that it had."""

    memory_bytes: int
    peak_bytes: int


class ProbedProcess(EngineProcess):
    """A running engine under test."""

    _late_ns = 0
    _before_late_ns: int | None = None

    @classmethod
    def launch(cls, command: Command) -> "ProbedProcess":
        """Start the command. Raises CannotStart."""
        subject = cls.spawn(command)
        assert isinstance(subject, ProbedProcess)
        return subject

    @property
    def unfinished(self) -> bytes:
        """The start of a line whose newline has not come yet."""
        return self._lines.unfinished

    def begin_turn(self) -> None:
        """Start a new count of the bytes of a turn, and keep what has come."""
        self._lines.begin_turn()

    def receive(self, deadline_ns: int) -> bytes:
        """The next line. Raises TransportTimeout, TransportClosed, TransportFlooded."""
        if 0 < self._late_ns < deadline_ns:
            with contextlib.suppress(TransportTimeout):
                return super().receive(self._late_ns)
            self._late_ns, self._before_late_ns = 0, self.cpu_ns()
        return super().receive(deadline_ns)

    def count_from(self, late_ns: int) -> None:
        """Count the CPU time that it uses from this moment on, if no line has come by then."""
        self._late_ns, self._before_late_ns = late_ns, None

    def counted_ns(self) -> int:
        """The CPU time since the moment of `count_from`; 0 if that has not come, or if the system does not tell."""
        now_ns = None if self._before_late_ns is None else self.cpu_ns()
        return 0 if now_ns is None or self._before_late_ns is None else now_ns - self._before_late_ns

    def stop_reading_stderr(self) -> None:
        """Stop reading its stderr, so that the pipe fills up."""
        self._poll_object.unregister(self._err)

    def resume_reading_stderr(self) -> None:
        """Read its stderr again."""
        self._poll_object.register(self._err, select.POLLIN)

    def close_output(self) -> None:
        """Close our end of its stdout, as a reader that has died does."""
        self._poll_object.unregister(self._out)
        # The descriptor's number stays in use, so that no other pipe gets it.
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, self._out, inheritable=False)
        os.close(nothing)

    def send_ignoring_errors(self, data: bytes) -> None:
        """Write to its stdin and ignore errors."""
        with contextlib.suppress(OSError):
            os.write(self._in, data)

    def cpu_ns(self) -> int | None:
        """The CPU time of all its processes since its start; None if the system does not tell."""
        meter = CpuMeter(self.box)
        try:
            return meter.cpu_ns()
        finally:
            meter.close()

    def terminate(self) -> None:
        """Send SIGTERM to the process alone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def has_failed(self) -> bool:
        """True if the process ended by itself, by a signal or with an exit status that is not 0."""
        with contextlib.suppress(ChildProcessError):
            return self.box.end_clause() is None and self.exit_status() not in (None, 0)
        return False

    def group_members(self) -> list[int]:
        """The other living processes of its group and session."""
        pids = []
        for folder in _PROC.glob("[0-9]*"):
            with contextlib.suppress(OSError, ValueError):
                state, _, group, session, *_ = _stat(folder)
                if self.pid in (int(group), int(session)) and int(folder.name) != self.pid and state not in b"ZX":
                    pids.append(int(folder.name))
        return pids

    def asleep(self) -> bool:
        """True if no thread of the group runs or wants to, so that it waits for something. True if nobody can tell."""
        for pid in (self.pid, *self.group_members()):
            with contextlib.suppress(OSError, IndexError):
                for task in (_PROC / str(pid) / "task").iterdir():
                    if _stat(task)[0] in b"RD":
                        return False
        return True

    def usage(self) -> Usage | None:
        """The memory of the whole group, None if the system does not tell."""
        now, peak = 0, 0
        for pid in (self.pid, *self.group_members()):
            with contextlib.suppress(OSError, KeyError, ValueError):
                lines = (_PROC / str(pid) / "status").read_bytes().split(b"\n")
                status = {name: value.split() for name, _, value in (line.partition(b":") for line in lines)}
                now += int(status[b"VmRSS"][0]) * 1024
                peak += int(status[b"VmHWM"][0]) * 1024
        return Usage(now, peak) if now else None


def _stat(folder: Path) -> list[bytes]:
    """The fields that follow the name of a process or thread, which may be any bytes."""
    return (folder / "stat").read_bytes().rpartition(b")")[2].split()
