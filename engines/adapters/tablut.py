"""Plays as a client of the Tablut Challenge: towards it this is the contest's server. docs/authors/TABLUT.md.

    python -m engines.adapters.tablut ./runmyplayer.sh {ROLE} {seconds} {host}

A client hears its time once, when it starts, and plays one side of one game. So the arena tells the side and the time
of a move before the game (SPEC 4.5), and the client is started and connected while no clock runs.
"""

import argparse
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from engines.adapters import command_line
from engines.adapters import tablut_wire as wire
from engines.adapters.line_process import CannotStart, Program, ProgramFailed
from engines.adapters.program_engine import ProgramEngine, play
from engines.common import Line
from protocol.engine import Option, Root, Search

VARIANT = "tablut-ashton"
HOST = "127.0.0.1"
_DEFAULT_WORDS = ("{ROLE}", "{seconds}", "{host}")
"""The arguments of the contest's runmyplayer.sh."""
_NAMES = ("role", "Role", "ROLE", "seconds", "ms", "host", "port")
_LONGEST_MS = 86_400_000
_CONNECT_S = 300.0
"""How long a client may take to connect and to say its name. The arena's own deadline is newgame_ms."""
_END_S = 1.0
"""How long a client may take to end by itself after the end of a game."""


class Client(Program):
    """A client that has been started: its process, its connection, and the colour that it plays."""

    speaks_over = "connection"

    def __init__(self, argv: Sequence[str], colour: wire.Colour, port: int) -> None:
        """Start it, and wait until it has connected and said its name. Raises ProgramFailed."""
        self.colour = colour
        self._connection: wire.Connection | None = None
        try:
            self._server = socket.create_server((HOST, port), backlog=4)
        except OSError as error:
            raise CannotStart(
                f"port {port} of the loopback cannot be had ({error.strerror}): "
                "play one game at a time, or with --contain strict"
            ) from None
        try:
            # What it prints goes to our stderr: the arena keeps its last words.
            super().__init__(
                [word.replace("{port}", str(self._server.getsockname()[1])) for word in argv], in_lines=False
            )
        except CannotStart:
            self._server.close()
            raise
        try:
            self._connect()
        except BaseException:
            self.kill()
            raise

    def _connect(self) -> None:
        deadline = time.monotonic() + _CONNECT_S
        exited = os.pidfd_open(self.process.pid)
        try:
            if exited in self._ready((self._server.fileno(), exited), deadline, "connect"):
                raise self.ended("before it connected")
        finally:
            os.close(exited)
        self._connection = wire.Connection(self._server.accept()[0])
        while self._frame() is None:
            self._ready((self._connection.fileno(),), deadline, "say its name")
            if not self._connection.take():
                raise self.ended("before it said its name")

    def _ready(self, descriptors: Sequence[int], deadline: float, what: str) -> list[int]:
        ready = _readable(descriptors, max(0.0, deadline - time.monotonic()) * 1000)
        if not ready:
            raise ProgramFailed(f"{self.name} did not {what} within {_CONNECT_S:.0f} s")
        return ready

    def send(self, state: str) -> None:
        """Send a state. Raises ProgramEnded."""
        assert self._connection is not None
        try:
            self._connection.send(state)
        except OSError:
            raise self.ended("when it was sent a state") from None

    def read(self, search: Search, in_fd: int) -> str | None:
        """The next frame; None if the search is stopped before, which `in_fd` tells. Raises ProgramFailed, NoFrame."""
        assert self._connection is not None
        while (frame := self._frame()) is None:
            ready = _readable((self._connection.fileno(), self._server.fileno(), in_fd))
            if in_fd in ready and search.stopped():
                return None
            if self._server.fileno() in ready:
                raise ProgramFailed(f"{self.name} connected twice, and a client plays over one connection")
            if self._connection.fileno() in ready and not self._connection.take():
                raise self.ended("when its move was due")
        return frame

    def _frame(self) -> str | None:
        assert self._connection is not None
        return self._connection.frame()

    def end(self, state: str) -> None:
        """Send how the game ended, and let it end by itself."""
        assert self._connection is not None
        try:
            self._connection.send(state)
        except OSError:
            pass
        self.wait(_END_S)
        self.kill()

    def kill(self) -> None:
        """End it and all that it has started in its session."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        if self._connection is not None:
            self._connection.close()
        self._server.close()


def _readable(descriptors: Sequence[int], wait_ms: float | None = None) -> list[int]:
    """Those that can be read or have ended, once there is one; none after `wait_ms`."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in poll.poll(wait_ms)]


