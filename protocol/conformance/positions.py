"""The golden positions: games and positions of every variant with what the rules say about them, as data.

Owns the form of `positions/*.json` (SPEC.md appendix D) and the reading of it. Refuses to know a rule: where a variant
has no file, somebody who does makes a book for it.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "positions"


class Place(NamedTuple):
    """What `position` says: a position string, None for the variant's start, and the moves since."""

    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenGame:
    """A game: `legal[k]` and `crc32[k]` are the number of legal moves after k moves and the CRC-32 of their words."""

    fen: str | None
    moves: tuple[str, ...]
    legal: tuple[int, ...]
    crc32: tuple[int, ...]
    result: str
    """`p1win`, `p2win`, `draw`, or `none` where it was left unfinished."""
    reason: str

    def at(self, ply: int) -> Place:
        """The place after `ply` moves."""
        return Place(self.fen, self.moves[:ply])


@dataclass(frozen=True, slots=True)
class Special:
    """A position chosen for something that is rare in play."""

    about: str
    place: Place
    side: str
    legal: tuple[str, ...]
    result: str
    move: str | None
    """The move that does it: wins at once, repeats for the third time, leaves no move."""
    plies: int | None
    """Where the end is forced: in how many plies, negative where the side to move loses."""


@dataclass(frozen=True, slots=True)
class Knob:
    """A position whose legal moves change with a knob."""

    rules: str
    fen: str
    legal: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """All that is known of one variant."""

    variant: str
    games: tuple[GoldenGame, ...]
    specials: tuple[Special, ...]
    impossible: tuple[tuple[str, str], ...]
    """What is wrong, and the position string."""
    knobs: tuple[Knob, ...]

    @property
    def longest(self) -> GoldenGame:
        """The longest of its games."""
        return max(self.games, key=lambda game: len(game.moves))

    def about(self, word: str) -> tuple[Special, ...]:
        """The special positions of one kind."""
        return tuple(special for special in self.specials if special.about == word)

    def places(self, most: int, *, late: bool = False) -> list[Place]:
        """At most so many places from all games where the game goes on, spread evenly; the special ones first."""
        found = [special.place for special in self.specials if special.result == "none"]
        plies = [
            (game, ply) for game in self.games for ply in range(len(game.moves) // 2 if late else 0, len(game.moves))
        ]
        room = max(most - len(found), most // 2)
        step = max(1.0, len(plies) / room)
        spread = [plies[int(k * step)] for k in range(room) if int(k * step) < len(plies)]
        return (found[: most - len(spread)] if len(found) + len(spread) > most else found) + [
            game.at(ply) for game, ply in spread
        ]


def read(data: dict[str, Any]) -> Book:
    """A book from the JSON object that writes it down."""
    return Book(
        data["variant"],
        tuple(
            GoldenGame(
                game["fen"],
                tuple(game["moves"].split()),
                tuple(game["legal"]),
                tuple(game["legal_crc32"]),
                game["result"],
                game["reason"],
            )
            for game in data["games"]
        ),
        tuple(
            Special(
                one["about"],
                Place(one["fen"], tuple(one["moves"].split())),
                one["side"],
                tuple(one["legal"].split()),
                one["result"],
                one.get("move"),
                one.get("plies"),
            )
            for one in data["positions"]
        ),
        tuple((one["about"], one["fen"]) for one in data["impossible"]),
        tuple(Knob(one["rules"], one["fen"], tuple(one["legal"].split())) for one in data["knobs"]),
    )


@lru_cache
def load(variant: str) -> Book | None:
    """The book of a variant, None where there is no file of it."""
    path = FOLDER / f"{variant}.json"
    return read(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
