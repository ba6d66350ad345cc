"""An open ladder for measurements: a host and clients, each a process, that are gone when it ends."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from arena.host.accounts import Accounts
from benchmarks.host.timed_engine import FILE
from results.record import GameRecord
from results.store.store import Store, StoreError

ROOT = Path(__file__).parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
ARENA = [sys.executable, "-m", "arena"]
_SHARE = re.compile(r"^Pss: +(\d+) kB", re.MULTILINE)
_NEWS = re.compile(r"^game (\d+): (won|lost|drawn|void) against", re.MULTILINE)


class OpenLadder:
    """A ladder of guests alone in a folder. Use it in a `with` block."""

    def __init__(
        self,
        folder: Path,
        guests: int,
        *,
        tc: str,
        at_once: int,
        longest_ms: float = 0,
        address: str = "127.0.0.1",
        variant: str = "callanish-5",
    ) -> None:
        self.folder = folder
        self.address = address
        self.names = [f"g{number:02}" for number in range(guests)]
        self._longest_ms = longest_ms
        with socket.create_server((address, 0)) as free:
            self.port: int = free.getsockname()[1]
        key, value = tc.split("=") if "=" in tc else ("tc", f'"{tc}"')
        self.file = folder / "l.toml"
        self.file.write_text(
            f'[tournament]\nname = "open"\nvariants = ["{variant}"]\n{key} = {value}\n'
            f"seed = 7\nconcurrency = {at_once}\n"
        )
        self.db = folder / "l.db"
        accounts = Accounts.beside(self.db)
        for name in self.names:
            (folder / f"{name}.token").write_text(accounts.invite(name, time.time(), None, ()))
        self.host: subprocess.Popen[bytes] | None = None
        self.clients: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "OpenLadder":
        return self

    def __exit__(self, *error: object) -> None:
        for process in [*self.clients.values(), *([] if self.host is None else [self.host])]:
            kill(process)

    def start_host(self, games: int | None = None) -> None:
        words = [*ARENA, "host", "start", str(self.file), "--db", str(self.db), "--port", str(self.port)]
        words += ["--host", self.address, "--insecure", "--contain", "none"]
        words += [] if games is None else ["--games", str(games)]
        self.host = self._start(words, "host.log")
        self.wait(self._listens, 60, "the host listens")

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((self.address, self.port), 1):
            return True
        return False

    def start_client(self, name: str, port: int | None = None, within: Sequence[str] = ()) -> None:
        """Start a client of this guest, by a proxy's port or within something that starts it."""
        engine = [sys.executable, "-P", "-m", "benchmarks.host.timed_engine", str(self._longest_ms)]
        address = self.address if port is None else "127.0.0.1"
        url = f"ws://{address}:{port or self.port}"
        words = [*within, *ARENA, "connect", url, "--token-file", str(self.folder / f"{name}.token"), "--insecure"]
        self.clients[name] = self._start([*words, "--", *engine], f"{name}.log", {FILE: str(self.times(name))})

    def _start(
        self, words: Sequence[str], log: str, more: Mapping[str, str] = MappingProxyType({})
    ) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200", **more}
        with (self.folder / log).open("ab") as out:
            return subprocess.Popen(
                words,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    # What happens

    def times(self, name: str) -> Path:
        """What the engine of a guest has noted."""
        return self.folder / f"{name}.times"

    def has_moved(self, name: str, seconds: float) -> bool:
        """Did the engine of a guest move within so many seconds?"""
        path = self.times(name)
        return path.exists() and time.time() - path.stat().st_mtime < seconds

    def said(self, log: str) -> str:
        path = self.folder / log
        return path.read_text(errors="replace") if path.exists() else ""

    def news(self, name: str) -> list[tuple[int, str]]:
        """The games whose end a guest was told, with the word for it."""
        return [(int(number), word) for number, word in _NEWS.findall(self.said(f"{name}.log"))]

    def present(self) -> dict[str, dict[str, object]]:
        """The guests that are connected, by name; empty where nobody answers."""
        try:
            with urllib.request.urlopen(f"http://{self.address}:{self.port}/api/guests.json", timeout=5) as answer:
                return {each["name"]: each for each in json.load(answer)["guests"]}
        except (OSError, ValueError):
            return {}

    def wait_for_end(self, pids: Sequence[int], seconds: float = 60) -> float:
        """Wait until none of these processes is there, and return the seconds it took; print who takes long."""
        since_s = time.monotonic()
        told = False
        while left := [pid for pid in pids if running(pid)]:
            if not told and time.monotonic() - since_s > 3:
                print(f"left after 3 s: {[running(pid) for pid in left]}", flush=True)
                told = True
            if time.monotonic() - since_s > seconds:
                raise TimeoutError(f"{left} are left")
            time.sleep(0.05)
        return time.monotonic() - since_s

    def wait_for_games(self, more: int, seconds: float = 120) -> None:
        """Wait until so many more games are stored."""
        goal = self.count() + more
        self.wait(lambda: self.count() >= goal, seconds, f"{more} more games are stored")

    def connections(self, name: str) -> int:
        """How often a guest's clients were connected."""
        return self.said(f"{name}.log").count("connected as")

    def wait_for_connection(self, name: str, before: int, seconds: float = 60) -> float:
        """Wait until a guest was connected more often than before, and return the seconds it took."""
        return self.wait(lambda: self.connections(name) > before, seconds, f"{name} is back")

    def wait_to_join(self, guests: int) -> float:
        """Wait until so many guests have passed the door and are in a batch, and return the seconds it took."""
        return self.wait(lambda: self.said("host.log").count(" joins") >= guests, 900, f"{guests} guests have joined")

    def wait_for_some(self, guests: int, seconds: float) -> None:
        self.wait(lambda: len(self.present()) >= guests, seconds, f"{guests} guests are connected")

    def count(self) -> int:
        """How many games are stored."""
        return len(self.numbers())

    def numbers(self) -> list[int]:
        """The numbers of the stored games."""
        with contextlib.suppress(StoreError), Store.open_existing(self.db) as store:
            return [number for run in store.runs() for number in store.done(run.id)]
        return []

    def games(self) -> list[GameRecord]:
        with Store.open_existing(self.db) as store:
            return list(store.games())

    def wait(self, until: Callable[[], bool], seconds: float, what: str) -> float:
        """Wait for it, and return the seconds it took. Raises TimeoutError."""
        since_s = time.monotonic()
        while not until():
            if time.monotonic() - since_s > seconds:
                raise TimeoutError(f"{what}: not within {seconds:g} s; see {self.folder}")
            if self.host is not None and self.host.poll() not in (None, 0, -signal.SIGKILL):
                raise RuntimeError(f"the host has ended: {self.said('host.log')[-2000:]}")
            time.sleep(0.05)
        return time.monotonic() - since_s

    def wait_for_all(self, seconds: float = 60) -> float:
        return self.wait(lambda: len(self.present()) == len(self.names), seconds, "all guests are connected")


class Usage(NamedTuple):
    """What the processes of a host have used."""

    main_s: float
    hub_s: float
    games_s: float
    """Workers and relays."""
    ended_s: float
    """What the host started and what has ended: checks at the door."""
    memory_mb: float
    """Of what several of them share, each has its share."""


def usage(host: int) -> Usage:
    """The CPU time of the host, the hub, and the workers and relays, with those that have ended."""
    used = {"main": 0.0, "hub": 0.0, "games": 0.0, "ended": 0.0}
    memory_mb = 0.0
    for pid in [host, *descendants(host)]:
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
            share = _SHARE.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
        except OSError:
            continue
        which = "main" if pid == host else "hub" if b"hub_process" in command else "games"
        used[which] += sum(map(int, fields[11:13] if pid == host else fields[11:15])) / TICKS
        used["ended"] += sum(map(int, fields[13:15])) / TICKS if pid == host else 0
        memory_mb += int(share[1]) / 1024 if share else 0
    return Usage(used["main"], used["hub"], used["games"], used["ended"], memory_mb)


def descendants(pid: int) -> list[int]:
    """The processes that it and its children have started and that are there."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return [each for child in found for each in (child, *descendants(child))]


def running(pid: int) -> str:
    """The command line of a process; empty where it has ended."""
    try:
        ended = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
        return "" if ended else Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process, not what it has started: that must end by itself."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait(20)
