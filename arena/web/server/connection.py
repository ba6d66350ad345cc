"""A connection to the server. It ends if its handshake or request does not come, and is refused if there are too many.

uvicorn ends what is idle after an answer, and waits for ever for the rest of a request. The kernel ends a connection
whose viewer does not read: see `listening.listen`.
"""

import asyncio
import contextlib
import os
import socket
import time
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_S = 10.0
"""A request must be there so many seconds after its connection, or after the answer before."""
MOST_HANDSHAKES = 100
"""So many connections may be in their TLS handshake. One more ends the oldest one of the address that has most."""
HANDSHAKE_S = 10.0
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 30\r\n"
    b"content-length: 21\r\nconnection: close\r\n\r\ntoo many connections\n"
)


class Listener(socket.socket):
    """A listening socket that ends what does not become a connection.

    asyncio tells of a connection after its TLS handshake, and waits a minute for that: who begins a thousand of them
    and says nothing would take all open files. Call `begun` for each that is a connection, and `end_late` each second.
    """

    def __init__(self, listening: socket.socket) -> None:
        """Stands for `listening`, which it closes as well."""
        super().__init__(fileno=os.dup(listening.fileno()))
        self._listening = listening
        self._coming: dict[Any, tuple[socket.socket, float]] = {}
        """What was accepted, by its address, and when. The oldest one is the first."""

    def accept(self) -> tuple[socket.socket, Any]:
        accepted, address = super().accept()
        self._coming[address] = accepted, time.monotonic()
        if len(self._coming) > MOST_HANDSHAKES:
            self._forget_closed()
        if len(self._coming) > MOST_HANDSHAKES:
            ((most, _),) = Counter(host for host, *_ in self._coming).most_common(1)
            self._end(next(each for each in self._coming if each[0] == most))
        return accepted, address

    def close(self) -> None:
        super().close()
        self._listening.close()

    def begun(self, address: Any) -> None:
        """What came from this address and port is a connection now."""
        self._coming.pop(address, None)

    def end_late(self) -> None:
        """End what has been in its handshake for too long."""
        self._forget_closed()
        late_s = time.monotonic() - HANDSHAKE_S
        for address in [address for address, (_, since_s) in self._coming.items() if since_s < late_s]:
            self._end(address)

    def _end(self, address: Any) -> None:
        """asyncio reads the end and closes the socket: nobody else may close what it waits for."""
        with contextlib.suppress(OSError):
            self._coming.pop(address)[0].shutdown(socket.SHUT_RDWR)

    def _forget_closed(self) -> None:
        self._coming = {address: entry for address, entry in self._coming.items() if entry[0].fileno() >= 0}


class Connection(H11Protocol):
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._since = self.loop.time()
        self._cycle_before: RequestResponseCycle | None = None
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            # Now, and not with its request as uvicorn does it: those who ask for nothing would take all open files.
            self.connections.discard(self)
            transport.write(_FULL)
            transport.close()

    def end_if_nothing_comes(self) -> None:
        """To be called again and again."""
        now = self.loop.time()
        is_answered = self.cycle is None or self.cycle.response_complete
        if self.cycle is not self._cycle_before or not is_answered or self.transport.get_write_buffer_size():
            self._cycle_before, self._since = self.cycle, now
        elif now - self._since > REQUEST_S:
            self.transport.abort()
