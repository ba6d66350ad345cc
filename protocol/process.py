"""One engine as a process: whole lines out, whole lines in, each with a deadline. The only file that knows pipes.

Owns the process, its group and its pipes. Independent of the meaning of a line and of its caps
(`protocol.line_buffer`). Nothing here blocks without a deadline: one poll object watches stdout, stderr and the
process. Only `read_known` reads a blocking pipe, and an alarm ends that read.
"""

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from protocol import stops
from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.sandbox import Sandbox
from protocol.containment.watchdog import WATCH_MS, Watchdog
from protocol.deadlines import DEADLINES
from protocol.launch import describe_exit, launch
from protocol.line_buffer import LineBuffer
from protocol.read_alarm import LONGEST_READ_NS, ReadAlarm, do_nothing
from protocol.stderr_log import StderrLog
from protocol.transport import Answer, Exit, TransportClosed, TransportFlooded, TransportTimeout

_CHUNK: Final = 64 * 1024
_ANSWER: Final = 256
"""The bytes of one direct read, more than a known answer has."""
_MOST_UNREAD: Final = 64
"""The number of lines that are looked at of those that nobody waited for."""
_TERM_MS = 1_000
_REAP_MS = 5_000
_DEATH_MS = 200
_FALLBACK_POLL_MS = 5
"""The interval of checks for the exit, on systems without pidfd."""

