"""How a child of `basic` enters its sandbox between fork and exec. The parent prepares everything before the fork.

In a forked child of a process with threads, a lock may stay held for ever. So the child only makes system calls with
prepared arguments. It writes its current step to a shared page, since an exception loses the step on its way to Popen.
"""

import mmap
import os
import resource
import signal
from collections.abc import Callable

from protocol.containment import kernel, landlock, seccomp
from protocol.containment.mark import Limits
from protocol.containment.policy import Caps

_STEPS = (
    "entering the sandbox",
    "asking to die with the referee (PR_SET_PDEATHSIG)",
    "setting its limits (setrlimit)",
    "giving up new privileges (PR_SET_NO_NEW_PRIVS)",
    "closing files, network and signals (Landlock)",
    "giving up the capabilities of root (capset)",
    "refusing system calls (seccomp)",
    "starting the program",
)

_SIGNALS = 1_024


def every_rlimit(caps: Caps) -> Limits:
    """`limits`, and the number of threads. The kernel counts these for each user, in the user's namespace.

    So it is for `strict`, and for engines with a user of their own. It never applies to the real root.
    """
    return rlimits(caps) + (((resource.RLIMIT_NPROC, caps.threads),) if caps.threads is not None else ())


def rlimits(caps: Caps) -> Limits:
    """The resources and their limits for setrlimit, never above our own hard limits."""
    # Also at 0 the kernel gives core dumps to a program of root (apport, systemd-coredump). Only at 1 it does not.
    values = {resource.RLIMIT_CORE: 1, resource.RLIMIT_NOFILE: caps.files}
    # Some users may raise their priority, and would take the CPU from the opponent.
    values |= {resource.RLIMIT_NICE: 0, resource.RLIMIT_RTPRIO: 0}
    # The kernel counts queued signals and timers for each user. So the referee, whose limit is higher, keeps some.
    values[resource.RLIMIT_SIGPENDING] = _SIGNALS
    if caps.disk_mb is not None:
        values[resource.RLIMIT_FSIZE] = caps.disk_mb << 20
    if caps.address_space_mb is not None:
        values[resource.RLIMIT_AS] = caps.address_space_mb << 20
    hard = {what: resource.getrlimit(what)[1] for what in values}
    return tuple(
        (what, value if hard[what] == resource.RLIM_INFINITY else min(value, hard[what]))
        for what, value in values.items()
    )


def set_limits(wanted: Limits) -> Callable[[], None]:
    """A function for the child that sets its limits, for one whose limits nobody may set from outside."""
    pairs = tuple((what, (value, value)) for what, value in wanted)

    def apply() -> None:
        for what, both in pairs:
            resource.setrlimit(what, both)

    return apply


class ChildSetup:
    """Called in the child. The parent calls `close` after the child has started or failed."""

    def __init__(
        self,
        caps: Caps,
        reads: tuple[str, ...],
        lists: tuple[str, ...],
        devices: tuple[str, ...],
        scratch: str,
        mark: Limits = (),
        *,
        keep_user: bool,
    ) -> None:
        """`lists` are folders that may be listed only. `mark` is set with the other limits. `keep_user` is False where
        the child has become another user before it is called.

        Raises OSError if Landlock exists but refuses the ruleset.
        """
        self._step = mmap.mmap(-1, 2)
        self._parent = os.getpid()
        self._set_limits = set_limits((rlimits if keep_user else every_rlimit)(caps) + mark)
        self._ruleset = -1
        machine = kernel.machine()
        abi = kernel.landlock_abi()
        if abi:
            self._ruleset = landlock.ruleset(abi, reads, lists, devices, scratch)
        supported = seccomp.supported(machine)
        self._capabilities = kernel.NoCapabilities(keep_user=keep_user) if supported and os.geteuid() == 0 else None
        # Features that the kernel lacks are left out here. `probe` reports and refuses them.
        filters = supported and kernel.seccomp_available()
        program = seccomp.program(machine, strict=False) if filters else b""
        self._filter = kernel.Filter(program, seccomp.places_of_own_pid(program)) if filters else None
        self._kill = signal.SIGKILL.value
        self._trap = (signal.SIGTRAP,)

    def __call__(self) -> None:
        """Enter the sandbox. Raises OSError, which Popen turns into SubprocessError."""
        step = self._step
        step[0] = 1
        kernel.prctl(kernel.PR_SET_PDEATHSIG, self._kill)
        if os.getppid() != self._parent:
            os._exit(127)
        step[0] = 2
        self._set_limits()
        step[0] = 3
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        step[0] = 4
        if self._ruleset >= 0:
            kernel.landlock_restrict(self._ruleset)
        step[0] = 5
        if self._capabilities is not None:
            self._capabilities.apply()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._trap)  # blocked, it would not stop the child
        step[1] = kernel.ask_for_stop()
        step[0] = 6
        if self._filter is not None:
            self._filter.install()
        step[0] = 7

    @property
    def stops(self) -> bool:
        """True if the child stops when its program has been loaded. `kernel.let_go` lets it run."""
        return bool(self._step[1])

    @property
    def stopped_at(self) -> str:
        """The step at which the child failed, as a clause."""
        return _STEPS[self._step[0]]

    def close(self) -> None:
        """Release what was prepared for the child. A second call does nothing."""
        ruleset, self._ruleset = self._ruleset, -1  # first: a worker may be stopped here and call `close` again
        if ruleset >= 0:
            os.close(ruleset)
        self._capabilities = self._filter = None
