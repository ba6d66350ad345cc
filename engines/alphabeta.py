"""The engine that searches depth first, one ply deeper at a time, until its time is up."""

import gc
from math import inf

from arena.games.rules import Move
from engines.alphabeta_search import AlphaBetaSearch, TranspositionTable
from engines.budget import budget_of
from engines.common import HASH, NO_MOVE, SEED, Line, Player
from engines.evaluate import Judge, judge_of
from engines.scores import SURE, mate_of
from protocol.engine import Option, Root, Search, run

_CHECK_EVERY = 100
"""Nodes between two looks at the clock and at the input: some milliseconds at most."""
_DEEPEST = 100


class _OutOfTime(Exception):
    """Raised in the depth of a search to leave it."""


class AlphaBetaPlayer(Player):
    """Keeps its table for a game. `Seed` changes nothing: it never plays at random."""

    name = "AlphaBeta"
    options = (SEED, HASH, Option("UGI_MovesToGo", "check", "true"))

    def __init__(self) -> None:
        super().__init__()
        self.new_game()

    def new_game(self) -> None:
        super().new_game()
        self._judge: Judge | None = None
        self._followed: Line | None = None
        self._table = TranspositionTable(int(self.settings["Hash"]))

    def search(self, root: Root, search: Search) -> str:
        line = self.line(root)
        if line.game.outcome is not None:
            return NO_MOVE
        position = line.position
        if self._judge is None or self._followed is not line:
            # Another start or other rules may be another board: what was remembered means nothing there.
            self._judge, self._followed = judge_of(position), line
            self._table = TranspositionTable(int(self.settings["Hash"]))
        meter = _Meter(search)
        tree = AlphaBetaSearch(self._judge, self._table, line.seen, line.repetition, meter.spend)
        ranked = self._judge.ranked(position, position.moves())
        moves = [move for _, move in ranked]
        hurried = search.limits.time_ms is not None or search.limits.movetime_ms is not None
        deepest = min(search.limits.depth or _DEEPEST, _DEEPEST)
        best = moves[0]
        told = False
        for depth in range(1, deepest + 1):
            done = True
            try:
                score, pv = tree.best(position, moves, depth)
            except _OutOfTime:
                done = False
                if tree.found is None:
                    break
                score, pv = tree.found
            best = pv[0]
            moves.sort(key=lambda move: move is not best)
            _tell(search, depth if done else max(depth - 1, 1), score, meter.nodes, pv)
            told = True
            if not done or abs(score) >= SURE or (len(moves) == 1 and hurried) or meter.late():
                break
        if not told:
            _tell(search, 1, ranked[0][0], meter.nodes, [best])
        return best.text


class _Meter:
    """Counts nodes and ends a search that has used up what it may."""

    def __init__(self, search: Search) -> None:
        self.nodes = 0
        self._search = search
        self._budget = budget_of(search.limits)
        self._most = inf if search.limits.nodes is None else search.limits.nodes
        self._next_look = 0

    def spend(self, nodes: int) -> None:
        """Count nodes that are about to be looked at. Raises _OutOfTime where they would be too many."""
        if self.nodes + nodes > self._most:
            raise _OutOfTime
        self.nodes += nodes
        if self.nodes >= self._next_look:
            self._next_look = self.nodes + _CHECK_EVERY
            hard_ms = self._budget.hard_ms
            if self._search.stopped() or (hard_ms is not None and self._search.elapsed_ms() >= hard_ms):
                raise _OutOfTime

    def late(self) -> bool:
        """Is it too late to begin another depth?"""
        soft_ms = self._budget.soft_ms
        return soft_ms is not None and self._search.elapsed_ms() >= soft_ms


def _tell(search: Search, depth: int, score: int, nodes: int, pv: list[Move]) -> None:
    mate = mate_of(score)
    search.info(
        depth=depth,
        nodes=nodes,
        score_cp=score if mate is None else None,
        score_mate=mate,
        time_ms=int(search.elapsed_ms()),
        pv=tuple(move.text for move in pv),
    )


if __name__ == "__main__":
    # What is made in a search has no cycles, and looking for some in a large table takes longer than a move may.
    gc.disable()
    run(AlphaBetaPlayer())
