"""Which check tests which demand of SPEC.md: every MUST and SHOULD of the text, and the rules of appendix A.

The table is demands.csv. A demand is quoted by a few words of its clause, so a clause that changes makes the test of
this table fail until somebody has looked at its checks again.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

Force = Literal["MUST", "SHOULD", "rule"]
"""`rule` is a plain statement, which the demands of 5.x, 6.1, 8.2, 9.6 and 9.7 refer to. It counts as a MUST."""


class Demand(NamedTuple):
    """One demand of SPEC.md and the checks that test it."""

    clause: str
    words: str
    """The words of the clause, as they stand there but for line breaks."""
    checks: tuple[str, ...] = ()
    why_not: str = ""
    """Why no check tests it. No MUST and no rule has this."""

    @property
    def force(self) -> Force:
        """What its words demand."""
        return "MUST" if "MUST" in self.words else "SHOULD" if "SHOULD" in self.words else "rule"


def _rows() -> Iterator[Demand]:
    with open(Path(__file__).with_name("demands.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Demand(row["clause"], row["words"], tuple(row["checks"].split()), row["why_not"])


DEMANDS = tuple(_rows())


def of_check(check: str) -> tuple[Demand, ...]:
    """The demands that a check tests."""
    return tuple(demand for demand in DEMANDS if check in demand.checks)
