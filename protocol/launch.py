"""Starts the command of a sandbox with three pipes and its own session, and describes how it ended.

Owns the sentences that say why a command cannot be started. Independent of what travels over the pipes.
"""

import errno
import os
import signal
import subprocess

from protocol.containment.sandbox import Sandbox
from protocol.faults import CannotStart


def launch(sandbox: Sandbox) -> "subprocess.Popen[bytes]":
    """Start the command of the sandbox. Raises CannotStart."""
    argv, directory = sandbox.argv, sandbox.directory
    if not argv or not argv[0]:
        raise CannotStart("the command is empty: name the program to run")
    if directory is not None and not os.path.isdir(directory):
        raise CannotStart(f"cannot start {argv[0]}: there is no directory {os.fspath(directory)}")
    try:
        return popen(sandbox)
    except subprocess.SubprocessError as error:
        raise CannotStart(f"cannot start {argv[0]}: {sandbox.setup_error()}") from error
    except ValueError as error:
        raise CannotStart(f"cannot start {argv[0]!r}: {error}") from error
    except OSError as error:
        where = "" if os.sep in argv[0] else " on the PATH"
        reasons = {
            errno.ENOENT: _missing_interpreter(argv[0]) or f"there is no such program{where}",
            errno.EACCES: "it is not an executable file (a script needs `chmod +x`)",
            errno.ENOEXEC: "it is neither a program for this machine nor a script with a `#!` line",
        }
        reason = reasons.get(error.errno or 0, os.strerror(error.errno or 0))
        raise CannotStart(f"cannot start {argv[0]}: {reason}") from error


def popen(sandbox: Sandbox) -> "subprocess.Popen[bytes]":
    """Start the command of the sandbox. Raises what Popen raises."""
    # With a `preexec_fn`, Python runs its hooks around the fork. An exception of a signal handler inside these hooks is
    # lost, and a lock stays held. So the signals are blocked, but only then, since only `before_exec` unblocks them in
    # the child.
    enter_sandbox = sandbox.enter
    blocked = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} if enter_sandbox is not None else set()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)

    def before_exec() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if enter_sandbox is not None:
            enter_sandbox()

    try:
        return subprocess.Popen(
            sandbox.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=sandbox.directory,
            env=sandbox.environment,
            close_fds=True,
            pass_fds=sandbox.pass_fds,
            preexec_fn=None if enter_sandbox is None else before_exec,
            # In its own session, Ctrl-C in our terminal does not reach it, and it can be killed as a group.
            start_new_session=True,
            **sandbox.identity,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def describe_exit(status: int) -> str:
    """How a process ended, as a clause for a sentence. `status` is negative for a signal."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


def _missing_interpreter(program: str) -> str:
    """Why a script that exists was not found: the system means the interpreter in its first line."""
    try:
        with open(program, "rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    if first.endswith(b"\r\n"):
        return "its first line ends as Windows ends lines: save it with Unix line ends (`dos2unix`)"
    words = os.fsdecode(first.removeprefix(b"#!")).split() if first.startswith(b"#!") else []
    if words:
        return f"its first line names {words[0]}, which is missing"
    return "there is no such program, or the loader or an interpreter that it names is missing"
