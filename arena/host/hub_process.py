"""The process of the hub and the pages, beside the ladder: fits and the disk of the ladder never hold up lines.

The ladder opens its sockets and starts it; relays connect to one of them. Over a pipe the ladder says what guests are
to hear, and is told who is connected. When the ladder is over, however it ended, the process ends.

    ladder     tell guest kind what; refuse guest connection sentence; None
    process    a list of `GuestState`, at first and whenever it changes
"""

import contextlib
import os
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import multiprocess

from arena.run.slots import started
from arena.web.server import listening
from protocol.containment.landlock import end_with_parent

if TYPE_CHECKING:
    from arena.host.hub import GuestState

END_S = 3.0


class HubLost(RuntimeError):
    """The process of the pages and lines has ended during the ladder. The games that ended are kept."""

    exit_code = 1


class HubProcess:
    """The process, as the ladder sees it. `tell` and `refuse` may be called from any thread."""

    def __init__(self, process: Any, line: Any, name: str, key: str) -> None:
        """`line` is its end of a pipe."""
        self._process, self._line = process, line
        self.environment = {"ARENA_HUB": name, "ARENA_HUB_KEY": key}
        """What relays need, where no other process can read it. The kernel keeps engines in sandboxes from the abstract
        socket (Linux 6.12)."""
        self._writing = threading.Lock()

    def tell(self, guest: str, kind: str, what: object) -> None:
        """Say something to a guest, if it is connected."""
        self._say(("tell", guest, kind, what))

    def refuse(self, guest: str, connection: int, sentence: str) -> None:
        """End a connection with a sentence for its author."""
        self._say(("refuse", guest, connection, sentence))

    def guests(self) -> "Iterator[list[GuestState]]":
        """Who is connected, whenever that changes. Ends with the process."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                yield self._line.recv()

    def end(self) -> None:
        """End it, and kill it if it does not."""
        self._say(None)
        self._process.join(END_S)
        self._process.kill()
        self._process.join()

    def _say(self, message: object) -> None:
        with self._writing, contextlib.suppress(OSError):
            self._line.send(message)


@contextlib.contextmanager
def hub_beside(
    db: Path, accounts: Path, opened: socket.socket, host: str, tls: tuple[Path, Path] | None, *, open_pages: bool
) -> Iterator[HubProcess]:
    """The process, while the block runs. It serves the pages of this database on the socket that is opened.

    `tls` names a certificate and its key. With `open_pages` anybody who reaches the address sees the pages, by whatever
    name.
    """
    name, key = f"arena-hub-{secrets.token_hex(8)}", secrets.token_hex(16)
    names = frozenset[str]() if open_pages else listening.names(host, ())
    files = None if tls is None else (str(tls[0].absolute()), str(tls[1].absolute()))
    with opened, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0{name}")
        local.listen(256)
        theirs, ours = multiprocess.Pipe()
        order = theirs, opened, local, key, db.absolute(), accounts.absolute(), names, files
        process = HubProcess(started(main, order, "hub"), ours, name, key)
    # The process alone answers: once it is gone, nobody waits for an answer.
    try:
        if next(process.guests(), None) is None:
            raise HubLost("the process of the pages and lines does not start")
        yield process
    finally:
        process.end()


def main(
    ladder: Any,
    opened: socket.socket,
    local: socket.socket,
    key: str,
    db: Path,
    accounts: Path,
    names: frozenset[str],
    tls: tuple[str, str] | None,
) -> None:
    """What the process does: serve until the ladder is over. Ctrl-C is for the ladder."""
    os.setsid()
    end_with_parent(signal.SIGTERM)
    from arena import version
    from arena.connect.messages import retransmit_soon
    from arena.host.accounts import Accounts
    from arena.host.hub import Hub
    from arena.web.server.app import Serving
    from arena.web.server.uvicorn_server import report_to_stderr, serve

    retransmit_soon(opened)
    hub = Hub(Accounts(accounts, report_to_stderr), ladder, local, key, version.number(), report_to_stderr)
    serve(Serving(db, names, hide=True, more=hub), opened, report_to_stderr, hub.obey, tls=tls)
