"""The process of the hub and the pages, beside the ladder: fits and the disk of the ladder never hold up lines.

The ladder opens the socket and starts the process; it writes messages to its stdin and reads from its stdout who is
connected. At the end of stdin the ladder is over, however it ended, and the process ends.

    ladder     tell guest kind what; refuse guest connection sentence
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
from collections.abc import Iterator, Sequence
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
    file: int
    """The listening socket."""
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
            stdout=subprocess.PIPE,
            pass_fds=(order.file,),
            start_new_session=True,
            env={**os.environ, _ORDER: json.dumps(asdict(order))},
        )

    def wait(self) -> None:
        """Wait until it takes connections. Raises HubLost."""
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            raise HubLost("the process of the pages and lines does not start")

    def tell(self, guest: str, kind: str, what: object) -> None:
        """Say something to a guest, if it is connected."""
        self._write(["tell", guest, kind, what])

    def refuse(self, guest: str, connection: int, sentence: str) -> None:
        """End a connection with a sentence for its author."""
        self._write(["refuse", guest, connection, sentence])

    def guests(self) -> "Iterator[list[GuestState]]":
        """Who is connected, whenever that changes. Ends with the process."""
        from arena.host.hub import GuestState

        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):  # closed by `end`
            for line in self._process.stdout:
                yield [GuestState(**each) for each in json.loads(line)]

    def end(self) -> None:
        """End it, and kill it if it does not."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._writing, contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _write(self, value: object) -> None:
        assert self._process.stdin is not None
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
            self._process.stdin.flush()


@contextlib.contextmanager
def hub_beside(
    db: Path, accounts: Path, opened: socket.socket, host: str, tls: tuple[Path, Path] | None, *, open_pages: bool
) -> Iterator[HubProcess]:
    """The process, while the block runs. It serves the pages of this database on the socket that is opened."""
    files = None if tls is None else (str(tls[0].absolute()), str(tls[1].absolute()))
    order = HubOrder(
        str(db.absolute()),
        str(accounts.absolute()),
        f"arena-hub-{secrets.token_hex(8)}",
        secrets.token_hex(16),
        opened.fileno(),
        host,
        files,
        open_pages,
    )
    process = HubProcess(order)
    opened.close()  # the process alone answers: once it is gone, nobody waits for an answer
    try:
        process.wait()
        yield process
    finally:
        process.end()


def main() -> None:
    """What the process does: serve what the first line of stdin names, until stdin ends."""
    end_with_parent(signal.SIGTERM)  # a worker of a ladder that is killed may hold stdin open for a while
    from arena import version
    from arena.connect.messages import retransmit_soon
    from arena.host.accounts import Accounts
    from arena.host.guest_pages import GuestPages
    from arena.host.hub import GuestState, Hub
    from arena.web.server.app import Serving
    from arena.web.server.uvicorn_server import report_to_stderr, serve

    order = HubOrder(**json.loads(os.environ.pop(_ORDER)))

    def changed(guests: Sequence[GuestState]) -> None:
        with contextlib.suppress(OSError):  # the ladder is gone, and so are we soon
            os.write(sys.stdout.fileno(), json.dumps([asdict(each) for each in guests]).encode() + b"\n")

    hub = Hub(Accounts(Path(order.accounts)), order.key, version.number(), changed, report_to_stderr)
    pages = GuestPages(hub, order.socket)
    names = frozenset() if order.open_pages else listening.names(order.host, ())
    with socket.socket(fileno=order.file) as opened:
        retransmit_soon(opened)
        serving = Serving(Path(order.db), names, hide=True, more=pages)
        eof = sys.stdin.fileno()
        tls = None if order.tls is None else (order.tls[0], order.tls[1])
        serve(serving, opened, report_to_stderr, eof, heard=pages.hear, tls=tls)


if __name__ == "__main__":
    main()
