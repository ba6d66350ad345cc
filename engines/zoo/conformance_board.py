"""Faults that the conformance checks look for: positions and rules."""

from arena.games.game import Game
from arena.games.rules import Reason
from engines.zoo.conformance_talk import NonConformant
from engines.zoo.fault import Verdict, during
from engines.zoo.game_state import BadRequest
from engines.zoo.moves import illegal_word


class IllegalAt(NonConformant):
    """Says an illegal move where `wrong` says so."""

    def wrong(self, game: Game) -> bool:
        """Is this the place?"""
        return False

    def word(self, move: str) -> str:
        game = self.table.current()
        return illegal_word(game.rules, game.position) if self.wrong(game) else move


class WrongAtStart(IllegalAt):
    """Says an illegal move where no move has been played."""

    name = "wrong-at-start"
    verdicts = during(Verdict.ILLEGAL_MOVE, "first")

    def wrong(self, game: Game) -> bool:
        return not game.moves


class WrongAtPly(IllegalAt):
    """Says an illegal move when 13 moves have been played."""

    name = "wrong-at-ply"

    def wrong(self, game: Game) -> bool:
        return len(game.moves) == 13


class IgnoresSide(NonConformant):
    """Takes p1 to move in every position string without moves behind it."""

    name = "ignores-side"

    def on_position(self, words: list[str]) -> None:
        alone = "moves" not in words
        super().on_position(["p1" if alone and word == "p2" else word for word in words])


class IgnoresMovesOnString(NonConformant):
    """Does not play the moves behind a position string."""

    name = "ignores-moves-on-string"

    def on_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words and words[0] == "fen" else len(words)
        super().on_position(words[:at])


class DiesOfEmptyMoves(NonConformant):
    """Ends at a `moves` with nothing behind it."""

    name = "dies-of-empty-moves"

    def on_position(self, words: list[str]) -> None:
        if words[-1:] == ["moves"]:
            self.die()
        super().on_position(words)


class _Before(NonConformant):
    """Remembers the position before."""

    before: tuple[str, ...] = ()

    def on_newgame(self) -> None:
        self.before = ()
        super().on_newgame()

    def on_position(self, words: list[str]) -> None:
        before, self.before = self.before, tuple(words)
        self.follow(before, words)

    def follow(self, before: tuple[str, ...], words: list[str]) -> None:
        """Set up `words`, which comes after `before`, empty at the start of a game."""
        super().on_position(words)


class KeepsBoard(_Before):
    """Does not go back to the start position once moves have been played."""

    name = "keeps-board"

    def follow(self, before: tuple[str, ...], words: list[str]) -> None:
        if not (words == ["startpos"] and "moves" in before):
            super().follow(before, words)


class PlaysTwice(_Before):
    """Plays a move more where the same position comes again."""

    name = "plays-twice"

    def follow(self, before: tuple[str, ...], words: list[str]) -> None:
        super().follow(before, words)
        game = self.table.current()
        if before == tuple(words) and game.outcome is None:
            game.play(game.position.legal_moves()[0].text)


class NoWayBack(_Before):
    """Does not take moves back."""

    name = "no-way-back"

    def follow(self, before: tuple[str, ...], words: list[str]) -> None:
        back = len(words) > 2 and len(words) < len(before) and before[: len(words)] == tuple(words)
        if back:
            self.before = before
        else:
            super().follow(before, words)


class DiesOfMalformed(NonConformant):
    """Ends at a position string that has not the variant's number of rows."""

    name = "dies-of-malformed"

    def on_position(self, words: list[str]) -> None:
        try:
            super().on_position(words)
        except BadRequest as error:
            if "row" in str(error):
                self.die()
            raise


class DiesWithoutKing(NonConformant):
    """Ends at a position string of tafl without exactly one king."""

    name = "dies-without-king"

    def on_position(self, words: list[str]) -> None:
        tafl = not self.table.variant.startswith("callanish")
        if tafl and words[:1] == ["fen"] and len(words) > 2 and words[1].count("k") != 1:
            self.die()
        super().on_position(words)


