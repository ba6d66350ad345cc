"""Starts one engine in its box, and ends all that is in it.

The first program is always a shell that waits for one line on its standard input. Meanwhile the arena puts it into its
control group and sets its limits; then it becomes the engine. So no Python runs between fork and exec, and nothing of
the engine runs before all of it holds.

    strict   bubblewrap: its own namespaces, the system and its own files read-only, a scratch in memory
    basic    Landlock and a filter of system calls, in a thread that starts the engine and lives no longer than it
    none     nothing
"""

import contextlib
import json
import logging
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from protocol.containment import landlock, reads, scratch, syscall_filter
from protocol.containment.group import Group, groups
from protocol.containment.policy import NO_CAPS, Level, SandboxPolicy
from protocol.faults import CannotStart

USER: Final = 0x7000_0000
"""The user of all engines of root: one that no system gives to anybody (systemd.io/UIDS-GIDS)."""
INSTALL: Final = "install bubblewrap (`apt install bubblewrap`, `dnf install bubblewrap`)"
LOOK_MS: Final = 1_000
"""How often an engine without a control group is looked at, while something is awaited from it."""
_WAIT: Final = ("/bin/sh", "-c", 'read -r _ && exec "$@"', "sh")
_CAP_THREADS: Final = ("/bin/sh", "-c", 'ulimit -p "$0" 2>/dev/null || ulimit -u "$0"; exec "$@"')
_HOSTS: Final = b"127.0.0.1 localhost arena\n"
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_SIGNALS: Final = 1_024
_START_MS: Final = 10_000
_NO_CAPABILITIES: Final = (
    "--bounding-set=-all",
    "--inh-caps=-all",
    "--securebits=+noroot,+noroot_locked,+no_setuid_fixup,+no_setuid_fixup_locked",
)
"""Root without capabilities, also after exec."""
_LOG: Final = logging.getLogger("arena")


