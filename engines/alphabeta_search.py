"""Alpha-beta search to a depth: the score of a position and its principal variation.

`count_nodes` decides when to stop: its exception passes through. Moves are compared by identity, since a board makes
each of them once.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from arena.games.rules import Move, Position
from engines.evaluate import Evaluator
from engines.scores import DECIDED, WIN, RepetitionRule

ENTRY_BYTES = 600
"""The measured memory of one table entry with its key, in bytes."""

_INFINITE = WIN + 1
_DEEPEST_THREAT = -5
"""The depth at which the extension of threats ends, in plies below the horizon."""

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2


class TableEntry(NamedTuple):
    """An entry of the transposition table: search depth, score, kind of bound and best move."""

    depth: int
    score: int
    bound: int
    move: Move | None


class TranspositionTable:
    """A bounded number of entries by position. When the newer half is full, the older half is dropped."""

    def __init__(self, megabytes: int) -> None:
        self._half = max(megabytes * 1_048_576 // ENTRY_BYTES // 2, 1)
        self._new: dict[Hashable, TableEntry] = {}
        self._old: dict[Hashable, TableEntry] = {}

    def __len__(self) -> int:
        return len(self._new) + len(self._old)

    def get(self, key: Hashable) -> TableEntry | None:
        entry = self._new.get(key)
        return entry if entry is not None else self._old.get(key)

    def put(self, key: Hashable, entry: TableEntry) -> None:
        if len(self._new) >= self._half:
            self._old, self._new = self._new, {}
        self._new[key] = entry


class AlphaBetaSearch:
    """The searches of one root position. `occurrences` counts the positions of the game so far, if `repetition`
    matters in the variant. `count_nodes(nodes)` is called before so many nodes are searched."""

    def __init__(
        self,
        evaluator: Evaluator,
        table: TranspositionTable,
        occurrences: dict[Hashable, int],
        repetition: RepetitionRule | None,
        count_nodes: Callable[[int], None],
    ) -> None:
        self._evaluator = evaluator
        self._table = table
        self._occurrences = dict(occurrences)
        self._repetition = repetition
        self._count_nodes = count_nodes
        self.found: tuple[int, list[Move]] | None = None
        """The result of `best` so far, None before its first move. It survives an exception of `count_nodes`."""
        self._killers: dict[int, Move] = {}
        self._history: dict[str, int] = {}

    def best(self, position: Position, moves: Sequence[Move], depth: int) -> tuple[int, list[Move]]:
        """The score of `position` from a search to `depth` plies, and its principal variation. `moves` are all legal
        moves, the most promising first."""
        self.found = None
        alpha, line = -_INFINITE, list(moves[:1])
        for number, move in enumerate(moves):
            self._count_nodes(1)
            child = position.play(move)
            # A null window first: only a better move needs its exact score.
            score, rest = self._after(child, depth - 1, -alpha - 1 if number else -_INFINITE, -alpha, 1)
            if number and score > alpha:
                score, rest = self._after(child, depth - 1, -_INFINITE, -alpha, 1)
            if score > alpha:
                alpha, line = score, [move, *rest]
                self.found = alpha, line
        return alpha, line

    def _after(self, child: Position, depth: int, alpha: int, beta: int, ply: int) -> tuple[int, list[Move]]:
        score, line = self._node(child, depth, alpha, beta, ply)
        return -score, line

    def _node(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> tuple[int, list[Move]]:
        """The score for the side to move, exact between alpha and beta, and the best line if it is exact."""
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner == "draw":
                return 0, []
            return (WIN - ply if outcome.winner == position.side else ply - WIN), []
        key = position.key
        repetition = self._repetition
        if repetition is not None:
            count = self._occurrences.get(key, 0)
            result = repetition.expected(count, position.side) if count else None
            if result is not None:
                return result * (WIN - ply), []
        evaluator = self._evaluator
        forced = evaluator.forced_plies(position)
        if forced:
            return (WIN - ply - forced if forced > 0 else ply - forced - WIN), []
        if depth <= 0 and (depth <= _DEEPEST_THREAT or not evaluator.threatened(position)):
            return evaluator.value(position), []
        entry = self._table.get(key)
        known: Move | None = None
        if entry is not None:
            known = entry.move
            if entry.depth >= depth:
                score = entry.score
                if score >= DECIDED:
                    score -= ply
                elif score <= -DECIDED:
                    score += ply
                bound = entry.bound
                if bound == _EXACT or (bound == _AT_LEAST and score >= beta) or (bound == _AT_MOST and score <= alpha):
                    return score, [] if known is None else [known]
        if repetition is not None:
            self._occurrences[key] = count + 1
            try:
                score, line = self._children(position, depth, alpha, beta, ply, known)
            finally:
                self._occurrences[key] = count
        else:
            score, line = self._children(position, depth, alpha, beta, ply, known)
        bound = _AT_LEAST if score >= beta else _AT_MOST if score <= alpha else _EXACT
        stored = score + ply if score >= DECIDED else score - ply if score <= -DECIDED else score
        self._table.put(key, TableEntry(depth, stored, bound, line[0] if line else known))
        return score, line

    def _children(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int, known: Move | None
    ) -> tuple[int, list[Move]]:
        evaluator = self._evaluator
        moves = evaluator.candidates(position)
        if evaluator.cheap_ranking:
            self._count_nodes(len(moves))
            ranked = evaluator.ranked(position, moves)
            if depth <= 1:
                return self._frontier(position, ranked, depth, alpha, beta, ply)
            best, ordered = -_INFINITE, self._ordered([move for score, move in ranked if score > -DECIDED], known, ply)
            if not ordered:
                return ply + 1 - WIN, []
        else:
            best, ordered = -_INFINITE, self._ordered(self._by_history(position, moves), known, ply)
            if not ordered:
                # No move answers the threat.
                return ply + 2 - WIN, []
        line: list[Move] = []
        for number, move in enumerate(ordered):
            self._count_nodes(1)
            child = position.play(move)
            if number:
                less = 1 if number >= 6 and depth >= 3 else 0
                score, rest = self._after(child, depth - 1 - less, -alpha - 1, -alpha, ply + 1)
                if score > alpha and (less or score < beta):
                    score, rest = self._after(child, depth - 1, -beta, -alpha, ply + 1)
            else:
                score, rest = self._after(child, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best = score
                if score > alpha:
                    alpha, line = score, [move, *rest]
                    if score >= beta:
                        self._killers[ply] = move
                        self._history[move.text] = self._history.get(move.text, 0) + max(depth, 1) ** 2
                        break
        return best, line

    def _frontier(
        self, position: Position, ranked: list[tuple[int, Move]], depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, list[Move]]:
        """The last ply before the horizon. Its moves have static scores already; only threats are searched."""
        evaluator = self._evaluator
        best, line = -_INFINITE, []
        for guess, move in ranked:
            if guess <= best:
                break
            if guess >= DECIDED:
                score = guess - ply
            elif guess <= -DECIDED:
                score = guess + ply
            else:
                score = guess
                child = position.play(move)
                if evaluator.threatened(child):
                    score, _ = self._after(child, depth - 1, -beta, -max(alpha, best), ply + 1)
            if score > best:
                best = score
                if score > alpha:
                    line = [move]
                    if score >= beta:
                        break
        return best, line

    def _by_history(self, position: Position, moves: Sequence[Move]) -> list[Move]:
        history = self._history
        return sorted(moves, key=lambda move: -history.get(move.text, 0))

    def _ordered(self, moves: list[Move], known: Move | None, ply: int) -> list[Move]:
        """The moves with the table move first, then the killer move of this ply."""
        for first in (self._killers.get(ply), known):
            if first is not None:
                for number, move in enumerate(moves):
                    if move is first:
                        if number:
                            del moves[number]
                            moves.insert(0, move)
                        break
        return moves
