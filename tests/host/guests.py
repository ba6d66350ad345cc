"""A hub in its process, clients in threads, and relays as the referee starts them, for tests and benchmarks."""

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from websockets.asyncio.client import ClientConnection

from arena.connect.client import Client, ConnectionRefused, Target
from arena.host import hub as hub_module
from arena.host import hub_process, line
from arena.host.accounts import Accounts
from arena.host.hub import GuestState
from arena.host.hub_process import HubProcess, hub_beside
from arena.host.presence import guest_spec
from arena.play.jobs import EngineSpec
from arena.web.server import listening
from protocol.deadlines import Deadlines
from protocol.process import Command, EngineProcess
from protocol.session import Session

DEADLINE_S = 60.0
ENGINE = """
import os, sys, time
games = 0
def say(*lines):
    os.write(1, "".join(line + "\\n" for line in lines).encode())
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        say("id name Instant", "option name Hash type spin default 1 min 1 max 99", "ugiok")
    elif words[0] == "setoption":
        hash_ = words[-1]
    elif words[0] == "uginewgame":
        games += 1
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        position = line.strip()
    elif words[0] == "go":
        if "movetime" in words:
            time.sleep(int(words[-1]) / 1000)
        if "p1time" in words and int(words[2]) == 66:
            sys.stderr.write("cannot go on\\n")
            sys.exit(3)
        told = [str(len(position.split())), str(games), words[2], str(os.getpid())]
        say("info depth 1 score cp 1 nodes 7 pv " + " ".join(told), "bestmove e5")
    elif words[0] == "quit":
        break
"""
"""An engine that answers at once and tells what it knows: words of the position, games, the number in `go`, pid."""


@dataclass
class Lab:
    """A hub with invited guests."""

    port: int
    tokens: Mapping[str, str]
    process: HubProcess
    accounts: Accounts
    folder: Path
    present: list[GuestState] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def engine(self) -> tuple[str, ...]:
        """The command of an engine that answers at once."""
        path = self.folder / "instant.py"
        path.write_text(ENGINE)
        return sys.executable, "-I", "-S", str(path)

    def spec(self, name: str, digest: str = "build", *, plain: bool = False) -> EngineSpec:
        return guest_spec(self.process.environment, name, digest, plain=plain)

    def wait_until(self, is_so: Callable[[list[GuestState]], bool]) -> None:
        """Wait until those who are connected fulfil this."""
        with self.changed:
            assert self.changed.wait_for(lambda: is_so(self.present), DEADLINE_S), self.present

    def follow(self) -> None:
        for guests in self.process.guests():
            with self.changed:
                self.present = guests
                self.changed.notify_all()


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait for what nobody tells of."""
    until_s = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < until_s
        time.sleep(0.01)


def _main(*order: Any) -> None:
    """The process of a hub that looks after tokens, answers wrong ones and closes what is over a few times sooner."""
    hub_module.LOOK_S, hub_module.WRONG_S, hub_module.CLOSE_S, line.CLOSE_S = 0.1, 0.3, 0.3, 0.3
    hub_process.main(*order)


@contextlib.contextmanager
def hub(folder: Path, *names: str, tls: tuple[Path, Path] | None = None) -> Iterator[Lab]:
    """A hub to which these guests are invited."""
    accounts = Accounts(folder / "lad.guests.json")
    tokens = {name: accounts.invite(name, time.time(), None, ()) for name in names}
    with listening.listen("127.0.0.1", 0) as opened, mock.patch.object(hub_process, "main", _main):
        port = opened.getsockname()[1]
        with hub_beside(folder / "lad.db", accounts.path, opened, "127.0.0.1", tls, open_pages=False) as process:
            lab = Lab(port, tokens, process, accounts, folder)
            thread = threading.Thread(target=lab.follow)
            thread.start()
            try:
                yield lab
            finally:
                process.end()
                thread.join(DEADLINE_S)


class LabClient(Client):
    """A client whose line can be cut."""

    away_until_s = 0.0

    async def _connected(self, session: str = "") -> ClientConnection:
        await asyncio.sleep(max(0.0, self.away_until_s - time.monotonic()))
        return await super()._connected(session)


class Guest:
    """A client in a thread, with what it was told."""

    def __init__(self, target: Target) -> None:
        self.said: list[str] = []
        self.news: list[Mapping[str, Any]] = []
        self.refused: ConnectionRefused | None = None
        self.client = LabClient(target, self)
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._task: asyncio.Task[None] | None = None
        self._begun = threading.Event()
        self.welcomed = threading.Event()
        """Has the host said for the first time that it is in?"""
        self._thread.start()
        self._begun.wait(DEADLINE_S)

    def _run(self) -> None:
        async def run() -> None:
            self._task = asyncio.current_task()
            self._begun.set()
            try:
                await self.client.run()
            except ConnectionRefused as refused:
                self.refused = refused

        with contextlib.suppress(asyncio.CancelledError), contextlib.closing(self.loop):
            self.loop.run_until_complete(run())

    def cut(self, away_s: float = 0.0) -> None:
        """Cut the line; the client comes back after `away_s` at the earliest."""

        def cut() -> None:
            self.client.away_until_s = time.monotonic() + away_s
            if self.client._line is not None:
                self.client._line.transport.abort()

        self.loop.call_soon_threadsafe(cut)

    def join(self) -> None:
        """Wait for its end."""
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive(), "the client does not end"

    def end(self) -> None:
        """End it at once, as a second Ctrl-C does."""
        with contextlib.suppress(RuntimeError):  # its loop has ended
            assert self._task is not None
            self.loop.call_soon_threadsafe(self._task.cancel)
        self.join()

    def say(self, sentence: str) -> None:
        self.said.append(sentence)
        if sentence.startswith("connected as "):
            self.welcomed.set()

    def played(self, news: Mapping[str, Any]) -> None:
        self.news.append(news)


@contextlib.contextmanager
def guest(
    lab: Lab, name: str, command: tuple[str, ...] | None = None, digest: str = "build", token: str | None = None
) -> Iterator[Guest]:
    """A client of this guest, connected unless it is refused."""
    target = Target(lab.url, token or lab.tokens[name], None, command or lab.engine(), digest, "0", games=8)
    connected = Guest(target)
    try:
        yield connected
    finally:
        connected.end()


@contextlib.contextmanager
def connected(lab: Lab, name: str, command: tuple[str, ...] | None = None, digest: str = "build") -> Iterator[Guest]:
    """The same, once the hub knows it."""
    with guest(lab, name, command, digest) as there:
        lab.wait_until(lambda guests: any((each.name, each.digest) == (name, digest) for each in guests))
        assert there.welcomed.wait(DEADLINE_S)
        yield there


@contextlib.contextmanager
def session(spec: EngineSpec) -> Iterator[Session]:
    """A dialogue with a relay, as the referee has it."""
    with EngineProcess.spawn(Command(spec.command, spec.sandbox)) as process:
        yield Session(process, Deadlines(*[60_000] * 5))
