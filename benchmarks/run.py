"""The referee beside its peers: `python -m benchmarks.run [--rounds N] [--only a,c] [--json FILE] [--write]`.

C programs are compiled first; without a compiler only real engines are measured. Peers are searched in the folder
ARENA_PEERS, or else on the PATH.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.speed import clocks, contenders, engines, page, reading, referees
from benchmarks.speed.rows import Row, Workspace, workspace
from benchmarks.speed.stamps import Failed

HERE = Path(__file__).parent
PLOT = "RESULTS.svg"
MEASURES: dict[str, Callable[[Workspace], list[Row]]] = {
    "a": referees.measure,
    "b": clocks.measure,
    "c": reading.measure,
    "d": engines.measure,
}
ROUNDS = 10


def measure(parts: Sequence[str], rounds: int, say: Callable[[str], None]) -> list[Row]:
    """The rows of these parts. Raises Failed."""
    rows: list[Row] = []
    compiled = contenders.built()
    for part in parts:
        say(f"{part}. {page.PARTS[part]} ...")
        if not compiled and part != "d":
            rows.append(Row(part, page.PARTS[part], "", notes={"arena": "skipped: there is no C compiler (cc)"}))
            continue
        with workspace(rounds) as space:
            rows += MEASURES[part](space)
    return rows


def main() -> None:
    """Measure, print the table, write the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="The referee against C and peers.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each contender plays")
    parser.add_argument("--only", metavar="a,c", default=",".join(page.PARTS), help="these parts only")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the rows as JSON too")
    parser.add_argument("--write", action="store_true", help=f"write benchmarks/RESULTS.md and {PLOT}")
    options = parser.parse_args()
    parts = sorted(set(options.only.split(",")))
    if unknown := [part for part in parts if part not in page.PARTS]:
        sys.exit(f"--only {options.only}: there is no part {unknown[0]!r}; the parts are {', '.join(page.PARTS)}")
    machine = page.machine()
    try:
        rows = measure(parts, options.rounds, lambda text: print(text, file=sys.stderr, flush=True))
    except Failed as failure:
        sys.exit(f"benchmarks: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
    print("\n".join(page.tables(rows)))
    if options.json is not None:
        document = {"machine": machine, "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if options.write:
        command = shlex.join(["python", "-m", "benchmarks.run", *sys.argv[1:]])
        (HERE / "RESULTS.md").write_text(page.markdown(rows, machine, command, PLOT), encoding="utf-8")
        (HERE / PLOT).write_text(page.svg(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
