"""The answers to `query`."""

import re
import time

from tests.zoo.spec.handshake import Handshake
from tests.zoo.spec.lines import Stopped
from tests.zoo.spec.rules import Position

LONGEST_LINE = 65_536


class Queries(Handshake):
    """Answers what a referee asks about the game."""

    def query(self, words: list[str]) -> None:
        if self.fault("query-takes-a-random-number"):
            self.random.random()
        answer = self.answer(words)
        if len(answer) > LONGEST_LINE - 20:
            answer = "error the answer is longer than a line may be"
        self.say(answer)

    def answer(self, words: list[str]) -> str:
        game, position = self.game, self.game.position
        over = game.outcome is not None
        if self.fault("booleans-of-python") and words == ["p1turn"]:
            return f"response {position.side == 0}"
        match words:
            case ["p1turn"]:
                return f"response {truth(position.side == 0)}"
            case ["gameover"]:
                if self.fault("draw-is-not-gameover") and game.outcome and game.outcome.winner is None:
                    return "response false"
                return f"response {truth(over)}"
            case ["result"]:
                return f"response {self.result()}"
            case ["legalmoves"]:
                return "response " + self.legal_moves()
            case ["islegal", word, *_]:
                return f"response {truth(self.is_legal(word))}"
            case ["fen"]:
                return f"response {game.rules.fen(position)}"
            case ["perft", number, *_]:
                return self.perft_answer(number)
        if self.fault("unknown-query-ends-engine"):
            raise SystemExit("no such query")
        return "response none" if self.fault("unknown-query-gets-response") else "error no such query"

    def result(self) -> str:
        outcome = self.game.outcome
        if outcome is None:
            return "none"
        if self.fault("result-names-mover") and outcome.reason == "no-turn":
            return f"p{self.game.position.side + 1}win"
        if self.fault("result-without-win") and outcome.winner is not None:
            return f"p{outcome.winner + 1}"
        return outcome.text()

    def legal_moves(self) -> str:
        game = self.game
        reason = game.outcome.reason if game.outcome else ""
        goes_on = not reason
        goes_on |= self.fault("moves-after-repetition") and reason == "repetition"
        moves = [game.rules.text(move) for move in game.rules.moves(game.position)] if goes_on else []
        if self.fault("both-orders-listed"):
            moves += [word for word in map(swapped, moves) if word]
        return " ".join(moves if self.fault("moves-without-count") else [str(len(moves)), *moves])

    def is_legal(self, word: str) -> bool:
        game = self.game
        if game.outcome and not self.fault("islegal-after-end"):
            return False
        if self.fault("islegal-in-any-case"):
            word = word.lower()
        move = game.rules.parse(word)
        if move is None:
            return False
        return game.rules.legal(game.position, move)

    def perft_answer(self, number: str) -> str:
        if not self.fault("perft-depth-not-checked") and not re.fullmatch("[0-9]{1,4}", number):
            return "error perft needs a depth from 0"
        self.perft_end = time.monotonic() + 30
        try:
            return f"response {self.perft(self.game.position, None, int(number))}"
        except Stopped:
            return "error perft is too deep to count"

    def perft(self, position: Position, before: Position | None, depth: int) -> int:
        rules = self.game.rules
        if depth == 0:
            return 1
        self.listen()
        if time.monotonic() > self.perft_end:
            raise Stopped
        if rules.outcome(position, before):
            return int(self.fault("perft-counts-shorter-games"))
        if before and self.fault("perft-minds-repetition") and self.game.seen.get(self.game.key(position), 0) >= 2:
            return 0
        if depth == 1:
            return sum(1 for _ in rules.moves(position))
        return sum(self.perft(rules.play(position, move), position, depth - 1) for move in rules.moves(position))


def truth(value: bool) -> str:
    return "true" if value else "false"


def swapped(word: str) -> str:
    squares = re.findall("[a-y][0-9]+", word)
    return squares[0] + squares[2] + squares[1] if len(squares) == 3 else ""
