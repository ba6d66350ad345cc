"""What the server of the Tablut Challenge and its clients say to each other: frames, states and moves.

A frame is a length of four bytes, the highest first, and a text in UTF-8. The server's rank 1 is its first row, and the
squares keep their names.
"""

import json
import re
import socket
import struct
import time
from typing import Literal, NamedTuple

Colour = Literal["WHITE", "BLACK"]
COLOURS: dict[str, Colour] = {"p1": "BLACK", "p2": "WHITE"}
"""The attackers are black, the defenders white."""
PORTS: dict[Colour, int] = {"WHITE": 5800, "BLACK": 5801}
ENDS = {"p1": "BLACKWIN", "p2": "WHITEWIN", "draw": "DRAW"}
_PIECES = {"a": "BLACK", "d": "WHITE", "k": "KING"}
_SIZE = 9
_MIDDLE = _SIZE // 2
_LONGEST = 1 << 20
"""Bytes. A client that sends a longer frame has gone wrong."""
_SHOWN = 100
_UNREAD_S = 0.5
"""How long a client may leave a frame unread before the next one follows anyway. To look takes milliseconds."""
_LOOK_S = 0.0005
_SQUARE = re.compile(r"[a-z][0-9]{1,2}")


class NoFrame(ValueError):
    """What came is no frame. The message is a clause."""


class Connection:
    """A connection to a client."""

    def __init__(self, connected: socket.socket) -> None:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected
        ours, theirs = connected.getsockname()[1], connected.getpeername()[1]
        self._ports = [f":{theirs:04X}", f":{ours:04X}"]
        """As /proc/net/tcp writes them for the client's end."""
        self._rest = b""
        self._read_s = 0.0
        """When the last frame has been read without a doubt."""

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, text: str) -> None:
        """Send one frame in one write, when the last one has been read: some clients receive once for each.

        Raises OSError where it is closed.
        """
        while time.monotonic() < self._read_s and self._is_unread():
            time.sleep(_LOOK_S)
        self._read_s = time.monotonic() + _UNREAD_S
        data = text.encode()
        self._socket.sendall(struct.pack(">I", len(data)) + data)

    def _is_unread(self) -> bool:
        """Whether the client has still to receive something."""
        for name in ("tcp", "tcp6"):
            try:
                with open(f"/proc/net/{name}", encoding="ascii") as file:
                    words = [line.split(None, 5) for line in file]
            except OSError:
                return False
            for word in words:
                if [end[-5:] for end in word[1:3]] == self._ports:
                    return not word[4].endswith(":00000000")
        return False

    def take(self) -> bool:
        """Read what has come. False at its end."""
        try:
            chunk = self._socket.recv(65536)
        except OSError:
            return False
        self._rest += chunk
        return chunk != b""

    def frame(self) -> str | None:
        """The next frame that has come whole. Raises NoFrame."""
        if len(self._rest) < 4:
            return None
        (length,) = struct.unpack(">I", self._rest[:4])
        if length > _LONGEST:
            raise NoFrame(
                f"a frame of {length} bytes, which begins with {shown(self._rest[4:].decode(errors='replace'))}"
            )
        if len(self._rest) < 4 + length:
            return None
        data, self._rest = self._rest[4 : 4 + length], self._rest[4 + length :]
        return data.decode(errors="replace")

    def close(self) -> None:
        self._socket.close()


def state(fen: str, turn: str) -> str:
    """The text of a state: the board of a position string, and whose turn it is or how the game ended."""
    rows = []
    for row in reversed(fen.split()[0].split("/")):
        squares: list[str] = []
        for letter in row:
            squares += ["EMPTY"] * int(letter) if letter.isdigit() else [_PIECES[letter]]
        rows.append(squares)
    if rows[_MIDDLE][_MIDDLE] == "EMPTY":
        rows[_MIDDLE][_MIDDLE] = "THRONE"
    return json.dumps({"board": rows, "turn": turn}, separators=(",", ":"))


class Answer(NamedTuple):
    """What a client answered. `word` is a move, or says what was wrong with the answer."""

    word: str
    is_move: bool


def answer(text: str, colour: Colour) -> Answer:
    """The move in the answer of a client that plays `colour`, such as `e4f4`."""
    try:
        message = json.loads(text)
        squares = [message[key].lower() for key in ("from", "to")]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Answer(f"no move in {shown(text)}", False)
    if not all(map(_SQUARE.fullmatch, squares)):
        return Answer(f"no squares in {shown(text)}", False)
    # The contest's server knows who moves, and does not read the turn: some clients write "B", others nothing.
    other = "WHITE" if colour == "BLACK" else "BLACK"
    if str(message.get("turn")).upper() in (other, other[0]):
        return Answer(f"a move of the other side: {shown(text)}", False)
    return Answer("".join(squares), True)


def shown(text: str) -> str:
    """A text of a client as part of a sentence: printable ASCII, cut where it is long."""
    text = " ".join(text.split())
    return ascii(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
