"""The golden positions: games and positions of a variant, with legal moves and results, as data.

They lie in `golden.json.gz` in the folder of their game (SPEC.md appendix D). For a variant that has none there,
`golden` makes games.
"""

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from arena.games.variants import find, kind_of

FILE = "golden.json.gz"


class GamePosition(NamedTuple):
    """A position as the `position` command gives it: a string, None for the variant's start, and the moves since."""

    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenGame:
    """A game. `legal[k]` counts the legal moves after k moves."""

    fen: str | None
    moves: tuple[str, ...]
    legal: tuple[int, ...]
    result: str
    """`p1win`, `p2win`, `draw`, or `none` if the game is unfinished."""
    reason: str

    def at(self, ply: int) -> GamePosition:
        """The position after `ply` moves."""
        return GamePosition(self.fen, self.moves[:ply])


@dataclass(frozen=True, slots=True)
class Special:
    """A position that is rare in play."""

    about: str
    position: GamePosition
    side: str
    legal: tuple[str, ...]
    result: str
    move: str | None
    """The move that the position is about: it wins, repeats for the last time, takes a row, or leaves no move."""
    plies: int | None
    """The plies to a forced end, negative if the side to move loses; None if no end is forced."""


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A position whose legal moves change with a rule option."""

    rules: str
    fen: str
    legal: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldenBook:
    """The golden positions of one variant."""

    variant: str
    games: tuple[GoldenGame, ...]
    specials: tuple[Special, ...]
    impossible: tuple[tuple[str, str], ...]
    """Impossible positions: what is wrong, and the position string."""
    rule_options: tuple[RuleOption, ...]

    @property
    def longest(self) -> GoldenGame:
        """The longest game."""
        return max(self.games, key=lambda game: len(game.moves))

    def about(self, word: str) -> tuple[Special, ...]:
        """The special positions of one kind."""
        return tuple(special for special in self.specials if special.about == word)

    def positions(self, most: int, *, late: bool = False) -> list[GamePosition]:
        """At most `most` unfinished positions: the special ones first, then some spread evenly over all games.

        `late`: only positions from the second half of each game.
        """
        specials = [special.position for special in self.specials if special.result == "none"]
        plies = [
            (game, ply) for game in self.games for ply in range(len(game.moves) // 2 if late else 0, len(game.moves))
        ]
        room = max(most - len(specials), most // 2)
        step = max(1.0, len(plies) / room)
        spread = [plies[int(k * step)] for k in range(room) if int(k * step) < len(plies)]
        return (specials[: most - len(spread)] if len(specials) + len(spread) > most else specials) + [
            game.at(ply) for game, ply in spread
        ]


def read(data: dict[str, Any]) -> GoldenBook:
    """The book from its JSON object."""
    games = tuple(
        GoldenGame(g["fen"], _words(g["moves"]), tuple(g["legal"]), g["result"], g["reason"]) for g in data["games"]
    )
    specials = tuple(
        Special(
            s["about"], GamePosition(s["fen"], _words(s["moves"])), s["side"], _words(s["legal"]), s["result"],
            s.get("move"), s.get("plies"),
        )
        for s in data["positions"]
    )  # fmt: skip
    impossible = tuple((one["about"], one["fen"]) for one in data["impossible"])
    rule_options = tuple(RuleOption(one["rules"], one["fen"], _words(one["legal"])) for one in data["knobs"])
    return GoldenBook(data["variant"], games, specials, impossible, rule_options)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@lru_cache
def load(variant: str) -> GoldenBook | None:
    """The book of a variant; None if the folder of its game has none."""
    path = kind_of(find(variant)).file(FILE)
    if not path.is_file():
        return None
    book = json.loads(gzip.decompress(path.read_bytes())).get(variant)
    return None if book is None else read(book)
