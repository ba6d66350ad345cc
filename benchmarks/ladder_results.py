"""Plays the ladders of LADDER_RESULTS.md and writes its tables: `python -m benchmarks.ladder_results play FOLDER`.

    python -m benchmarks.ladder_results play FOLDER --minutes 90
    python -m benchmarks.ladder_results page FOLDER

`play` writes a tournament file for each variant and plays all of them at the same time, into one database. It may be
stopped and started again. `page` writes the tables from the database.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks import ladder_page
from engines.buckquoy import BuckquoyPlayer
from engines.native.player import HIGHEST_GRADE, Grade
from engines.stornoway import StornowayPlayer
from results.store.store import Store

SEED = 20261125
GAMES = 6
"""Games of a pairing in a round. More of them in turn start fewer engines."""
ROUNDS = 10
"""Most rounds of a variant. Those with short games end here, and leave the CPU to the others."""
ALPHABETA, MCTS = "alphabeta 10000 nodes", "mcts 300 nodes"


class Ladder(NamedTuple):
    """One ladder: an engine with grades in a variant, and what else plays there."""

    variant: str
    engine: str
    grades: Sequence[Grade]
    others: Mapping[str, tuple[int, ...]]
    """Other engines that come with the arena, and the grades that they meet."""
    at_once: int
    """Games at once, more where they are long: so all variants come out with similar numbers of games."""

    def rung(self, grade: int) -> str:
        """The name of a grade."""
        return f"{self.engine} {grade}"


def _callanish(variant: str, at_once: int) -> Ladder:
    others = {"greedy": (4, 5), ALPHABETA: (5, 7), MCTS: (6, 8)}
    return Ladder(variant, "stornoway", StornowayPlayer.grades, others, at_once)


def _tafl(variant: str, at_once: int) -> Ladder:
    others = {"greedy": (4, 5), ALPHABETA: (6, 8), MCTS: (5, 7)}
    return Ladder(variant, "buckquoy", BuckquoyPlayer.grades, others, at_once)


LADDERS = (
    _callanish("callanish-7", 1),
    _callanish("callanish-9", 2),
    _tafl("scottish", 1),
    _tafl("brandub", 1),
    _tafl("copenhagen", 4),
    _tafl("tablut-ashton", 2),
)

HEAD = """\
# Made by `python -m benchmarks.ladder_results`. Strength limits the nodes of a move.
[tournament]
name = "ladder {variant}"
variants = "{variant}"
nodes = 1000000000
move_limit = 600
max_plies = 300
seed = {seed}
format = "pairings"
rounds = {rounds}
games_per_pairing = {games}
pairings = {pairings}
# A machine that does other work takes long to start an engine.
[each]
limits = {{ start_ms = 300000, ready_ms = 300000, newgame_ms = 300000, quit_ms = 60000 }}
"""
ENGINE = """
[[engines]]
name = "{name}"
command = ["{{python}}", "-P", "-m", "engines.{module}"]
{keys}
"""


def neighbours(ladder: Ladder) -> list[tuple[str, str]]:
    """Each rung with the next and the next but one, and the other engines, from the bottom up."""
    rungs = ["random", *map(ladder.rung, range(1, HIGHEST_GRADE + 1))]
    pairs = [*pairwise(rungs), *zip(rungs, rungs[2:], strict=False)]
    pairs += [(name, rungs[grade]) for name, met in ladder.others.items() for grade in met]
    return sorted(pairs, key=lambda pair: rungs.index(pair[1]))


def tournament_file(ladder: Ladder) -> str:
    """The text of a ladder's tournament. It does not depend on the machine's speed."""
    pairings = json.dumps(neighbours(ladder))
    text = HEAD.format(variant=ladder.variant, seed=SEED, rounds=ROUNDS, games=GAMES, pairings=pairings)
    for name in ("random", *ladder.others):
        module, _, nodes = name.removesuffix(" nodes").partition(" ")
        text += ENGINE.format(name=name, module=module, keys=f"nodes = {nodes}" if nodes else "")
    for grade in range(1, HIGHEST_GRADE + 1):
        keys = f"options = {{ Hash = 16, Strength = {grade} }}"
        text += ENGINE.format(name=ladder.rung(grade), module=ladder.engine, keys=keys)
    return text


def database(folder: Path) -> Path:
    """Where the games are."""
    return folder / "ladder.db"


def play(folder: Path, minutes: float) -> None:
    """Play the tournaments of all variants at the same time, for so long or to their ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with Store.create_or_open(database(folder)) as store:
        begun = {run.name for run in store.runs()}
    running = [_start(folder, ladder, f"ladder {ladder.variant}" in begun) for ladder in LADDERS]
    end = time.monotonic() + minutes * 60
    try:
        for each in running:
            each.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        pass
    finally:
        # As Ctrl-C: the games that run are ended, and the next start goes on.
        for each in running:
            each.send_signal(signal.SIGINT)
        for each in running:
            each.wait()


def _start(folder: Path, ladder: Ladder, begun: bool) -> subprocess.Popen[bytes]:
    """Start a tournament, or go on with it."""
    file = folder / f"{ladder.variant}.toml"
    file.write_text(tournament_file(ladder), encoding="utf-8")
    words = [sys.executable, "-m", "arena.main", "tournament", str(file), "--db", str(database(folder)), "--no-smoke"]
    words += ["--concurrency", str(ladder.at_once), *(["--resume"] if begun else [])]
    with (folder / f"{ladder.variant}.log").open("ab") as log:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def main(words: Sequence[str] | None = None) -> int:
    # A shell starts what runs in the background with SIGINT ignored, and tournaments would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder_results", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    played = steps.add_parser("play", help="play all variants")
    played.add_argument("--minutes", type=float, default=600, help="stop after so long; the next start goes on")
    paged = steps.add_parser("page", help="write the tables of the page, and those of docs/authors/ENGINES.md")
    for step in (played, paged):
        step.add_argument("folder", type=Path)
    told = parser.parse_args(words)
    if told.step == "play":
        play(told.folder, told.minutes)
    else:
        with Store.open_existing(database(told.folder)) as store:
            ladder_page.write(LADDERS, store)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
