"""A server in a process of its own beside a run. The run never waits for it, and it ends with the run.

The run opens the socket, so its address is known before the process has loaded anything. The process reads its stdin.
At the end of that the run is over, however it ended.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from arena.web.server import listening

LACKING = "needs Starlette and uvicorn: pip install 'callanish-arena[web]'"
_END_S = 3.0
"""The process gets so many seconds to end."""


def is_installed() -> bool:
    """Is there what a server needs?"""
    return find_spec("starlette") is not None and find_spec("uvicorn") is not None


@contextlib.contextmanager
def server_beside(db: Path | None, report: Callable[[str], None]) -> Iterator[None]:
    """Serve a database while the block runs; nothing without a database. A server that fails does not stop the run."""
    if db is None:
        yield
        return
    try:
        opened = _listen()
        with opened:
            process = _started(db, opened)
            address = listening.url(opened, listening.LOOPBACK)
    except (listening.CannotListen, OSError) as error:
        report(f"the run cannot be shown in a browser ({error}); it goes on")
        yield
        return
    report(f"{address} shows the run in a browser while it is played")
    try:
        yield
    finally:
        _end(process)


def _listen() -> socket.socket:
    try:
        return listening.listen(listening.LOOPBACK, listening.PORT)
    except listening.CannotListen:
        return listening.listen(listening.LOOPBACK, 0)


def _started(db: Path, opened: socket.socket) -> "subprocess.Popen[bytes]":
    file = opened.fileno()
    # A session of its own: Ctrl-C is for the run.
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.web.server.beside"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=(file,),
        start_new_session=True,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps({"db": str(db.absolute()), "file": file}).encode() + b"\n")
        process.stdin.flush()
    return process


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    """What the process does: serve what the first line of stdin names, until stdin ends."""
    from arena.web.server.app import Serving
    from arena.web.server.uvicorn_server import report_to_stderr, serve

    order = json.loads(os.read(sys.stdin.fileno(), 65_536))  # one write of at most a pipe's size
    with socket.socket(fileno=order["file"]) as opened:
        serve(Serving(Path(order["db"])), opened, report_to_stderr, until_eof_of=sys.stdin.fileno())


if __name__ == "__main__":
    main()
