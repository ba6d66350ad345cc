"""Signals to processes that /proc showed a moment ago: to that very process, not to a later one of its pid."""

import contextlib
import os
import select
import signal

from protocol.containment import process_tree


def send(member: process_tree.Member, number: signal.Signals) -> None:
    """Send it, where the process is still there and ours to signal."""
    try:
        fd = os.pidfd_open(member.pid)
    except OSError:
        return
    try:
        now = process_tree.look(member.pid)
        if now is not None and now.started == member.started:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(fd, number)
    finally:
        os.close(fd)


def bury(pid: int) -> None:
    """Take the exit status of a dead child of ours that no Popen waits for."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def wait_for(pid: int, ms: int) -> None:
    """Wait for its end, so long at most."""
    try:
        fd = os.pidfd_open(pid)
    except OSError:
        return
    try:
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        poll.poll(ms)
    finally:
        os.close(fd)
