"""The engine that grows a tree where it looks best, until its time is up."""

import gc
from random import Random

from engines.budget import budget_of
from engines.common import HASH, NO_MOVE, SEED, Line, Player
from engines.evaluate import Judge, judge_of
from engines.mcts_tree import SLOT_BYTES, SearchTree
from engines.scores import mate_of
from protocol.engine import Option, Root, Search, run


class MctsPlayer(Player):
    """Grows a new tree for each move; one node is one simulation. Draws from one generator for a whole game."""

    name = "MCTS"
    options = (SEED, HASH, Option("UGI_MovesToGo", "check", "true"))

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
        position = line.position
        if self._judge is None or self._judged is not line:
            self._judge, self._judged = judge_of(position), line
        tree = SearchTree(self._judge, position, line.seen, line.repetition, self._random)
        nodes = 1 + _grow(tree, search, int(self.settings["Hash"]) * 1_048_576 // SLOT_BYTES)
        score, moves = tree.score(), tree.line()
        mate = mate_of(score)
        search.info(
            depth=tree.depth,
            nodes=nodes,
            score_cp=score if mate is None else None,
            score_mate=mate,
            time_ms=int(search.elapsed_ms()),
            pv=tuple(move.text for move in moves),
        )
        return moves[0].text


def _grow(tree: SearchTree, search: Search, most_slots: int) -> int:
    """Simulate until the limits, the memory or a proof end it; the number of simulations."""
    limits = search.limits
    end_ms = budget_of(limits).soft_ms
    done = 0
    while tree.root.final is None and tree.slots < most_slots:
        if limits.nodes is not None and done + 1 >= limits.nodes:
            break
        if limits.depth is not None and tree.depth >= limits.depth:
            break
        if search.stopped() or (end_ms is not None and search.elapsed_ms() >= end_ms):
            break
        tree.simulate()
        done += 1
    return done


if __name__ == "__main__":
    # What is made in a search has no cycles, and looking for some in a large table takes longer than a move may.
    gc.disable()
    run(MctsPlayer())
