"""The sheet of a game being played: each ply as it happened, and all of them as a record keeps them.

Between two moves nothing is computed for the record; what that takes is spent once, when the game is over.
"""

from collections.abc import Iterator

from arena.clock import MS
from protocol import grammar
from protocol.session import Reply
from protocol.stopwatch import Spent
from results.plies import Figures, Plies

Entry = tuple[str, Reply, Spent, int | None]
"""A ply as it happened: its canonical word, what the engine said, what it took, the ns left on its clock."""


def pack(sheet: list[Entry]) -> Plies:
    """The plies of a finished game as they are kept."""
    return Plies.of(_figures(sheet))


def _figures(sheet: list[Entry]) -> Iterator[Figures]:
    for word, said, (wall_ns, _, cpu_ns, late_ns), left_ns in sheet:
        depth = nodes = score = None
        if said.last_info is not None:
            depth, nodes, score = grammar.summary(said.last_info)
        yield (
            word,
            wall_ns // 1000,
            None if cpu_ns is None else cpu_ns // 1000,
            None if left_ns is None else left_ns // MS,
            depth,
            nodes,
            None if score is None else str(score),
            None if late_ns is None else late_ns // 1000,
        )
