"""Stops an engine while its opponent thinks, and makes sure that no process stays stopped after our end.

Owns SIGSTOP, SIGCONT and a guard process. A stopped engine cannot notice that its stdin was closed, so the guard, a
shell, waits on a pipe for our end and kills the engine then. Processes that left the engine's group are not stopped;
their CPU time is counted (`protocol.stopwatch`).
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable

# The read ends when the pipe is closed, so also when this process dies.
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
