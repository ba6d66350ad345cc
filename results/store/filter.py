"""A filter of games: one value that the command line builds and the store turns into a query.

Owns the words that can be asked for. Independent of tables: it gives conditions over columns that have the same names
in `counts` and in `games`.
"""

from dataclasses import dataclass
from typing import Literal

from results.record import Termination

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
    termination: Termination | None = None
    winner: str | None = None
    """`p1`, `p2`, `draw`, `none`, or an engine's name."""
    since: str | None = None
    """The games begun at this time or later: UTC, in the form that `started_at` has."""
    until: str | None = None
    """The games begun before this time."""

    @property
    def by_time(self) -> bool:
        """Is the time of games asked for? Then counts are not enough."""
        return self.since is not None or self.until is not None

    def conditions(self) -> tuple[str, tuple[str, ...]]:
        """A condition over the columns of `counts AS c`, and its arguments; `TRUE` where nothing is asked for."""
        parts: list[str] = []
        arguments: list[str] = []

        def add(part: str, *values: str) -> None:
            parts.append(part)
            arguments.extend(values)

        if self.run is not None:
            add("c.run = ?", self.run)
        if self.engine is not None and self.opponent is not None:
            add("(c.p1 = ? AND c.p2 = ? OR c.p2 = ? AND c.p1 = ?)", *(self.engine, self.opponent) * 2)
        else:
            for name in (self.engine, self.opponent):
                if name is not None:
                    add("(c.p1 = ? OR c.p2 = ?)", name, name)
        if self.variant is not None:
            add("c.variant = ?", self.variant)
        if self.tc is not None:
            add("c.tc IN (?, ?)", self.tc, " | ".join(reversed(self.tc.split(" | "))))
        if self.termination is not None:
            add("c.termination = ?", self.termination.value)
        if self.winner in RESULTS:
            add("c.winner = ?", "" if self.winner == "none" else self.winner)
        elif self.winner is not None:
            add("(c.winner = 'p1' AND c.p1 = ? OR c.winner = 'p2' AND c.p2 = ?)", self.winner, self.winner)
        return " AND ".join(parts) or "TRUE", tuple(arguments)

    def times(self) -> tuple[str, tuple[str, ...]]:
        """A condition over the start time in `games AS g`, and its arguments."""
        bounds = [
            (part, at) for part, at in (("g.started_at >= ?", self.since), ("g.started_at < ?", self.until)) if at
        ]
        return " AND ".join(part for part, _ in bounds) or "TRUE", tuple(at for _, at in bounds)


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Selection:
    """Some games in an order."""

    which: Filter = EVERYTHING
    order: Order = "schedule"
    limit: int | None = None
    last: bool = False
    """Take the last `limit` games, not the first; they stay in this order."""
