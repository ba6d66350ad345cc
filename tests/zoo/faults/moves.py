"""Faults of moves: wrong, missing, double, late and unasked ones."""

from itertools import chain, permutations

from arena.games.game import Game
from arena.games.rules import Position, Rules
from tests.zoo.faults.fault import Faulty, Verdict, during, fault_like

_MALFORMED = during(Verdict.MALFORMED_MOVE, "first", "mid")
_HARMLESS = during(Verdict.HARMLESS, "first", "mid")
_SQUARES = [file + rank for rank in "12345" for file in "abcde"]


class _WrongWord(Faulty, abstract=True):
    """Says `other` as its move, or the result of `replacement`."""

    verdicts = during(Verdict.ILLEGAL_MOVE, "first", "mid")
    other = ""

    def replacement(self, move: str) -> str:
        """The word to send in place of `move`."""
        return self.other

    def word(self, move: str) -> str:
        return self.replacement(move) if self.armed else move


class IllegalMove(_WrongWord):
    """Says a move on the board that is not legal."""

    def replacement(self, move: str) -> str:
        game = self.state.current()
        return illegal_word(game.rules, game.position)


class GarbageWellformed(_WrongWord):
    """Says a word of the move grammar of far squares, off all boards but the largest."""

    def replacement(self, move: str) -> str:
        rules = self.state.current().rules
        return next(word for word in ("y25y24", "y25w24x23") if rules.wellformed(word))


GarbageMalformed = fault_like(
    _WrongWord, "garbage-malformed", "Says a word that belongs to no move grammar.", verdicts=_MALFORMED, other="d1b6b"
)


class TwoWords(_WrongWord):
    """Says its move in two words."""

    verdicts = _MALFORMED

    def replacement(self, move: str) -> str:
        return f"{move[:2]} {move[2:] or 'here'}"


EmptyBestmove = fault_like(_WrongWord, "empty-bestmove", "Says `bestmove` and no move.", verdicts=_MALFORMED)


class NulBestmove(Faulty):
    """Writes a NUL byte in the middle of its move."""

    verdicts = _MALFORMED

    def write(self, data: bytes) -> None:
        if self.armed and data.startswith(b"bestmove "):
            data = data[:10] + b"\0" + data[10:]
        super().write(data)


NullMove = fault_like(_WrongWord, "null-move", "Says the null move `0000`.", other="0000")
NoneMove = fault_like(_WrongWord, "none-move", "Says `(none)` as its move.", other="(none)")


class ResignUnannounced(_WrongWord):
    """Resigns without having announced UGI_Resign."""

    other = "resign"
    hidden_option = "UGI_Resign"


class OfferUnannounced(Faulty):
    """Offers a draw without having announced UGI_Draw."""

    verdicts = _HARMLESS
    hidden_option = "UGI_Draw"

    def say(self, kind: str, text: str = "") -> None:
        if self.armed and kind == "bestmove":
            super().say("offer", "draw")
        super().say(kind, text)


class WrongCase(_WrongWord):
    """Says its move in upper case."""

    verdicts = _HARMLESS

    def replacement(self, move: str) -> str:
        return move.upper()


class PonderWord(_WrongWord):
    """Adds a ponder move, which is not legal, to its move."""

    verdicts = _HARMLESS

    def replacement(self, move: str) -> str:
        return f"{move} ponder a1a1"


class TwoBestmoves(Faulty):
    """Says its bestmove twice."""

    verdicts = _HARMLESS

    def say(self, kind: str, text: str = "") -> None:
        super().say(kind, text)
        if self.armed and kind == "bestmove":
            super().say(kind, text)


class BestmoveWithoutGo(Faulty):
    """Says a bestmove when nobody has asked for one."""

    verdicts = during(Verdict.HARMLESS, "newgame", "ready", "position")

    def trigger(self) -> None:
        self.say("bestmove", "a1a2")


class LateBestmove(Faulty):
    """Says the move it said last once more, at the next game's announcement or in answer to its first go."""

    verdicts = during(Verdict.HARMLESS, "newgame") + during(Verdict.ILLEGAL_MOVE, "first")
    last = ""

    def word(self, move: str) -> str:
        self.last = move
        return move

    def trigger(self) -> None:
        if self.last:
            self.say("bestmove", self.last)


def illegal_word(rules: Rules, position: Position) -> str:
    """A word of the variant's move grammar that is not legal here. Its squares lie on every board."""
    words = map("".join, chain.from_iterable(permutations(_SQUARES, count) for count in (1, 2, 3)))
    return next(word for word in words if rules.wellformed(word) and position.find(word) is None)


def is_lost(game: Game) -> bool:
    """True if every move loses at once or lets the opponent win at once."""
    position = game.position
    moves = position.moves()
    if game.outcome is not None or len(moves) > 60:
        return False
    for move in moves:
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner == position.side:
                return False
        elif not any(getattr(after.play(reply).outcome, "winner", None) == after.side for reply in after.moves()):
            return False
    return True
