"""Imports point one way."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
OURS = {"arena", "protocol", "engines", "results"}
MAY = {
    "arena.games": {"arena.games"},
    "arena": {"arena", "arena.games", "protocol", "results"},
    "protocol": {"protocol"},
    "results": {"results"},
    "engines": {"engines", "protocol", "arena.games"},
}


def layer(module: str) -> str:
    return "arena.games" if module.startswith("arena.games") else module.split(".")[0]


def imports(path: Path) -> set[str]:
    """Every module that a file imports, late imports included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the arrow"
            found.add(node.module or "")
            # `from arena import games` names a submodule.
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module in OURS}
    return found


def sources() -> list[Path]:
    return [path for package in sorted(OURS) for path in sorted((ROOT / package).rglob("*.py"))]


def test_imports_point_one_way() -> None:
    """Each package imports only what its row allows."""
    wrong = []
    for path in sources():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        allowed = MAY[layer(module)]
        for name in imports(path):
            target = layer(name)
            if name.split(".")[0] in OURS and target not in allowed and name != "arena":
                wrong.append(f"{module} -> {name}")
            if name == "arena" and layer(module) not in ("arena", "arena.games", "engines"):
                wrong.append(f"{module} -> {name}")
    assert not wrong, wrong


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
        " and m != 'arena' and not m.startswith('arena.games') and not m.endswith('__mypyc')))"
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
