"""The programs that are measured, each as one command: the C floor, this referee, and its peers where installed.

They play many games of a prepared script, with records and without adjudication.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
REPLAY = HERE / "bin" / "replay"
FLOOR = HERE / "bin" / "floor"
PEERS = ("c-chess-cli", "fastchess", "cutechess-cli")
SOURCES = (HERE / "replay.c", HERE / "floor.c")


@dataclass(frozen=True, slots=True)
class Script:
    """A game that engines replay: its file, its length in plies, and its variant for our referee."""

    file: Path
    plies: int
    variant: str = ""
    thought: str = ""
    """What an engine does for each of its moves: `spin 5000` computes for 5000 us; empty answers at once."""

    def engine(self, capacity: int) -> list[str]:
        """The command of an engine that replays it, with room for `capacity` answers."""
        return [str(REPLAY), str(self.file), str(capacity), *self.thought.split()]


@dataclass(frozen=True, slots=True)
class Workload:
    """The number of games, how many run at once, and the folder for records."""

    games: int
    concurrency: int
    folder: Path
    clock: str = "600+1"

    def capacity(self, script: Script) -> int:
        """The answers that one engine has room for: all of them, since nobody knows which games it will play."""
        return self.games * script.plies


def built() -> bool:
    """Compile the C programs that are missing or out of date. False where that needs a compiler and there is none."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    for source in SOURCES:
        program = HERE / "bin" / source.stem
        if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
            continue
        if compiler is None:
            return False
        program.parent.mkdir(exist_ok=True)
        # Several processes may compile at once: each writes its own file, and the last one stays.
        fresh = program.with_name(f"{program.name}.{os.getpid()}")
        flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
        subprocess.run([compiler, *flags, "-o", str(fresh), str(source)], check=True, timeout=120)
        fresh.replace(program)
    return True


def floor(script: Script, workload: Workload) -> list[str]:
    """The C ping-pong over `script`. It plays one game at a time."""
    return [
        str(FLOOR),
        str(workload.games),
        str(script.file),
        *script.engine(workload.capacity(script)),
    ]


def arena(script: Script, workload: Workload, *, options: Sequence[str] = ()) -> list[str]:
    """`arena match` of this checkout, with its games in a database."""
    engine = shlex.join(script.engine(workload.capacity(script)))
    return [
        *(sys.executable, "-m", "arena.main", "match", engine, engine),
        *("--variant", script.variant, "--max-plies", str(script.plies), "--openings", "0", "--seed", "1"),
        *("--games", str(workload.games), "--concurrency", str(workload.concurrency)),
        *("--tc", workload.clock, "--db", str(workload.folder / "games.db")),
        *options,
    ]


def peer_path(name: str) -> str | None:
    """The path of a peer, in the folder ARENA_PEERS or on the PATH. None where it is not installed."""
    folder = os.environ.get("ARENA_PEERS")
    return shutil.which(name, path=folder) if folder else shutil.which(name)


def peer(name: str, program: str, script: Script, workload: Workload) -> list[str]:
    """A match of a peer over the chess script, with its games in a PGN file."""
    command, *arguments = script.engine(workload.capacity(script))
    pgn = str(workload.folder / "games.pgn")
    games, at_once = str(workload.games), str(workload.concurrency)
    engine = f"cmd={command}"
    if name == "c-chess-cli":
        one = shlex.join([command, *arguments])
        return [
            *(program, "-each", f"tc={workload.clock}", "-engine", f"cmd={one}", "name=a", "-engine", f"cmd={one}"),
            *("name=b", "-games", games, "-concurrency", at_once, "-pgn", pgn),
        ]
    if name == "fastchess":
        words = f"args={' '.join(arguments)}"
        return [
            *(program, "-engine", engine, words, "name=a", "-engine", engine, words, "name=b", "-each", "proto=uci"),
            *(f"tc={workload.clock}", "-games", "1", "-rounds", games, "-concurrency", at_once),
            *("-force-concurrency", "-pgnout", f"file={pgn}"),
        ]
    words_each = [f"arg={word}" for word in arguments]
    return [
        *(program, "-engine", engine, *words_each, "name=a", "-engine", engine, *words_each, "name=b", "-each"),
        *("proto=uci", f"tc={workload.clock}", "-games", games, "-concurrency", at_once, "-pgnout", pgn),
    ]
