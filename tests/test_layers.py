"""Imports point one way."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
OURS = {"arena", "protocol", "engines", "results"}


IMPORT = re.compile(r"^[ \t]*(?:from (\S+) import (\([^)]*\)|.*)|import (.*))$", re.MULTILINE)
"""A statement that imports; one within a function, too."""


@cache
def imports(path: Path) -> set[str]:
    """Every module that a file imports, late imports included; it is read once for all tests."""
    found: set[str] = set()
    for module, names, whole in IMPORT.findall(re.sub('"""(?s:.*?)"""', "", path.read_text())):
        assert not module.startswith("."), f"{path}: relative imports hide the arrow"
        found |= {name.split()[0] for name in whole.split("#")[0].split(",")} if whole else {module}
        if module in OURS:  # `from arena import games` names a submodule
            plain = re.sub(r"#.*|[()]", "", names)
            found |= {f"{module}.{name.split()[0]}" for name in plain.split(",") if name.strip()}
    return found


def sources() -> list[Path]:
    return [path for package in sorted(OURS) for path in sorted((ROOT / package).rglob("*.py"))]


@cache
def modules() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in sources()
    }


@cache
def arrows() -> list[tuple[str, str]]:
    """Each import of ours from one module to another, by their names."""
    known = modules()
    found = []
    for module, path in known.items():
        names = imports(path)
        # `from arena.play import clock` names the package as well, which is no arrow of its own.
        whole = {name if name in known else name.rpartition(".")[0] for name in names}
        found += [(module, name) for name in sorted(whole) if name in known and name != module]
    return found


def named_in(module: str, path: Path, words: str) -> set[str]:
    """What the docstring of a package or a room says that it may import: its last sentence, which begins so."""
    docstring = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split())
    row = re.search(rf"{words}: ((?:[^.]|\.(?=\w))*)\.$", docstring)
    assert row, f"{module}: its docstring does not end with a sentence that begins: {words}"
    return set() if row[1] in ("none of ours", "no room") else set(row[1].split(", "))


def test_imports_point_one_way() -> None:
    """Each package imports only the packages that its docstring names."""
    may = {
        package: named_in(package, ROOT / package / "__init__.py", "Packages that it may import") | {package}
        for package in OURS
    }
    wrong = [
        f"{module} -> {name}"
        for module, name in arrows()
        if not any(name == other or name.startswith(f"{other}.") for other in may[module.split(".")[0]])
        and not (module.startswith("engines") and name == "arena")  # the package of arena.games
    ]
    assert not wrong, wrong


@cache
def rooms() -> dict[str, set[str]]:
    """The rooms beside it, in the same folder, that each room says it may import. A room is a folder of modules."""
    return {
        module: named_in(module, path, "Beside it, it may import")
        for module, path in modules().items()
        if path.name == "__init__.py" and "." in module
    }


def test_rooms_import_what_their_docstrings_say() -> None:
    """A folder imports the folders beside it that its docstring names, late imports included, and no others."""
    used: dict[str, set[str]] = {room: set() for room in rooms()}
    for module, name in arrows():
        for room, there in used.items():
            folder = room.rpartition(".")[0]
            if module.startswith(f"{room}.") and name.startswith(f"{folder}."):
                beside = name.removeprefix(f"{folder}.").split(".")[0]
                if f"{folder}.{beside}" in used and f"{folder}.{beside}" != room:
                    there.add(beside)
    assert used == rooms()


OF_ONE_GAME = {
    "engines.stornoway": "callanish",
    "engines.evaluate_callanish": "callanish",
    "engines.buckquoy": "tafl",
    "engines.evaluate_tafl": "tafl",
    "engines.tuning.header": "tafl",
    "engines.adapters.otep_offer": "tafl",
    "engines.adapters.otep_player": "tafl",
}
"""The engines and adapters that play one game alone, and so know the inside of its folder."""


def test_nothing_knows_the_inside_of_a_game() -> None:
    """The folder of a game is joined to the rest by its kind alone."""
    wrong = []
    for module, name in arrows():
        for game in ("callanish", "tafl"):
            folder = f"arena.games.{game}"
            inside = name == folder or name.startswith(f"{folder}.")
            if inside and not module.startswith(folder) and OF_ONE_GAME.get(module) != game:
                wrong.append(f"{module} -> {name}")
    assert not wrong, wrong


def test_nothing_below_the_tables_and_pictures_knows_them() -> None:
    """What counts games, fits them and judges the fit is there for any display."""
    shown = ("results.tables", "results.plots")
    wrong = [f"{one} -> {two}" for one, two in arrows() if one.startswith("results.") and two.startswith(shown)]
    assert not [arrow for arrow in wrong if not arrow.startswith(shown)]


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not by way of others, and not within functions."""
    edges: dict[str, set[str]] = {module: set() for module in modules()}
    for module, name in arrows():
        if modules()[name].name != "__init__.py":
            edges[module].add(name)
    while free := [module for module, names in edges.items() if not names]:
        for module in free:
            del edges[module]
        for names in edges.values():
            names.difference_update(free)
    assert not edges, edges


def test_games_import_the_standard_library_only() -> None:
    """The rules run anywhere that Python does."""
    wrong = [
        f"{path.name} -> {name}"
        for path in sorted((ROOT / "arena" / "games").rglob("*.py"))
        for name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith("arena.games")
    ]
    assert not wrong, wrong


def test_an_engine_that_imports_the_rules_loads_nothing_else_of_ours() -> None:
    """Importing arena.games.variants must not load the referee, the store or any third-party package."""
    code = (
        "import sys; before = set(sys.modules); import arena.games.variants; "
        "print(sorted(m for m in set(sys.modules) - before if m.split('.')[0] not in sys.stdlib_module_names"
        " and m != 'arena' and not m.startswith('arena.games')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_the_packages_are_this_checkout() -> None:
    """Names this common collide: what is tested must be what lies here."""
    import arena
    import protocol
    import results

    for package in (arena, protocol, results):
        assert Path(package.__file__ or "").parent.parent in (ROOT, ROOT / "build" / "fast")
