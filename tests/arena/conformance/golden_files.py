"""Writes the golden positions of the checks: `python -m tests.arena.conformance.golden_files [VARIANT ...]`.

Without a variant it writes the files of all. A test compares the files with what it would write.
"""

import json
import sys
from pathlib import Path

import arena.conformance
from arena.conformance.judge.golden import golden_positions
from arena.games.variants import names

FOLDER = Path(arena.conformance.__file__ or "").parent / "positions"


def text(variant: str) -> str:
    """The file of a variant: one game or position a line."""
    parts = []
    for key, value in golden_positions(variant).items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            parts.append(f' "{key}": [\n{rows}\n ]' if rows else f' "{key}": []')
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for each in sys.argv[1:] or names():
        (FOLDER / f"{each}.json").write_text(text(each), encoding="utf-8")
