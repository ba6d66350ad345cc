"""docs/project/PROMISES.md names tests and commands that exist."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = re.findall(
    r"^\| ([^|]+) \| \[\w+\]\([^)]+\) \| ([^|]+) \|$",
    (ROOT / "docs" / "project" / "PROMISES.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
TEST = re.compile(r"`(tests/[\w/]+\.py)?::([\w:]+)`(?: \(([\w, ]+)\))?")
UNTESTED = re.compile(r"(?:^|, )(?:no test: |measured: `|`make \w+`: )")


@cache
def marked(file: str) -> dict[str, set[str]]:
    """The tests of a file, those of a class with its name before theirs, each with the names in its marks."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return dict(_marked(tree.body, "", set()))


def _marked(body: Sequence[ast.stmt], prefix: str, outer: set[str]) -> Iterator[tuple[str, set[str]]]:
    marks = {*outer}
    for node in body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            marks |= _names(node.value)
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _marked(node.body, f"{prefix}{node.name}::", marks)
        elif isinstance(node, ast.FunctionDef):
            # A parametrised test of which some cases are long runs by default, too.
            own = [mark for mark in node.decorator_list if "mark.parametrize" not in ast.unparse(mark)]
            yield prefix + node.name, marks.union(*map(_names, own))


def _names(mark: ast.expr) -> set[str]:
    nodes = list(ast.walk(mark))
    return {each.attr for each in nodes if isinstance(each, ast.Attribute)} | {
        each.id for each in nodes if isinstance(each, ast.Name)
    }


def test_every_row_is_read() -> None:
    """One that has another form would be held by nobody."""
    lines = (ROOT / "docs" / "project" / "PROMISES.md").read_text(encoding="utf-8").splitlines()
    assert len(ROWS) == sum(line.startswith("|") for line in lines) - 2 * sum(line.startswith("## ") for line in lines)
    assert len({promise for promise, _ in ROWS}) == len(ROWS) >= 100


@pytest.mark.parametrize(("promise", "held"), ROWS, ids=[promise for promise, _ in ROWS])
def test_what_holds_a_promise_exists(promise: str, held: str) -> None:
    """A test by its file and name, with the marks that keep it from running by default; a command; or it is said."""
    named, file = TEST.findall(held), ""
    for place, name, marks in named:
        file = place or file
        assert name in marked(file), f"{file}::{name}"
        told = marked(file)[name] & {"long", "netns", "browser"}
        assert set(marks.split(", ") if marks else ()) == told, f"{file}::{name}"
    assert named or UNTESTED.search(held)

    for module in re.findall(r"benchmarks\.(\w+)", held):
        assert any((ROOT / "benchmarks" / name).exists() for name in (f"{module}.py", f"{module}/__main__.py")), module
