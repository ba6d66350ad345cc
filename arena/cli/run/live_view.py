"""A run on a terminal: running games, standings so far, time to go.

An observer that owns the layout of the screen. Its figures follow the order in which games end, so they are not those
of the tables.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.play.jobs import GameJob
from arena.play.observers import Glimpse
from results.record import FORFEITS, GameRecord
from results.safe_text import harmless
from results.tables.text_width import some_games
from results.tally import Tally
from results.variant_name import shown

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

MOST_GAMES = 16
MOST_ENGINES = 20


@dataclass(slots=True)
class Running:
    """A game in its slot."""

    job: GameJob
    glimpse: Glimpse | None = None


class View:
    """What is on the screen. `rich` draws it anew as often as it likes."""

    def __init__(self, name: str, games: int, stored: int, now: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.stored = stored
        """Games that had ended before this view began."""
        self.done = 0
        """Games that have ended since."""
        self._games = games
        self._now = now
        self._began = now()
        self._scores: dict[str, Tally] = {}
        self._forfeits: Counter[str] = Counter()
        self._running: dict[int, Running] = {}
        self._withdrawn: dict[str, str] = {}
        self._late = 0
        self._last = ""
        self.paused = False
        """Are no new games begun?"""

    # Events

    def began(self, slot: int, job: GameJob) -> None:
        """A game begins."""
        self._running[slot] = Running(job)

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        """How a running game stands."""
        if slot in self._running:
            self._running[slot].glimpse = glimpse

    def ended(self, slot: int, record: GameRecord) -> None:
        """It is over; the next one may have begun in its slot already."""
        running = self._running.get(slot)
        if running is not None and running.job.id == record.id:
            del self._running[slot]
        if record.winner is None:
            return
        self.done += 1
        p1 = Tally(record.winner == "p1", record.winner == "draw", record.winner == "p2")
        for name, tally in ((record.p1, p1), (record.p2, p1.reversed)):
            self._scores[name] = self._scores.get(name, Tally()) + tally
        if record.winner != "draw" and record.termination in FORFEITS:
            self._forfeits[record.p2 if record.winner == "p1" else record.p1] += 1
        self._late += record.flagged
        who = {"p1": record.p1, "p2": record.p2, "draw": "draw"}[record.winner]
        self._last = f"{record.number}: {record.p1} - {record.p2}, {shown(record.variant)}: {who}, {record.termination}"

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """The engines that were withdrawn so far, with the reasons."""
        self._withdrawn = dict(withdrawn)

    # Display

    def __rich__(self) -> "Group":
        from rich.console import Group
        from rich.text import Text

        parts: list[RenderableType] = [
            Text(harmless(self.head())),
            self._bar(),
            *([self._games_table()] if self._running else []),
        ]
        if self._scores:
            parts.append(self._standings())
        parts += [
            Text(harmless(f"withdrawn: {name}: {reason}"), style="red") for name, reason in self._withdrawn.items()
        ]
        if self._last:
            parts.append(Text(harmless(f"last: {self._last}"), style="dim", no_wrap=True, overflow="ellipsis"))
        return Group(*parts)

    @property
    def passed(self) -> float:
        """Seconds since the view began."""
        return self._now() - self._began

    def head(self) -> str:
        """`cup: 12 of 40 games, 3.1 games/s, 0:00:09 to go, 1 fault, 2 games in which the machine was late`."""
        done = self.stored + self.done
        passed = self.passed
        told = [f"{self.name}: {done} of {self._games} games"]
        if self.done and passed > 0:
            rate = self.done / passed
            told.append(f"{rate:.1f} games/s" if rate >= 1 else f"{rate * 60:.1f} games/min")
            told.append(f"{_duration((self._games - done) / rate)} to go")
        faults = self._forfeits.total()
        told += [f"{faults} fault{'s' * (faults != 1)}"] * (faults > 0)
        told += [f"{some_games(self._late)} with a late machine"] * (self._late > 0)
        told += ["paused, p goes on"] * self.paused
        return ", ".join(told)

    def _bar(self) -> "Table":
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        grid = Table.grid()
        grid.add_row(ProgressBar(total=max(1, self._games), completed=self.stored + self.done, width=60))
        return grid

    def _games_table(self) -> "Table":
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        for title, right in (("game", True), ("p1", False), ("p2", False), ("variant", False), ("ply", True)):
            table.add_column(title, justify="right" if right else "left", no_wrap=True)
        for title in ("last", "clocks", "scores"):
            table.add_column(title, no_wrap=True)
        for _, running in sorted(self._running.items())[:MOST_GAMES]:
            job, glimpse = running.job, running.glimpse
            cells = [str(job.number), job.p1, job.p2, shown(job.variant)]
            if glimpse is not None:
                clocks = " ".join("" if left is None else f"{left / 1000:.1f}" for left in glimpse.left_ms)
                cells += [str(glimpse.plies), glimpse.last, clocks.strip(), " | ".join(glimpse.scores).strip(" |")]
            table.add_row(*(Text(harmless(cell)) for cell in cells))
        return table

    def _standings(self) -> "Table":
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("engine", no_wrap=True)
        for title in ("games", "W", "D", "L", "score", "faults"):
            table.add_column(title, justify="right")
        ranked = sorted((-tally.score / tally.games, name) for name, tally in self._scores.items())
        for share, name in ranked[:MOST_ENGINES]:
            tally, forfeits = self._scores[name], self._forfeits[name]
            figures = (tally.games, tally.wins, tally.draws, tally.losses)
            faults = f"[red]{forfeits}[/red]" if forfeits else ""
            table.add_row(Text(harmless(name)), *map(str, figures), f"{-100 * share:.1f} %", faults)
        if len(ranked) > MOST_ENGINES:
            table.add_row(f"and {len(ranked) - MOST_ENGINES} more")
        return table


def _duration(seconds: float) -> str:
    """`2:03:04`, and days where there are any."""
    days, rest = divmod(int(seconds), 86_400)
    text = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} d {text}" if days else text
