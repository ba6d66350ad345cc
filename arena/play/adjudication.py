"""Ends a game by the engines' own scores, where a tournament asks for it: resign rules and draw rules.

A game that the rules of the game have ended is not judged here. A missing score and a score that is only a bound
(SPEC.md 9.4) interrupt a row of moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from protocol.messages import Score
from results.record import Side, Winner

SIDES: tuple[Side, Side] = ("p1", "p2")
MOST_MOVES = 1_000
MOST_CP = 1_000_000
MATE_CP = 2 * MOST_CP
"""A mate counts as this score in cp, near or far. It is beyond every score that a rule can name."""
_BOOLEANS = {"true": True, "false": False}


class BadAdjudication(ValueError):
    """A rule that cannot be read. The message is one sentence."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Resign:
    """A side loses once its score was -score or worse in so many of its moves in a row."""

    score: int
    """In cp."""
    moves: int
    twosided: bool = False
    """True where the opponent's score must also have been +score or better in as many of its own moves."""

    def __str__(self) -> str:
        return f"score={self.score},moves={self.moves},twosided={str(self.twosided).lower()}"


@dataclass(frozen=True, slots=True)
class Draw:
    """A game is drawn once both sides' scores were within score of 0 in so many of their moves in a row."""

    score: int
    """In cp."""
    moves: int
    after: int = 0
    """The first plies of the game, the opening's included, that do not count."""

    def __str__(self) -> str:
        return f"score={self.score},moves={self.moves},after={self.after}"


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The rules of a tournament; None is no such rule."""

    resign: Resign | None = None
    draw: Draw | None = None


class Judgement(NamedTuple):
    """How an adjudicated game ended. Its termination is `adjudication`."""

    winner: Winner
    detail: str


class Adjudicator:
    """Applies the rules to one game. Each streak counts moves in a row, p1's first."""

    __slots__ = ("_draw", "_even_streak", "_losing_streak", "_ply", "_resign", "_winning_streak")

    def __init__(self, rules: Adjudication, plies_played: int) -> None:
        """`plies_played` were played before the first move of an engine."""
        self._resign = rules.resign
        self._draw = rules.draw
        self._ply = plies_played
        self._losing_streak = [0, 0]
        self._winning_streak = [0, 0]
        self._even_streak = [0, 0]

    def after_move(self, side: int, score: Score | None) -> Judgement | None:
        """Count a move of `side` (0: p1) with the score that the side gave it. The judgement, if a rule applies."""
        self._ply += 1
        cp = None
        if score is not None and score.bound is None:  # a side that has lost says `mate 0`
            cp = score.value if score.kind == "cp" else MATE_CP if score.value > 0 else -MATE_CP
        if (resign := self._resign) is not None:
            self._losing_streak[side] = self._losing_streak[side] + 1 if cp is not None and cp <= -resign.score else 0
            self._winning_streak[side] = self._winning_streak[side] + 1 if cp is not None and cp >= resign.score else 0
            for loser in (0, 1):
                if self._losing_streak[loser] < resign.moves:
                    continue
                if not resign.twosided or self._winning_streak[1 - loser] >= resign.moves:
                    detail = f"{SIDES[loser]} said {-resign.score} cp or worse in {resign.moves} moves in a row"
                    if resign.twosided:
                        detail += f", {SIDES[1 - loser]} {resign.score} cp or better"
                    return Judgement(SIDES[1 - loser], detail)
        if (draw := self._draw) is not None and self._ply > draw.after:
            self._even_streak[side] = self._even_streak[side] + 1 if cp is not None and abs(cp) <= draw.score else 0
            if min(self._even_streak) >= draw.moves:
                return Judgement("draw", f"both said {draw.score} cp or less in {draw.moves} moves in a row")
        return None


def adjudicator(rules: Adjudication, *, draws: bool, plies: int) -> Adjudicator | None:
    """The adjudicator of one game; None where no rule can apply, so that the game pays nothing for it.

    `draws`: whether the game's rules know draws. Where they do not, a draw rule is void, as draw offers are.
    """
    draw = rules.draw if draws else None
    return None if rules.resign is None and draw is None else Adjudicator(Adjudication(rules.resign, draw), plies)


def parse_resign(text: str) -> Resign:
    """`score=600,moves=3,twosided=true`; `twosided` may be left out. Raises BadAdjudication."""
    keys = {"score": range(1, MOST_CP + 1), "moves": range(1, MOST_MOVES + 1), "twosided": None}
    values = _values(text, "resign", keys, optional={"twosided": "false"})
    return Resign(int(values["score"]), int(values["moves"]), _BOOLEANS[values["twosided"]])


def parse_draw(text: str) -> Draw:
    """`score=10,moves=8,after=40`; `after` may be left out. Raises BadAdjudication."""
    keys = {"score": range(MOST_CP + 1), "moves": range(1, MOST_MOVES + 1), "after": range(1_000_001)}
    values = _values(text, "draw", keys, optional={"after": "0"})
    return Draw(int(values["score"]), int(values["moves"]), int(values["after"]))


def parse(resign: str | None, draw: str | None) -> Adjudication:
    """The rules in two texts, each of which may be missing. Raises BadAdjudication."""
    return Adjudication(None if resign is None else parse_resign(resign), None if draw is None else parse_draw(draw))


def _values(text: str, rule: str, keys: Mapping[str, range | None], optional: dict[str, str]) -> dict[str, str]:
    """The values of a rule by their keys: numbers in their range, true or false where there is none."""
    values: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        key, equals, value = part.partition("=")
        if key not in keys or not equals:
            raise BadAdjudication(f"{rule} {text!r}: {part!r} is not one of {'=..., '.join(keys)}=...")
        if key in values:
            raise BadAdjudication(f"{rule} {text!r}: {key} is given twice")
        values[key] = value
    for key in keys:
        if key not in values and key not in optional:
            raise BadAdjudication(f"{rule} {text!r}: {key} is missing; write such as {key}=10")
    values = optional | values
    for key, numbers in keys.items():
        value = values[key]
        if numbers is None and value not in _BOOLEANS:
            raise BadAdjudication(f"{rule} {text!r}: {key} is true or false, not {value!r}")
        is_number = value.isascii() and value.isdigit() and len(value) < 10
        if numbers is not None and not (is_number and int(value) in numbers):
            span = f"a whole number from {numbers[0]} to {numbers[-1]}"
            raise BadAdjudication(f"{rule} {text!r}: {key} must be {span}, not {value!r}")
    return values
