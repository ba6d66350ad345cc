"""A game from its start: the moves played, repetition, the outcome."""

from tests.zoo.spec.rules import Impossible, Outcome, Position, Rules


class Game:
    """A position with the game that led to it, since repetition counts from its start (6.1)."""

    def __init__(self, rules: Rules, start: Position, seen: dict[str, int] | None = None) -> None:
        self.rules, self.position, self.fault = rules, start, rules.fault
        self.plies = 0
        self.seen: dict[str, int] = {} if seen is None else seen
        self.seen[self.key(start)] = self.seen.get(self.key(start), 0) + 1
        self.outcome = rules.outcome(start, None)

    def key(self, position: Position) -> str:
        return f"{position.board} {position.side}"

    def play(self, word: str) -> None:
        if self.outcome:
            raise Impossible(f"the game is over before {word[:20]}")
        move = self.rules.parse(word)
        if move is None or not self.rules.legal(self.position, move):
            raise Impossible(f"illegal move {word[:20]}")
        before = self.position
        self.position = self.rules.play(before, move)
        self.plies += 1
        key = self.key(self.position)
        self.seen[key] = self.seen.get(key, 0) + 1
        self.outcome = self.rules.outcome(self.position, before) or self.repeated(self.position, self.seen[key])

    def repeated(self, position: Position, times: int) -> Outcome | None:
        if not self.rules.repetition or times < 3:
            return None
        if self.rules.repetition == "draw":
            return Outcome(None, "repetition")
        return Outcome(position.side, "repetition")
