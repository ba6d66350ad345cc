"""Ends a game by the engines' own scores, where a tournament asks for it: resign rules and draw rules.

Owns the rules and what they have seen of a game. Refuses to know the board: a game that the rules have ended is not
shown here any more. A score that is missing or only a bound (SPEC.md 9.4) breaks a row.
"""

from dataclasses import dataclass
from typing import NamedTuple

from protocol.messages import Score
from results.record import Side, Winner

SIDES: tuple[Side, Side] = ("p1", "p2")
MOST_MOVES = 1_000
MOST_CP = 1_000_000
MATE_CP = 2 * MOST_CP
"""What a mate counts as: beyond every score that can be asked for. The same near or far."""
_BOOLEANS = {"true": True, "false": False}


class BadAdjudication(ValueError):
    """A rule that cannot be read, said in one sentence."""


@dataclass(frozen=True, slots=True)
class Resign:
    """A side has lost once it said -score or worse in so many of its moves in a row."""

    score: int
    """In cp."""
    moves: int
    twosided: bool = False
    """Must the opponent have said +score or better in as many of its own?"""

    def __str__(self) -> str:
        return f"score={self.score},moves={self.moves},twosided={str(self.twosided).lower()}"


@dataclass(frozen=True, slots=True)
class Draw:
    """A game is drawn once both sides said no more than score, for either, in so many of their moves in a row."""

    score: int
    """In cp."""
    moves: int
    after: int = 0
    """How many plies of the game, the opening's included, do not count."""

    def __str__(self) -> str:
        return f"score={self.score},moves={self.moves},after={self.after}"


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What a tournament asks for; nothing, unless told otherwise."""

    resign: Resign | None = None
    draw: Draw | None = None


class Judgement(NamedTuple):
    """How an adjudicated game ended: its termination is `adjudication`."""

    winner: Winner
    detail: str


class Adjudicator:
    """What the rules have seen of one game."""

    __slots__ = ("_draw", "_even", "_lost", "_ply", "_resign", "_won")

    def __init__(self, asked: Adjudication, plies: int) -> None:
        """`plies` were played before the engines took over."""
        self._resign = asked.resign
        self._draw = asked.draw
        self._ply = plies
        self._lost = [0, 0]
        self._won = [0, 0]
        self._even = [0, 0]

    def note(self, side: int, score: Score | None) -> Judgement | None:
        """A move of `side` (0: p1) was played, with this score from its own side. What follows, if anything does."""
        self._ply += 1
        cp = _centipieces(score)
        if (resign := self._resign) is not None:
            self._lost[side] = self._lost[side] + 1 if cp is not None and cp <= -resign.score else 0
            self._won[side] = self._won[side] + 1 if cp is not None and cp >= resign.score else 0
            for loser in (0, 1):
                if self._lost[loser] >= resign.moves and (not resign.twosided or self._won[1 - loser] >= resign.moves):
                    detail = f"{SIDES[loser]} said {-resign.score} cp or worse in {resign.moves} moves in a row"
                    agreed = f", {SIDES[1 - loser]} {resign.score} cp or better" if resign.twosided else ""
                    return Judgement(SIDES[1 - loser], detail + agreed)
        if (draw := self._draw) is not None and self._ply > draw.after:
            self._even[side] = self._even[side] + 1 if cp is not None and abs(cp) <= draw.score else 0
            if min(self._even) >= draw.moves:
                return Judgement("draw", f"both said {draw.score} cp or less in {draw.moves} moves in a row")
        return None


def adjudicator(asked: Adjudication, *, draws: bool, plies: int) -> Adjudicator | None:
    """What watches one game, None where nothing can come of it, so that it costs nothing.

    `draws`: do the game's rules know draws? Where they do not, a draw rule is void, as draw offers are.
    """
    if not draws:
        asked = Adjudication(asked.resign)
    return None if asked == Adjudication() else Adjudicator(asked, plies)


def parse_resign(text: str) -> Resign:
    """`score=600,moves=3,twosided=true`; `twosided` may be left out. Raises BadAdjudication."""
    words = _words(text, "resign", ("score", "moves", "twosided"), optional={"twosided": "false"})
    if words["twosided"] not in _BOOLEANS:
        raise BadAdjudication(f"resign {text!r}: twosided is true or false, not {words['twosided']!r}")
    return Resign(
        _number(text, "resign", words, "score", 1, MOST_CP),
        _number(text, "resign", words, "moves", 1, MOST_MOVES),
        _BOOLEANS[words["twosided"]],
    )


def parse_draw(text: str) -> Draw:
    """`score=10,moves=8,after=40`; `after` may be left out. Raises BadAdjudication."""
    words = _words(text, "draw", ("score", "moves", "after"), optional={"after": "0"})
    return Draw(
        _number(text, "draw", words, "score", 0, MOST_CP),
        _number(text, "draw", words, "moves", 1, MOST_MOVES),
        _number(text, "draw", words, "after", 0, 1_000_000),
    )


def parse(resign: str | None, draw: str | None) -> Adjudication:
    """What is asked for by two texts, each of which may be missing. Raises BadAdjudication."""
    return Adjudication(None if resign is None else parse_resign(resign), None if draw is None else parse_draw(draw))


def _centipieces(score: Score | None) -> int | None:
    if score is None or score.bound is not None:
        return None
    if score.kind == "cp":
        return score.value
    return MATE_CP if score.value > 0 else -MATE_CP  # `mate 0` is said by a side that has lost


def _words(text: str, rule: str, known: tuple[str, ...], optional: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            raise BadAdjudication(f"{rule} {text!r}: {part!r} is none of {', '.join(f'{each}=...' for each in known)}")
        if name in found:
            raise BadAdjudication(f"{rule} {text!r}: {name} is given twice")
        found[name] = value
    for name in known:
        if name not in found and name not in optional:
            raise BadAdjudication(f"{rule} {text!r}: {name} is missing; write such as {name}=10")
    return optional | found


def _number(text: str, rule: str, words: dict[str, str], name: str, least: int, most: int) -> int:
    value = words[name]
    if not (value.isascii() and value.isdigit() and len(value) < 10 and least <= int(value) <= most):
        raise BadAdjudication(f"{rule} {text!r}: {name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)
