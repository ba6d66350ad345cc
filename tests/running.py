"""Processes of tests that end with them."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def running(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    stdin: int | IO[bytes] | None = None,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process in a session of its own; when the block ends, however it does, all of its group is gone.

    Of one that a failing test left behind, Python would complain in whatever test it next collects garbage, and that
    test would fail without a reason of its own.
    """
    with subprocess.Popen(
        command, cwd=cwd, env=env, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
