"""A database of made-up games between engines of known strength, for the commands of the published ratings."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from results.record import Player, Run, Termination, Winner
from results.store.store import Store
from tests.arena.cli.conftest import record

Made = tuple[str, str, Winner]


def round_robin(names: str, rounds: int) -> list[Made]:
    """Everybody against everybody, sides swapped; the earlier in the list wins three of four, the rest is drawn."""
    games: list[Made] = []
    for turn in range(rounds):
        for place, one in enumerate(names.split()):
            for other in names.split()[place + 1 :]:
                first, second = (one, other) if turn % 2 == 0 else (other, one)
                won: Winner = "draw" if turn % 8 == 7 else "p2" if turn % 4 == 3 else "p1"
                games.append((first, second, won if first == one or won == "draw" else "p1" if won == "p2" else "p2"))
    return games


def keep(path: Path, run: str, games: Iterable[Made], variant: str = "scottish") -> Path:
    """Store a run of these games, no two of them alike."""
    games = list(games)
    players = [Player(name, "1", "me", (name,), "00") for name in sorted({name for game in games for name in game[:2]})]
    with Store.create_or_open(path) as store:
        store.add_run(Run(run, run, "tournament", "2026-01-02", "{}", 7, len(games), "box", "{}"), players)
        for number, (p1, p2, winner) in enumerate(games, 1):
            made = record(run, number, winner, Termination.RESIGNATION)
            opening = (made.opening[0], f"{run}{number}")
            store.add_game(replace(made, p1=p1, p2=p2, opening=opening, variant=variant))
    return path
