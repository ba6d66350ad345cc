"""Checks all sandboxes of one process together, so that an engine is checked also while its opponent thinks.

Makes this process the subreaper of orphans, and kills those that belong to no sandbox any more.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Sequence

from protocol.containment import kernel, process_tree, scratch, signals
from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.sandbox import Sandbox

WATCH_MS = 50
"""The interval of the checks in ms, and so the longest single poll for an engine."""

_ROUNDS = 20
"""The number of searches for stray processes at the end of an engine. Killing one may make another our child."""


class Watchdog:
    """Made once in a process that runs engines. It has no thread and only acts when `tick` is called."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held during changes and checks of the sandboxes, since several threads may each talk to an engine."""
        self._sandboxes: list[Sandbox] = []
        self._next_ns = 0
        self._own_confinement = (0, 0)
        self._initialised = False

    def add(self, policy: SandboxPolicy, argv: Sequence[str]) -> Sandbox:
        """A new sandbox, which is checked until its `release`. Raises CannotStart."""
        sandbox = Sandbox(policy, argv)
        if policy.level is not Level.NONE:
            if not self._initialised:
                with contextlib.suppress(OSError):
                    kernel.become_subreaper()
                self._own_confinement = process_tree.confinement("self")
                self._initialised = True
                scratch.sweep()
            self._sandboxes.append(sandbox)
        return sandbox

    def release(self, sandbox: Sandbox) -> None:
        """End the sandbox of a reaped process: kill the rest, remove its scratch. A second call does nothing."""
        with self.lock:
            sandbox.reap()
            sandbox.close()
            if sandbox in self._sandboxes:
                self._sandboxes.remove(sandbox)
                for _ in range(_ROUNDS):
                    strays = self._kill_strays(self._other_children())
                    if not strays:
                        break
                    signals.wait_for(strays[0], WATCH_MS)

    def tick(self, now_ns: int) -> int:
        """Check all sandboxes if the last check was WATCH_MS ago. An engine over a cap is ended, see `ended_for`.

        Returns the ns that the check took, 0 if there was none. `now_ns` is the time of `time.monotonic_ns`.
        """
        if now_ns < self._next_ns or not self._sandboxes:
            return 0
        with self.lock:
            self._next_ns = now_ns + WATCH_MS * 1_000_000
            others = self._other_children()  # once for all: usually there are none, and nothing more is read
            for sandbox in self._sandboxes:
                sandbox.enforce_caps(others)
            self._kill_strays(others)
        return time.monotonic_ns() - now_ns

    def _other_children(self) -> list[int]:
        """Our children that are not the first processes of engines."""
        first = {sandbox.pid for sandbox in self._sandboxes}
        return [pid for pid in process_tree.children(os.getpid()) if pid not in first]

    def _kill_strays(self, others: Sequence[int]) -> list[int]:
        """Kill processes that left an engine without its token before a check saw them. Returns their pids.

        They are our children, in another session (a process cannot join ours) and more confined than we are (a process
        cannot undo that). Children that we started on purpose are not confined, except those of a sandbox.
        """
        ours = os.getsid(0)
        strays = []
        for pid in others:
            member = process_tree.read_process(pid)
            if member is None or member.session == ours or any(sandbox.owns(pid) for sandbox in self._sandboxes):
                continue
            if process_tree.confinement(pid) <= self._own_confinement:
                continue
            if member.dead:
                signals.reap(pid)
            else:
                signals.send(member, signal.SIGKILL)
                strays.append(pid)
        return strays
