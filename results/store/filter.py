"""A filter of games: one value that the command line builds and the store turns into a query."""

from dataclasses import dataclass
from typing import Literal

Order = Literal["schedule", "longest", "shortest", "disputed"]
"""`schedule` sorts by the order in which runs were begun, then by number. The others sort by that key, and no games are
dropped, except that `disputed` has only games with a dispute (`results.eval_disagreement`)."""

RESULTS = ("p1", "p2", "draw", "none")


@dataclass(frozen=True, slots=True)
class Filter:
    """The games that fulfil every condition that is not None."""

    run: str | None = None
    """The whole id."""
    engine: str | None = None
    """An engine that plays, on either side."""
    opponent: str | None = None
    """An engine that plays against `engine`, or against anybody where that is None."""
    variant: str | None = None
    tc: str | None = None
    """With a handicap the text has both engines' (`10+0.1 | 1+0`), and either of them may have either side."""
    termination: str | None = None
    winner: str | None = None
    """`p1`, `p2`, `draw`, `none`, or an engine's name."""
    since: str | None = None
    """The games begun at this time or later: UTC, in the form that `started_at` has."""
    until: str | None = None
    """The games begun before this time."""
    machine: str | None = None
    """`1`: the forfeits that only the machine or a guest's line caused; `0`: all other games."""

    def conditions(self) -> tuple[str, tuple[str, ...]]:
        """A condition over the columns of `games AS g`, and its arguments; `TRUE` if nothing is asked for."""
        turned_tc = self.tc and " | ".join(reversed(self.tc.split(" | ")))
        side, winning_engine = (self.winner, None) if self.winner in RESULTS else (None, self.winner)
        parts: tuple[tuple[str, str | None, *tuple[str | None, ...]], ...] = (
            ("g.run = ?", self.run),
            ("(g.p1 = ? OR g.p2 = ?)", self.engine, self.engine),
            ("(g.p1 = ? OR g.p2 = ?)", self.opponent, self.opponent),
            ("(g.p1 = ? AND g.p2 = ? OR g.p2 = ? AND g.p1 = ?)", *(self.engine, self.opponent) * 2),
            ("g.variant = ?", self.variant),
            ("g.tc IN (?, ?)", self.tc, turned_tc),
            ("g.termination = ?", self.termination),
            ("ifnull(g.winner, 'none') = ?", side),
            ("(g.winner = 'p1' AND g.p1 = ? OR g.winner = 'p2' AND g.p2 = ?)", winning_engine, winning_engine),
            ("g.started_at >= ?", self.since),
            ("g.started_at < ?", self.until),
            ("g.machine = ?", self.machine),
        )
        chosen = [part for part in parts if None not in part]
        arguments = tuple(value for _, *values in chosen for value in values if value is not None)
        return " AND ".join(text for text, *_ in chosen) or "TRUE", arguments


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Selection:
    """Some games in an order."""

    which: Filter = EVERYTHING
    order: Order = "schedule"
    limit: int | None = None
    last: bool = False
    """Take the last `limit` games, not the first; they stay in this order."""
