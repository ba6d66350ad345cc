"""All benchmarks: `python -m benchmarks.run [--quick] [--only a,c] [--json FILE] [--write]`.

Runs the parts and writes their rows; measures nothing itself. C programs are compiled first; without a compiler the
parts that need them are reported as skipped. Peers are searched in the folder ARENA_PEERS, or else on the PATH.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.speed import clocks, contenders, crowd, page, plies, reading, short_games, starts
from benchmarks.speed.rows import FULL, QUICK, Row, Scale, Workspace, workspace
from benchmarks.speed.stamps import Failed

HERE = Path(__file__).parent
PLOT = "RESULTS.svg"
MEASURES: dict[str, Callable[[Workspace], list[Row]]] = {
    "a": plies.measure,
    "b": short_games.measure,
    "c": starts.measure,
    "d": reading.measure,
    "e": clocks.measure,
    "f": crowd.measure,
}
NEEDS_ENGINES = "abcef"


def measure(parts: Sequence[str], scale: Scale, say: Callable[[str], None]) -> list[Row]:
    """The rows of these parts, in their workload. Raises Failed where a run failed."""
    rows: list[Row] = []
    compiled = any(part in NEEDS_ENGINES for part in parts) and contenders.built()
    for part in parts:
        say(f"{part}. {page.PARTS[part]} ...")
        if compiled or part not in NEEDS_ENGINES:
            with workspace(scale) as space:
                rows += MEASURES[part](space)
        else:
            rows.append(Row(part, page.PARTS[part], "", note="skipped: there is no C compiler (cc)"))
    return rows


def main() -> None:
    """Measure, print the table, write the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="The referee against C and peers.")
    parser.add_argument("--quick", action="store_true", help="2 rounds instead of 10")
    parser.add_argument("--only", metavar="a,c", default=",".join(page.PARTS), help="these parts only")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the rows as JSON too")
    parser.add_argument("--write", action="store_true", help=f"write benchmarks/RESULTS.md and {PLOT}")
    options = parser.parse_args()
    parts = sorted(set(options.only.split(",")))
    if unknown := [part for part in parts if part not in page.PARTS]:
        sys.exit(f"--only {options.only}: there is no part {unknown[0]!r}; the parts are {', '.join(page.PARTS)}")
    machine = page.machine()
    try:
        rows = measure(parts, QUICK if options.quick else FULL, lambda text: print(text, file=sys.stderr, flush=True))
    except Failed as failure:
        sys.exit(f"benchmarks: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
    print(page.table(rows))
    if options.json is not None:
        document = {"machine": machine, "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if options.write:
        (HERE / "RESULTS.md").write_text(page.markdown(rows, machine, PLOT), encoding="utf-8")
        (HERE / PLOT).write_text(page.svg(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