class DiesOfIllegalMoves(NonConformant):
    """Ends at an illegal move in a list of moves."""

    name = "dies-of-illegal-moves"

    def on_position(self, words: list[str]) -> None:
        try:
            super().on_position(words)
        except BadRequest:
            if "moves" in words:
                self.die()
            raise


class ShortHistory(NonConformant):
    """Ends when it has to search after more than 256 moves."""

    name = "short-history"

    def on_go(self, words: list[str]) -> None:
        if len(self.table.current().moves) > 256:
            self.die()
        super().on_go(words)


class ForgetsHistory(NonConformant):
    """Keeps the last position only, so that none has ever occurred before."""

    name = "forgets-history"

    def on_position(self, words: list[str]) -> None:
        super().on_position(words)
        game = self.table.current()
        self.table.game = Game(game.rules, game.position)


class _Answers(NonConformant):
    """Answers one query wrongly."""

    def handle(self, line: str) -> None:
        words = line.split()
        said = self.instead(words[1:]) if words[:1] == ["query"] and self.table.game is not None else None
        if said is None:
            super().handle(line)
        else:
            self.say("response", said)

    def instead(self, words: list[str]) -> str | None:
        """The answer to a query, None where it is answered rightly."""
        return None

    def right(self, words: list[str]) -> str:
        """The right answer."""
        return self.table.query(words)


class TurnByCount(_Answers):
    """Answers `query p1turn` by the number of moves, whatever side began."""

    name = "turn-by-count"

    def instead(self, words: list[str]) -> str | None:
        return str(len(self.table.current().moves) % 2 == 0).lower() if words == ["p1turn"] else None


class SeesNoStalemate(_Answers):
    """Does not see that a side has no move left."""

    name = "sees-no-stalemate"

    def instead(self, words: list[str]) -> str | None:
        outcome = self.table.current().outcome
        stuck = outcome is not None and outcome.reason in (Reason.NO_MOVE, Reason.NO_TURN)
        return {"result": "none", "gameover": "false"}.get(" ".join(words)) if stuck else None


class NeverOver(_Answers):
    """Answers `query gameover` with false, whatever the result."""

    name = "never-over"

    def instead(self, words: list[str]) -> str | None:
        return "false" if words == ["gameover"] else None


class MissesMoves(_Answers):
    """Leaves one move out where more than 50 are legal."""

    name = "misses-moves"

    def instead(self, words: list[str]) -> str | None:
        moves = self.right(words).split()[1:] if words == ["legalmoves"] else []
        return " ".join([str(len(moves) - 1), *moves[:-1]]) if len(moves) > 50 else None


class Miscounts(_Answers):
    """Counts a sequence more than there are."""

    name = "miscounts"

    def instead(self, words: list[str]) -> str | None:
        return str(int(self.right(words)) + 1) if words in (["perft", "1"], ["perft", "2"]) else None


class NeverTurns(_Answers):
    """Answers `query fen` with turn number 1, whatever has been played."""

    name = "never-turns"

    def instead(self, words: list[str]) -> str | None:
        return " ".join([*self.right(words).split()[:2], "1"]) if words == ["fen"] else None


class AllIsLegal(_Answers):
    """Answers `query islegal` with true for every word of the move grammar."""

    name = "all-is-legal"

    def instead(self, words: list[str]) -> str | None:
        if words[:1] != ["islegal"] or len(words) != 2:
            return None
        return str(self.table.current().rules.wellformed(words[1])).lower()


class QueriesChange(NonConformant):
    """Searches otherwise after a query."""

    name = "queries-change"
    asked = 0

    def handle(self, line: str) -> None:
        if line.split()[:1] == ["query"]:
            self.table.seed += 1
            self.asked += 1
        super().handle(line)

    def on_newgame(self) -> None:
        self.table.seed -= self.asked
        self.asked = 0
        super().on_newgame()


class WaitsForKnownQuery(NonConformant):
    """Says nothing more after a query that it does not know."""

    name = "waits-for-known-query"

    def handle(self, line: str) -> None:
        try:
            if line.split()[:2] == ["query", "nonsense"]:
                self.go_deaf()
        finally:
            super().handle(line)
