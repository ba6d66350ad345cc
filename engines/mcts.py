"""The engine that searches by Monte Carlo tree search until its time is up."""

import gc
from random import Random

from engines.budget import budget_of
from engines.common import HASH, SEED, Line, RulesEngine
from engines.evaluate import Evaluator, evaluator_for
from engines.mcts_tree import MOVE_BYTES, SearchTree
from engines.scores import send_info
from protocol.engine import Option, Search, run


class MctsPlayer(RulesEngine):
    """Builds a new tree for each move. One simulation counts as one node. One generator serves a whole game."""

    name = "MCTS"
    options = (SEED, HASH, Option("UGI_MovesToGo", "check", "true"))

    def new_game(self) -> None:
        super().new_game()
        self._random = Random(int(self.settings["Seed"]))
        self._evaluator: Evaluator | None = None
        self._evaluated_line: Line | None = None

    def choose(self, line: Line, search: Search) -> str:
        position = line.position
        if self._evaluator is None or self._evaluated_line is not line:
            self._evaluator, self._evaluated_line = evaluator_for(line.game.rules, position), line
        tree = SearchTree(self._evaluator, position, line.occurrences, line.repetition, self._random)
        nodes = 1 + _simulate(tree, search, int(self.settings["Hash"]) * 1_048_576 // MOVE_BYTES)
        moves = tree.line()
        send_info(search, tree.depth, nodes, tree.score(), moves)
        return moves[0].text


def _simulate(tree: SearchTree, search: Search, max_moves: int) -> int:
    """Simulate until the limits, the memory or a proven result end the search. Returns the number of simulations."""
    limits = search.limits
    end_ms = budget_of(limits).soft_ms
    simulations = 0
    while tree.root.proven is None and tree.stored_moves < max_moves:
        if limits.nodes is not None and simulations + 1 >= limits.nodes:
            break
        if limits.depth is not None and tree.depth >= limits.depth:
            break
        if search.stopped() or (end_ms is not None and search.elapsed_ms() >= end_ms):
            break
        tree.simulate()
        simulations += 1
    return simulations


if __name__ == "__main__":
    # A search makes no reference cycles, and a collection in a large tree takes longer than a move may take.
    gc.disable()
    run(MctsPlayer())
