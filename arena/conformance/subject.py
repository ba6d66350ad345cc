"""An engine's process with what only a checker needs: to misuse its pipes and to measure its process group.

Independent of lines and their meaning.
"""

import contextlib
import os
import select
import signal
from pathlib import Path
from typing import NamedTuple

from arena.conformance import runtime_threads
from protocol.cpu_meter import CpuMeter
from protocol.process import Command, EngineProcess

_PROC = Path("/proc")


class Usage(NamedTuple):
    """The memory and the threads of a process group at one moment."""

    memory_bytes: int
    threads: int
    peak_bytes: int
    runtimes: tuple[int, ...] = ()
    """The processes of a runtime with threads of its own (`runtime_threads`), which `threads` does not count."""


class Subject(EngineProcess):
    """A running engine under test."""

    @classmethod
    def launch(cls, command: Command) -> "Subject":
        """Start the command. Raises CannotStart."""
        subject = cls.spawn(command)
        assert isinstance(subject, Subject)
        return subject

    @property
    def unfinished(self) -> bytes:
        """The start of a line whose newline has not come yet."""
        return self._lines.unfinished

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
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                state, group, session = fields[0], int(fields[2]), int(fields[3])
                if self.pid in (group, session) and int(folder.name) != self.pid and state not in "ZX":
                    pids.append(int(folder.name))
        return pids

    def asleep(self) -> bool:
        """True if no thread of the group runs or wants to, so that it waits for something. True if nobody can tell."""
        for pid in (self.pid, *self.group_members()):
            with contextlib.suppress(OSError, IndexError):
                for task in (_PROC / str(pid) / "task").iterdir():
                    if (task / "stat").read_text().rpartition(")")[2].split()[0] in "RD":
                        return False
        return True

    def usage(self) -> Usage | None:
        """The memory and the threads of the whole group, None if the system does not tell."""
        total, threads, peak, runtimes = 0, 0, 0, []
        for pid in (self.pid, *self.group_members()):
            try:
                status = dict(
                    line.split(":", 1) for line in (_PROC / str(pid) / "status").read_text().splitlines() if ":" in line
                )
                total += int(status["VmRSS"].split()[0]) * 1024
                peak += int(status["VmHWM"].split()[0]) * 1024
                if int(status["Threads"]) > 1 and runtime_threads.has_runtime(pid):
                    runtimes.append(pid)
                else:
                    threads += int(status["Threads"])
            except (OSError, KeyError, ValueError):
                continue
        return Usage(total, threads, peak, tuple(runtimes)) if total else None
