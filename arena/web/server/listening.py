"""The address of a server: its socket, and what it is called. It needs no web library."""

import errno
import socket
from collections.abc import Iterable

PORT = 8420
LOOPBACK = "127.0.0.1"
BACKLOG = 2048
_UNREAD_MS = 30_000
"""A connection ends whose viewer has taken nothing of what was sent for so long."""


class CannotListen(Exception):
    """The address cannot be used: one sentence with the remedy, without the name of an option in front."""

    exit_code = 2


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections at this address; port 0 is any free port. Raises CannotListen."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise CannotListen(
            f"--host {host}: is no address of this machine; 127.0.0.1 is for this machine only"
        ) from None
    family, kind, protocol, _, address = addresses[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_MS)  # connections inherit it
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"--port {port}: is in use, perhaps by another 'arena serve'; --port 0 takes a free one"
            ) from None
        if error.errno == errno.EACCES:
            raise CannotListen(f"--port {port}: only the system may use it; name one from 1024 on") from None
        raise CannotListen(f"--host {host}: cannot be used ({error.strerror}); 127.0.0.1 always can") from None
    return listening


def names(host: str, more: Iterable[str]) -> frozenset[str]:
    """The names that a request may use in its Host header."""
    allowed = {LOOPBACK, "localhost", "[::1]", *more}
    if host not in ("0.0.0.0", "::", ""):
        allowed.add(f"[{host}]" if ":" in host else host)
    return frozenset(allowed)


def url(listening: socket.socket, host: str) -> str:
    """The address for a browser on this machine."""
    port = listening.getsockname()[1]
    name = {"0.0.0.0": LOOPBACK, "::": "[::1]", "": LOOPBACK}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"
