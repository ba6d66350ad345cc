"""Packs the checker into one file: `python build_pyz.py dist/callanish-check.pyz`. It runs on any Python from 3.11 on.

The archive has `arena.cli.checker`, every module of ours that it imports, the specification and the golden positions.
None of them imports anything beyond the standard library, nor any other room of ours; another import ends the build.
"""

import ast
import os
import shutil
import sys
import tempfile
import tomllib
import zipapp
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent
ENTRY = "arena.cli.checker"
OURS = ("arena", "protocol", "results")
ROOMS = ("arena.conformance", "arena.games", "arena.timing", "protocol", "results.safe_text")
ALLOWED = (ENTRY, *ROOMS, "arena.config.command_words", "arena.games_at_once", "arena.whole_file")
"""What the checker may import of ours: the checks, the wire, the rules, the times, and texts made harmless."""
DATA = ("protocol/SPEC.md", "arena/conformance/positions/*.json", "protocol/containment/attempts.py", "LICENSE")
MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed; this is " + sys.version.split()[0])

from arena.cli.checker import main

if __name__ == "__main__":
    sys.exit(main(version="{version}"))
"""
LATEST = 1_600_000_000
"""The time of every file in the archive, so that equal sources make equal archives."""


class ForeignImport(Exception):
    """A module of the checker imports what an empty Python does not have."""


def sources() -> list[Path]:
    """The files of the checker's modules, and the packages that they lie in."""
    found: dict[str, Path] = {}
    todo = [ENTRY]
    while todo:
        name = todo.pop()
        path = _file(name)
        if name in found or path is None:
            continue
        found[name] = path
        todo += [".".join(name.split(".")[:depth]) for depth in range(1, name.count(".") + 1)]
        for imported in _imports(path):
            top = imported.split(".")[0]
            if top in OURS:
                if _file(imported) is not None and _is_foreign(imported):
                    raise ForeignImport(f"{name} imports {imported}, which is not of the checker")
                todo.append(imported)
            elif top not in sys.stdlib_module_names:
                raise ForeignImport(f"{name} imports {imported}, which an empty Python does not have")
    return sorted(found.values())


def _is_foreign(name: str) -> bool:
    """Is this a module of ours that the checker must not have? A package above an allowed one is only a docstring."""
    return not any(name == each or name.startswith(f"{each}.") or each.startswith(f"{name}.") for each in ALLOWED)


def _file(name: str) -> Path | None:
    """The source of a module or a package, None where the name is that of something within a module."""
    path = ROOT.joinpath(*name.split("."))
    return next((each for each in (path / "__init__.py", path.with_suffix(".py")) if each.is_file()), None)


def _imports(path: Path) -> Iterator[str]:
    """What a file imports, late imports included and those for the type checker left out."""
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            todo += node.orelse
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def build(target: Path) -> None:
    """Write the archive. Raises ForeignImport."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        for path in (*sources(), *(path for pattern in DATA for path in sorted(ROOT.glob(pattern)))):
            copy = stage / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        (stage / "__main__.py").write_text(MAIN.format(version=project["version"]), encoding="utf-8")
        for path in stage.rglob("*"):
            os.utime(path, (LATEST, LATEST))
        target.parent.mkdir(parents=True, exist_ok=True)
        zipapp.create_archive(stage, target, interpreter="/usr/bin/env python3", compressed=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
    print(f"{sys.argv[1]}: {os.path.getsize(sys.argv[1]) // 1024} KiB")
