"""A connection to the server. It ends if its request does not come, and is refused if there are too many.

uvicorn ends what is idle after an answer, and waits for ever for the rest of a request. The kernel ends a connection
whose viewer does not read: see `listening.listen`.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_S = 10.0
"""A request must be there so many seconds after its connection, or after the answer before."""
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 30\r\n"
    b"content-length: 21\r\nconnection: close\r\n\r\ntoo many connections\n"
)


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
