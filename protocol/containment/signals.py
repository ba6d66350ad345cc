"""Signals to a process that was read from /proc before. They never reach a later process with the same pid."""

import contextlib
import os
import select
import signal

from protocol.containment import process_tree


def send(member: process_tree.ProcessInfo, number: signal.Signals) -> None:
    """Send a signal, if the process still runs and we may signal it."""
    try:
        fd = os.pidfd_open(member.pid)
    except OSError:
        return
    try:
        now = process_tree.read_process(member.pid)
        if now is not None and now.started == member.started:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(fd, number)
    finally:
        os.close(fd)


def reap(pid: int) -> None:
    """Reap a zombie of ours that no Popen waits for."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def wait_for(pid: int, ms: int) -> None:
    """Wait for the end of a process, `ms` at most."""
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
