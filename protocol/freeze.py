"""Stops an engine while its opponent thinks, and makes sure that no process stays stopped after our end.

Owns SIGSTOP, SIGCONT and a guard process. A stopped engine cannot notice that its stdin was closed, so the guard, a
shell, waits on a pipe for our end and kills the engine then. Processes that left the engine's groups are stopped once
the watchdog has seen them; without containment nobody looks for them.
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable

from protocol.containment import signals
from protocol.containment.process_tree import ProcessInfo
from protocol.containment.sandbox import Sandbox

# The read ends when the pipe is closed, so also when this process dies. All processes of an engine have its mark.
_GUARD = """
read -r _
mark=$1
shift
for group in "$@"; do kill -s CONT -- "-$group"; kill -s KILL -- "-$group"; done
[ -n "$mark" ] && for limits in $(grep -ls "$mark" /proc/[0-9]*/limits); do
    pid=${limits#/proc/}
    kill -s KILL "${pid%/limits}"
done
"""


class Freezer:
    """Stops and continues the processes of one running engine. Close it before the engine is ended."""

    def __init__(self, sandbox: Sandbox) -> None:
        """Start the guard of an engine that has been started."""
        self._groups = tuple(dict.fromkeys(map(os.getpgid, (sandbox.pid, sandbox.cpu_pid))))
        self._outside: list[ProcessInfo] = []
        """Its processes that have left these groups."""
        sandbox.on_look = self._look
        mark = str(sandbox.mark[0][1]) if sandbox.mark else ""
        self._guard: subprocess.Popen[bytes] | None = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", mark, *map(str, self._groups)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._frozen = False

    def freeze(self) -> None:
        """Stop the engine. A second call does nothing."""
        if not self._frozen and self._guard is not None:
            self._frozen = True
            self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue the engine. A second call does nothing."""
        if self._frozen:
            self._frozen = False
            self._send(signal.SIGCONT)

    def close(self) -> None:
        """Continue the engine and end the guard. A second call does nothing."""
        self.thaw()
        guard, self._guard = self._guard, None
        if guard is not None:
            # Kill the guard before the pipe is closed: at the end of the pipe it would kill the engine.
            guard.kill()
            guard.wait()
            assert guard.stdin is not None
            guard.stdin.close()

    def _send(self, number: signal.Signals) -> None:
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
        for member in self._outside:
            signals.send(member, number)

    def _look(self, members: Iterable[ProcessInfo]) -> None:
        living = [member for member in members if not member.dead]
        self._outside = [member for member in living if _group(member.pid) not in self._groups]
        if self._frozen:
            for member in living:
                if not member.stopped:
                    signals.send(member, signal.SIGSTOP)


def _group(pid: int) -> int:
    """The process group, 0 for a process that has ended."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0
