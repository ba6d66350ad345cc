"""Starts what stands in a cell, with three pipes and a session of its own, and says in words how it ended.

Owns the reasons why a command cannot be started, each one clear sentence. Refuses to know what is said over the pipes.
"""

import errno
import os
import signal
import subprocess

from protocol.containment.sandbox import Sandbox
from protocol.faults import CannotStart


def launch(cell: Sandbox) -> "subprocess.Popen[bytes]":
    """Start it. Raises CannotStart."""
    argv, directory = cell.argv, cell.directory
    if not argv or not argv[0]:
        raise CannotStart("the command is empty: name the program to run")
    if directory is not None and not os.path.isdir(directory):
        raise CannotStart(f"cannot start {argv[0]}: there is no directory {os.fspath(directory)}")
    # Python's hooks run around a fork with a `preexec_fn`, and an exception of a signal's handler that comes amid them
    # is dropped, and a lock with it. Without one the child would begin with the signals blocked.
    entering = cell.enter
    held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} if entering is not None else set()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)

    def enter() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if entering is not None:
            entering()

    try:
        return subprocess.Popen(
            argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=cell.environment,
            close_fds=True,
            pass_fds=cell.pass_fds,
            preexec_fn=None if entering is None else enter,
            # Its own session: Ctrl-C in our terminal does not reach it, and it is killed as a group.
            start_new_session=True,
        )
    except subprocess.SubprocessError as error:
        raise CannotStart(f"cannot start {argv[0]}: {cell.refusal()}") from error
    except ValueError as error:
        raise CannotStart(f"cannot start {argv[0]!r}: {error}") from error
    except OSError as error:
        where = "" if os.sep in argv[0] else " on the PATH"
        reasons = {
            errno.ENOENT: f"there is no such program{where}, or the interpreter that its first line names is missing",
            errno.EACCES: "it is not an executable file (a script needs `chmod +x`)",
            errno.ENOEXEC: "it is neither a program for this machine nor a script with a `#!` line",
        }
        reason = reasons.get(error.errno or 0, os.strerror(error.errno or 0))
        raise CannotStart(f"cannot start {argv[0]}: {reason}") from error
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ending(status: int) -> str:
    """How a process ended, by its exit status, negative for a signal: a clause for a sentence."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
