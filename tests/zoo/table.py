"""The one table of faults: which check notices which fault of which engine. It is faults.csv, one fault a line.

`zoo` is the engine of this folder with a fault of `faults`, or an engine with a part of its source changed, as
`changes.diff` says. `spec` is the engine of that folder, which was written from SPEC.md alone.
"""

import csv
import sys
from pathlib import Path
from typing import NamedTuple

VARIANT = "scottish"
"""The variant in which every fault of `zoo` shows."""


class Row(NamedTuple):
    """A fault, the check that must notice it, and the other checks that it breaks inevitably."""

    engine: str
    fault: str
    """The fault's name and further arguments, as on the engine's command line."""
    check: str = ""
    """Empty where no check looks for the fault; `why` says why."""
    variant: str = VARIANT
    """A variant in which it shows."""
    clause: str = ""
    kind: str = ""
    """MUST, SHOULD, or `rule` for a rule of a game, whose faults a check must fail. Empty for the fault of a check."""
    wrong: str = ""
    """What the engine does wrong. For `zoo` the catalogue says it."""
    also: str = ""
    """Other checks that fail. `...` stands for all checks that use the broken feature."""
    why: str = ""
    slow: str = ""
    """The factor for the deadlines, so that a missed one does not take half a minute."""

    @property
    def name(self) -> str:
        """The fault's name alone."""
        return self.fault.partition(" ")[0]

    @property
    def command(self) -> tuple[str, ...]:
        """The words that start the engine with the fault, or without one where `fault` is empty."""
        module = "tests.zoo" if self.engine == "zoo" else f"tests.zoo.{self.engine}"
        return (sys.executable, "-P", "-m", module, *(("--fault", *self.fault.split()) if self.fault else ()))


def _rows() -> tuple[Row, ...]:
    with open(Path(__file__).with_name("faults.csv"), encoding="utf-8", newline="") as file:
        return tuple(Row(**row) for row in csv.DictReader(file))


ROWS = _rows()
OF_CHECKS = tuple(row for row in ROWS if not row.kind)
"""One fault or two for each check."""
MUTANTS = tuple(row for row in ROWS if row.kind)
"""The faults of one rule or one habit that were made without a check in mind."""


def row_of(check: str) -> Row | None:
    """The first fault of a check, None for a check of the referee."""
    return next((row for row in OF_CHECKS if row.check == check), None)
