"""Which games: one value that the command line builds and the store turns into a query.

Knows the words that can be asked for. Refuses to know tables: what it gives are conditions over columns that `counts`
and `games` name alike.
"""

from dataclasses import dataclass
from typing import Literal

from results.record import Termination

Order = Literal["schedule", "longest", "shortest", "disputed"]
"""`schedule`: runs as begun, then numbers. The others put the most so first and leave nothing out, except that
`disputed` has only games with a dispute (`results.eval_disagreement`)."""

RESULTS = ("p1", "p2", "draw", "none")


@dataclass(frozen=True, slots=True)
class Filter:
    """Games that fulfil all that is not None."""

    run: str | None = None
    """The whole id."""
    engine: str | None = None
    """Plays, on either side."""
    opponent: str | None = None
    """Plays against `engine`, or against anybody where that is None."""
    variant: str | None = None
    tc: str | None = None
    """With a handicap both engines' (`10+0.1 | 1+0`), whoever has which side."""
    termination: Termination | None = None
    winner: str | None = None
    """`p1`, `p2`, `draw`, `none`, or an engine's name."""
    since: str | None = None
    """Begun then or later: UTC, in the form that `started_at` has."""
    until: str | None = None
    """Begun before then."""

    @property
    def by_time(self) -> bool:
        """Is the time of a game asked for? Then counts are not enough."""
        return self.since is not None or self.until is not None

    def conditions(self) -> tuple[str, tuple[str, ...]]:
        """A condition over the columns of `counts AS c`, and its arguments; `TRUE` where all games will do."""
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
        """A condition over the column of `games AS g` that says when, and its arguments."""
        bounds = [
            (word, at) for word, at in (("g.started_at >= ?", self.since), ("g.started_at < ?", self.until)) if at
        ]
        return " AND ".join(word for word, _ in bounds) or "TRUE", tuple(at for _, at in bounds)


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games, in which order, and how many of them."""

    which: Filter = EVERYTHING
    order: Order = "schedule"
    limit: int | None = None
    last: bool = False
    """Of those in order take the last `limit`, still in that order, not the first."""