# Looked up once, since each is called twice a ply.
_read: Final = os.read
_write: Final = os.write


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and its sandbox: by default only a session of its own."""

    argv: tuple[str, ...]
    policy: SandboxPolicy = field(default_factory=lambda: SandboxPolicy(Level.NONE))


class EngineProcess:
    """A running engine. The caller of `spawn` must `close` or `kill` it; a `with` block does."""

    def __init__(
        self, popen: "subprocess.Popen[bytes]", sandbox: Sandbox, watchdog: Watchdog, alarm: ReadAlarm | None = None
    ) -> None:
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
        self.pid = popen.pid
        self.cpu_pid = sandbox.cpu_pid
        """The process whose CPU time `cpu_ns` reads. With its own pid namespace it is not `pid`."""
        self._popen = popen
        self._sandbox, self._watchdog, self._alarm = sandbox, watchdog, alarm
        self._in, self._out, self._err = popen.stdin.fileno(), popen.stdout.fileno(), popen.stderr.fileno()
        self._poll_object = select.poll()
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._poll_object.register(self._out, select.POLLIN)
        self._poll_object.register(self._err, select.POLLIN)
        try:
            # It shows the engine's end at once, even if a child still holds the pipe open.
            self._pidfd = os.pidfd_open(self.pid)
            self._poll_object.register(self._pidfd, select.POLLIN)
        except (AttributeError, OSError):
            self._pidfd = -1
        self._poll = self._poll_object.poll
        stdout_alone = select.poll()
        stdout_alone.register(self._out, select.POLLIN)
        self._poll_stdout = stdout_alone.poll
        self._lines = LineBuffer()
        self._end_of_file = False
        self._gone = False
        self._stderr = StderrLog(self._err)
        self._exit: Exit | None = None
        self._stops = stops.count
        self._blocking = False
        """False if stdout is non-blocking for sure."""
        self._read_directly = alarm is not None
        """True if stdout may be read without a poll of everything."""
        self._alarm_handler = self._on_alarm
        self.before_wait: Callable[[], None] = do_nothing
        """Called before each wait for a line, except in `read_known`. Used to measure our own delay."""
        self.looked_ns = 0
        """How long the look of the watchdog before this wait took, in which nobody read the engine's output."""

    @classmethod
    def spawn(cls, command: Command, watchdog: Watchdog | None = None, alarm: ReadAlarm | None = None) -> Self:
        """Start the command in its sandbox, at least in its own session. Raises CannotStart with one sentence.

        `watchdog` watches all engines of this process; None makes one for this engine. `alarm` is the process's own,
        for engines that the main thread talks to; with None, `read_known` reads nothing.
        """
        watchdog = watchdog or Watchdog()
        # Until its pid is known, the watchdog would take the child for a stray process and kill it.
        with watchdog.lock:
            sandbox = watchdog.add(command.policy, command.argv)
            popen = None
            try:
                popen = launch(sandbox)
                sandbox.started(popen.pid)
                return cls(popen, sandbox, watchdog, alarm)
            except BaseException:
                if popen is not None:
                    sandbox.reap()
                    popen.wait(_REAP_MS / 1_000)
                    for pipe in filter(None, (popen.stdin, popen.stdout, popen.stderr)):
                        pipe.close()
                watchdog.release(sandbox)
                raise

    @property
    def sandbox(self) -> Sandbox:
        """Its sandbox, which knows the processes that left it."""
        return self._sandbox

    def __enter__(self) -> "EngineProcess":
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

    def ask(self, data: bytes, deadline_ns: int, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        """Write whole lines, then `read_known`."""
        self.send(data, deadline_ns)
        return self.read_known(known, within_ns)

    def _send_rest(self, rest: memoryview, deadline_ns: int) -> None:
        # Read its stdout meanwhile, up to the cap of a turn: an engine that waits for room on its stdout cannot read.
        self._poll_object.register(self._in, select.POLLOUT)
        try:
            while rest:
                now_ns = time.monotonic_ns()
                left_ns = deadline_ns - now_ns
                if left_ns <= 0:
                    raise TransportTimeout
                self._watchdog.tick(now_ns)
                for fd, _ in self._poll(_poll_ms(left_ns)):
                    if fd == self._in:
                        with contextlib.suppress(BlockingIOError):
                            written = _write(self._in, rest)
                            rest = rest[written:]
                    else:
                        self._read_ready(fd)
                if self._lines.overflow:
                    raise TransportFlooded(self._lines.overflow)
                if self._gone or self._end_of_file:
                    raise TransportClosed(self._end_clause("closed its stdout"))
        except OSError as error:
            raise TransportClosed(self._end_clause("closed its stdin")) from error
        finally:
            self._poll_object.unregister(self._in)

    def read_known(self, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        """The value in `known` of the bytes that come within some ms, which must be exactly one line.

        None if other bytes or none come, or if `within_ns` is too short to wait; call `receive` then.
        """
        alarm = self._alarm
        if alarm is None or not self._read_directly or self._lines.pending or within_ns < LONGEST_READ_NS:
            # Once after each alarm, `receive` handles what a direct read does not see.
            self._read_directly = self._lines.between_lines and not (self._gone or self._end_of_file)
            return None
        alarm.handler = self._alarm_handler
        if not alarm.running:
            alarm.start()
        if not self._blocking:
            # In this order, since the alarm may come in between.
            os.set_blocking(self._out, True)
            self._blocking = True
        try:
            answer = _read(self._out, _ANSWER)
        except BlockingIOError:
            self._blocking = False
            return None
        value = known.get(answer)
        if value is None:
            self._add_chunk(answer)
        return value

    def _on_alarm(self) -> None:
        """The alarm's handler: make stdout non-blocking, and use poll for the next line."""
        os.set_blocking(self._out, False)
        self._blocking = self._read_directly = False

    def receive(self, deadline_ns: int) -> bytes:
        """The next line, without its newline. Raises TransportTimeout, TransportClosed, TransportFlooded."""
        while True:
            line = self._lines.next()
            if line is not None:
                return line
            if not self._lines.between_lines:
                self._read_directly = False  # the rest of a line is no known answer
            if self._gone or self._end_of_file:
                # The pipe may still have the last output.
                if self._end_of_file or not self._read():
                    raise TransportClosed(self._end_clause("closed its stdout"))
                continue
            now_ns = time.monotonic_ns()
            left_ns = deadline_ns - now_ns
            if left_ns <= 0:
                if self._stops == stops.count:
                    raise TransportTimeout
                # We were stopped. What came meanwhile is in the pipes.
                self._stops = stops.count
                for fd, _ in self._poll(0):
                    self._read_ready(fd)
                continue
            if self._alarm is not None:
                self._alarm.stop()
            self.looked_ns = self._watchdog.tick(now_ns)
            self.before_wait()
            for fd, _ in self._poll(_poll_ms(left_ns)):
                self._read_ready(fd)

    @property
    def has_unread(self) -> bool:
        """True if its stdout has bytes that were not returned by `receive`."""
        if self._end_of_file:
            return False
        return bool(self._lines.pending) or not self._lines.between_lines or bool(self._poll_stdout(0))

    def take_unread(self) -> Sequence[bytes]:
        """The first lines that have come already, without their newlines. All else that has come is dropped.

        It waits for nothing. Raises TransportFlooded.
        """
        if not self.has_unread:
            return ()
        # Not more than is there now: an engine that never stops writing must not keep us here.
        count = bytearray(4)
        fcntl.ioctl(self._out, termios.FIONREAD, count)
        left = int.from_bytes(count, sys.byteorder)
        while left > 0:
            chunk = _read(self._out, min(left, _CHUNK))
            if not self._add_chunk(chunk):
                break
            left -= len(chunk)
        lines: list[bytes] = []
        while len(lines) < _MOST_UNREAD and (line := self._lines.next()) is not None:
            lines.append(line)
        self._lines.discard()
        return lines

    def begin_turn(self) -> None:
        """Start a new count of the bytes of a turn."""
        self._lines.begin_turn()

    def _read_ready(self, fd: int) -> None:
        if fd == self._out:
            self._read()
        elif fd == self._err:
            if not self._stderr.read():
                self._poll_object.unregister(fd)
        elif fd == self._pidfd:
            self._gone = True
            self._poll_object.unregister(fd)
            # The pipe is read once more without a poll. It must not block, since a child may hold it open.
            self._on_alarm()

    def _read(self) -> bool:
        """Read stdout into the buffer. False if it had nothing."""
        try:
            chunk = _read(self._out, _CHUNK)
        except BlockingIOError:
            return False
        return self._add_chunk(chunk)

    def _add_chunk(self, chunk: bytes) -> bool:
        """Put a chunk into the buffer. False at the end of the file."""
        if not chunk:
            self._end_of_file = True
            self._read_directly = False
            self._poll_object.unregister(self._out)
            return False
        self._lines.add(chunk)
        return True

    def stderr_tail(self) -> bytes:
        """The last 64 KiB of its stderr, as far as they have been read."""
        return self._stderr.tail()

    def cpu_ns(self) -> int | None:
        """The CPU time of all its threads since its start, None if unknown (after its end, on macOS)."""
        try:
            return time.clock_gettime_ns(((~self.cpu_pid) << 3) | 2)
        except OSError:
            return None

    def _end_clause(self, otherwise: str) -> str:
        """How it ended, as a clause. Waits a moment for the exit, since the pipes close before it."""
        if self._sandbox.ended_for is not None:
            return self._sandbox.ended_for
        if self._exit is not None:
            return f"was ended ({self._exit.text})"
        if self._pidfd < 0:
            status = self._popen.poll()
            return otherwise if status is None else describe_exit(status)
        waiter = select.poll()
        waiter.register(self._pidfd, select.POLLIN)
        if not waiter.poll(_DEATH_MS):
            return otherwise
        # Do not reap it: its pid must stay taken until the group has been killed.
        state = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if state is None:
            return otherwise
        status = state.si_status if state.si_code == os.CLD_EXITED else -state.si_status
        return describe_exit(self._sandbox.exit_status(status))

    def end_input(self) -> None:
        """Close its stdin."""
        if self._popen.stdin is not None and not self._popen.stdin.closed:
            self._popen.stdin.close()

    def wait(self, deadline_ns: int) -> bool:
        """Wait for its exit and discard its output meanwhile. False if the deadline passed."""
        while True:
            if self._exit is not None or self._gone:
                return True
            if self._pidfd < 0 and self._popen.poll() is not None:
                self._gone = True
                continue
            now_ns = time.monotonic_ns()
            left_ns = deadline_ns - now_ns
            if left_ns <= 0:
                return False
            self._watchdog.tick(now_ns)
            timeout_ms = _poll_ms(left_ns)
            for fd, _ in self._poll(timeout_ms if self._pidfd >= 0 else min(timeout_ms, _FALLBACK_POLL_MS)):
                self._read_ready(fd)
                if fd == self._out:
                    self._lines.discard()

    def close(self, quit_ms: int = DEADLINES.quit_ms) -> Exit:
        """Send `quit`, after quit_ms SIGTERM, a second later SIGKILL. Always SIGKILL the rest of its group then."""
        if self._exit is not None:
            return self._exit
        with contextlib.suppress(OSError, ValueError):
            os.write(self._in, b"quit\n")
        self.end_input()
        ignored = ""
        if not self._wait_ms(quit_ms):
            ignored = "; it ignored quit"
            # The group's number is the engine's pid, which stays taken until _finish reaps the engine.
            self._sandbox.signal(signal.SIGTERM)
            if not self._wait_ms(_TERM_MS):
                ignored = "; it ignored quit and SIGTERM"
        return self._finish(ignored)

    def send_sigkill(self) -> None:
        """Send SIGKILL to its whole group, from another thread. The thread that talks to it will notice the end."""
        self._sandbox.signal(signal.SIGKILL)

    def kill(self) -> Exit:
        """End it and its whole group with SIGKILL."""
        return self._exit if self._exit is not None else self._finish("")

    def _wait_ms(self, ms: int) -> bool:
        return self.wait(time.monotonic_ns() + ms * 1_000_000)

    def _finish(self, ignored: str) -> Exit:
        self._sandbox.reap()
        if self._alarm is not None:
            # Before the pipe is closed: another file may get its number. Also, an alarm during the shutdown of the
            # interpreter would end the process.
            self._alarm.handler = do_nothing
            self._alarm.stop()
        try:
            status = self._sandbox.exit_status(self._popen.wait(_REAP_MS / 1_000))
            self._exit = Exit(status, describe_exit(status).removeprefix("ended with ").removeprefix("was ") + ignored)
        except subprocess.TimeoutExpired:
            self._exit = Exit(None, f"not gone {_REAP_MS} ms after SIGKILL{ignored}")
        with contextlib.suppress(OSError):
            # Read only once: a process that left the group may write for ever.
            self._stderr.read()
        self.end_input()
        for pipe in (self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()
        pidfd, self._pidfd = self._pidfd, -1  # first: a worker may be stopped here and end the engine again
        if pidfd >= 0:
            os.close(pidfd)
        self._end_of_file = self._gone = True
        self._read_directly = False
        self._lines.discard()
        self._watchdog.release(self._sandbox)
        return self._exit


def _poll_ms(left_ns: int) -> int:
    return min(-(-left_ns // 1_000_000), WATCH_MS)
