"""A line for each fault of an engine as it happens; of an engine that fails again and again, only now and then one."""

from collections import Counter
from collections.abc import Callable

from arena.play.observers import NullObserver
from results.record import GameRecord, faulty
from results.tables.endings import ending_text

FIRST = 3
"""So many faults of each engine have a line of their own. Then the 10th, the 100th and so on have one."""


def ending_line(record: GameRecord) -> str:
    """How a game ended, and why its last move was illegal, if it was: the records keep only that it was."""
    from arena.rulebook.move_rules import reason_of_record  # late: it loads the rules of all games

    why = reason_of_record(record)
    return ending_text(record) + (f": {why}" if why else "")


class FaultLines(NullObserver):
    """An observer that reports the games that engines lose by faults."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._faults: Counter[str] = Counter()

    def ended(self, slot: int, record: GameRecord) -> None:
        """A game is over."""
        if (loser := faulty(record)) is None:
            return
        self._faults[loser] += 1
        count = self._faults[loser]
        if count <= FIRST:
            self._notify(ending_line(record))
        elif str(count).strip("0") == "1":
            self._notify(f"{loser}: {count} faults by now, the last in game {record.number}, {record.termination}")
