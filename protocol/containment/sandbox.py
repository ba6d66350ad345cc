"""The sandbox of one engine: the arguments for Popen, the scratch folder, the check of its caps, its end.

Owns the scratch folder and knows which processes belong to the engine. Independent of the engine's pipes.
`protocol.process` starts the command and reaps that process; the sandbox ends and reaps all others.
"""

import contextlib
import logging
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from protocol import cpu_counter
from protocol.containment import bubblewrap, engine_user, kernel, mark, paths, process_tree, scratch, seccomp, signals
from protocol.containment.child_setup import ChildSetup, every_rlimit, set_limits
from protocol.containment.policy import Level, SandboxPolicy
from protocol.containment.usage_caps import UsageCaps
from protocol.faults import CannotStart

TOKEN = "ARENA_CELL"
"""A variable in the environment of all processes of an engine. It identifies those that left its session."""
_REAP_MS = 2_000
_LOOK_MS = 10


class Sandbox:
    """One engine's sandbox. Start `argv`, call `started`; at the end `reap`, wait for `pid`, and `close`."""

    def __init__(self, policy: SandboxPolicy, argv: Sequence[str]) -> None:
        """Raises CannotStart if this machine cannot make the sandbox or there is no such program."""
        self.policy = policy
        self.argv = list(argv)
        self.directory: str | None = policy.directory
        self.environment: dict[str, str] | None = {**os.environ, **policy.environment} if policy.environment else None
        self.enter: Callable[[], None] | None = None
        """The function for Popen's preexec_fn."""
        self.pass_fds: tuple[int, ...] = ()
        self.user: int | None = None
        """The user, and the group, to start it as; None is our own."""
        self.scratch: str | None = None
        self.pid = 0
        self.cpu_pid = 0
        """The engine's own process in our pid namespace. In `strict` it differs from `pid`, which is bubblewrap."""
        self.counter = -1
        """The descriptor of the counter of its CPU time, -1 if the kernel gives none; see `cpu_counter`."""
        self.ended_for: str | None = None
        """The reason why `enforce_caps` ended it, as a clause; None if it did not."""
        self.on_look: Callable[[list[process_tree.ProcessInfo]], None] | None = None
        """Called with its processes at each look of the watchdog."""
        self._child_setup: ChildSetup | None = None
        self._child_ends: tuple[int, ...] = ()
        self._info = self._go = -1
        self.departed_ns = 0
        """The CPU time of the processes that left it and have ended, with the children that they waited for."""
        self._token = os.urandom(16).hex()
        self.mark = mark.make() if policy.level is not Level.NONE else ()
        self._seen: dict[int, int] = {}
        self._started = 0
        self._usage_caps: UsageCaps | None = None
        self._reaped = False
        if policy.level is not Level.NONE:
            try:
                self._contain()
            except BaseException:
                self.close()
                raise

    def _contain(self) -> None:
        if self.policy.loopback and self.policy.level is Level.BASIC:
            install = "" if bubblewrap.program() else f"{bubblewrap.REMEDY}, and "
            raise CannotStart(
                f"it needs TCP on a loopback of its own, which `basic` cannot give: {install}play with --contain strict"
            )
        if not kernel.LINUX:
            raise CannotStart(f"containment `{self.policy.level}` needs Linux; run with the level `none` here")
        if not self.argv or not self.argv[0]:
            raise CannotStart("the command is empty: name the program to run")
        path = self.policy.environment.get("PATH") or os.environ.get("PATH") or os.defpath
        executable = paths.find(self.argv[0], path, self.policy.directory)
        if executable is None:
            where = "" if os.sep in self.argv[0] else " on the PATH"
            reason = f"there is no such program{where}"
            if os.sep in self.argv[0] and os.path.exists(os.path.join(self.policy.directory or "", self.argv[0])):
                reason = "it is not an executable file (a script needs `chmod +x`)"
            raise CannotStart(f"cannot start {self.argv[0]}: {reason}")
        self.argv[0] = executable
        self.user = self._choose_user(executable)
        folder = self.scratch = scratch.make(self.user)
        self._usage_caps = UsageCaps(self.policy.caps, folder, 1 if self.policy.level is Level.STRICT else 0)
        if self.directory is None:
            self.directory = folder
        self.environment = {
            "PATH": path,
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "HOME": folder,
            "TMPDIR": folder,
            # numba's default cache is beside the source, which is read-only.
            "NUMBA_CACHE_DIR": folder,
            # A user without a name: libraries ask this variable first.
            **({} if self.user is None else {"USER": "engine"}),
            **self.policy.environment,
            TOKEN: self._token,
        }
        reads = paths.readable(executable, self.argv, self.policy.directory, self.policy.reads)
        lists: tuple[str, ...] = ()
        if self.policy.closed is not None:
            reads, lists = paths.without(reads, self.policy.closed)
        if self.policy.level is Level.STRICT:
            self._wrap(reads, lists, folder)
        else:
            devices = (*paths.DEVICES, *paths.RANDOM)
            self._child_setup = self.enter = ChildSetup(
                self.policy.caps,
                (*reads, *paths.KERNEL),
                lists,
                devices,
                folder,
                self.mark,
                keep_user=self.user is None,
            )

    def _choose_user(self, executable: str) -> int | None:
        if os.geteuid() != 0:
            return None
        policy = self.policy
        needed = list(paths.needed(executable, self.argv, policy.directory, policy.reads))
        strict = policy.level is Level.STRICT
        if strict:
            needed.append(bubblewrap.program() or "")
        user = engine_user.choose(needed, tempfile.gettempdir())
        return None if user is None or (strict and not bubblewrap.works_for_others()) else user

    def _wrap(self, reads: Sequence[str], lists: Sequence[str], folder: str) -> None:
        machine = kernel.machine()
        if not seccomp.supported(machine):
            raise CannotStart(f"containment `strict` knows no system calls of {machine}; run with the level `basic`")
        shared = os.path.join(folder, "shm")
        os.mkdir(shared, 0o700)
        if self.user is not None:
            os.chown(shared, self.user, self.user)
            # bubblewrap itself runs as this user, and only root with all capabilities may limit processes of others.
            self.enter = set_limits(every_rlimit(self.policy.caps) + self.mark)
            reads = [path for path in reads if engine_user.can_read(path)]
        self._info, info = os.pipe()
        self._child_ends = (info,)
        go, self._go = os.pipe()
        self._child_ends += (go,)
        texts = [seccomp.program(machine, strict=True, loopback=self.policy.loopback)]
        texts += [bubblewrap.HOSTS] if self.policy.loopback else []
        for text in texts:
            read_end, write_end = os.pipe()
            self._child_ends += (read_end,)
            with open(write_end, "wb") as file:
                file.write(text)
        assert self.directory is not None and self.environment is not None
        # These are for the engine. bubblewrap would load them outside of the sandbox.
        loader = {name: self.environment.pop(name) for name in list(self.environment) if name.startswith("LD_")}
        # Engines read the number of CPUs in /sys. The sandbox has its own /proc.
        reads = (*reads, *(path for path in paths.KERNEL if path != "/proc" and os.path.exists(path)))
        self.pass_fds = self._child_ends
        inside = bubblewrap.Inside(tuple(self.argv), self.directory, loader)
        self.argv = bubblewrap.wrap(inside, reads, lists, folder, self.pass_fds)

    @property
    def identity(self) -> dict[str, Any]:
        """The arguments for Popen that say as whom it runs."""
        return {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": ()}

    def setup_error(self) -> str:
        """The reason why the child failed before exec. Popen itself does not know it."""
        at = self._child_setup.stopped_at if self._child_setup is not None else "entering the sandbox"
        return f"its sandbox could not be set up: it failed at {at}; the level `none` runs it without one"

    def started(self, pid: int) -> None:
        """The child runs as `pid`: let it start the engine. Raises CannotStart; kill and reap `pid` then too."""
        self.pid = self.cpu_pid = pid
        # First: the worker may be told to end while it waits for the child, and only a known process is killed then.
        member = process_tree.read_process(pid)
        if member is not None:
            self._started = self._seen[pid] = member.started
        self._close_child_ends()
        if self._child_setup is not None:
            if self._child_setup.stops:
                self.counter = cpu_counter.opened_at_stop(pid)
            self._child_setup.close()
        if self.policy.level is Level.STRICT:
            self.cpu_pid = bubblewrap.engine_pid(self._info)
            self.counter = cpu_counter.opened(self.cpu_pid)
            if self.user is None:
                self._limit(self.cpu_pid)
        if self.policy.level is Level.NONE:
            self.counter = cpu_counter.opened(pid)
        else:
            self._offer_to_the_kernel()
        if self.policy.level is Level.STRICT:
            os.write(self._go, b"\n")

    def _offer_to_the_kernel(self) -> None:
        """Let a machine without memory end the engine, and not the referee or another program."""
        with contextlib.suppress(OSError), open(f"/proc/{self.cpu_pid}/oom_score_adj", "w") as file:
            file.write("1000")

    def _limit(self, pid: int) -> None:
        try:
            for what, value in every_rlimit(self.policy.caps) + self.mark:
                resource.prlimit(pid, what, (value, value))
        except OSError as error:
            raise CannotStart(f"cannot set the limits of the sandbox: {error}") from error

    def enforce_caps(self, others: Sequence[int] | None = None) -> str | None:
        """Check the engine's usage, and end it if it exceeds a cap. Returns the reason, None if there is none.

        `others` are our children that are no engine, if the caller has looked for them.
        """
        if self.ended_for is None and self.pid and self._usage_caps is not None:
            members = self.members(self._usage_caps.most_members, others)
            if self.on_look is not None:
                self.on_look(members)
            self.ended_for = self._usage_caps.exceeded(members)
            if self.ended_for is not None:
                self.signal(signal.SIGKILL)
        return self.ended_for

    def _is_ours(self) -> bool:
        """True if `pid` is still the process that was started."""
        if self.policy.level is Level.NONE:
            # There may be no /proc to ask. The caller of Popen has not reaped it yet.
            return True
        member = process_tree.read_process(self.pid)
        return member is not None and member.started == self._started

    def members(self, most: int = sys.maxsize, others: Sequence[int] | None = None) -> list[process_tree.ProcessInfo]:
        """Its current processes, also those that left it and became our children; in `strict` also bubblewrap.

        The search ends when it has found more than `most`, zombies included.
        """
        roots = self.detached_processes(others)
        if self._is_ours():
            roots.append(self.pid)
        members = process_tree.members(roots, most)
        self._seen = {member.pid: member.started for member in members}
        return members

    def detached_processes(self, others: Sequence[int] | None = None) -> list[int]:
        """The processes that left it and became our children. Those that have ended are reaped and their time noted.

        They are among `others`, if that is given.
        """
        if self.policy.level is Level.NONE:
            return []
        detached = []
        for pid in process_tree.children(os.getpid()) if others is None else others:
            if pid == self.pid or not self.owns(pid):
                continue
            try:
                ended, _, usage = os.wait4(pid, os.WNOHANG)
            except ChildProcessError:
                continue
            if ended:
                self.departed_ns += round((usage.ru_utime + usage.ru_stime) * 1e9)
            else:
                detached.append(pid)
        return detached

    def owns(self, pid: int) -> bool:
        """True if a process belongs to this engine: it has its mark or its token, or was seen in its tree before."""
        if mark.has(pid, self.mark):
            return True
        member = process_tree.read_process(pid)
        if member is None:
            return False
        return self._seen.get(pid) == member.started or self._token.encode() in process_tree.environment(pid)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to its group and to all that left it. `pid` must not be reaped yet, so that it stays taken."""
        if not self.pid:
            return
        members = self.members() if self.policy.level is not Level.NONE else []
        # SIGTERM would end bubblewrap, which kills the engine. The engine must get SIGTERM itself first.
        if self._is_ours() and (self.policy.level is not Level.STRICT or number == signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        for member in members:
            if member.pid != self.pid and not member.dead:
                signals.send(member, number)

    def reap(self) -> None:
        """Kill all its processes and reap all zombies but `pid`, which Popen reaps. Waits 2 s at most."""
        if not self.pid or self._reaped:
            return
        self._reaped = True
        self.signal(signal.SIGKILL)
        if self.policy.level is Level.NONE:
            return
        deadline_ns = time.monotonic_ns() + _REAP_MS * 1_000_000
        while rest := self._kill_remaining():
            if time.monotonic_ns() > deadline_ns:
                logging.getLogger(__name__).warning("processes of an engine outlive SIGKILL: %s", rest)
                return
            signals.wait_for(rest[0].pid, _LOOK_MS)

    def _kill_remaining(self) -> list[process_tree.ProcessInfo]:
        """Kill processes that started meanwhile and reap zombies. Returns the processes that still run."""
        rest = []
        for member in self.members():
            if member.dead and member.parent == os.getpid():
                if member.pid != self.pid:
                    signals.reap(member.pid)
            else:
                signals.send(member, signal.SIGKILL)
                rest.append(member)
        return rest

    def exit_status(self, status: int) -> int:
        """The engine's own exit status. bubblewrap reports the end by a signal as 128 + signal."""
        if self.policy.level is Level.STRICT and 128 < status <= 128 + signal.NSIG:
            return 128 - status
        return status

    def close(self) -> None:
        """Remove the scratch folder and close all descriptors. A second call does nothing."""
        self._close_child_ends()
        if self._child_setup is not None:
            self._child_setup.close()
        ends = self._info, self._go, self.counter
        self._info = self._go = self.counter = -1  # first: a worker may be stopped here and call `close` again
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
