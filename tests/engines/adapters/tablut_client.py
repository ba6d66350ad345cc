"""A client of the Tablut Challenge, which behaves as it is told, and may fail on purpose.

    python tablut_client.py WHITE 1 127.0.0.1 [how] [port]

It keeps no game: it takes the board of each state and answers with a legal move, the same one for the same board.
"""

import json
import os
import random
import re
import socket
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from arena.games.game import Game
from arena.games.variants import resolve

LETTERS = {"BLACK": "a", "WHITE": "d", "KING": "k", "EMPTY": "1", "THRONE": "1"}


class Client:
    """One connection, and how it is used."""

    def __init__(self, role: str, host: str, how: str, port: int) -> None:
        self.role, self.how = role.upper(), how
        self.socket = socket.create_connection((host, port), 10)
        self.socket.settimeout(60)

    def send(self, text: str) -> None:
        data = struct.pack(">I", len(text.encode())) + text.encode()
        if self.how == "pieces":
            for byte in data:
                self.socket.sendall(bytes([byte]))
                time.sleep(0.0005)
        elif self.how == "dies in a frame" and text.startswith("{"):
            self.socket.sendall(data[:12])
            os._exit(3)
        else:
            self.socket.sendall(data)

    def receive(self) -> str:
        if self.how == "receives once":
            data = self.socket.recv(65536)
            if not data:
                return ""
            (length,) = struct.unpack(">I", data[:4])
            if len(data) != 4 + length:
                sys.exit(f"error: {len(data)} bytes came at once for a frame of {length}")
            return data[4:].decode()
        header = self.exactly(4)
        return "" if not header else self.exactly(struct.unpack(">I", header)[0]).decode()

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            if not (chunk := self.socket.recv(count - len(data))):
                return b""
            data += chunk
        return data

    def answer(self, board: list[list[str]]) -> str:
        rows = ("".join(LETTERS[square] for square in row) for row in reversed(board))
        side = "p2" if self.role == "WHITE" else "p1"
        fen = re.sub("1+", lambda run: str(len(run[0])), "/".join(rows)) + f" {side} 1"
        game = Game(*resolve("tablut-ashton", "", fen))
        move = random.Random(fen).choice(game.position.moves()).text
        start, to, turn = move[:2], move[2:], self.role
        if self.how == "upper":
            start, to, turn = start.upper(), to.upper(), turn.lower()
        elif self.how == "null move":
            to = start
        elif self.how == "illegal":
            start, to = "e5", "a9"
        elif self.how == "other side":
            turn = "BLACK" if turn == "WHITE" else "WHITE"
        elif self.how == "no squares":
            start = "the king"
        return json.dumps({"from": start, "to": to, "turn": turn})


def main() -> None:
    role, seconds, host, *rest = sys.argv[1:]
    how = rest[0] if rest else "plays"
    port = int(rest[1]) if len(rest) > 1 else 5800 if role == "WHITE" else 5801
    print(f"I am {role}, {seconds} s, {how}", flush=True)
    if how == "never connects":
        time.sleep(60)
    if how == "ends at once":
        sys.exit("error: I cannot start")
    client = Client(role, "localhost" if how == "by name" else host, how, port)
    client.send("Fox" if how == "bare name" else '"Fox"')
    if how == "early" and role == "WHITE":
        client.send(json.dumps({"from": "e4", "to": "f4", "turn": "WHITE"}))
    first = True
    while state := client.receive():
        began_ns = time.monotonic_ns()
        said = json.loads(state)
        turn = said["turn"]
        print("state", turn, flush=True)
        if turn in ("WHITEWIN", "BLACKWIN", "DRAW"):
            return
        if turn != client.role:
            continue
        if how == "late":
            time.sleep(0.03)
        elif how == "thinks":
            time.sleep(0.6)
        if how == "stalls":
            time.sleep(60)
        elif how == "dies":
            sys.exit(7)
        elif how == "twice":
            Client(role, host, how, port)
            time.sleep(60)
        elif how == "closes":
            client.socket.close()
            time.sleep(60)
        elif how == "rubbish":
            client.send("{I move, therefore I am")
        elif how == "long frame":
            client.socket.sendall(b"GET / HTTP/1.0\r\n\r\n")
        elif not (how == "early" and first and role == "WHITE"):
            client.send(client.answer(said["board"]))
            print("took", time.monotonic_ns() - began_ns, flush=True)
        first = False


main()
