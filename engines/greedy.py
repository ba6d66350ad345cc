"""The engine that looks one ply ahead: it takes a win, gives none away where it can help it, else likes its board.

What it sees beyond that ply is only what its judge sees at a glance, such as a check that cannot be answered.
"""

from random import Random

from arena.games.rules import Move
from engines.common import NO_MOVE, Line, Player
from engines.evaluate import Judge, judge_of
from engines.scores import SURE, WON, mate_of
from protocol.engine import Root, Search, run

_BATCH = 64


class GreedyPlayer(Player):
    """Among equally good moves it draws from one generator for a whole game, so that a seed is a game."""

    name = "Greedy"

    def __init__(self) -> None:
        super().__init__()
        self.new_game()

    def new_game(self) -> None:
        super().new_game()
        self._random = Random(int(self.settings["Seed"]))
        self._judge: Judge | None = None
        self._judged: Line | None = None

    def search(self, root: Root, search: Search) -> str:
        line = self.line(root)
        if line.game.outcome is not None:
            return NO_MOVE
        moves = self._ranked(line, search)
        most = moves[0][0]
        equals = [move for score, move in moves if score == most]
        move = equals[int(self._random.random() * len(equals))].text
        mate = mate_of(most)
        search.info(
            depth=1,
            nodes=len(moves),
            score_cp=most if mate is None else None,
            score_mate=mate,
            time_ms=int(search.elapsed_ms()),
            pv=(move,),
        )
        return move

    def _ranked(self, line: Line, search: Search) -> list[tuple[int, Move]]:
        """The moves with their worth, best first: all, or as many as the limits allow, at least one."""
        position = line.position
        if self._judge is None or self._judged is not line:
            self._judge, self._judged = judge_of(position), line
        moves = position.moves()
        if search.limits.nodes is not None:
            moves = moves[: max(search.limits.nodes, 1)]
        ranked: list[tuple[int, Move]] = []
        for start in range(0, len(moves), _BATCH):
            ranked += self._judge.ranked(position, moves[start : start + _BATCH])
            if search.stopped():
                break
        if line.repetition is not None:
            ranked = [(_repeated(line, move, score), move) for score, move in ranked]
        ranked.sort(key=lambda entry: entry[0], reverse=True)
        return ranked


def _repeated(line: Line, move: Move, score: int) -> int:
    """The worth of a move that may complete a third occurrence: then it is a draw or a loss."""
    if abs(score) >= SURE or line.seen.get(line.position.play(move).key, 0) < 2:
        return score
    return 0 if line.repetition == "draw" else 1 - WON


if __name__ == "__main__":
    run(GreedyPlayer())
