"""Faults that the conformance checks find: positions and rules."""

import contextlib

from arena.games.game import Game
from tests.zoo.faults.conformance_talk import NonConformant
from tests.zoo.faults.fault import Verdict, during
from tests.zoo.faults.moves import illegal_word
from tests.zoo.game_state import BadRequest


class IllegalAt(NonConformant, abstract=True):
    """Says an illegal move where `wrong` is true."""

    def wrong(self, game: Game) -> bool:
        """True if the move must be illegal here."""
        return False

    def word(self, move: str) -> str:
        game = self.state.current()
        return illegal_word(game.rules, game.position) if self.wrong(game) else move


class WrongAtStart(IllegalAt):
    """Says an illegal move where no move has been played."""

    verdicts = during(Verdict.ILLEGAL_MOVE, "first")

    def wrong(self, game: Game) -> bool:
        return not game.moves


class WrongAtPly(IllegalAt):
    """Says an illegal move when 13 moves have been played."""

    def wrong(self, game: Game) -> bool:
        return len(game.moves) == 13


class IgnoresSide(NonConformant):
    """Takes p1 to move in every position string without moves behind it."""

    def on_position(self, words: list[str]) -> None:
        alone = "moves" not in words
        super().on_position(["p1" if alone and word == "p2" else word for word in words])


class IgnoresMovesOnString(NonConformant):
    """Does not play the moves behind a position string."""

    def on_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words and words[0] == "fen" else len(words)
        super().on_position(words[:at])


class DiesOfEmptyMoves(NonConformant):
    """Ends at a `moves` with nothing behind it."""

    def on_position(self, words: list[str]) -> None:
        if words[-1:] == ["moves"]:
            self.die()
        super().on_position(words)


class _RemembersPosition(NonConformant, abstract=True):
    """Remembers the previous position."""

    before: tuple[str, ...] = ()

    def on_newgame(self) -> None:
        self.before = ()
        super().on_newgame()

    def on_position(self, words: list[str]) -> None:
        before, self.before = self.before, tuple(words)
        self.set_up(before, words)

    def set_up(self, before: tuple[str, ...], words: list[str]) -> None:
        """Set the position `words` up. `before` is the previous one, empty at the start of a game."""
        super().on_position(words)


class KeepsBoard(_RemembersPosition):
    """Does not go back to the start position once moves have been played."""

    def set_up(self, before: tuple[str, ...], words: list[str]) -> None:
        if not (words == ["startpos"] and "moves" in before):
            super().set_up(before, words)


class PlaysTwice(_RemembersPosition):
    """Plays a move more where the same position comes again."""

    def set_up(self, before: tuple[str, ...], words: list[str]) -> None:
        super().set_up(before, words)
        game = self.state.current()
        if before == tuple(words) and game.outcome is None:
            game.play(game.position.legal_moves()[0].text)


class NoWayBack(_RemembersPosition):
    """Does not take moves back."""

    def set_up(self, before: tuple[str, ...], words: list[str]) -> None:
        back = len(words) > 2 and len(words) < len(before) and before[: len(words)] == tuple(words)
        if back:
            self.before = before
        else:
            super().set_up(before, words)


class DiesOfMalformed(NonConformant):
    """Ends at a position string that has not the variant's number of rows."""

    def on_position(self, words: list[str]) -> None:
        try:
            super().on_position(words)
        except BadRequest as error:
            if "row" in str(error):
                self.die()
            raise


class DiesWithoutKing(NonConformant):
    """Ends at a position string of tafl without exactly one king."""

    def on_position(self, words: list[str]) -> None:
        tafl = not self.state.variant.startswith("callanish")
        if tafl and words[:1] == ["fen"] and len(words) > 2 and words[1].count("k") != 1:
            self.die()
        super().on_position(words)


class DiesOfIllegalMoves(NonConformant):
    """Ends at an illegal move in a list of moves."""

    def on_position(self, words: list[str]) -> None:
        try:
            super().on_position(words)
        except BadRequest:
            if "moves" in words:
                self.die()
            raise


class ShortHistory(NonConformant):
    """Ends when it has to search after more than 256 moves."""

    def on_go(self, words: list[str]) -> None:
        if len(self.state.current().moves) > 256:
            self.die()
        super().on_go(words)


class ForgetsHistory(NonConformant):
    """Keeps the last position only, so that none has ever occurred before."""

    def on_position(self, words: list[str]) -> None:
        super().on_position(words)
        game = self.state.current()
        self.state.game = Game(game.rules, game.position)


