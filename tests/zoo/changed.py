"""Engines with one line or one small part of their source changed: `python -P -m tests.zoo --fault NAME`.

`changes.diff` has what changes: a rule of `arena.games`, by which the engine of the zoo plays then, or a habit of the
engine `tests.zoo.spec`.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import groupby, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
CHANGES = Path(__file__).with_name("changes.diff")


class Edit(NamedTuple):
    """What stands once in a file, and what is there instead."""

    file: str
    old: str
    new: str


def changes() -> dict[str, list[Edit]]:
    """The edits of each change. `# NAME` begins one, `@ FILE` names a file; `-` lines are replaced by `+` lines."""
    found: dict[str, list[Edit]] = {}
    file = ""
    for entry in ("\n" + CHANGES.read_text(encoding="utf-8")).split("\n# ")[1:]:
        name, *lines = entry.splitlines()
        edits = found.setdefault(name, [])
        for kind, group in groupby(lines, key=lambda line: line[:1]):
            text = "\n".join(line[2:] for line in group)
            if kind == "@":
                file = text
            elif kind == "-":
                edits.append(Edit(file, text, ""))
            elif kind == "+":
                edits[-1] = edits[-1]._replace(new=text)
    return found


def changed(source: str, edit: Edit) -> str:
    """The source with the edit. Raises ValueError unless what it replaces stands there once."""
    if (times := source.count(edit.old)) != 1:
        raise ValueError(f"{edit.file} has {edit.old!r} {times} times, not once")
    return source.replace(edit.old, edit.new)


class _Loader(SourceFileLoader):
    edits: Sequence[Edit] = ()

    def get_data(self, path: str) -> bytes:
        source = super().get_data(path).decode()
        for edit in self.edits:
            source = changed(source, edit)
        return source.encode()

    def path_stats(self, path: str) -> Any:
        raise OSError("what is compiled of a changed source is not kept")


class _Finder(MetaPathFinder):
    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        edits = [edit for edit in self._edits if spec is not None and spec.origin == str(ROOT / edit.file)]
        if not edits or spec is None or spec.origin is None:
            return None
        spec.loader = loader = _Loader(fullname, spec.origin)
        loader.edits = edits
        return spec


def run(arguments: list[str]) -> int:
    """Run the engine that the arguments ask for, with the change that `--fault` names, if it is one."""
    name = dict(pairwise(arguments)).get("--fault", "")
    edits = changes().get(name, [])
    if edits:
        sys.meta_path.insert(0, _Finder(edits))
        arguments = [word for word in arguments if word not in ("--fault", name)]
    # Not before the changes are there to be found.
    if any(edit.file.startswith("tests/zoo/spec/") for edit in edits):
        from tests.zoo.spec.engine import Engine
        from tests.zoo.spec.engine import run as run_spec

        sys.argv[1:] = arguments
        run_spec(Engine, None)
    from tests.zoo.cli import main

    return main(arguments)
