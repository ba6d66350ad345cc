"""A guest's connection below its messages. What no client of ours does ends it, without a word and without a log."""

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from arena.connect.messages import MOST_UNREAD

CLOSE_S = 2.0
"""A connection whose matter is over ends after this, even if the client does not read the rest."""


class Line(WebSocketsSansIOProtocol):
    """One connection."""

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.abort()  # it speaks before it has been let in
            return
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()  # it asks for answers and does not read them

    def keepalive_timeout(self) -> None:
        self.transport.abort()  # to close it would wait for a client that may be gone

    def handle_cont(self, event) -> None:  # type: ignore[no-untyped-def]  # the type is private to uvicorn
        self.transport.abort()  # parts of a message without end would take room without end

    def send_receive_event_to_app(self) -> None:
        try:
            b"".join(self.frames).decode("utf-8" if self.curr_msg_data_type == "text" else "latin-1")
        except UnicodeDecodeError:  # uvicorn would log it
            self.transport.abort()
        else:
            super().send_receive_event_to_app()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        asyncio.get_running_loop().call_later(CLOSE_S, self.transport.abort)