class PassesOverErrors(NonConformant):
    """Says nothing about an illegal move or a malformed board."""

    def on_position(self, words: list[str]) -> None:
        with contextlib.suppress(BadRequest):
            super().on_position(words)


class KeepsTheLastBoard(NonConformant):
    """Does not go back to the start position with `uginewgame`."""

    def reset(self) -> None:
        if self.state.game is None:
            super().reset()


class _WrongAnswer(NonConformant, abstract=True):
    """Answers one query wrongly."""

    def handle(self, line: str) -> None:
        words = line.split()
        said = self.replacement(words[1:]) if words[:1] == ["query"] and self.state.game is not None else None
        if said is None:
            super().handle(line)
        else:
            self.say("response", said)

    def replacement(self, words: list[str]) -> str | None:
        """The wrong answer to a query, None for a query that is answered correctly."""
        return None


class TurnByCount(_WrongAnswer):
    """Answers `query p1turn` by the number of moves, whatever side began."""

    def replacement(self, words: list[str]) -> str | None:
        return str(len(self.state.current().moves) % 2 == 0).lower() if words == ["p1turn"] else None


class SeesNoStalemate(_WrongAnswer):
    """Does not see that a side has no move left."""

    def replacement(self, words: list[str]) -> str | None:
        outcome = self.state.current().outcome
        stuck = outcome is not None and outcome.reason in ("no-move", "no-turn")
        return {"result": "none", "gameover": "false"}.get(" ".join(words)) if stuck else None


class NeverOver(_WrongAnswer):
    """Answers `query gameover` with false, whatever the result."""

    def replacement(self, words: list[str]) -> str | None:
        return "false" if words == ["gameover"] else None


class MixesUpSides(_WrongAnswer):
    """Takes a board that has come for the third time for a repetition, whichever side was to move."""

    def replacement(self, words: list[str]) -> str | None:
        game = self.state.current()
        if words not in (["result"], ["gameover"]) or game.outcome is not None or game.rules.repetition is None:
            return None
        again, seen = Game(game.rules, game.start), [game.start.fen().split()[0]]
        for word in game.moves:
            again.play(word)
            seen.append(again.position.fen().split()[0])
        over = any(seen.count(board) > 2 for board in set(seen))
        return {"result": "draw", "gameover": "true"}[words[0]] if over else None


class AnswersNoP1turn(NonConformant):
    """Does not answer `query p1turn`."""

    def handle(self, line: str) -> None:
        if line.split() != ["query", "p1turn"]:
            super().handle(line)


class MissesMoves(_WrongAnswer):
    """Leaves one move out where more than 50 are legal."""

    def replacement(self, words: list[str]) -> str | None:
        moves = self.state.query(words).split()[1:] if words == ["legalmoves"] else []
        return " ".join([str(len(moves) - 1), *moves[:-1]]) if len(moves) > 50 else None


class Miscounts(_WrongAnswer):
    """Counts a sequence more than there are."""

    def replacement(self, words: list[str]) -> str | None:
        return str(int(self.state.query(words)) + 1) if words in (["perft", "1"], ["perft", "2"]) else None


class NeverTurns(_WrongAnswer):
    """Answers `query fen` with turn number 1, whatever has been played."""

    def replacement(self, words: list[str]) -> str | None:
        return " ".join([*self.state.query(words).split()[:2], "1"]) if words == ["fen"] else None


class AllIsLegal(_WrongAnswer):
    """Answers `query islegal` with true for every word of the move grammar."""

    def replacement(self, words: list[str]) -> str | None:
        if words[:1] != ["islegal"] or len(words) != 2:
            return None
        return str(self.state.current().rules.wellformed(words[1])).lower()


class QueriesChange(NonConformant):
    """Searches otherwise after a query."""

    asked = 0

    def handle(self, line: str) -> None:
        if line.split()[:1] == ["query"]:
            self.state.seed += 1
            self.asked += 1
        super().handle(line)

    def on_newgame(self) -> None:
        self.state.seed -= self.asked
        self.asked = 0
        super().on_newgame()


class WaitsForKnownQuery(NonConformant):
    """Says nothing more after a query that it does not know."""

    def handle(self, line: str) -> None:
        try:
            if line.split()[:2] == ["query", "nonsense"]:
                self.stop_responding()
        finally:
            super().handle(line)
