"""A game from its start: the moves played, repetition, the outcome. Faults of repetition."""

from tests.zoo.spec.rules import Impossible, Outcome, Position, Rules


class Game:
    """A position with the game that led to it, since repetition counts from its start (6.1)."""

    def __init__(self, rules: Rules, start: Position, seen: dict[str, int] | None = None) -> None:
        self.rules, self.position, self.fault = rules, start, rules.fault
        self.plies = 0
        self.keys = [self.key(start)]
        self.seen: dict[str, int] = {} if seen is None else seen
        if not self.fault("repetition-without-start"):
            self.seen[self.keys[0]] = self.seen.get(self.keys[0], 0) + 1
        self.outcome = rules.outcome(start, None)

    def key(self, position: Position) -> str:
        if self.fault("repetition-without-side"):
            return position.board
        if self.fault("repetition-with-number"):
            return f"{position.board} {position.side} {position.number}"
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
        self.keys.append(key)
        self.seen[key] = self.seen.get(key, 0) + 1
        self.outcome = self.rules.outcome(self.position, before) or self.repeated(self.position, self.seen[key])

    def repeated(self, position: Position, times: int) -> Outcome | None:
        if not self.rules.repetition or times < 3:
            return None
        if self.fault("repetition-looks-back-16") and self.keys[-17:].count(self.key(position)) < 3:
            return None
        if self.fault("repetition-in-a-row") and not self.keys[-1] == self.keys[-5:][0] == self.keys[-9:][0]:
            return None
        if self.rules.repetition == "draw" or self.fault("repetition-loses-is-draw"):
            return Outcome(None, "repetition")
        side_to_move_wins = not self.fault("repetition-loses-for-other")
        return Outcome(position.side if side_to_move_wins else 1 - position.side, "repetition")
