"""All cells of one process, looked at together: an engine is watched also while the other one thinks.

Makes this process the one that orphans fall to, and ends those that belong to no cell any more.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Sequence

from protocol.containment import kernel, process_tree, scratch, signals
from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.sandbox import Sandbox

WATCH_MS = 50
"""How often cells are looked at, and so the longest that a wait for an engine may poll at a time."""

_ROUNDS = 20
"""How often strays are looked for at the end of an engine: killing one lets another one fall to us."""


class Watchdog:
    """Made once in a process that runs engines; has no thread, so it sees only when it is told to `tick`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held while cells come, go or are looked at: several threads may each talk to an engine of their own."""
        self._cells: list[Sandbox] = []
        self._next_ns = 0
        self._ours = (0, 0)
        self._begun = False

    def cell(self, box: SandboxPolicy, argv: Sequence[str]) -> Sandbox:
        """A cell that is watched from now on until it is `release`d. Raises CannotStart."""
        cell = Sandbox(box, argv)
        if box.level is not Level.NONE:
            if not self._begun:
                with contextlib.suppress(OSError):
                    kernel.become_subreaper()
                self._ours = process_tree.boxes("self")
                self._begun = True
                scratch.sweep()
            self._cells.append(cell)
        return cell

    def release(self, cell: Sandbox) -> None:
        """After the wait for its process: end what is left of it, remove its scratch. Again: nothing happens."""
        with self.lock:
            cell.reap()
            cell.close()
            if cell in self._cells:
                self._cells.remove(cell)
                for _ in range(_ROUNDS):
                    strays = self._strays()
                    if not strays:
                        break
                    signals.wait_for(strays[0], WATCH_MS)

    def tick(self, now_ns: int) -> None:
        """Look at every cell if the last look was 50 ms ago; who is over a cap is ended and says so in `ended_for`."""
        if now_ns < self._next_ns or not self._cells:
            return
        with self.lock:
            self._next_ns = now_ns + WATCH_MS * 1_000_000
            for cell in self._cells:
                cell.watch()
            self._strays()

    def _strays(self) -> list[int]:
        """End, and name, processes that left an engine without its token before anybody saw them, whosever they are.

        They are children of ours, of another session (nobody can join ours) and more boxed in than we are (nobody can
        shed that); a child that we started on purpose is not, unless it is a cell's.
        """
        ours = os.getsid(0)
        strays = []
        for pid in process_tree.children(os.getpid()):
            member = process_tree.look(pid)
            if (
                member is None
                or member.session == ours
                or any(pid == cell.pid or cell.owns(pid) for cell in self._cells)
            ):
                continue
            boxed = process_tree.boxes(pid)
            if boxed == self._ours or boxed < self._ours:
                continue
            if member.dead:
                signals.bury(pid)
            else:
                signals.send(member, signal.SIGKILL)
                strays.append(pid)
        return strays
