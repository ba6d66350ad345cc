"""One engine as a process: whole lines out, whole lines in, each with a deadline. The only file that knows pipes.

Nothing here blocks without a deadline: one poll object watches stdout, stderr and the process.
"""

import contextlib
import itertools
import os
import select
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from protocol.containment.box import LOOK_MS, Box
from protocol.containment.policy import Level, SandboxPolicy
from protocol.deadlines import DEADLINES
from protocol.line_buffer import PIPE_CHUNKS, LineBuffer
from protocol.stderr_log import StderrLog
from protocol.transport import Exit, TransportClosed, TransportFlooded, TransportTimeout

_MOST_UNREAD: Final = 64
"""The number of lines that are looked at of those that nobody waited for."""
_TERM_MS = 1_000
_REAP_MS = 5_000
_DEATH_MS = 200

# Looked up once, since each is called twice a ply.
_write: Final = os.write
_now_ns: Final = time.monotonic_ns


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and its sandbox: by default only a session of its own."""

    argv: tuple[str, ...]
    policy: SandboxPolicy = field(default_factory=lambda: SandboxPolicy(Level.NONE))


class EngineProcess:
    """A running engine. The caller of `spawn` must `close` or `kill` it; a `with` block does."""

    def __init__(self, box: Box) -> None:
        popen = box.popen
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
        self.pid = popen.pid
        self.box = box
        self._popen = popen
        self._in, self._out, self._err = popen.stdin.fileno(), popen.stdout.fileno(), popen.stderr.fileno()
        self._poll_object = select.poll()
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        # It shows the engine's end at once, even if a child still holds the pipe open.
        self._pidfd = os.pidfd_open(self.pid)
        for fd in (self._out, self._err, self._pidfd):
            self._poll_object.register(fd, select.POLLIN)
        self._poll = self._poll_object.poll
        self._is_looked_at = box.group is None
        stdout_alone = select.poll()
        stdout_alone.register(self._out, select.POLLIN)
        self._poll_stdout = stdout_alone.poll
        self._lines = LineBuffer(self._out)
        self._gone = False
        self._stderr = StderrLog(self._err)
        self._exit: Exit | None = None

    @classmethod
    def spawn(cls, command: Command) -> Self:
        """Start the command in its box, at least in its own process group. Raises CannotStart with one sentence."""
        box = Box(command.policy, command.argv)
        try:
            return cls(box)
        except BaseException:
            box.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def send(self, data: bytes, deadline_ns: int) -> None:
        """Write whole lines, in one system call if the pipe has room. Raises what `receive` raises."""
        try:
            written = _write(self._in, data)
        except BlockingIOError:
            written = 0
        except OSError as error:
            raise TransportClosed(self._end_clause("closed its stdin")) from error
        if written != len(data):
            self._send_rest(memoryview(data)[written:], deadline_ns)

    def _send_rest(self, rest: memoryview, deadline_ns: int) -> None:
        # Read its stdout meanwhile, up to the cap of a turn: an engine that waits for room on its stdout cannot read.
        self._poll_object.register(self._in, select.POLLOUT)
        try:
            while rest:
                left_ns = deadline_ns - _now_ns()
                if left_ns <= 0:
                    raise TransportTimeout
                self._wait(left_ns)
                if self._lines.overflow:
                    raise TransportFlooded(self._lines.overflow)
                if self._gone or self._lines.has_ended:
                    raise TransportClosed(self._end_clause("closed its stdout"))
                with contextlib.suppress(BlockingIOError):
                    rest = rest[_write(self._in, rest) :]
        except OSError as error:
            raise TransportClosed(self._end_clause("closed its stdin")) from error
        finally:
            self._poll_object.unregister(self._in)

    def receive(self, deadline_ns: int) -> bytes:
        """The next line, without its newline. Raises TransportTimeout, TransportClosed, TransportFlooded."""
        lines = self._lines
        while not lines.whole:
            # On one CPU the engine has often answered before the write that woke it returned.
            if not lines.overflow and lines.read():
                continue
            if lines.overflow:
                raise TransportFlooded(lines.overflow)
            if self._gone or lines.has_ended:
                raise TransportClosed(self._end_clause("closed its stdout"))
            left_ns = deadline_ns - _now_ns()
            if left_ns > 0:
                self._wait(left_ns)
            elif not lines.read():  # what came while we were stopped, as by Ctrl-Z, is read however late it is
                raise TransportTimeout
        return lines.whole.popleft()

    def take_unread(self) -> Sequence[bytes]:
        """Begin a turn: return the first lines that have come already, and drop all else that has come.

        It waits for nothing. Raises TransportFlooded.
        """
        lines = self._lines
        unread: Sequence[bytes] = ()
        if lines.whole or lines.unfinished or self._poll_stdout(0):
            # At most what a pipe holds: an engine that never stops writing must not keep us here.
            for _ in range(PIPE_CHUNKS):
                if not lines.read():
                    break
            unread = [*itertools.islice(lines.whole, _MOST_UNREAD)]
            lines.discard()
        if lines.overflow:
            raise TransportFlooded(lines.overflow)
        lines.begin_turn()
        return unread

    def _wait(self, wait_ns: int) -> None:
        """Wait at most so long for output or the engine's end, and read what is there."""
        if self._is_looked_at:
            self.box.look(_now_ns())
            wait_ns = min(wait_ns, LOOK_MS * 1_000_000)
        for fd, _ in self._poll(-(-wait_ns // 1_000_000)):
            if fd == self._out:
                if not self._lines.read() and self._lines.has_ended:
                    self._poll_object.unregister(fd)
            elif fd == self._err:
                if not self._stderr.read():
                    self._poll_object.unregister(fd)
            elif fd == self._pidfd:
                self._gone = True
                self._poll_object.unregister(fd)

    def stderr_tail(self) -> bytes:
        """The last 64 KiB of its stderr that have been read."""
        return self._stderr.tail()

    def _end_clause(self, otherwise: str) -> str:
        """How it ended, as a clause. Waits a moment for the exit, since the pipes close before it."""
        if self._exit is not None:
            return f"was ended ({self._exit.text})"
        waiter = select.poll()
        waiter.register(self._pidfd, select.POLLIN)
        ended = waiter.poll(_DEATH_MS)
        if (reason := self.box.end_clause()) is not None:
            return reason
        status = self.exit_status() if ended else None
        return otherwise if status is None else describe_exit(self.box.exit_status(status))

    def exit_status(self) -> int | None:
        """Its exit status, negative for a signal, None while it runs. Its pid stays taken: it is not reaped."""
        state = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if state is None:
            return None
        return state.si_status if state.si_code == os.CLD_EXITED else -state.si_status

    def end_input(self) -> None:
        """Close its stdin."""
        if self._popen.stdin is not None and not self._popen.stdin.closed:
            self._popen.stdin.close()

    def wait(self, deadline_ns: int) -> bool:
        """Wait for its exit and discard its output meanwhile. False if the deadline passed."""
        while self._exit is None and not self._gone:
            left_ns = deadline_ns - _now_ns()
            if left_ns <= 0:
                return False
            self._wait(left_ns)
            self._lines.discard()
        return True

    def close(self, quit_ms: int = DEADLINES.quit_ms) -> Exit:
        """Send `quit`, after quit_ms SIGTERM, a second later SIGKILL. Always end the rest of its processes then."""
        if self._exit is not None:
            return self._exit
        with contextlib.suppress(OSError, ValueError):
            os.write(self._in, b"quit\n")
        self.end_input()
        ignored = ""
        if not self._wait_ms(quit_ms):
            ignored = "; it ignored quit"
            self.box.signal(signal.SIGTERM)
            if not self._wait_ms(_TERM_MS):
                ignored = "; it ignored quit and SIGTERM"
        return self._finish(ignored)

    def send_sigkill(self) -> None:
        """End it, from another thread. The thread that talks to it will notice."""
        self.box.signal(signal.SIGKILL)

    def kill(self) -> Exit:
        """End it and all its processes with SIGKILL."""
        return self._exit if self._exit is not None else self._finish("")

    def _wait_ms(self, ms: int) -> bool:
        return self.wait(_now_ns() + ms * 1_000_000)

    def _finish(self, ignored: str) -> Exit:
        self.box.signal(signal.SIGKILL)
        if self._wait_ms(_REAP_MS):  # Popen's own wait with a deadline sleeps between its looks
            status = self.box.exit_status(self._popen.wait())
            self._exit = Exit(status, describe_exit(status).removeprefix("ended with ").removeprefix("was ") + ignored)
        else:
            self._exit = Exit(None, f"not gone {_REAP_MS} ms after SIGKILL{ignored}")
        with contextlib.suppress(OSError):
            # Read only once: a process that left the group may write for ever.
            self._stderr.read()
        pidfd, self._pidfd = self._pidfd, -1  # first: a worker may be stopped here and end the engine again
        if pidfd >= 0:
            os.close(pidfd)
        self._lines.has_ended = self._gone = True
        self._lines.discard()
        self.box.close()
        return self._exit


def describe_exit(status: int) -> str:
    """How a process ended, as a clause for a sentence. `status` is negative for a signal."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
