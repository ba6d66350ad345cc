"""A guest's connection below its messages: it takes a little at a time, so that a flood on it holds up no other line.

What no client of ours sends ends it, without a word and without a log.
"""

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from arena.connect.messages import retransmit_soon

AT_ONCE = 4_096
"""So many bytes are taken before the other lines have their turn."""
MOST_PARTS = 500
"""The most pings, pongs and parts of a message without a whole message among them, of which our client sends none, and
the most messages after the end of the line."""
CLOSE_S = 10.0
"""A connection whose matter is over ends after this, even if the client does not read the rest."""


class Line(WebSocketsSansIOProtocol):
    """One connection. Nothing is read while what came before is not used up."""

    _unread = b""
    _parts = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type
        super().connection_made(transport)
        retransmit_soon(transport)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
        elif not self.handshake_complete:
            self.transport.abort()  # it speaks before it has been let in
        else:
            self._unread += data
            self.transport.pause_reading()
            self._go_on()

    def _go_on(self) -> None:
        if not (self.queue.empty() or self.close_sent) or self.transport.is_closing():
            return
        part, self._unread = self._unread[:AT_ONCE], self._unread[AT_ONCE:]
        if part:
            super().data_received(part)
            self.loop.call_soon(self._go_on)
        else:
            self.transport.resume_reading()

    async def receive(self):  # type: ignore[no-untyped-def]  # the type is private to uvicorn
        message = await self.queue.get()
        self._go_on()
        return message

    def handle_ping(self) -> None:
        if self._is_sound():
            super().handle_ping()

    def handle_pong(self, event) -> None:  # type: ignore[no-untyped-def]  # the same holds of events
        self._is_sound()

    def handle_cont(self, event) -> None:  # type: ignore[no-untyped-def]  # the same
        if self._is_sound():
            super().handle_cont(event)

    def _is_sound(self) -> bool:
        self._parts += 1
        if self._parts > MOST_PARTS:
            self.transport.abort()
        return not self.transport.is_closing()

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:  # what was under way is dropped, a flood is not read on
            self._is_sound()
            return
        self._parts = 0
        try:
            b"".join(self.frames).decode()
        except UnicodeDecodeError:  # uvicorn would log each of them
            self.transport.abort()
            return
        super().send_receive_event_to_app()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        asyncio.get_running_loop().call_later(CLOSE_S, self.transport.abort)