class Box:
    """One engine's box and its processes. `close` ends them; a second call does nothing."""

    def __init__(self, policy: SandboxPolicy, argv: Sequence[str]) -> None:
        """Start the command. Raises CannotStart with one sentence."""
        self.policy = policy
        self.ended_for: str | None = None
        """Why `look` ended the engine, as a clause; None if it did not."""
        if not argv or not argv[0]:
            raise CannotStart("the command is empty: name the program to run")
        if policy.directory is not None and not os.path.isdir(policy.directory):
            raise CannotStart(f"cannot start {argv[0]}: there is no directory {policy.directory}")
        if policy.loopback and policy.level is Level.BASIC:
            install = "" if shutil.which("bwrap") else f"{INSTALL}, and "
            raise CannotStart(
                f"it needs TCP on a loopback of its own, which `basic` cannot give: {install}play with --contain strict"
            )
        path = policy.environment.get("PATH") or os.environ.get("PATH") or os.defpath
        program = _program(argv[0], path, policy.directory)
        contained = policy.level is not Level.NONE
        self.user = _user(program, argv, policy, path) if contained else None
        """The user that it runs as; None is ours."""
        self.scratch = scratch.make(self.user) if policy.level is Level.BASIC else None
        """Its folder for files, which is its HOME. In `strict` that is a /tmp of its own."""
        self._ended = threading.Event()
        self._next_look_ns = 0
        self.group: Group | None = None
        self._popen: subprocess.Popen[bytes] | None = None
        self.pid = 0
        """The engine's first process. In `strict` it is not the one that Popen started."""
        try:
            if (ours := groups()) is not None:
                with contextlib.suppress(OSError):
                    self.group = ours.group(policy.caps if contained else NO_CAPS)
            self._start(program, argv, path)
        except BaseException:
            self.close()
            raise

    @property
    def popen(self) -> "subprocess.Popen[bytes]":
        """The process that was started, and its pipes."""
        assert self._popen is not None
        return self._popen

    def _start(self, program: str, argv: Sequence[str], path: str) -> None:
        policy = self.policy
        # Its folder exists in `strict` only without links. A last link stays: a virtual environment is found by it.
        command = (reads.entry(program), *argv[1:])
        if policy.level is Level.NONE:
            environment = {**os.environ, **policy.environment}
            self._popen = self._launch((*_WAIT, *command), environment, policy.directory)
            self._let_go()
            self.pid = self.popen.pid
            return
        found = reads.readable(program, argv, policy.directory, policy.reads, path)
        home = self.scratch or "/tmp"
        environment = {
            "PATH": path,
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "HOME": home,
            "TMPDIR": home,
            "NUMBA_CACHE_DIR": home,  # its default lies beside the source, which is read-only
            **({} if self.user is None else {"USER": "engine"}),  # a user without a name
            **policy.environment,
        }
        if policy.level is Level.STRICT:
            self._start_strict(command, environment, found)
        else:
            self._start_basic(command, environment, found.paths)

    def _start_basic(self, command: Sequence[str], environment: Mapping[str, str], paths: Sequence[str]) -> None:
        assert self.scratch is not None
        rules = [(path, landlock.READ_DIR if listed else landlock.READ) for path, listed in self._closed(paths)]
        rules += [(path, landlock.READ) for path in reads.KERNEL] + [(path, landlock.DEVICE) for path in _DEVICES]
        rules.append((self.scratch, landlock.SCRATCH))
        words = (*_WAIT, *self._as_user(), *command)
        directory = self.policy.directory or self.scratch
        started: list[subprocess.Popen[bytes] | BaseException] = []
        has_started = threading.Event()

        def start_in_thread() -> None:
            try:
                _restrict(rules)
                started.append(self._launch(words, environment, directory))
            except BaseException as error:
                started.append(error)
            has_started.set()
            if self.group is None:  # the engine dies with the thread that started it
                self._ended.wait()

        # What a thread gives up, the processes that it starts lack. All other threads keep it.
        threading.Thread(target=start_in_thread, name="engine", daemon=True).start()
        has_started.wait()
        if isinstance(started[0], BaseException):
            raise started[0]
        self._popen = started[0]
        self._let_go()
        self.pid = self.popen.pid

    def _start_strict(self, command: Sequence[str], environment: dict[str, str], found: reads.Reads) -> None:
        bubblewrap = shutil.which("bwrap")
        if bubblewrap is None:
            raise CannotStart(f"containment `strict` needs bubblewrap, which is not on the PATH: {INSTALL}")
        if not syscall_filter.is_known(os.uname().machine):
            raise CannotStart(f"containment `strict` knows no system calls of {os.uname().machine}; `basic` needs none")
        info, info_of_child = os.pipe()
        children_fds = [info_of_child]
        try:
            texts = [syscall_filter.program("strict")] + [_HOSTS] * self.policy.loopback
            for text in texts:
                read_end, write_end = os.pipe()
                children_fds.append(read_end)
                with open(write_end, "wb") as file:
                    file.write(text)
            # These are for the engine. bubblewrap would load them outside of the sandbox.
            loader = {name: environment.pop(name) for name in list(environment) if name.startswith("LD_")}
            words = [*_WAIT, *self._as_user(), bubblewrap, *self._bubblewrap(found, children_fds, loader), "--"]
            if self.group is None and self.policy.caps.threads is not None:
                words += [*_CAP_THREADS, str(self.policy.caps.threads)]
            self._popen = self._launch((*words, *command), environment, "/", children_fds)
            for fd in children_fds:
                os.close(fd)
            children_fds = []
            self._let_go()
            self.pid = _engine_pid(info)
        finally:
            for fd in (info, *children_fds):
                os.close(fd)

    def _bubblewrap(self, found: reads.Reads, fds: Sequence[int], loader: Mapping[str, str]) -> list[str]:
        words = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
        words += ["--unshare-cgroup-try", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--hostname", "arena"]
        if self.group is None:
            words.append("--die-with-parent")
        if _has_disable_userns(shutil.which("bwrap") or ""):
            words.append("--disable-userns")
        disk_mb = self.policy.caps.disk_mb
        size = () if disk_mb is None else ("--size", str(disk_mb << 20))
        words += ["--proc", "/proc", "--dev", "/dev", *size, "--tmpfs", "/dev/shm", *size, "--tmpfs", "/tmp"]
        # bubblewrap runs as the user of engines, and cannot bind what that user may not reach.
        paths = found.paths if self.user is None else [each for each in found.paths if reads.may_everybody_reach(each)]
        for path, is_listed in self._closed(_with_links(paths)):
            words += ["--dir", path] if is_listed else ["--ro-bind-try", path, path]
        for written, real in found.aliases:
            words += ["--symlink", real, written]
        words += ["--ro-bind-try", "/sys/devices/system", "/sys/devices/system"]
        words += ["--ro-bind-try", "/sys/kernel/mm", "/sys/kernel/mm"]
        for text in fds[2:]:
            words += ["--ro-bind-data", str(text), "/etc/hosts"]
        words += ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"]
        words += ["--chdir", self.policy.directory or "/tmp"]
        for name, value in loader.items():
            words += ["--setenv", name, value]
        return [*words, "--info-fd", str(fds[0]), "--seccomp", str(fds[1])]

    def _closed(self, paths: Sequence[str]) -> Sequence[tuple[str, bool]]:
        return list(reads.without(paths, self.policy.closed))

    def _as_user(self) -> tuple[str, ...]:
        """The program that drops privileges before the engine starts, if one is needed and there."""
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            return ()
        words: tuple[str, ...] = ()
        if self.user is not None:
            words = ("--reuid", str(self.user), "--regid", str(self.user), "--clear-groups")
        elif os.geteuid() == 0 and self.policy.level is Level.BASIC:
            words = _NO_CAPABILITIES
        if self.group is None and self.policy.level is Level.BASIC:
            words += ("--pdeathsig", "KILL")
        return (setpriv, *words, "--") if words else ()

    def _launch(
        self, words: Sequence[str], environment: Mapping[str, str], directory: str | None, fds: Sequence[int] = ()
    ) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env=environment,
                pass_fds=tuple(fds),
                # A group of its own, which Ctrl-C in a terminal does not reach and which can be killed as one. And a
                # session of its own if ours has a terminal, which an engine could open. Else ours: the kernel shares
                # the CPUs among sessions first, and a ply would wait for its turn at each step from one to another.
                start_new_session=_has_terminal(),
                process_group=None if _has_terminal() else 0,
            )
        except ValueError as error:
            raise CannotStart(f"cannot start the engine: {error}") from error
        except OSError as error:
            raise CannotStart(f"cannot start the engine: {os.strerror(error.errno or 0)}") from error

    def _let_go(self) -> None:
        """Put the waiting shell into its group, set its limits, and let it become the engine."""
        child = self.popen
        if self.group is not None:
            self.group.enter(child.pid)
        if self.policy.level is not Level.NONE:
            for what, value in _limits(self.policy).items():
                hard = resource.prlimit(child.pid, what)[1]
                least = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.prlimit(child.pid, what, (least, least))
            # Let a machine without memory end the engine, and not the referee or another program.
            with contextlib.suppress(OSError), open(f"/proc/{child.pid}/oom_score_adj", "w") as file:
                file.write("1000")
        assert child.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it was killed meanwhile, as whoever reads from it will notice
            child.stdin.write(b"\n")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes. The one that Popen started must not have been reaped yet."""
        if number == signal.SIGKILL and self.group is not None:
            self.group.kill()
            return
        if self.group is not None:
            pids = self.group.pids()
        elif self.policy.level is Level.STRICT:
            pids = [self.pid]
        else:
            pids = [self.popen.pid, *_descendants(self.popen.pid)]
        # SIGTERM would end bubblewrap, which kills the engine. The engine must get SIGTERM itself first.
        is_outer = self.policy.level is Level.STRICT and number != signal.SIGKILL
        for pid in pids:
            if pid and not (is_outer and pid == self.popen.pid):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        if number == signal.SIGKILL and self._popen is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, number)

    def end_clause(self) -> str | None:
        """Why the kernel or `look` ended it, as a clause; None if neither did."""
        if self.ended_for is None and self.group is not None and self.group.killed_for_memory():
            cap_mb = None if self.policy.level is Level.NONE else self.policy.caps.memory_mb
            more = "memory than the machine has" if cap_mb is None else f"memory than the {cap_mb} MB that it may have"
            self.ended_for = f"was ended: it used more {more}"
        return self.ended_for

    def look(self, now_ns: int) -> None:
        """Without a group: end the engine if, once a second, its processes are over a cap. It promises little."""
        if self.group is not None or self.policy.level is Level.NONE or now_ns < self._next_look_ns:
            return
        self._next_look_ns = now_ns + LOOK_MS * 1_000_000
        usage = _usage(self.popen.pid)
        for name, used, cap in zip(("MB of memory", "threads"), usage, self._looked_caps(), strict=True):
            if cap is not None and used > cap:
                self.ended_for = f"was ended: it used {used} {name}, its cap is {cap}"
                self.signal(signal.SIGKILL)

    def _looked_caps(self) -> tuple[int | None, int | None]:
        return self.policy.caps.memory_mb, self.policy.caps.threads

    def exit_status(self, status: int) -> int:
        """The engine's own exit status. bubblewrap and the shell report the end by a signal as 128 + signal."""
        if self.policy.level is Level.STRICT and 128 < status <= 128 + signal.NSIG:
            return 128 - status
        return status

    def close(self) -> None:
        """End all its processes, reap the first one, and remove its group and its scratch."""
        if self._popen is not None:
            if self._popen.returncode is None:
                self.signal(signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(_START_MS / 1_000)
            for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._ended.set()
        group, self.group = self.group, None
        if group is not None:
            group.kill()
            if not group.wait_until_empty():
                _LOG.warning("processes of an engine outlive SIGKILL")
            group.remove()
        folder, self.scratch = self.scratch, None
        if folder is not None:
            scratch.remove(folder)


def left_out(policy: SandboxPolicy, argv: Sequence[str]) -> tuple[str, ...]:
    """What an engine's program or script leads to, and it may not read: what to grant to it."""
    path = policy.environment.get("PATH") or os.environ.get("PATH") or os.defpath
    program = reads.find(argv[0], path, policy.directory)
    if program is None or policy.level is Level.NONE:
        return ()
    found = reads.readable(program, argv, policy.directory, policy.reads, path)
    # The interpreter of a virtual environment needs all that lies beside its `bin`.
    return tuple(os.path.dirname(os.path.dirname(each)) if "/bin/" in each else each for each in found.left_out)


def _program(word: str, path: str, directory: str | None) -> str:
    """The program of a command, which the kernel can start. Raises CannotStart."""
    program = reads.find(word, path, directory)
    if program is None:
        reason = f"there is no such program{'' if os.sep in word else ' on the PATH'}"
        if os.sep in word and os.path.exists(os.path.join(directory or os.curdir, word)):
            reason = "it is not an executable file (a script needs `chmod +x`)"
        raise CannotStart(f"cannot start {word}: {reason}")
    try:
        with open(program, "rb") as file:
            start = file.readline(256)
    except OSError:  # a program may be open to execution only
        return program
    if start.startswith(b"#!"):
        if start.endswith(b"\r\n"):
            raise CannotStart(
                f"cannot start {word}: its first line ends as Windows ends lines: save it with Unix line ends "
                "(`dos2unix`)"
            )
        interpreter = os.fsdecode(start[2:]).split()[:1]
        if not interpreter or not os.path.exists(interpreter[0]):
            name = interpreter[0] if interpreter else "nothing"
            raise CannotStart(f"cannot start {word}: its first line names {name}, which is missing")
    elif start[:4] != b"\x7fELF" or start[18:20] not in _machines():
        # A shell would take it for a script of its own.
        raise CannotStart(
            f"cannot start {word}: it is neither a program for this machine nor a script with a `#!` line; "
            f'add that line, or name its interpreter: "python {os.path.basename(word)}"'
        )
    return program


@cache
def _machines() -> tuple[bytes, ...]:
    """The machines of ELF files that run here (e_machine): that of this Python, and 32-bit x86."""
    with open(os.path.realpath(sys.executable), "rb") as file:
        own = file.read(20)[18:]
    return (own, b"\x03\0") if own == b"\x3e\0" else (own,)


def _user(program: str, argv: Sequence[str], policy: SandboxPolicy, path: str) -> int | None:
    """The unprivileged user of engines, if root runs the arena and that user can read this engine."""
    if os.geteuid() != 0 or not may_become_user() or shutil.which("setpriv") is None:
        return None
    if not reads.everybody_may_read(program, argv, policy.directory, policy.reads, path):
        return None
    return None if policy.level is Level.STRICT and not _may_unshare(shutil.which("bwrap") or "") else USER


def may_become_user() -> bool:
    """True if the namespace of this process has the user of engines."""
    for name in ("uid_map", "gid_map"):
        with contextlib.suppress(OSError), open(f"/proc/self/{name}") as file:
            ranges = [tuple(map(int, line.split())) for line in file]
            if not any(start <= USER < start + count for start, _, count in ranges):
                return False
    return True


@cache
def _may_unshare(bubblewrap: str) -> bool:
    """True if the user of engines may make namespaces here."""
    if not bubblewrap:
        return False
    command = ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups", "--", bubblewrap]
    command += ["--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


@cache
def _has_disable_userns(bubblewrap: str) -> bool:
    """True if this bubblewrap can forbid further user namespaces (0.8.0)."""
    return b"--disable-userns" in subprocess.run((bubblewrap, "--help"), capture_output=True, check=False).stdout


@cache
def _has_terminal() -> bool:
    """True if the session of this process has a terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _limits(policy: SandboxPolicy) -> dict[int, int]:
    # Also at 0 the kernel gives core dumps to a program of root (apport, systemd-coredump). Only at 1 it does not.
    limits = {resource.RLIMIT_CORE: 1, resource.RLIMIT_NOFILE: policy.caps.files}
    # Some users may raise their priority, and would take the CPU from the opponent.
    limits |= {resource.RLIMIT_NICE: 0, resource.RLIMIT_RTPRIO: 0, resource.RLIMIT_SIGPENDING: _SIGNALS}
    if policy.caps.disk_mb is not None:
        limits[resource.RLIMIT_FSIZE] = policy.caps.disk_mb << 20
    return limits


def _restrict(rules: Sequence[tuple[str, int]]) -> None:
    """Let this thread give up what `basic` keeps from engines. What the kernel lacks is told by the trial."""
    known = syscall_filter.is_known(os.uname().machine)
    descriptor = landlock.ruleset(rules) if landlock.abi() else -1
    try:
        landlock.restrict_thread(descriptor, syscall_filter.program("basic") if known else b"")
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _engine_pid(info: int) -> int:
    """The engine's pid in our namespace, from bubblewrap. Raises CannotStart if none comes in time."""
    deadline_ns = time.monotonic_ns() + _START_MS * 1_000_000
    poll, text = select.poll(), b""
    poll.register(info, select.POLLIN)
    while (left_ns := deadline_ns - time.monotonic_ns()) > 0 and poll.poll(left_ns // 1_000_000 + 1):
        part = os.read(info, 4096)
        text += part
        with contextlib.suppress(ValueError, KeyError):
            return int(json.loads(text)["child-pid"])
        if not part:
            break
    raise CannotStart(
        "bubblewrap did not start the sandbox: user namespaces may be switched off here "
        "(sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns); `basic` needs none"
    )


def _with_links(paths: Sequence[str]) -> list[str]:
    """The paths, outermost first, without those in another one, and the links of the system beside them."""
    outer: list[str] = []
    for path in sorted(paths):
        if not any(path == other or path.startswith(other.rstrip("/") + "/") for other in outer):
            outer.append(path)
    return [*(link for link in reads.SYSTEM if os.path.islink(link)), *outer]


def _descendants(pid: int) -> list[int]:
    import psutil

    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    return []


def _usage(pid: int) -> tuple[int, int]:
    """The memory in MB and the threads of a process and its descendants."""
    import psutil

    memory = threads = 0
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(pid)
        for process in (first, *first.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                memory += process.memory_info().rss
                threads += process.num_threads()
    return memory >> 20, threads
