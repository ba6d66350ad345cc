"""One contained start: what Popen needs, the scratch folder, the look at what the engine uses, its end.

Owns the scratch and knows which processes are the engine's. Starts nothing itself and knows no pipe of the engine's:
`protocol.process` starts what stands here, reaps the process it started, and leaves the rest to the cell.
"""

import contextlib
import logging
import os
import resource
import signal
import time
from collections.abc import Callable, Sequence

from protocol.containment import bubblewrap, kernel, paths, process_tree, scratch, seccomp, signals
from protocol.containment.child_setup import ChildSetup, limits
from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.usage_caps import UsageCaps
from protocol.faults import CannotStart

TOKEN = "ARENA_CELL"
"""In the environment of everything that an engine starts, so that what leaves its session is still known as its own."""
_REAP_MS = 2_000
_LOOK_MS = 10


class Sandbox:
    """One engine's box. Make it, start `argv`, say `started`; at the end `reap`, then wait for `pid`, then `close`."""

    def __init__(self, box: SandboxPolicy, argv: Sequence[str]) -> None:
        """Raises CannotStart where this machine cannot make the box or there is no such program."""
        self.box = box
        self.argv = list(argv)
        self.directory: str | None = box.directory
        self.environment: dict[str, str] | None = {**os.environ, **box.environment} if box.environment else None
        self.enter: Callable[[], None] | None = None
        """For Popen's preexec_fn."""
        self.pass_fds: tuple[int, ...] = ()
        self.scratch: str | None = None
        self.pid = 0
        self.cpu_pid = 0
        """The engine's own process, seen from here; differs from `pid` in `strict`."""
        self.ended_for: str | None = None
        """Why `watch` ended it, as a clause; None while it has not."""
        self._entry: ChildSetup | None = None
        self._child_ends: tuple[int, ...] = ()
        self._info = self._go = -1
        self._token = os.urandom(16).hex()
        self._seen: dict[int, int] = {}
        self._started = 0
        self._meter: UsageCaps | None = None
        self._reaped = False
        if box.level is not Level.NONE:
            try:
                self._contain()
            except BaseException:
                self.close()
                raise

    def _contain(self) -> None:
        if not kernel.LINUX:
            raise CannotStart(f"containment `{self.box.level}` needs Linux; run with the level `none` here")
        if not self.argv or not self.argv[0]:
            raise CannotStart("the command is empty: name the program to run")
        path = self.box.environment.get("PATH") or os.environ.get("PATH") or os.defpath
        executable = paths.find(self.argv[0], path, self.box.directory)
        if executable is None:
            where = "" if os.sep in self.argv[0] else " on the PATH"
            reason = f"there is no such program{where}"
            if os.sep in self.argv[0] and os.path.exists(os.path.join(self.box.directory or "", self.argv[0])):
                reason = "it is not an executable file (a script needs `chmod +x`)"
            raise CannotStart(f"cannot start {self.argv[0]}: {reason}")
        self.argv[0] = executable
        folder = self.scratch = scratch.make()
        self._meter = UsageCaps(self.box.caps, folder, 1 if self.box.level is Level.STRICT else 0)
        if self.directory is None:
            self.directory = folder
        self.environment = {
            "PATH": path,
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "HOME": folder,
            "TMPDIR": folder,
            # numba's cache lies beside the source, which is not for writing.
            "NUMBA_CACHE_DIR": folder,
            **self.box.environment,
            TOKEN: self._token,
        }
        reads = paths.readable(executable, self.argv, self.box.directory, self.box.reads)
        if self.box.level is Level.STRICT:
            self._wrap(reads, folder)
        else:
            devices = (*paths.DEVICES, *paths.RANDOM)
            self._entry = self.enter = ChildSetup(self.box.caps, (*reads, *paths.KERNEL), devices, folder)

    def _wrap(self, reads: Sequence[str], folder: str) -> None:
        machine = kernel.machine()
        if not seccomp.supported(machine):
            raise CannotStart(f"containment `strict` knows no system calls of {machine}; run with the level `basic`")
        os.mkdir(os.path.join(folder, "shm"), 0o700)
        self._info, info = os.pipe()
        self._child_ends = (info,)
        go, self._go = os.pipe()
        self._child_ends += (go,)
        filter_fd, filter_end = os.pipe()
        self._child_ends += (filter_fd,)
        with open(filter_end, "wb") as file:
            file.write(seccomp.program(machine, strict=True))
        assert self.directory is not None and self.environment is not None
        # Granted to the engine, not to bubblewrap, which would load them outside the box.
        loader = {name: self.environment.pop(name) for name in list(self.environment) if name.startswith("LD_")}
        # What of /sys an engine asks for is how many CPUs there are; the box has a /proc of its own.
        reads = (*reads, *(path for path in paths.KERNEL if path != "/proc" and os.path.exists(path)))
        self.pass_fds = (info, go, filter_fd)
        inside = bubblewrap.Inside(tuple(self.argv), self.directory, loader)
        self.argv = bubblewrap.wrap(inside, reads, folder, self.pass_fds)

    def refusal(self) -> str:
        """Why the child did not come as far as exec, where Popen could only say that it failed."""
        at = self._entry.stopped_at if self._entry is not None else "entering the box"
        return f"its box could not be closed, it failed at {at}; the level `none` runs it uncontained"

    def started(self, pid: int) -> None:
        """The child runs under `pid`: let it go. Raises CannotStart; then kill and reap `pid` as ever."""
        self.pid = self.cpu_pid = pid
        self._close_child_ends()
        if self._entry is not None:
            self._entry.close()
        member = process_tree.look(pid)
        if member is not None:
            self._started = self._seen[pid] = member.started
        if self.box.level is Level.STRICT:
            self.cpu_pid = bubblewrap.engine_pid(self._info)
            self._limit(self.cpu_pid)
            os.write(self._go, b"\n")

    def _limit(self, pid: int) -> None:
        wanted = limits(self.box.caps)
        if self.box.caps.threads is not None:
            # The kernel counts per user namespace, so only the engine's own; root of the machine it never counts.
            wanted += ((resource.RLIMIT_NPROC, self.box.caps.threads),)
        try:
            for what, value in wanted:
                resource.prlimit(pid, what, (value, value))
        except OSError as error:
            raise CannotStart(f"cannot limit the engine in its box: {error}") from error

    def watch(self) -> str | None:
        """Look at what the engine uses; over a cap it is ended at once. The reason, None while there is none."""
        if self.ended_for is None and self.pid and self._meter is not None:
            self.ended_for = self._meter.over(self.members())
            if self.ended_for is not None:
                self.signal(signal.SIGKILL)
        return self.ended_for

    def _is_ours(self) -> bool:
        """Whether `pid` is still the process that was started."""
        if self.box.level is Level.NONE:
            # Runs where there is no /proc to ask; Popen's caller has not reaped it yet.
            return True
        member = process_tree.look(self.pid)
        return member is not None and member.started == self._started

    def members(self) -> list[process_tree.Member]:
        """Its processes now, also those that left it and became children of ours; in `strict` bubblewrap too."""
        roots = self._adopted()
        if self._is_ours():
            roots.append(self.pid)
        most = self.box.caps.processes
        found = process_tree.members(roots, 10_000 if most is None else 2 * most + 16)
        self._seen = {member.pid: member.started for member in found}
        return found

    def _adopted(self) -> list[int]:
        """Children of ours that are not what Popen started, and are this engine's."""
        return [pid for pid in process_tree.children(os.getpid()) if pid != self.pid and self.owns(pid)]

    def owns(self, pid: int) -> bool:
        """Whether a process is this engine's: seen in its tree before, or still carrying its token."""
        member = process_tree.look(pid)
        if member is None:
            return False
        return self._seen.get(pid) == member.started or self._token.encode() in process_tree.environment(pid)

    def signal(self, number: signal.Signals) -> None:
        """To its group and to all that left it. `pid` must not be reaped yet: till then its number stays taken."""
        if not self.pid:
            return
        found = self.members() if self.box.level is not Level.NONE else []
        # bubblewrap ends by SIGTERM and takes the engine with it, which was to be asked first.
        if self._is_ours() and (self.box.level is not Level.STRICT or number == signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        for member in found:
            if member.pid != self.pid and not member.dead:
                signals.send(member, number)

    def reap(self) -> None:
        """SIGKILL for all of it, and no zombie of it left but `pid`, which stays Popen's. Waits 2 s at most."""
        if not self.pid or self._reaped:
            return
        self._reaped = True
        self.signal(signal.SIGKILL)
        if self.box.level is Level.NONE:
            return
        deadline_ns = time.monotonic_ns() + _REAP_MS * 1_000_000
        while rest := self._rest():
            if time.monotonic_ns() > deadline_ns:
                logging.getLogger(__name__).warning("processes of an engine outlive SIGKILL: %s", rest)
                return
            signals.wait_for(rest[0].pid, _LOOK_MS)

    def _rest(self) -> list[process_tree.Member]:
        """Kill again whoever was born meanwhile and bury the dead; those that are still there."""
        rest = []
        for member in self.members():
            if member.dead and member.parent == os.getpid():
                if member.pid != self.pid:
                    signals.bury(member.pid)
            else:
                signals.send(member, signal.SIGKILL)
                rest.append(member)
        return rest

    def exit_status(self, status: int) -> int:
        """Popen's return code as the engine's own: bubblewrap says 128 + signal where a signal ended the engine."""
        if self.box.level is Level.STRICT and 128 < status <= 128 + signal.NSIG:
            return 128 - status
        return status

    def close(self) -> None:
        """Remove the scratch, close what is open. Again: nothing happens."""
        self._close_child_ends()
        if self._entry is not None:
            self._entry.close()
        ends = self._info, self._go
        self._info = self._go = -1  # before: a worker may be stopped in between, and closes again
        for fd in ends:
            if fd >= 0:
                os.close(fd)
        if self.scratch is not None:
            scratch.remove(self.scratch)
            self.scratch = None

    def _close_child_ends(self) -> None:
        for fd in self._child_ends:
            os.close(fd)
        self._child_ends = ()
