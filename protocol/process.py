"""One engine as a process: whole lines out, whole lines in, each with a deadline. The only file that knows pipes.

Owns the process, its group and its pipes. Independent of what a line means and of how long it may be
(`protocol.line_buffer`).
Nothing here blocks without a deadline: one poll object watches stdout, stderr and the process itself, and only
`at_once` reads a blocking pipe, for as long as an alarm lets it. stderr is a log; its last 64 KiB are kept for the
engine's author.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Self

from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.sandbox import Sandbox
from protocol.containment.watchdog import WATCH_MS, Watchdog
from protocol.launch import ending, launch
from protocol.line_buffer import LineBuffer
from protocol.read_alarm import AT_MOST_NS, ReadAlarm, nothing
from protocol.stderr_log import StderrLog
from protocol.transport import Answer, Exit, TransportClosed, TransportFlooded, TransportTimeout

_CHUNK: Final = 64 * 1024
_ANSWER: Final = 256
"""More than an engine answers at once."""
_TERM_MS = 1_000
_REAP_MS = 5_000
_DEATH_MS = 200
_LONGEST_POLL_MS = 3_600_000
_FALLBACK_POLL_MS = 5
"""Where there is no pidfd, how often the exit is looked for."""

# Looked up once: each is called twice a ply.
_read: Final = os.read
_write: Final = os.write


@dataclass(frozen=True, slots=True)
class Command:
    """What to run: the arguments, and the box that it runs in; by default none but a session of its own."""

    argv: tuple[str, ...]
    box: SandboxPolicy = field(default_factory=lambda: SandboxPolicy(Level.NONE))


class EngineProcess:
    """A running engine. Whoever spawned it must `close` or `kill` it; a `with` block does."""

    def __init__(
        self, popen: "subprocess.Popen[bytes]", cell: Sandbox, warden: Watchdog, alarm: ReadAlarm | None = None
    ) -> None:
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
        self.pid = popen.pid
        self.cpu_pid = cell.cpu_pid
        """Whose CPU time `cpu_ns` reads; a containment with its own pid namespace sets another one."""
        self._popen = popen
        self._cell, self._warden, self._alarm = cell, warden, alarm
        self._in, self._out, self._err = popen.stdin.fileno(), popen.stdout.fileno(), popen.stderr.fileno()
        self._poll_object = select.poll()
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._poll_object.register(self._out, select.POLLIN)
        self._poll_object.register(self._err, select.POLLIN)
        try:
            # Says at once that the engine is gone even where a child of it still holds the pipe.
            self._pidfd = os.pidfd_open(self.pid)
            self._poll_object.register(self._pidfd, select.POLLIN)
        except (AttributeError, OSError):
            self._pidfd = -1
        self._poll = self._poll_object.poll
        self._lines = LineBuffer()
        self._end_of_file = False
        self._gone = False
        self._errors = StderrLog(self._err)
        self._exit: Exit | None = None
        self._blocking = False
        """Where it is False stdout does not block; where it is True it may."""
        self._quick = alarm is not None
        """May stdout be read without looking at anything else?"""
        self._end_read = self._ring
        self.before_wait: Callable[[], None] = nothing
        """Called before each wait for a line but those of `at_once`; for those who measure how late we are."""

    @classmethod
    def spawn(cls, command: Command, warden: Watchdog | None = None, alarm: ReadAlarm | None = None) -> Self:
        """Start the command in its box, its own session at least. Raises CannotStart with one clear sentence.

        `warden` watches all engines of this process; None, for a lone engine: one of its own. `alarm` is this
        process's, for engines that are spoken to from its main thread; None: nothing is read `at_once`.
        """
        warden = warden or Watchdog()
        # Until its pid is known a child of ours would be taken for somebody's stray.
        with warden.lock:
            return cls._spawn(command, warden, alarm)

    @classmethod
    def _spawn(cls, command: Command, warden: Watchdog, alarm: ReadAlarm | None) -> Self:
        cell = warden.cell(command.box, command.argv)
        popen = None
        try:
            popen = launch(cell)
            cell.started(popen.pid)
            return cls(popen, cell, warden, alarm)
        except BaseException:
            if popen is not None:
                cell.reap()
                popen.wait(_REAP_MS / 1_000)
            warden.release(cell)
            raise

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def send(self, data: bytes, deadline_ns: int) -> None:
        """Write whole lines: one system call when they fit the pipe. Raises what `receive` raises."""
        try:
            written = _write(self._in, data)
        except BlockingIOError:
            written = 0
        except OSError as error:
            raise TransportClosed(self._death("closed its stdin")) from error
        if written != len(data):
            self._send_rest(memoryview(data)[written:], deadline_ns)

    def ask(self, data: bytes, deadline_ns: int, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        """Write whole lines and look at what comes `at_once`."""
        self.send(data, deadline_ns)
        return self.at_once(known, within_ns)

    def _send_rest(self, rest: memoryview, deadline_ns: int) -> None:
        # Its stdout is read meanwhile, at most a turn's bytes: an engine that is stuck writing cannot read.
        self._poll_object.register(self._in, select.POLLOUT)
        try:
            while rest:
                now_ns = time.monotonic_ns()
                left_ns = deadline_ns - now_ns
                if left_ns <= 0:
                    raise TransportTimeout
                self._warden.tick(now_ns)
                for fd, _ in self._poll(_poll_ms(left_ns)):
                    if fd == self._in:
                        with contextlib.suppress(BlockingIOError):
                            written = _write(self._in, rest)
                            rest = rest[written:]
                    else:
                        self._heard(fd)
                if self._lines.flooded:
                    raise TransportFlooded(self._lines.flooded)
                if self._gone or self._end_of_file:
                    raise TransportClosed(self._death("closed its stdout"))
        except OSError as error:
            raise TransportClosed(self._death("closed its stdin")) from error
        finally:
            self._poll_object.unregister(self._in)

    def at_once(self, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        """What `known` has for the bytes that come within some ms, and so for one whole line and nothing more.

        None where something else comes or nothing, or `within_ns` is less than that may take: then `receive` has it.
        """
        alarm = self._alarm
        if alarm is None or not self._quick or self._lines.waiting or within_ns < AT_MOST_NS:
            # After a ring, once: `receive` looks after what is not looked at here.
            self._quick = self._lines.idle and not (self._gone or self._end_of_file)
            return None
        alarm.ring = self._end_read
        if not alarm.on:
            alarm.start()
        if not self._blocking:
            # In this order: the alarm may ring in between.
            os.set_blocking(self._out, True)
            self._blocking = True
        try:
            answer = _read(self._out, _ANSWER)
        except BlockingIOError:
            self._blocking = False
            return None
        found = known.get(answer)
        if found is None:
            self._take(answer)
        return found

    def _ring(self) -> None:
        """The alarm rings: from now on stdout is not blocking, and next time everything is looked at."""
        os.set_blocking(self._out, False)
        self._blocking = self._quick = False

    def receive(self, deadline_ns: int) -> bytes:
        """The next line, without its newline. Raises TransportTimeout, TransportClosed, TransportFlooded."""
        while True:
            line = self._lines.next()
            if line is not None:
                return line
            if not self._lines.idle:
                self._quick = False  # in the midst of a line there is no known answer to come
            if self._gone or self._end_of_file:
                # What it wrote before it ended is in the pipe.
                if self._end_of_file or not self._read():
                    raise TransportClosed(self._death("closed its stdout"))
                continue
            now_ns = time.monotonic_ns()
            left_ns = deadline_ns - now_ns
            if left_ns <= 0:
                raise TransportTimeout
            if self._alarm is not None:
                self._alarm.stop()
            self._warden.tick(now_ns)
            self.before_wait()
            for fd, _ in self._poll(_poll_ms(left_ns)):
                self._heard(fd)

    def begin_turn(self) -> None:
        """Start counting the bytes of a turn from nothing."""
        self._lines.begin_turn()

    def _heard(self, fd: int) -> None:
        if fd == self._out:
            self._read()
        elif fd == self._err:
            if not self._errors.read():
                self._poll_object.unregister(fd)
        elif fd == self._pidfd:
            self._gone = True
            self._poll_object.unregister(fd)
            # A child of it may hold the pipe, which is read once more without asking whether there is something.
            self._ring()

    def _read(self) -> bool:
        """Take what stdout has into the buffer. False where it had nothing."""
        try:
            chunk = _read(self._out, _CHUNK)
        except BlockingIOError:
            return False
        return self._take(chunk)

    def _take(self, chunk: bytes) -> bool:
        """Put what was read into the buffer. False where it is the end of the file."""
        if not chunk:
            self._end_of_file = True
            self._quick = False
            self._poll_object.unregister(self._out)
            return False
        self._lines.add(chunk)
        return True

    def stderr_tail(self) -> bytes:
        """The last 64 KiB that it wrote on stderr, as far as they have been read."""
        return self._errors.tail()

    def cpu_ns(self) -> int | None:
        """CPU time of all its threads since it started, None where the system does not tell (it is gone, macOS)."""
        try:
            return time.clock_gettime_ns(((~self.cpu_pid) << 3) | 2)
        except OSError:
            return None

    def _death(self, otherwise: str) -> str:
        """How it ended, as a clause; waits a moment for the exit, since pipes close before it."""
        if self._cell.ended_for is not None:
            return self._cell.ended_for
        if self._exit is not None:
            return f"was ended ({self._exit.text})"
        if self._pidfd < 0:
            status = self._popen.poll()
            return otherwise if status is None else ending(status)
        waiter = select.poll()
        waiter.register(self._pidfd, select.POLLIN)
        if not waiter.poll(_DEATH_MS):
            return otherwise
        # Not reaped: its pid must stay ours until the group has been killed.
        state = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if state is None:
            return otherwise
        status = state.si_status if state.si_code == os.CLD_EXITED else -state.si_status
        return ending(self._cell.exit_status(status))

    def end_input(self) -> None:
        """Close its stdin, so that it reads the end of the file."""
        if self._popen.stdin is not None and not self._popen.stdin.closed:
            self._popen.stdin.close()

    def wait(self, deadline_ns: int) -> bool:
        """Wait for its exit and let it write meanwhile, to nobody. False where the deadline passed."""
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
            self._warden.tick(now_ns)
            timeout_ms = _poll_ms(left_ns)
            for fd, _ in self._poll(timeout_ms if self._pidfd >= 0 else min(timeout_ms, _FALLBACK_POLL_MS)):
                self._heard(fd)
                if fd == self._out:
                    self._lines.drop()

    def close(self, quit_ms: int = 2_000) -> Exit:
        """`quit`, SIGTERM after quit_ms, SIGKILL a second later; then always SIGKILL for what is left of its group."""
        if self._exit is not None:
            return self._exit
        with contextlib.suppress(OSError, ValueError):
            os.write(self._in, b"quit\n")
        self.end_input()
        ignored = ""
        if not self._wait_ms(quit_ms):
            ignored = "; it ignored quit"
            # The group's number is the engine's pid, which stays taken until it is reaped in _finish.
            self._cell.signal(signal.SIGTERM)
            if not self._wait_ms(_TERM_MS):
                ignored = "; it ignored quit and SIGTERM"
        return self._finish(ignored)

    def strike(self) -> None:
        """SIGKILL for its whole group, from another thread than the one that talks to it and will see its end."""
        self._cell.signal(signal.SIGKILL)

    def kill(self) -> Exit:
        """SIGKILL for its whole group, now."""
        return self._exit if self._exit is not None else self._finish("")

    def _wait_ms(self, ms: int) -> bool:
        return self.wait(time.monotonic_ns() + ms * 1_000_000)

    def _finish(self, ignored: str) -> Exit:
        self._cell.reap()
        if self._alarm is not None:
            # Before the pipe is closed: its number may soon be somebody else's. And an alarm that rang while the
            # interpreter goes down would end the process.
            self._alarm.ring = nothing
            self._alarm.stop()
        try:
            status = self._cell.exit_status(self._popen.wait(_REAP_MS / 1_000))
            self._exit = Exit(status, ending(status).removeprefix("ended with ").removeprefix("was ") + ignored)
        except subprocess.TimeoutExpired:
            self._exit = Exit(None, f"not gone {_REAP_MS} ms after SIGKILL{ignored}")
        with contextlib.suppress(OSError):
            # What the pipe holds, and no more: somebody who left the group may be writing for ever.
            self._errors.read()
        self.end_input()
        for pipe in (self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()
        pidfd, self._pidfd = self._pidfd, -1  # before: a worker may be stopped in between, and ends it again
        if pidfd >= 0:
            os.close(pidfd)
        self._end_of_file = self._gone = True
        self._quick = False
        self._lines.drop()
        self._warden.release(self._cell)
        return self._exit


def _poll_ms(left_ns: int) -> int:
    return min(-(-left_ns // 1_000_000), WATCH_MS)
