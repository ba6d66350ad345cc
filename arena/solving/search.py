"""The search of a proof: does a side win within so many plies, whatever the opponent does?

It goes through all moves of both sides to a bounded depth, with a table of what is known of positions. So a win that it
finds is the fastest one, and "no" means no win within so many plies. It plays by the plain rules of `arena.games`.

A position has no history here. That is right for a win: the plies that are left fall with each move, so no line of the
proof comes to a position again. Where repetition loses, a side might also win because the opponent must complete one:
such a win is not looked for.
"""

import time
from collections.abc import Callable
from typing import Final

from arena.games.rules import Move, Position, Side
from arena.games.symmetry import fold_of, symmetries
from arena.solving.bounds import bound_of

_TABLED: Final = 3
"""Positions are looked up from so many plies on. With fewer left, the search is faster than the folding."""
_LOOK: Final = 4096
"""Nodes between two looks at the clock."""
ENTRY_BYTES: Final = 260
"""About what an entry of the table takes, with its key."""
MOST_PLIES: Final = 200
"""The longest proof."""


class SearchEnded(Exception):
    """The search was to end by now."""


class Known:
    """What is known of a position, in plies, for the side to move. 0 stands for nothing."""

    __slots__ = ("lost", "no_loss", "no_win", "won")

    def __init__(self, won: int = 0, no_win: int = 0, lost: int = 0, no_loss: int = 0) -> None:
        self.won = won
        """It wins within so many."""
        self.no_win = no_win
        """It does not win within so many."""
        self.lost = lost
        self.no_loss = no_loss

    @property
    def depth(self) -> int:
        """The longest search that it came from."""
        return max(self.won, self.no_win, self.lost, self.no_loss)


class Search:
    """One search from one start, with its table. It may be interrupted at any point, and asked again."""

    def __init__(self, start: Position, most_entries: int = 2_000_000) -> None:
        self.symmetries = symmetries(start.fen())
        self.fold = fold_of(start.fen(), self.symmetries)
        self.table: dict[str, Known] = {}
        """By the folded position. A key that is missing has been forgotten or never been met."""
        self.nodes = 0
        """Moves that were made and judged."""
        self.on_look: Callable[[], None] = lambda: None
        """Is called now and then; it may raise SearchEnded."""
        self.deadline: float | None = None
        """Monotonic time, in s."""
        self._most_entries = most_entries
        self._bound = bound_of(start)
        self._own_moves_win = self._bound.own_moves_win
        self._history: dict[Side, dict[str, int]] = {"p1": {}, "p2": {}}
        self._next_look = 0

    def wins(self, position: Position, plies: int) -> bool:
        """Whether the side to move wins within so many plies. The game must not be over. Raises SearchEnded."""
        if self._own_moves_win and plies % 2 == 0:
            plies -= 1
        if plies <= 0 or not self._bound.may_win(position, plies):
            return False
        known = None
        if plies >= _TABLED:
            known = self._known(self.fold.position(position))
            if known.lost or plies <= known.no_win:
                return False
            if known.won and known.won <= plies:
                return True
        is_won = self._some_reply_loses(position, plies)
        if known is not None:
            if is_won:
                known.won = min(known.won or MOST_PLIES, plies)
            else:
                known.no_win = max(known.no_win, plies)
        return is_won

    def loses(self, position: Position, plies: int) -> bool:
        """Whether the side to move loses within so many plies. The game must not be over. Raises SearchEnded."""
        if self._own_moves_win and plies % 2:
            plies -= 1
        if plies <= 0 or not self._bound.may_lose(position, plies):
            return False
        known = None
        if plies >= _TABLED:
            known = self._known(self.fold.position(position))
            if known.won or plies <= known.no_loss:
                return False
            if known.lost and known.lost <= plies:
                return True
        is_lost = self._all_replies_win(position, plies)
        if known is not None:
            if is_lost:
                known.lost = min(known.lost or MOST_PLIES, plies)
            else:
                known.no_loss = max(known.no_loss, plies)
        return is_lost

    def shortest(self, position: Position, plies: int) -> int:
        """The fewest plies in which the side to move wins, up to `plies`; 0 if it does not win so soon."""
        return next((fewest for fewest in range(1, plies + 1) if self.wins(position, fewest)), 0)

    def _some_reply_loses(self, position: Position, plies: int) -> bool:
        side = position.side
        replies: list[tuple[int, Move, Position]] = []
        moves = position.moves()
        self._count(len(moves))
        history, table, fold = self._history[side], self.table, self.fold
        for move in moves:
            reply = position.play(move)
            if reply.outcome is not None:
                if reply.outcome.winner == side:
                    return True
            elif plies > 1 and self._bound.may_lose(reply, plies - 1):
                if plies > _TABLED and (known := table.get(fold.position(reply))) is not None:
                    if known.lost and known.lost < plies:
                        return True
                    if known.won or known.no_loss >= plies - 1:
                        continue
                replies.append((history.get(move.text, 0), move, reply))
        if plies > 2:
            replies.sort(key=_first, reverse=True)
        for _, move, reply in replies:
            if self.loses(reply, plies - 1):
                history[move.text] = history.get(move.text, 0) + (1 << plies)
                return True
        return False

    def _all_replies_win(self, position: Position, plies: int) -> bool:
        side = position.side
        replies: list[tuple[int, Move, Position]] = []
        moves = position.moves()
        history, table, fold = self._history[side], self.table, self.fold
        if plies <= 2:
            moves = sorted(moves, key=lambda move: -history.get(move.text, 0))
        for move in moves:
            self._count(1)
            reply = position.play(move)
            if reply.outcome is not None:
                if reply.outcome.winner in (side, "draw"):
                    return False
                continue
            if plies == 1 or not self._bound.may_win(reply, plies - 1):
                history[move.text] = history.get(move.text, 0) + (1 << plies)
                return False
            if plies <= 2:
                if not self.wins(reply, plies - 1):
                    history[move.text] = history.get(move.text, 0) + (1 << plies)
                    return False
                continue
            if plies > _TABLED and (known := table.get(fold.position(reply))) is not None:
                if known.lost or known.no_win >= plies - 1:
                    return False
                if known.won and known.won < plies:
                    continue
            replies.append((history.get(move.text, 0), move, reply))
        replies.sort(key=_first, reverse=True)
        for _, move, reply in replies:
            if not self.wins(reply, plies - 1):
                history[move.text] = history.get(move.text, 0) + (1 << plies)
                return False
        return True

    def _known(self, key: str) -> Known:
        known = self.table.get(key)
        if known is None:
            if len(self.table) >= self._most_entries:
                self._forget()
            self.table[key] = known = Known()
        return known

    def _forget(self) -> None:
        """Leave out the half of the table that cost the least to find."""
        depths = sorted(known.depth for known in self.table.values())
        limit = depths[len(depths) // 2]
        self.table = {key: known for key, known in self.table.items() if known.depth > limit}

    def _count(self, moves: int) -> None:
        self.nodes += moves
        if self.nodes >= self._next_look:
            self._next_look = self.nodes + _LOOK
            self.on_look()
            if self.deadline is not None and time.monotonic() >= self.deadline:
                raise SearchEnded


def _first(reply: tuple[int, Move, Position]) -> int:
    return reply[0]
