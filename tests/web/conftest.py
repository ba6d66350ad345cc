"""A small database of games that can be replayed, with names that try to be more than names."""

import functools
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.games.game import Game
from arena.games.variants import resolve
from results.plies import Plies
from results.record import Evidence, GameRecord, Player, Run, Termination, Winner
from results.store.store import Store
from tests.results.made import GAME

HOSTILE = ("<script>alert(1)</script>", '../../x" onload="y', "\u202eright & left")
SECRETS = ("/home/ann/engines/mine", "buildbox7", "stderr of mine")
"""What a report must not tell: a path, the name of a machine, and what an engine wrote to stderr."""
CONFIG = {
    "kind": "tournament",
    "name": "cup",
    "format": "round-robin",
    "engines": [
        {"name": name, "command": [SECRETS[0], "--hash"], "options": {"Hash": "16", "Book": "books/own.bin"}}
        for name in HOSTILE
    ],
    "starts": [["callanish-5", None]],
    "containment": {"reads": [SECRETS[0]]},
    "limit": "1+0.1",
    "seed": 7,
}
RUN = Run(
    *("aa11", "cup <b>x</b>", "tournament", "2026-01-02T03:04:05+00:00", json.dumps(CONFIG), 7, 6),
    *("desk", json.dumps({"arena": "0.1.0", "platform": f"Linux on {SECRETS[1]}"})),
)
PLAYERS = [Player(name, "1.0", "me", (SECRETS[0],), "00ff" * 16) for name in HOSTILE]
EVIDENCE = Evidence(
    *("p1", "crash", f"{SECRETS[0]} ended with exit status 3", "exit status 3"),
    (
        f"{HOSTILE[0]} <- position fen 5/5/5/5/5 p1 1",
        f"{HOSTILE[0]} <- setoption name Book value {SECRETS[0]}/own.bin",
        f"{HOSTILE[0]} -> info string I run on {SECRETS[1]}",
        f"{HOSTILE[0]} -> bestmove a1",
    ),
    SECRETS[2],
)


@functools.cache
def played(number: int, p1: str, p2: str, variant: str = "callanish-5", seed: int | None = None) -> GameRecord:
    """A game of random moves, to its end or to 30 plies."""
    game = Game(*resolve(variant))
    chance = random.Random(number if seed is None else seed)
    while game.outcome is None and len(game.moves) < 30:
        game.play(chance.choice([move.text for move in game.position.legal_moves()]))
    words = [str(word) for word in game.moves]
    rows = enumerate(words[2:], 1)
    plies = Plies.of([(word, 1000 * at, None, 900 - at, at, None, f"cp {10 * at}", None, 0, "") for at, word in rows])
    reached = {"fen": game.start.fen(), "opening": tuple(words[:2]), "plies": plies, "detail": ""}
    if game.outcome is None:
        ended = {"winner": "draw", "termination": Termination.ADJUDICATION}
    else:
        ended = {"winner": game.outcome.winner, "termination": game.outcome.reason}
    place = {"id": f"aa11-{number}", "number": number, "round": 1, "variant": variant, "p1": p1, "p2": p2}
    started = {"tc": "1+0.1", "seed": number, "started_at": f"2026-01-02T03:04:{number % 60:02d}+00:00"}
    return replace(GAME, **place, **reached, **ended, **started, wall_ms=10, host=SECRETS[1])  # type: ignore[arg-type]


def games() -> Iterator[GameRecord]:
    """Six games: everybody meets everybody; the last one was lost by a crash."""
    pairs = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2)]
    for number, (one, two) in enumerate(pairs, 1):
        yield played(number, HOSTILE[one], HOSTILE[two])
    lost = played(6, HOSTILE[0], HOSTILE[1])
    yield replace(lost, winner="p2", termination=Termination.CRASH, detail=f"{SECRETS[0]} is gone", evidence=EVIDENCE)


def gauntlet() -> Iterator[GameRecord]:
    """One engine has 10-0, 3-7 and 5-5 against three others, with both sides in turn."""
    for place, (opponent, won) in enumerate((("ten-nil", 10), ("three-seven", 3), ("level", 5))):
        for number in range(10):
            p1, p2 = ("hero", opponent) if number % 2 else (opponent, "hero")
            winner: Winner = "p1" if (p1 == "hero") == (number < won) else "p2"
            yield replace(played(1 + 10 * place + number, p1, p2), winner=winner)


def keep(path: Path, records: Iterator[GameRecord] | list[GameRecord], run: Run = RUN) -> Path:
    """A database of one run. Engines that are not its usual ones play, too, if they have games."""
    records = list(records)
    with Store.create_or_open(path) as store:
        names = {name for record in records for name in (record.p1, record.p2)} - {*HOSTILE}
        store.add_run(run, [*PLAYERS, *(replace(PLAYERS[0], name=name) for name in sorted(names))])
        for record in records:
            store.add_game(record)
        store.keep_withdrawn(run.id, {HOSTILE[0]: f"{SECRETS[0]} is gone from {SECRETS[1]}"})
    return path


@pytest.fixture(scope="session")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the six games."""
    return keep(tmp_path_factory.mktemp("web") / "cup.db", games())
