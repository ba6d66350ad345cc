"""Each default of a time is written once."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("arena", "protocol", "engines", "results")
DEADLINES = "protocol/deadlines.py"
DEFAULTS = {
    "the margin": (r"\w*margin(?!_cp)\w*", 50, "arena/timing/clock.py"),
    "the free reading": (r"\w*reading\w*", 5, "arena/timing/free_reading.py"),
    "the free reading of a move": (r"\w*reading\w*", 100_000, "arena/timing/free_reading.py"),
    "the deadline of the handshake": ("start_ms", 10_000, DEADLINES),
    "the deadline of isready": ("ready_ms", 10_000, DEADLINES),
    "the deadline of a new game": ("new_?game_ms", 60_000, DEADLINES),
    "the deadline of quit": ("quit_ms", 2_000, DEADLINES),
    "the deadline of stop": ("stop_ms", 2_000, DEADLINES),
}
"""How a default is named, its figure, and the file that has it."""


def files(suffix: str) -> Iterator[Path]:
    for package in PRODUCT:
        yield from sorted((ROOT / package).rglob(f"*{suffix}"))


@cache
def figures() -> list[tuple[str, str, object]]:
    """The file, the name and the figure of each value in the code that something is set to by its name."""
    found: list[tuple[str, str, object]] = []
    # To parse all of the code takes a second, and most of its files have none of these names.
    names = re.compile("|".join(pattern.split("(")[0].strip("\\w*") for pattern, _, _ in DEFAULTS.values()), re.I)
    for path in files(".py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if names.search(text) else ():
            for name, value in named_values(node):
                found += [
                    (path.relative_to(ROOT).as_posix(), name, each.value)
                    for each in ast.walk(value)
                    if isinstance(each, ast.Constant)
                ]
    for path in files(".toml"):
        if path.name.startswith("contest_"):
            continue  # a contest has deadlines of its own
        pairs = re.findall(r"(\w+) = ([0-9]+)\b", path.read_text(encoding="utf-8"))
        found += [(path.relative_to(ROOT).as_posix(), name, int(figure)) for name, figure in pairs]
    return found


def named_values(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a part of the code sets, by its name: variables, fields, defaults of parameters, and arguments."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, node.value
    elif isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.arguments):
        given = [*node.posonlyargs, *node.args]
        yield from zip((each.arg for each in given[len(given) - len(node.defaults) :]), node.defaults, strict=True)
        yield from ((each.arg, value) for each, value in zip(node.kwonlyargs, node.kw_defaults, strict=True) if value)
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg, node.value


@pytest.mark.parametrize("default", DEFAULTS)
def test_the_default_of_a_time_is_written_once(default: str) -> None:
    """In code and in the files that come with it: a second place is an error."""
    pattern, figure, file = DEFAULTS[default]
    name = re.compile(pattern, re.IGNORECASE)
    assert [place for place, word, value in figures() if value == figure and name.fullmatch(word)] == [file]
