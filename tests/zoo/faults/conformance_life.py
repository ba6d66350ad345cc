"""Faults that the conformance checks find: resigning, draws, several games, the end."""

import os
import socket
import time

from arena.games.game import Game
from tests.zoo.faults.conformance_board import IllegalAt
from tests.zoo.faults.conformance_talk import NonConformant
from tests.zoo.search import Go
from tests.zoo.wire import Gone


def _lost(game: Game) -> bool:
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


class ResignsUnasked(NonConformant):
    """Resigns lost positions without having announced UGI_Resign."""

    hidden_option = "UGI_Resign"

    def word(self, move: str) -> str:
        return "resign" if _lost(self.state.current()) else move


class ResignsEarly(NonConformant):
    """Resigns a lost position as soon as it sees it, before the `go`."""

    def on_position(self, words: list[str]) -> None:
        super().on_position(words)
        if _lost(self.state.current()):
            self.say("bestmove", "resign")


class OffersWhenIdle(NonConformant):
    """Offers a draw when it is asked whether it is ready."""

    def on_isready(self) -> None:
        self.say("offer", "draw")
        super().on_isready()


class AnswersGameover(NonConformant):
    """Answers when it is told how the game has ended."""

    def on_gameover(self, words: list[str]) -> None:
        self.say("thanks")


class ResignsAnyway(NonConformant):
    """Resigns lost positions although UGI_Resign has been set to false."""

    def word(self, move: str) -> str:
        return "resign" if _lost(self.state.current()) else move


class KeepsGenerator(NonConformant):
    """Draws other moves in each new game."""

    games = 0

    def on_newgame(self) -> None:
        self.games += 1
        super().on_newgame()

    def answer(self, go: Go, elapsed_ms: int) -> None:
        self.state.seed += self.games
        super().answer(go, elapsed_ms)
        self.state.seed -= self.games


class OneSide(IllegalAt):
    """Says an illegal move where a game after the first begins for it with the other side to move."""

    first = ""
    games = searches = 0

    def on_newgame(self) -> None:
        self.searches = 0
        super().on_newgame()

    def wrong(self, game: Game) -> bool:
        self.searches += 1
        side = game.position.side
        self.first = self.first or side
        return self.searches == 1 and side != self.first


class Locks(NonConformant):
    """Ends at once where another one runs in the same directory."""

    def start(self) -> None:
        # An abstract socket has no file, and its name is free again when the process ends.
        self.lock = socket.socket(socket.AF_UNIX)
        try:
            self.lock.bind(f"\0zoo {os.getcwd()}")
        except OSError:
            self.die()


class Leaks(NonConformant):
    """Keeps 2 MB for each game."""

    def on_newgame(self) -> None:
        self.kept = [*getattr(self, "kept", ()), b"." * 2_000_000]
        super().on_newgame()


class SlowNewGame(NonConformant):
    """Takes 1.1 s for each `uginewgame` after the first."""

    games = 0

    def on_newgame(self) -> None:
        if self.games:
            time.sleep(1.1)
        self.games += 1
        super().on_newgame()


class FinishesFirst(NonConformant):
    """Does not hear `quit` while it searches."""

    def on_quit(self) -> None:
        if self.search is None:
            super().on_quit()


class TalksToNobody(NonConformant):
    """Goes on when nobody reads its output any more."""

    def write(self, data: bytes) -> None:
        try:
            super().write(data)
        except Gone:
            return
