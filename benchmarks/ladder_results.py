"""Plays the ladders of LADDER_RESULTS.md and writes the page: `python -m benchmarks.ladder_results play FOLDER`.

    python -m benchmarks.ladder_results play FOLDER --minutes 60
    python -m benchmarks.ladder_results rivals FOLDER --ludii JAR --opentafl JAR
    python -m benchmarks.ladder_results page FOLDER

`play` writes a tournament file for each game and plays it. Each grade meets its neighbours. `rivals` plays Ludii and
OpenTafl against some grades. Both may be stopped and started again. `page` writes the tables from the databases.
"""

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.studies import ladder_page
from benchmarks.studies.ladder_page import Games
from engines.buckquoy import BuckquoyPlayer
from engines.native.player import HIGHEST_GRADE, Grade
from engines.stornoway import StornowayPlayer
from results.store.store import Store

SEED = 20261123
GAMES = 10
"""Games of a pairing and a variant in a round. More of them in turn start fewer engines."""
ROUNDS = 20
RIVAL_MS = 1000
RIVAL_GAMES = 10
"""Games of a rival against each of its opponents in a variant."""


class Ladder(NamedTuple):
    """One ladder: an engine with grades in some variants, and what else plays there."""

    name: str
    engine: str
    grades: Sequence[Grade]
    variants: tuple[str, ...]
    others: dict[str, tuple[int, tuple[int, ...]]]
    """Engines that come with the arena: the nodes of a move, 0 where they use none, and the grades that they meet."""
    rivals: dict[str, tuple[int, ...]]
    """Engines of others, and the grades that they meet."""


LADDERS = (
    Ladder(
        "callanish",
        "stornoway",
        StornowayPlayer.grades,
        ("callanish-7", "callanish-9"),
        {"greedy": (0, (4, 5)), "alphabeta": (10_000, (5, 7)), "mcts": (300, (6, 8))},
        {"Ludii Alpha-Beta": (4, 6)},
    ),
    Ladder(
        "tafl",
        "buckquoy",
        BuckquoyPlayer.grades,
        ("scottish", "brandub"),
        {"greedy": (0, (4, 5)), "alphabeta": (10_000, (6, 8)), "mcts": (300, (5, 7))},
        {"Ludii Alpha-Beta": (4, 6), "OpenTafl": (4, 6)},
    ),
)

HEAD = """\
# Made by `python -m benchmarks.ladder_results`. Strength limits the nodes of a move.
[tournament]
name = "{name}"
variants = {variants}
nodes = 1000000000
max_plies = 300
seed = {seed}
format = "pairings"
rounds = {rounds}
games_per_pairing = {games}
pairings = {pairings}
"""
ENGINE = """
[[engines]]
name = "{name}"
command = {command}
{keys}
"""
OWN_COMMAND = ["{python}", "-P", "-m"]


def neighbours(ladder: Ladder) -> list[tuple[str, str]]:
    """Each rung with the next and the next but one, and the other engines, from the bottom up."""
    rungs = ["random", *(rung(ladder, grade) for grade in range(1, HIGHEST_GRADE + 1))]
    pairs = [*pairwise(rungs), *zip(rungs, rungs[2:], strict=False)]
    pairs += [(called(name, nodes), rungs[k]) for name, (nodes, met) in ladder.others.items() for k in met]
    return sorted(pairs, key=lambda pair: rungs.index(pair[1]))


def rung(ladder: Ladder, grade: int) -> str:
    """The name of a grade."""
    return f"{ladder.engine} {grade}"


def called(name: str, nodes: int) -> str:
    """The name of an engine that comes with the arena."""
    return f"{name} {nodes} nodes" if nodes else name


def grades_file(ladder: Ladder) -> str:
    """The text of the tournament of all engines that come with the arena. It does not depend on the machine's speed."""
    text = _head(f"grades {ladder.name}", ladder, ROUNDS, GAMES, neighbours(ladder))
    text += ENGINE.format(name="random", command=json.dumps([*OWN_COMMAND, "engines.random"]), keys="")
    for name, (nodes, _) in ladder.others.items():
        command = json.dumps([*OWN_COMMAND, f"engines.{name}"])
        text += ENGINE.format(name=called(name, nodes), command=command, keys=f"nodes = {nodes}" if nodes else "")
    return text + "".join(_grade(ladder, grade) for grade in range(1, HIGHEST_GRADE + 1))


def rivals_file(ladder: Ladder, commands: dict[str, list[str]]) -> str:
    """The text of the tournament of those rivals that have a command."""
    met = {name: grades for name, grades in ladder.rivals.items() if name in commands}
    pairs = [(name, rung(ladder, grade)) for name, grades in met.items() for grade in grades]
    text = _head(f"rivals {' '.join([ladder.name, *met])}", ladder, 1, RIVAL_GAMES, pairs)
    for name in met:
        options = "TimeOffset = 750" if name == "OpenTafl" else f'AI = "{name.removeprefix("Ludii ")}"'
        waits = "start_ms = 300000, ready_ms = 300000, newgame_ms = 300000"
        keys = f"options = {{ {options} }}\nmovetime = {RIVAL_MS}\nmargin = {RIVAL_MS}\n"
        keys += f"limits = {{ {waits}, memory_mb = 4096 }}"
        text += ENGINE.format(name=name, command=json.dumps(commands[name]), keys=keys)
    grades = sorted({grade for each in met.values() for grade in each})
    return text + "".join(_grade(ladder, grade) for grade in grades)


