"""How soon TCP sends a lost packet of a line again: sooner than usual, since a clock runs."""

import asyncio
import contextlib
import socket
import sys

SOONEST_US = 50_000
"""With the system's 200 ms a lost packet costs more than the usual lag. Acknowledgements are 40 ms late at most."""
_TCP_RTO_MIN_US = 45
"""An option of Linux from 6.15 on. Elsewhere the system's time remains."""


def retransmit_soon(line: asyncio.BaseTransport) -> None:
    """Let lost packets of a connection be sent again after a round trip and SOONEST_US."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        line.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, _TCP_RTO_MIN_US, SOONEST_US)
