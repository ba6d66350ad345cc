"""QUICKSTART.md is true: its programs are saved and its commands typed, in their order, as they stand there."""

import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.conformance.judge import positions
from protocol import commands, engine

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "authors" / "QUICKSTART.md").read_text(encoding="utf-8")
PARTS = {part.split("\n", 1)[0]: part for part in TEXT.split("\n## ")[1:]}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE_NAME = re.compile(r"^(?:# |/\* )([\w.]+)")
DEADLINE_S = 240


def is_long(command: str) -> bool:
    """Matches and all the checks together take their time; some of the checks do not."""
    whole_check = command.startswith("arena check") and "--level" not in command and "--only" not in command
    return whole_check or command.startswith("arena match")


def exchanges(console: str) -> list[tuple[str, str]]:
    """Each command of a block, and what the document says comes of it."""
    parts = [part.partition("\n") for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]]
    return [(command, wanted) for command, _, wanted in parts]


def typed(command: str, folder: Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line in a folder; nothing of it is left behind."""
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
    shell = subprocess.Popen(
        ["sh", "-c", command],
        cwd=folder,
        env={"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = shell.communicate(timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.communicate()
        pytest.fail(f"`{command}` did not end within {DEADLINE_S} s")
    return shell.returncode, out, err


def follow(part: str, folder: Path, *, whole: bool) -> None:
    """Do what a part of the document says."""
    done = 0
    for language, text in BLOCK.findall(part):
        if language != "console":
            name = FILE_NAME.match(text)
            assert name, f"a block of {language} does not begin with the name of its file"
            (folder / name[1]).write_text(text, encoding="utf-8")
            continue
        for command, wanted in exchanges(text):
            if whole or not is_long(command):
                code, out, err = typed(command, folder)
                assert doctest.OutputChecker().check_output(wanted, out, doctest.ELLIPSIS), f"$ {command}\n{out}{err}"
                assert code == (1 if " FAIL " in wanted else 0), f"$ {command}\n{out}{err}"
                done += 1
    assert done, "the part has no command"


WHOLE = [False, pytest.param(True, marks=[pytest.mark.long, pytest.mark.timeout(900)])]


@pytest.mark.parametrize("whole", WHOLE)
def test_the_way_to_an_engine_in_python(tmp_path: Path, whole: bool) -> None:
    """Ten lines play, and the engine with options, queries and time has the grade that is promised."""
    follow(PARTS["In Python"], tmp_path, whole=whole)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("whole", WHOLE)
def test_the_way_to_an_engine_in_c(tmp_path: Path, whole: bool) -> None:
    """The engine of the document compiles, plays and has its grade, and a wrong rule is found."""
    follow(PARTS["In C"], tmp_path, whole=whole)


def searching(text: str) -> list[str]:
    """The lines of a program that search, as words go."""
    return [line.strip() for line in text.split("def search", 1)[1].split("\n\n", 1)[0].splitlines()]


@pytest.mark.parametrize("variant", ["callanish-7", "scottish"])
def test_ten_lines_survive_a_finished_position(variant: str) -> None:
    """The shortest engine gives no move where there is none, and it is the same wherever it stands."""
    (first,) = (text for language, text in BLOCK.findall(TEXT) if language == "python" and "first.py" in text)
    spec = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
    (annex,) = (text for language, text in BLOCK.findall(spec) if language == "python")
    assert searching(first) == searching(annex) == searching(engine.__doc__ or "")
    space: dict[str, object] = {"__name__": "example"}
    exec(first.replace("\nrun(First())", ""), space)
    made = space["First"]
    assert isinstance(made, type) and issubclass(made, engine.Engine)
    book = positions.load(variant)
    assert book is not None
    finished = [game for game in book.games if game.result in ("p1win", "p2win")]
    assert finished
    for game in finished:
        root = commands.Root(variant, "", game.fen, game.moves)
        assert made().search(root, None) == "0000"  # type: ignore[arg-type]  # it asks its search for nothing


def test_every_grade_of_the_document_is_tested() -> None:
    """Whatever part it stands in: a new part of commands needs a test of its own."""
    assert TEXT.count("```console") == sum(PARTS[name].count("```console") for name in ("In Python", "In C"))


def test_every_file_that_the_document_points_to_is_there() -> None:
    """No dead links."""
    for target in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (ROOT / "docs" / "authors" / target).exists(), target
