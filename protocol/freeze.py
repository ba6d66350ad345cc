"""Stops an engine while its opponent thinks, and makes sure that no process stays stopped behind us.

Owns SIGSTOP and SIGCONT and a guard: a shell that waits on a pipe for our end, since a stopped engine cannot read that
its stdin has been closed. Refuses to know when an engine is idle. What left the engine's group is not stopped; what it
burns is counted (`protocol.stopwatch`).
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable

# Whatever was sent to it, the read ends when the pipe does: with us, or before it at `close`.
_GUARD = 'read -r _; for group in "$@"; do kill -s CONT -- "-$group"; kill -s KILL -- "-$group"; done'


class Freezer:
    """Stops and continues the process groups of one running engine. Close it before the engine is ended."""

    def __init__(self, pids: Iterable[int]) -> None:
        """Start the guard of the groups of these processes."""
        self._groups = tuple(dict.fromkeys(os.getpgid(pid) for pid in pids))
        self._guard: subprocess.Popen[bytes] | None = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", *map(str, self._groups)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._frozen = False

    def freeze(self) -> None:
        """Stop it. Twice is once."""
        if not self._frozen and self._guard is not None:
            self._frozen = True
            self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on. Twice is once."""
        if self._frozen:
            self._frozen = False
            self._send(signal.SIGCONT)

    def close(self) -> None:
        """Let it go on for good, and end the guard. Again: nothing happens."""
        self.thaw()
        guard, self._guard = self._guard, None
        if guard is not None:
            # Before the pipe: at its end the guard would end the engine.
            guard.kill()
            guard.wait()
            assert guard.stdin is not None
            guard.stdin.close()

    def _send(self, number: signal.Signals) -> None:
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
