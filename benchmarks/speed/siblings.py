"""Parts b and d: runs the benchmarks of rules and store and makes a row of each number in their JSON."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.speed.rows import Row

COMMANDS = {"b": ("benchmarks.rules",), "d": ("benchmarks.store", "--games", "10000", "100000")}
_DEADLINE_S = 180
_UNITS = {"ns": "ns", "us": "us", "ms": "ms", "s": "s"}


def measure(part: str) -> list[Row]:
    """A row for each number that the module of `part` prints with --json; one row with the reason where it fails."""
    module, *arguments = COMMANDS[part]
    command = [sys.executable, "-m", module, *arguments, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DEADLINE_S)
    except subprocess.TimeoutExpired:
        return [Row(part, module, "", note=f"it did not end within {_DEADLINE_S} s")]
    if done.returncode != 0:
        why = done.stderr.strip().splitlines()
        return [Row(part, module, "", note=why[-1] if why else f"it ended with {done.returncode}")]
    return [found for value in documents(done.stdout) for found in rows(part, value)]


def documents(text: str) -> list[Any]:
    """The JSON values of a text, which is one value or has one on each line."""
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def rows(part: str, value: Any, name: str = "", unit: str = "") -> Iterator[Row]:
    """A row for every number in a JSON value, named by its path, the texts beside it and the number of games."""
    if isinstance(value, dict):
        games = value.get("games")
        beside = [text for text in value.values() if isinstance(text, str)]
        beside += [f"{games} games,"] if isinstance(games, int) else []
        for key, inner in value.items():
            if not isinstance(inner, str) and (key, inner) != ("games", games):
                yield from rows(part, inner, " ".join(filter(None, (name, *beside, key))), _unit(key) or unit)
    elif isinstance(value, list):
        for inner in value:
            yield from rows(part, inner, name, unit)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Row(part, name.replace("_", " "), unit, float(value))


def _unit(key: str) -> str:
    if key.endswith("_per_s"):
        return "1/s"
    return next((_UNITS[word] for word in key.split("_") if word in _UNITS), "")
