"""Runs checks against the faults of the table: does the check that must notice a fault do so?

`python -m tests.zoo.noticed` runs the named check against every fault and prints the share that is noticed; with
`--whole`, the whole full level, which takes an hour or two. With names it runs these faults only. Faults of a rule are
run within this process, which takes a tenth of the time.
"""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.conformance import runner
from arena.conformance.catalogue import CHECKS
from arena.conformance.check import Check, CheckVerdict, Finding
from arena.conformance.context import CheckRun, CheckSettings
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command
from tests.zoo import in_process
from tests.zoo.spec.engine import Engine
from tests.zoo.table import ROWS, Row

ROOT = Path(__file__).parents[2]
MAIN_VARIANTS = ("scottish", "callanish-9")
"""The variants of a whole run, beside the one in which the fault shows."""


def only(*names: str) -> tuple[Check, ...]:
    """The checks of these names, in the order of the catalogue."""
    return tuple(check for check in CHECKS if check.id in names)


def broken(
    row: Row, checks: Sequence[Check], variants: Sequence[str] = (), at_once: int = 0, command: Sequence[str] = ()
) -> list[Finding]:
    """What these checks fail or warn of in an engine of its own process, `at_once` of them side by side."""
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    settings = CheckSettings(Command(tuple(command or row.command), box), {}, float(row.slow or 1))
    check_run = CheckRun(settings, row.variant)
    todo = runner.tasks(checks, variants or (row.variant,), row.variant)
    return _broken([done.finding for done in runner.run(check_run, todo, at_once or os.cpu_count() or 1)])


def broken_here(row: Row, checks: Sequence[Check]) -> list[Finding]:
    """The same for an engine that searches, as an object in this process, and checks of its rules."""
    return _broken(in_process.findings(lambda: Engine(row.fault), checks, (row.variant,), row.variant))


def _broken(findings: Sequence[Finding]) -> list[Finding]:
    return [one for one in findings if one.broken]


def named(row: Row) -> list[Finding]:
    """What the check that must notice the fault says."""
    checks = only(row.check)
    if row.kind != "rule" or row.check[0] != "F":
        return broken(row, checks)
    # With longer deadlines the number of positions is what limits F10, and not the load of this machine.
    return broken_here(row, checks) if row.engine == "spec" else broken(row._replace(slow="20"), checks)


def whole(row: Row) -> list[Finding]:
    """What the whole full level says, in the main variants and the one in which the fault shows."""
    return broken(row, CHECKS, tuple(dict.fromkeys((row.variant, *MAIN_VARIANTS))))


def is_noticed(row: Row, findings: Sequence[Finding]) -> bool:
    """A fault of a rule counts only where a check failed, any other one where a check warned, too."""
    enough = {CheckVerdict.FAIL} if row.kind == "rule" else {CheckVerdict.FAIL, CheckVerdict.WARNING}
    return any(one.verdict in enough for one in findings)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="noticed", description=__doc__)
    parser.add_argument("--whole", action="store_true", help="the whole full level, not the named check alone")
    parser.add_argument("names", nargs="*", help="the faults; all by default")
    asked = parser.parse_args(arguments)
    noticed, rows = 0, [row for row in ROWS if row.name in asked.names or not asked.names]
    for row in rows:
        if not row.check and not asked.whole:
            print(f"not looked for  {row.name}: {row.why}")
            continue
        findings = whole(row) if asked.whole else named(row)
        noticed += is_noticed(row, findings)
        ids = " ".join(dict.fromkeys(f"{one.id} ({one.verdict})" for one in findings))
        print(f"{'noticed' if is_noticed(row, findings) else 'ALIVE  '}  {row.name}  {ids}", flush=True)
    print(f"{noticed} of {len(rows)} noticed: {100 * noticed / max(1, len(rows)):.1f} %")
    return int(noticed < len(rows))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # some faults leave files behind
        sys.exit(main(sys.argv[1:]))
