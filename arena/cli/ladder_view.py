"""The screen of a ladder: that of a tournament, without an end to come nearer to."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.cli.live import View

if TYPE_CHECKING:
    from rich.table import Table


class LadderView(View):
    """How many games there are and how quickly they come, then what `View` shows."""

    def __init__(self, name: str, stored: int, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name, 0, stored, now)

    def head(self) -> str:
        """`steps: 120 games, 40 now, 3.1 a second`."""
        passed = self.passed
        told = [f"{self.name}: {self.stored + self.done} games", f"{self.done} now"]
        if self.done and passed > 0:
            rate = self.done / passed
            told.append(f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute")
        return ", ".join([*told, *["paused, p goes on"] * self.paused])

    def _bar(self) -> "Table":
        from rich.table import Table

        return Table.grid()
