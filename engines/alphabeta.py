"""The engine that searches by alpha-beta with iterative deepening until its time is up."""

import gc
from math import inf

from engines.alphabeta_search import AlphaBetaSearch, TranspositionTable
from engines.budget import budget_of
from engines.common import HASH, SEED, Line, RulesEngine
from engines.evaluate import Evaluator, evaluator_for
from engines.scores import DECIDED, send_info
from protocol.engine import Option, Search, run

_CHECK_EVERY = 100
"""The nodes between two checks of the clock and the input. They take some milliseconds at most."""
_DEEPEST = 100


class _OutOfTime(Exception):
    """Raised inside a search to leave it."""


class AlphaBetaPlayer(RulesEngine):
    """Keeps its transposition table for a game. `Seed` changes nothing, since its play is deterministic."""

    name = "AlphaBeta"
    options = (SEED, HASH, Option("UGI_MovesToGo", "check", "true"))

    def new_game(self) -> None:
        super().new_game()
        self._evaluator: Evaluator | None = None
        self._table_line: Line | None = None
        self._table = TranspositionTable(int(self.settings["Hash"]))

    def choose(self, line: Line, search: Search) -> str:
        position = line.position
        if self._evaluator is None or self._table_line is not line:
            # Another start or other rules may have another board, where the table's entries are wrong.
            self._evaluator, self._table_line = evaluator_for(line.game.rules, position), line
            self._table = TranspositionTable(int(self.settings["Hash"]))
        budget = _SearchBudget(search)
        tree = AlphaBetaSearch(self._evaluator, self._table, line.occurrences, line.repetition, budget.count_nodes)
        ranked = self._evaluator.ranked(position, position.moves())
        moves = [move for _, move in ranked]
        hurried = search.limits.time_ms is not None or search.limits.movetime_ms is not None
        deepest = min(search.limits.depth or _DEEPEST, _DEEPEST)
        best = moves[0]
        reported = False
        for depth in range(1, deepest + 1):
            finished = True
            try:
                score, pv = tree.best(position, moves, depth)
            except _OutOfTime:
                finished = False
                if tree.found is None:
                    break
                score, pv = tree.found
            best = pv[0]
            moves.sort(key=lambda move: move is not best)
            send_info(search, depth if finished else max(depth - 1, 1), budget.nodes, score, pv)
            reported = True
            if not finished or abs(score) >= DECIDED or (len(moves) == 1 and hurried) or budget.past_soft_limit():
                break
        if not reported:
            send_info(search, 1, budget.nodes, ranked[0][0], [best])
        return best.text


class _SearchBudget:
    """Counts nodes and ends a search that has used up its nodes or its time."""

    def __init__(self, search: Search) -> None:
        self.nodes = 0
        self._search = search
        self._budget = budget_of(search.limits)
        self._most = inf if search.limits.nodes is None else search.limits.nodes
        self._next_look = 0

    def count_nodes(self, nodes: int) -> None:
        """Count nodes before they are searched. Raises _OutOfTime if a limit is reached."""
        if self.nodes + nodes > self._most:
            raise _OutOfTime
        self.nodes += nodes
        if self.nodes >= self._next_look:
            self._next_look = self.nodes + _CHECK_EVERY
            hard_ms = self._budget.hard_ms
            if self._search.stopped() or (hard_ms is not None and self._search.elapsed_ms() >= hard_ms):
                raise _OutOfTime

    def past_soft_limit(self) -> bool:
        """True if it is too late to start another iteration."""
        soft_ms = self._budget.soft_ms
        return soft_ms is not None and self._search.elapsed_ms() >= soft_ms


if __name__ == "__main__":
    # A search makes no reference cycles, and a collection with a large table takes longer than a move may take.
    gc.disable()
    run(AlphaBetaPlayer())