class TablutPlayer(ProgramEngine):
    """An engine whose moves come from a client of the Tablut Challenge."""

    variants = (VARIANT,)

    def __init__(self, argv: Sequence[str], name: str, reserve_ms: int, seconds: int | None, in_fd: int = 0) -> None:
        """`reserve_ms` of each move are kept back; `seconds` is what the client is told in any case."""
        self._argv = (
            argv if any(f"{{{each}}}" in word for word in argv for each in _NAMES) else (*argv, *_DEFAULT_WORDS)
        )
        self._reserve_ms, self._seconds, self._in_fd = reserve_ms, seconds, in_fd
        self._client: Client | None = None
        self._side = ""
        """The side of the next game, empty where nobody said it."""
        self._last = ""
        """The board that the client saw last."""
        self.options = (
            Option("UGI_Side", "combo", "p1", choices=("p1", "p2")),
            Option("UGI_GameOver", "check", "true"),
        )
        if seconds is None and any("{seconds}" in word or "{ms}" in word for word in self._argv):
            whole = 1_000 if any("{seconds}" in word for word in self._argv) else 1
            least = whole + reserve_ms
            self.options += (Option("UGI_MoveTime", "spin", str(least), min=least, max=_LONGEST_MS),)
        super().__init__(name)

    def set_option(self, name: str, value: str) -> None:
        super().set_option(name, value)
        if name == "UGI_Side":
            self._side = value

    def new_game(self) -> None:
        super().new_game()
        self.kill()

    def prepare(self, root: Root) -> None:
        """Start the client for the side that was told. A black one hears the start, and that white is to move."""
        if self._side:
            line = self.line(root)
            line.position.moves()  # tables are made before a clock runs
            self._start(self._side)
            if self._side == "p1":
                self._show(line, "WHITE")
            self._side = ""

    def ask(self, line: Line, search: Search) -> str | None:
        side = line.position.side
        colour = wire.COLOURS[side]
        if self._client is None or self._client.colour != colour:
            if "UGI_MoveTime" in self.settings:
                if search.limits.movetime_ms is None:
                    least = next(option.default for option in self.options if option.name == "UGI_MoveTime")
                    raise ValueError(f"a client hears the time of a move: give a movetime, of {least} ms at least")
                self.settings["UGI_MoveTime"] = str(search.limits.movetime_ms)
            self.kill()
            self._start(side)
            if side == "p1" and line.before:
                self._client_now.send(wire.state(line.before[-1].fen(), "WHITE"))
        self._show(line, colour)
        try:
            frame = self._client_now.read(search, self._in_fd)
        except wire.NoFrame as error:
            return str(error)
        if frame is None:
            return None
        answer = wire.answer(frame, colour)
        legal = line.position.find(answer.word) if answer.is_move else None
        if legal is not None:
            after = line.position.play(legal)
            self._last = after.fen()
            if after.outcome is None:
                # The server tells both sides of each move at once. Sent later it would come together with the next one.
                self._client_now.send(wire.state(self._last, wire.COLOURS[after.side]))
        return answer.word

    def game_over(self, text: str) -> None:
        client, self._client = self._client, None
        if client is not None:
            winner = text.split()[0].removesuffix("win") if text else ""
            client.end(wire.state(self._last, wire.ENDS.get(winner, "DRAW")))

    def kill(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.kill()

    def close(self) -> None:
        self.kill()

    @property
    def _client_now(self) -> Client:
        assert self._client is not None
        return self._client

    def _show(self, line: Line, turn: str) -> None:
        self._last = line.position.fen()
        self._client_now.send(wire.state(self._last, turn))

    def _start(self, side: str) -> None:
        role = wire.COLOURS[side].lower()
        for_thought_ms = max(1, int(self.settings.get("UGI_MoveTime", 0)) - self._reserve_ms)
        seconds = max(1, for_thought_ms // 1_000) if self._seconds is None else self._seconds
        values = {"role": role, "Role": role.title(), "ROLE": role.upper(), "host": HOST, "seconds": str(seconds)}
        values["ms"] = str(for_thought_ms if self._seconds is None else seconds * 1_000)
        argv = list(self._argv)
        for name, value in values.items():
            argv = [word.replace(f"{{{name}}}", value) for word in argv]
        colour = wire.COLOURS[side]
        self._client = Client(argv, colour, 0 if any("{port}" in word for word in argv) else wire.PORTS[colour])


def main(arguments: Sequence[str] | None = None) -> int:
    """Speak our protocol until `quit`."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.adapters.tablut",
        description="Play as a client of the Tablut Challenge: docs/authors/TABLUT.md tells how to register it.",
        epilog="In the command, {role}, {Role} and {ROLE} are the side (white or black), {seconds} and {ms} its time "
        "for a move, {host} and {port} where to connect. Without any of them, {ROLE} {seconds} {host} is added.",
    )
    parser.add_argument("--name", help="what the engine is called (default: as its program)")
    parser.add_argument(
        "--reserve-ms",
        type=int,
        default=200,
        metavar="N",
        help="ms of each move that the client is not told (default 200)",
    )
    parser.add_argument("--seconds", type=int, metavar="N", help="what the client is told, whatever its limit is")
    options = command_line.parsed(parser, arguments, "./runmyplayer.sh {ROLE} {seconds} {host}")
    if options.reserve_ms < 0:
        parser.error("--reserve-ms must be 0 or more")
    if options.seconds is not None and options.seconds < 1:
        parser.error("--seconds must be 1 or more")
    name = options.name or Path(options.command[0]).stem
    return play(TablutPlayer(options.command, name, options.reserve_ms, options.seconds), parser.prog)


if __name__ == "__main__":
    sys.exit(main())
