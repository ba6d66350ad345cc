"""Who is measured: the C floor, this referee, and its peers where they are installed; each as one command.

Knows how each of them is told to play many games of the prepared script with records on and adjudication off, and
nothing of how it is timed.
"""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
REPLAY = HERE / "bin" / "replay"
FLOOR = HERE / "bin" / "floor"
AS_WRITTEN = "arena"
COMPILED = "arena, compiled"
_COMPILED = HERE.parent / ".fast" / "bin" / "arena"
PEERS = ("c-chess-cli", "fastchess", "cutechess-cli")
SOURCES = (HERE / "replay.c", HERE / "floor.c")


@dataclass(frozen=True, slots=True)
class Script:
    """A game to be replayed: the file, its length, and what a referee of ours is told that it is."""

    file: Path
    plies: int
    variant: str = ""

    def engine(self, capacity: int, thought: str = "") -> list[str]:
        """The command of an engine that replays it, with room for so many answers. `thought`: `spin 1000`."""
        return [str(REPLAY), str(self.file), str(capacity), *thought.split()]


@dataclass(frozen=True, slots=True)
class Order:
    """How much is to be played, and the folder for records."""

    games: int
    concurrency: int
    folder: Path
    clock: str = "600+1"

    def capacity(self, script: Script) -> int:
        """How many answers one engine has room for: four times its share, where there are many; then it is cut."""
        return self.games * script.plies * min(4, self.concurrency) // self.concurrency


def built() -> bool:
    """Make the C programs that are older than their sources. False where there is no compiler and none is there."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    for source in SOURCES:
        program = HERE / "bin" / source.stem
        if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
            continue
        if compiler is None:
            return False
        program.parent.mkdir(exist_ok=True)
        # Several may build at once: each its own file, and the last one stays.
        fresh = program.with_name(f"{program.name}.{os.getpid()}")
        flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
        subprocess.run([compiler, *flags, "-o", str(fresh), str(source)], check=True, timeout=120)
        fresh.replace(program)
    return True


def floor(script: Script, order: Order, round_trips: int) -> list[str]:
    """The C ping-pong over `script`; it knows one game at a time."""
    return [str(FLOOR), str(round_trips), str(order.games), str(script.file), *script.engine(order.capacity(script))]


def editions() -> list[str]:
    """What there is of this checkout, the quickest first: what `make fast` made, if anything, and what is written."""
    return [COMPILED, AS_WRITTEN] if _COMPILED.exists() else [AS_WRITTEN]


def arena(script: Script, order: Order, *options: str, thought: str = "", edition: str = "") -> list[str]:
    """`arena match` of this checkout, its games kept in a database; the quickest edition, where none is named."""
    engine = shlex.join(script.engine(order.capacity(script), thought))
    compiled = (edition or editions()[0]) == COMPILED
    return [
        *([str(_COMPILED)] if compiled else [sys.executable, "-m", "arena.main"]),
        *("match", engine, engine),
        *("--variant", script.variant, "--max-plies", str(script.plies), "--openings", "0", "--seed", "1"),
        *("--games", str(order.games), "--concurrency", str(order.concurrency)),
        *("--tc", order.clock, "--db", str(order.folder / "games.db")),
        *options,
    ]


@cache
def traces() -> bool:
    """Has `arena match` an option for the whole transcript?"""
    helped = subprocess.run(
        [sys.executable, "-m", "arena.main", "match", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "120"},
    )
    return "--trace" in helped.stdout


def peer_path(name: str) -> str | None:
    """Where a peer is: in the folder that ARENA_PEERS names, or on the PATH. None where it is not installed."""
    folder = os.environ.get("ARENA_PEERS")
    return shutil.which(name, path=folder) if folder else shutil.which(name)


def peer(name: str, program: str, script: Script, order: Order, *, trace: bool = False) -> list[str]:
    """A match of a peer over the chess script, its games kept in a PGN file."""
    command, *arguments = script.engine(order.capacity(script))
    pgn, log = str(order.folder / "games.pgn"), str(order.folder / "trace.log")
    games, at_once = str(order.games), str(order.concurrency)
    engine = f"cmd={command}"
    if name == "c-chess-cli":
        one = shlex.join([command, *arguments])
        return [
            *(program, "-each", f"tc={order.clock}", "-engine", f"cmd={one}", "name=a", "-engine", f"cmd={one}"),
            *("name=b", "-games", games, "-concurrency", at_once, "-pgn", pgn, *(("-log",) if trace else ())),
        ]
    if name == "fastchess":
        words = f"args={' '.join(arguments)}"
        record = ("-log", f"file={log}", "level=trace", "engine=true") if trace else ()
        return [
            *(program, "-engine", engine, words, "name=a", "-engine", engine, words, "name=b", "-each", "proto=uci"),
            *(f"tc={order.clock}", "-games", "1", "-rounds", games, "-concurrency", at_once),
            *("-force-concurrency", "-pgnout", f"file={pgn}", *record),
        ]
    words_each = [f"arg={word}" for word in arguments]
    return [
        *(program, "-engine", engine, *words_each, "name=a", "-engine", engine, *words_each, "name=b", "-each"),
        *("proto=uci", f"tc={order.clock}", "-games", games, "-concurrency", at_once, "-pgnout", pgn),
        *(("-debug",) if trace else ()),
    ]
