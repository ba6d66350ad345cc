"""Part d: the same work as fastchess with real engines: Stockfish against itself, two games at once.

Both referees get one book and one set of options, and their own default margin. With a limit on nodes Stockfish plays
the same moves whoever asks it, so a game that differs would be a fault of a referee.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from arena.games import variants
from arena.games.game import Game
from benchmarks.speed import contenders, scripts
from benchmarks.speed.rows import OURS, Row, Workspace
from benchmarks.speed.stamps import Failed

GAMES = 400
CLOCK, NODES = "1+0.01", 5_000
PEER = "fastchess"
_DEADLINE_S = 3_600
_TIME = "time forfeit"
_CAUSE = "UCI engines speak through an adapter, a process each, and the rules of chess are a package in Python"
Games = list[tuple[str, ...]]
"""The words of each game's moves, the opening left out, in the order of the schedule."""


def stockfish() -> str | None:
    """Its path; Debian's lies outside of most PATHs."""
    return shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


def measure(space: Workspace, games: int = GAMES) -> list[Row]:
    """Rows at a clock and at a number of nodes. They take turns, each in one long run."""
    engine, peer = stockfish(), contenders.peer_path(PEER)
    if engine is None or peer is None:
        missing = "Stockfish" if engine is None else PEER
        return [Row("d", "games an hour", "games/h", notes={OURS: f"skipped: {missing} is not installed"})]
    folder = space.clean()
    book = folder / "book.epd"
    book.write_text("".join(f"{opening(seed)}\n" for seed in range(games // 2)), encoding="ascii")
    rows = []
    for limit, what in ((CLOCK, f"Stockfish at {CLOCK}"), ("", f"Stockfish at {NODES} nodes")):
        hours, found, lost = {}, {}, {}
        for who in (OURS, PEER):
            began = time.monotonic()
            if who == OURS:
                found[who], lost[who] = _ours(engine, book, limit, games, folder)
            else:
                found[who], lost[who] = _theirs(peer, engine, book, limit, games, folder)
            hours[who] = [[len(found[who]) / ((time.monotonic() - began) / 3600)]]
        rows.append(Row("d", f"{what}: games an hour", "games/h", hours, True, _CAUSE))
        rows.append(Row("d", f"{what}: losses on time", "games", {who: [[float(lost[who])]] for who in found}))
        if not limit:
            equal = sum(a == b for a, b in zip(found[OURS], found[PEER], strict=True))
            rows.append(Row("d", f"{what}: games whose moves are equal, of {games}", "games", {OURS: [[float(equal)]]}))
    return rows


def opening(seed: int) -> str:
    """The position after eight random moves of chess."""
    rules = variants.find("chess")
    game = Game(rules, rules.start())
    for word in scripts.legal_game("chess", 8, seed):
        game.play(word)
    return game.position.fen()


def _ours(engine: str, book: Path, limit: str, games: int, folder: Path) -> tuple[Games, int]:
    db = str(folder / f"{limit or NODES}.db")
    _run(
        [
            *(sys.executable, "-m", "arena.main", "match", f"{engine}:Hash=16", f"{engine}:Hash=16", "--quiet"),
            *("--variant", "chess", "--adapter", "uci", "--book", str(book), "--book-order", "sequential"),
            *("--games", str(games), "--concurrency", "2", "--seed", "1", "--db", db),
            *(("--tc", limit) if limit else ("--nodes", str(NODES))),
        ],
        folder,
    )
    lines = _run([sys.executable, "-m", "arena.main", "export", db, "--format", "jsonl"], folder).splitlines()
    found = sorted((json.loads(line) for line in lines), key=lambda game: int(game["number"]))
    moves = [tuple(ply["move"] for ply in game["ply_data"]) for game in found]
    return moves, sum(game["termination"] == "time" for game in found)


def _theirs(peer: str, engine: str, book: Path, limit: str, games: int, folder: Path) -> tuple[Games, int]:
    pgn = folder / f"{limit or NODES}.pgn"
    each = ["-each", "proto=uci", "option.Hash=16", f"tc={limit}" if limit else f"nodes={NODES}"]
    _run(
        [
            *(peer, "-engine", f"cmd={engine}", "name=a", "-engine", f"cmd={engine}", "name=b", *each),
            *("-openings", f"file={book}", "format=epd", "order=sequential", "-games", "2", "-repeat"),
            *("-rounds", str(games // 2), "-concurrency", "2", "-pgnout", f"file={pgn}", "notation=uci"),
        ],
        folder,
    )
    found = {}
    text = pgn.read_text(encoding="utf-8")
    for part in re.split(r"(?=^\[Event )", text, flags=re.MULTILINE)[1:]:
        tags, _, moves = part.partition("\n\n")
        round_ = re.search(r'\[Round "([\d.]+)"', tags)
        white = re.search(r'\[White "(\w)"', tags)
        assert round_ is not None and white is not None
        words = re.findall(r"\b[a-h][1-8][a-h][1-8][qrbn]?\b", re.sub(r"\{[^}]*\}", "", moves))
        found[int(round_[1].split(".")[0]), white[1]] = tuple(words)
    return [found[key] for key in sorted(found)], text.count(f'"{_TIME}"')


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_DEADLINE_S)
    if done.returncode:
        raise Failed(f"{shlex.join(command)}: {done.stderr.strip()[-500:]}")
    return done.stdout
