"""The process of the hub and the pages, beside the ladder: fits and the disk of the ladder never hold up lines.

The ladder opens its sockets and starts it. Ladder and relays connect to one of them; the ladder says first what the
process must hear of, and is told who is connected. When the ladder is over, however it ended, the process ends.

    ladder     ladder key; tell guest kind what; refuse guest connection sentence
    process    a list of guests, each as the fields of `GuestState`, whenever it changes
"""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.web.server import listening
from protocol.containment.landlock import end_with_parent

if TYPE_CHECKING:
    from arena.host.hub import GuestState

END_S = 3.0
_ORDER = "ARENA_HUB_ORDER"
"""The variable that has what is to be served: no other process can read it."""


@dataclass(frozen=True, slots=True)
class HubOrder:
    """What the process is to serve, and how."""

    db: str
    accounts: str
    socket: str
    """The abstract name at which relays connect: the kernel keeps engines in sandboxes from it (Linux 6.12)."""
    key: str
    """What relays must say."""
    files: tuple[int, int]
    """The listening sockets: for guests and viewers, and for the ladder and relays."""
    host: str
    tls: tuple[str, str] | None
    """A certificate and its key."""
    open_pages: bool
    """May anybody who reaches the address see the pages, by whatever name?"""

    @property
    def environment(self) -> dict[str, str]:
        """What relays need, where no other process can read it."""
        return {"ARENA_HUB": self.socket, "ARENA_HUB_KEY": self.key}


class HubLost(RuntimeError):
    """The process of the pages and lines has ended during the ladder. The games that ended are kept."""

    exit_code = 1


class HubProcess:
    """The process, as the ladder sees it. `tell` and `refuse` may be called from any thread."""

    def __init__(self, order: HubOrder) -> None:
        self.order = order
        self._writing = threading.Lock()
        # A session of its own: Ctrl-C is for the ladder.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena.host.hub_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=order.files,
            start_new_session=True,
            env={**os.environ, _ORDER: json.dumps(asdict(order))},
        )
        self._hub = socket.socket(socket.AF_UNIX)
        self._hub.connect(f"\0{order.socket}")
        self._lines = self._hub.makefile("rb")
        self._say("ladder", order.key)

    def wait(self) -> None:
        """Wait until it takes connections. Raises HubLost."""
        if not self._line():
            raise HubLost("the process of the pages and lines does not start")

    def tell(self, guest: str, kind: str, what: object) -> None:
        """Say something to a guest, if it is connected."""
        self._say("tell", guest, kind, what)

    def refuse(self, guest: str, connection: int, sentence: str) -> None:
        """End a connection with a sentence for its author."""
        self._say("refuse", guest, connection, sentence)

    def guests(self) -> "Iterator[list[GuestState]]":
        """Who is connected, whenever that changes. Ends with the process."""
        from arena.host.hub import GuestState

        while line := self._line():
            yield [GuestState(**each) for each in json.loads(line)]

    def end(self) -> None:
        """End it, and kill it if it does not."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(OSError):
            self._hub.shutdown(socket.SHUT_RDWR)  # who reads from it is at the end
        self._hub.close()

    def _line(self) -> bytes:
        with contextlib.suppress(OSError, ValueError):
            return self._lines.readline()
        return b""

    def _say(self, *message: object) -> None:
        with self._writing, contextlib.suppress(OSError):
            self._hub.sendall(json.dumps(message).encode() + b"\n")


@contextlib.contextmanager
def hub_beside(
    db: Path, accounts: Path, opened: socket.socket, host: str, tls: tuple[Path, Path] | None, *, open_pages: bool
) -> Iterator[HubProcess]:
    """The process, while the block runs. It serves the pages of this database on the socket that is opened."""
    paths = None if tls is None else (str(tls[0].absolute()), str(tls[1].absolute()))
    name = f"arena-hub-{secrets.token_hex(8)}"
    with opened, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0{name}")
        local.listen(256)
        files = opened.fileno(), local.fileno()
        key = secrets.token_hex(16)
        process = HubProcess(
            HubOrder(str(db.absolute()), str(accounts.absolute()), name, key, files, host, paths, open_pages)
        )
    # The process alone answers: once it is gone, nobody waits for an answer.
    try:
        process.wait()
        yield process
    finally:
        process.end()


def main() -> None:
    """What the process does: serve what its order names, until stdin ends."""
    end_with_parent(signal.SIGTERM)  # a worker of a ladder that is killed may hold stdin open for a while
    from arena import version
    from arena.connect.messages import retransmit_soon
    from arena.host.accounts import Accounts
    from arena.host.guest_pages import GuestPages
    from arena.host.hub import Hub
    from arena.web.server.app import Serving
    from arena.web.server.uvicorn_server import report_to_stderr, serve

    order = HubOrder(**json.loads(os.environ.pop(_ORDER)))
    hub = Hub(Accounts(Path(order.accounts)), order.key, version.number(), report_to_stderr)
    names = frozenset() if order.open_pages else listening.names(order.host, ())
    opened, local = (socket.socket(fileno=file) for file in order.files)
    with opened, local:
        retransmit_soon(opened)
        serving = Serving(Path(order.db), names, hide=True, more=GuestPages(hub, local))
        tls = None if order.tls is None else (order.tls[0], order.tls[1])
        serve(serving, opened, report_to_stderr, sys.stdin.fileno(), tls=tls)


if __name__ == "__main__":
    main()
