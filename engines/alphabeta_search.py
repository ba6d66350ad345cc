"""Depth-first search with a window: what a position is worth so many plies ahead, and the line that says so.

Owns the tree: table, move order, extensions, repetition. It does not know when to stop: it asks, through `spend`, and
lets the exception of whoever answers pass. Moves are compared by identity, as a board makes each of them once.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Literal, NamedTuple

from arena.games.rules import Move, Position
from engines.evaluate import Judge
from engines.scores import SURE, WON

ENTRY_BYTES = 600
"""What one position in the table takes, its key included, as measured."""

_INFINITE = WON + 1
_DEEPEST_THREAT = -5
"""Threats are answered so far beyond the depth asked for."""

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2


class TableEntry(NamedTuple):
    """What the table holds of a position: to which depth it was searched, what came of it and the best move."""

    depth: int
    score: int
    bound: int
    move: Move | None


class TranspositionTable:
    """Entries by position, of a bounded number: when the newer half is full, the older half is dropped."""

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
    """The searches of one root position. `seen`: how often each position of the game has occurred so far, where the
    variant judges repetition, as `repetition` says. `spend(nodes)` is called before so many nodes are looked at."""

    def __init__(
        self,
        judge: Judge,
        table: TranspositionTable,
        seen: dict[Hashable, int],
        repetition: Literal["draw", "loses"] | None,
        spend: Callable[[int], None],
    ) -> None:
        self._judge = judge
        self._table = table
        self._seen = dict(seen)
        self._repetition = repetition
        self._spend = spend
        self.found: tuple[int, list[Move]] | None = None
        """What `best` has found so far; None before its first move is done. It survives an exception of `spend`."""
        self._killers: dict[int, Move] = {}
        self._history: dict[str, int] = {}

    def best(self, position: Position, moves: Sequence[Move], depth: int) -> tuple[int, list[Move]]:
        """The worth of `position` after a search to `depth` plies, and the best line, which starts with one of
        `moves`: all legal ones, the likeliest first."""
        self.found = None
        alpha, line = -_INFINITE, list(moves[:1])
        for number, move in enumerate(moves):
            self._spend(1)
            child = position.play(move)
            # A window without width first: only a better move is worth its exact score.
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
        """The worth of a position to the side to move, exact between alpha and beta, and its best line where so."""
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner == "draw":
                return 0, []
            return (WON - ply if outcome.winner == position.side else ply - WON), []
        key = position.key
        repetition = self._repetition
        if repetition is not None:
            count = self._seen.get(key, 0)
            if repetition == "draw":
                # The second occurrence already counts: what could be done next time can be done now.
                if count:
                    return 0, []
            elif count >= 2:
                return WON - ply, []
        judge = self._judge
        foreseen = judge.foreseen(position)
        if foreseen:
            return (WON - ply - foreseen if foreseen > 0 else ply - foreseen - WON), []
        if depth <= 0 and (depth <= _DEEPEST_THREAT or not judge.pressing(position)):
            return judge.value(position), []
        entry = self._table.get(key)
        known: Move | None = None
        if entry is not None:
            known = entry.move
            if entry.depth >= depth:
                score = entry.score
                if score >= SURE:
                    score -= ply
                elif score <= -SURE:
                    score += ply
                bound = entry.bound
                if bound == _EXACT or (bound == _AT_LEAST and score >= beta) or (bound == _AT_MOST and score <= alpha):
                    return score, [] if known is None else [known]
        if repetition is not None:
            self._seen[key] = count + 1
            try:
                score, line = self._children(position, depth, alpha, beta, ply, known)
            finally:
                self._seen[key] = count
        else:
            score, line = self._children(position, depth, alpha, beta, ply, known)
        bound = _AT_LEAST if score >= beta else _AT_MOST if score <= alpha else _EXACT
        stored = score + ply if score >= SURE else score - ply if score <= -SURE else score
        self._table.put(key, TableEntry(depth, stored, bound, line[0] if line else known))
        return score, line

    def _children(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int, known: Move | None
    ) -> tuple[int, list[Move]]:
        judge = self._judge
        moves = judge.answers(position)
        if judge.cheap:
            self._spend(len(moves))
            ranked = judge.ranked(position, moves)
            if depth <= 1:
                return self._frontier(position, ranked, depth, alpha, beta, ply)
            best, ordered = -_INFINITE, self._ordered([move for score, move in ranked if score > -SURE], known, ply)
            if not ordered:
                return ply + 1 - WON, []
        else:
            best, ordered = -_INFINITE, self._ordered(self._by_history(position, moves), known, ply)
            if not ordered:
                # No move answers the threat.
                return ply + 2 - WON, []
        line: list[Move] = []
        for number, move in enumerate(ordered):
            self._spend(1)
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
        """The last ply before the horizon, whose moves have a worth already: only threats are looked into."""
        judge = self._judge
        best, line = -_INFINITE, []
        for guess, move in ranked:
            if guess <= best:
                break
            if guess >= SURE:
                score = guess - ply
            elif guess <= -SURE:
                score = guess + ply
            else:
                score = guess
                child = position.play(move)
                if judge.pressing(child):
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
        """The moves with those in front that were best here, or elsewhere at this ply."""
        for first in (self._killers.get(ply), known):
            if first is not None:
                for number, move in enumerate(moves):
                    if move is first:
                        if number:
                            del moves[number]
                            moves.insert(0, move)
                        break
        return moves
