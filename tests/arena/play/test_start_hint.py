"""Why an engine in Python did not start: said where it can be known from the files and from stderr."""

from pathlib import Path

import pytest

from arena.play.trial_start import CONTAINED, ELSEWHERE, start_hint

LACKING = "Traceback ...\nModuleNotFoundError: No module named 'protocol'"
NO_PACKAGE = "ModuleNotFoundError: No module named 'results.record'; 'results' is not a package"


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text("#!/usr/bin/env python3\n")
    return str(path)


@pytest.mark.parametrize(("name", "kind"), [("arena", "file"), ("results", "folder")])
def test_a_file_that_hides_a_package_of_the_arena_is_named(tmp_path: Path, script: str, name: str, kind: str) -> None:
    """Beside the engine's script; its author chose an innocent name."""
    path = tmp_path / (f"{name}.py" if kind == "file" else f"{name}/__init__.py")
    path.parent.mkdir(exist_ok=True)
    path.touch()
    hint = start_hint(("python3", script), f"ImportError: cannot import name 'x' from '{name}'")
    beside = f"{name}.py" if kind == "file" else f"the folder {name}"
    assert hint == f"{beside} beside mine.py hides the arena's package {name!r}: rename it"
    assert start_hint(("python3", script), "ZeroDivisionError: division by zero") == "", "it did no harm"


def test_a_python_without_the_arena_is_told_the_way_to_write_it(script: str, tmp_path: Path) -> None:
    """Another interpreter than the arena's; a folder that is no package hides nothing."""
    (tmp_path / "protocol").mkdir()
    assert "write {python} instead of python3" in start_hint(("/usr/bin/python3", script), LACKING)
    assert "package 'results'" in start_hint((script,), NO_PACKAGE)
    assert start_hint((script,), "ModuleNotFoundError: No module named 'resultset'") == ""


def test_a_first_line_with_windows_line_ends_is_named(script: str) -> None:
    """The system then looks for an interpreter whose name ends with a carriage return."""
    Path(script).write_bytes(b"#!/usr/bin/env python3\r\nprint()\r\n")
    assert start_hint((script,), "").startswith("the first line of mine.py ends as Windows ends lines: save it")


@pytest.mark.parametrize(
    ("command", "stderr", "hint"),
    [
        (("python3", "/e/mine.py"), "FileNotFoundError: [Errno 2] No such file or directory: 'w.json'", ELSEWHERE),
        (("node", "/e/x.js"), "Error: ENOENT: no such file, open 'w.json'\n    at f\n\nNode.js v20", ELSEWHERE),
        (("/bin/bash", "-c", "b/fox"), "/bin/bash: line 1: b/fox: No such file or directory", ELSEWHERE),
        (("python3", "-m", "fox"), "/usr/bin/python3: No module named fox", ELSEWHERE),
        (("python3", "/e/mine.py"), "ModuleNotFoundError: No module named 'numpy'", ""),
        (("python3", "/e/mine.py"), "PermissionError: [Errno 13] Permission denied: '/e/log.txt'", CONTAINED),
        (("python3", "/e/mine.py"), "FileNotFoundError: No such file or directory: '/dev/null'", CONTAINED),
    ],
)
def test_a_file_that_the_engine_did_not_get_has_a_remedy(command: tuple[str, ...], stderr: str, hint: str) -> None:
    """It starts in another folder than its author's, and is contained."""
    assert start_hint(command, stderr) == hint
