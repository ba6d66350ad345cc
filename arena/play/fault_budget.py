"""How many faults in a row an engine may have before it is withdrawn, counted in the schedule's order.

Games that are played at the same time end in any order. If faults were counted in that order, it would depend on the
machine which engines are withdrawn. Independent of workers and of the store.
"""

from dataclasses import dataclass, field

from results.record import GameRecord


@dataclass(slots=True)
class FaultBudget:
    """Each engine's faults in a row. `budget` 0: there is no limit."""

    budget: int
    in_a_row: dict[str, int] = field(default_factory=dict)

    def count(self, name: str, faulty: bool) -> bool:
        """Count an engine's next game in the schedule's order. True if it has used up its budget."""
        self.in_a_row[name] = self.in_a_row.get(name, 0) + 1 if faulty else 0
        return bool(self.budget) and self.in_a_row[name] >= self.budget

    def reason(self, termination: str) -> str:
        """Why an engine is withdrawn whose last game ended so."""
        return f"{self.budget} faults in a row, the last: {termination}"


@dataclass(slots=True)
class Faults:
    """Withdraws engines that had too many faults in a row. A game counts once all earlier ones of its engine ended."""

    budget: FaultBudget
    withdrawn: dict[str, str] = field(default_factory=dict)
    _begun: dict[str, dict[int, tuple[bool, str] | None]] = field(default_factory=dict)
    """Of each engine, the games that are not counted yet by their numbers; whether it was its fault, and the ending."""

    def begin(self, number: int, names: tuple[str, str]) -> None:
        """A game begins, or begins anew."""
        for name in names:
            self._begun.setdefault(name, {})[number] = None

    def end(self, record: GameRecord, faulty: str | None) -> bool:
        """A game has ended. True where an engine is withdrawn by now that was not before."""
        before = len(self.withdrawn)
        for name in (record.p1, record.p2):
            self._begun.setdefault(name, {})[record.number] = name == faulty, str(record.termination)
            self._count(name)
        return len(self.withdrawn) > before

    def forget(self, number: int, names: tuple[str, str]) -> bool:
        """A game is not played after all, so no later one waits for it. True as for `end`."""
        before = len(self.withdrawn)
        for name in names:
            if number in self._begun.get(name, {}):
                del self._begun[name][number]
                self._count(name)
        return len(self.withdrawn) > before

    def _count(self, name: str) -> None:
        """Count an engine's games up to the first one that has not ended."""
        games = self._begun[name]
        while games and (counted := games[min(games)]) is not None:
            del games[min(games)]
            by_fault, termination = counted
            if self.budget.count(name, by_fault):
                self.withdrawn.setdefault(name, self.budget.reason(termination))