def _head(name: str, ladder: Ladder, rounds: int, games: int, pairs: Sequence[tuple[str, str]]) -> str:
    variants, pairings = json.dumps(ladder.variants), json.dumps(pairs)
    return HEAD.format(name=name, variants=variants, seed=SEED, rounds=rounds, games=games, pairings=pairings)


def _grade(ladder: Ladder, grade: int) -> str:
    command = json.dumps([*OWN_COMMAND, f"engines.{ladder.engine}"])
    return ENGINE.format(
        name=rung(ladder, grade), command=command, keys=f"options = {{ Hash = 16, Strength = {grade} }}"
    )


def database(folder: Path, ladder: Ladder) -> Path:
    """Where the games of a ladder are."""
    return folder / f"ladder-{ladder.name}.db"


def play(ladders: Sequence[Ladder], folder: Path, minutes: float, concurrency: int) -> None:
    """Play the tournaments of the grades, all at the same time, for so long or to their ends."""
    running = [tournament(folder, ladder, grades_file(ladder), "grades", concurrency) for ladder in ladders]
    _await(running, minutes)


def play_rivals(
    ladders: Sequence[Ladder], folder: Path, minutes: float, ludii: Path | None, opentafl: Path | None
) -> None:
    """Play the tournaments of the rivals, one after the other."""
    commands: dict[str, list[str]] = {}
    if ludii is not None:
        command = ["{python}", "-P", "-m", "engines.adapters.ludii", str(ludii.absolute())]
        commands |= {name: command for ladder in ladders for name in ladder.rivals if name.startswith("Ludii")}
    if opentafl is not None:
        adapter = ["{python}", "-P", "-m", "engines.adapters.otep_player", "--name", "OpenTafl"]
        java = ["java", "-Xmx600m", "-cp", str(opentafl.absolute()), "com.manywords.softworks.tafl.OpenTafl"]
        commands["OpenTafl"] = [*adapter, *java, "--silent", "--engine"]
    for ladder in ladders:
        if commands.keys() & ladder.rivals.keys():
            kind = "-".join(["rivals", *(["ludii"] if ludii else []), *(["opentafl"] if opentafl else [])])
            _await([tournament(folder, ladder, rivals_file(ladder, commands), kind, 1)], minutes)


def tournament(folder: Path, ladder: Ladder, text: str, kind: str, concurrency: int) -> subprocess.Popen[bytes]:
    """Start a tournament, or go on with it."""
    folder.mkdir(parents=True, exist_ok=True)
    file, games = folder / f"{kind}-{ladder.name}.toml", database(folder, ladder)
    file.write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "arena.main", "tournament", str(file), "--db", str(games), "--no-smoke"]
    words += ["--concurrency", str(concurrency), *(["--resume"] if _begun(games, text) else [])]
    return subprocess.Popen(words)


def _begun(games: Path, text: str) -> bool:
    if not games.exists():
        return False
    with Store.open_existing(games) as store:
        return any(f'\nname = "{run.name}"\n' in text for run in store.runs())


def _await(running: Sequence[subprocess.Popen[bytes]], minutes: float) -> None:
    try:
        for each in running:
            each.wait(minutes * 60)
    except subprocess.TimeoutExpired:
        pass
    finally:
        # As Ctrl-C: the games that run are ended, and the next start goes on.
        for each in running:
            each.send_signal(signal.SIGINT)
        for each in running:
            each.wait()


def main(words: Sequence[str] | None = None) -> int:
    # A shell starts what runs in the background with SIGINT ignored, and tournaments would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder_results", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    played = steps.add_parser("play", help="play the grades")
    played.add_argument("--concurrency", type=int, default=1, help="games at once of each ladder")
    met = steps.add_parser("rivals", help="play Ludii and OpenTafl, one game at a time")
    met.add_argument("--ludii", type=Path, help="a Ludii.jar")
    met.add_argument("--opentafl", type=Path, help="a jar of OpenTafl")
    paged = steps.add_parser("page", help="write the tables of the page, and those of docs/authors/ENGINES.md")
    for step in (played, met, paged):
        step.add_argument("folder", type=Path)
        step.add_argument("--ladder", choices=[each.name for each in LADDERS], help="one ladder alone")
    for step in (played, met):
        step.add_argument("--minutes", type=float, default=600, help="stop after so long; the next start goes on")
    told = parser.parse_args(words)
    ladders = [each for each in LADDERS if told.ladder in (None, each.name)]
    if told.step == "play":
        play(ladders, told.folder, told.minutes, told.concurrency)
    elif told.step == "rivals":
        play_rivals(ladders, told.folder, told.minutes, told.ludii, told.opentafl)
    else:
        for each in ladders:
            ladder_page.write(Games(each.name, each.engine, each.grades, database(told.folder, each)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
