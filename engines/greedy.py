"""The engine that searches one ply: it plays the move with the best static evaluation.

Beyond that ply it sees only what the evaluator sees without a search, such as a check that cannot be answered.
"""

from random import Random

from arena.games.rules import Move
from engines.budget import budget_of
from engines.common import Line, RulesEngine
from engines.evaluate import Evaluator, evaluator_for
from engines.scores import DECIDED, WIN, RepetitionRule, send_info
from protocol.engine import Search, run

_BATCH, _SLOW_BATCH = 64, 4
"""The moves that are judged between two looks at the clock, by a quick evaluator and by a slow one."""


class GreedyPlayer(RulesEngine):
    """Chooses among equally good moves with one generator for a whole game, so that a seed repeats a game."""

    name = "Greedy"

    def new_game(self) -> None:
        super().new_game()
        self._random = Random(int(self.settings["Seed"]))
        self._evaluator: Evaluator | None = None
        self._evaluated_line: Line | None = None

    def choose(self, line: Line, search: Search) -> str:
        moves = self._ranked(line, search)
        most = moves[0][0]
        equals = [move for score, move in moves if score == most]
        move = equals[int(self._random.random() * len(equals))]
        send_info(search, 1, len(moves), most, [move])
        return move.text

    def _ranked(self, line: Line, search: Search) -> list[tuple[int, Move]]:
        """The moves with their scores, best first: all of them, or as many as the limits allow, but at least one."""
        position = line.position
        if self._evaluator is None or self._evaluated_line is not line:
            self._evaluator, self._evaluated_line = evaluator_for(line.game.rules, position), line
        moves = position.moves()
        if search.limits.nodes is not None:
            moves = moves[: max(search.limits.nodes, 1)]
        ranked: list[tuple[int, Move]] = []
        hard_ms = budget_of(search.limits).hard_ms
        batch = _BATCH if self._evaluator.cheap_ranking else _SLOW_BATCH
        for start in range(0, len(moves), batch):
            ranked += self._evaluator.ranked(position, moves[start : start + batch])
            if search.stopped() or (hard_ms is not None and search.elapsed_ms() > hard_ms):
                break
        if line.repetition is not None:
            ranked = [(_repeated(line, line.repetition, move, score), move) for score, move in ranked]
        ranked.sort(key=lambda entry: entry[0], reverse=True)
        return ranked


def _repeated(line: Line, rule: RepetitionRule, move: Move, score: int) -> int:
    """The score of a move. The last occurrence of its position that is allowed decides the game."""
    if abs(score) >= DECIDED:
        return score
    child = line.position.play(move)
    result = rule.result(line.occurrences.get(child.key, 0), child.side)
    return score if result is None else result * (1 - WIN)


if __name__ == "__main__":
    run(GreedyPlayer())
