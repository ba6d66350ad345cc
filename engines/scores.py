"""The scale of scores that all engines here use, in hundredths of a stone, and what repetition is worth on it."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.games.rules import Move, Repetition, Side
from protocol.engine import Search

WIN = 30_000
"""The score of a win now. A win in n plies scores n less. Static scores lie between -DECIDED and DECIDED."""
DECIDED = 20_000


class RepetitionRule(NamedTuple):
    """How the repetition of positions ends a game, as `arena.games.game` judges it."""

    kind: Repetition
    occurrences: int

    def result(self, before: int, side: Side) -> int | None:
        """What a position that occurred `before` times is for `side`, to move: 1 won, -1 lost, 0 drawn.

        None while the game goes on.
        """
        if before + 1 < self.occurrences:
            return None
        if self.kind == "draw":
            return 0
        return 1 if self.kind == "loses" or side == "p1" else -1

    def expected(self, before: int, side: Side) -> int | None:
        """The same for a search. There the second occurrence is a draw already: a better move next time could be played
        now."""
        return 0 if before and self.kind == "draw" else self.result(before, side)


def win_score(plies: int) -> int:
    """The score of a win (plies > 0) or a loss (plies < 0) in this number of plies."""
    return WIN - plies if plies > 0 else -WIN - plies


def mate_plies(score: int) -> int | None:
    """The plies to the end for a decided score, negative for a loss; None for an ordinary score."""
    if score >= DECIDED:
        return WIN - score
    if score <= -DECIDED:
        return -WIN - score
    return None


def send_info(
    search: Search, depth: int, nodes: int, score: int, pv: Sequence[Move], time_ms: int | None = None
) -> None:
    """Send an info line. A decided score becomes a mate in plies. `time_ms` is measured if not given."""
    mate, words = mate_plies(score), [move.text for move in pv]
    score_cp, time_ms = score if mate is None else None, int(search.elapsed_ms()) if time_ms is None else time_ms
    search.info(depth=depth, nodes=nodes, score_cp=score_cp, score_mate=mate, time_ms=time_ms, pv=words)
