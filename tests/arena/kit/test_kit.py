"""The author's kit: what `arena new` writes is an engine that is conformant as it stands."""

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.conformance.checked_engine import SEARCH_MS
from arena.kit import write
from tests.running import running

DEADLINE_S = 120
CHECK_DEADLINE_S = 600
TOOLS = {"python": "python3", "c": "cc", "javascript": "node", "java": "javac", "rust": "rustc"}
QUICK = [pytest.param(name, marks=[] if name == "c" else pytest.mark.long) for name in write.LANGUAGES]
ENVIRONMENT = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
ENVIRONMENT.pop("PYTHONSAFEPATH", None)
"""With a `python3` that an engine in its containment may read, and as authors have it: scripts find what is beside."""
GAME = "d4 d5 d4b3f3 d5b4b6"


def typed(command: str | list[str], folder: Path, text: str = "", deadline_s: float = DEADLINE_S) -> str:
    """The output of a command that succeeds."""
    done = subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=folder,
        env=ENVIRONMENT,
        input=text,
        capture_output=True,
        text=True,
        timeout=deadline_s,
    )
    assert done.returncode == 0, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where the engines of this module were built, by language."""
    return {"": tmp_path_factory.mktemp("kits")}


def built(name: str, places: dict[str, Path]) -> Path:
    """The program of a new engine in a language; skips the test where its tool is missing."""
    language = write.LANGUAGES[name]
    if not shutil.which(TOOLS[name]):
        pytest.skip(f"there is no {TOOLS[name]}")
    folder = places[""] / f"fox-{name}"
    if name not in places:
        write.write_kit(folder, language)
        if language.build:
            typed(language.build.format(name=folder.name), folder)
        places[name] = folder / language.program.format(name=folder.name)
    return places[name]


@pytest.mark.parametrize("name", QUICK)
def test_a_new_engine_counts_the_positions_of_the_specification(name: str, places: dict[str, Path]) -> None:
    """SPEC.md A.15 has the numbers. A position that it is told comes back as it was."""
    program = built(name, places)
    board = "3B3/7/1w1b1W1/7/2b1w2/7/7 p2 7"
    lines = ["query perft 3", "setoption name ugi_variant value callanish-9", "query perft 2"]
    lines += ["setoption name UGI_Variant value callanish-7", f"position fen {board}", "query fen"]
    lines += [f"position startpos moves {GAME} a1", "query fen"]
    with running([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write("".join(f"{line}\n" for line in lines).encode())
        engine.stdin.flush()
        said = [engine.stdout.readline().decode().strip() for _ in range(5)]  # the end of the input would end a perft
    assert said[:3] == ["response 26688", "response 6480", f"response {board}"]
    # The bad move is told, and the position before it stands.
    assert said[3].startswith("error") and said[4] == f"response {board}"


@pytest.mark.long
@pytest.mark.timeout(CHECK_DEADLINE_S)
@pytest.mark.parametrize("name", sorted(write.LANGUAGES))
def test_a_new_engine_is_clean_in_all_checks(name: str, places: dict[str, Path]) -> None:
    """On both of its variants."""
    program = built(name, places)
    said = typed([sys.executable, "-m", "arena", "check", str(program)], program.parent, deadline_s=CHECK_DEADLINE_S)
    assert "grade: clean\nrules: clean;" in said


@pytest.mark.parametrize("name", sorted(write.LANGUAGES))
def test_a_search_that_ignores_depths_ends_before_a_check_gives_up(name: str, tmp_path: Path) -> None:
    """A kit's own budget for nodes and depths is shorter by a third than the deadline of a check."""
    write.write_kit(tmp_path / "fox", write.LANGUAGES[name])
    texts = [path.read_text() for path in (tmp_path / "fox").rglob("*") if path.name.lower().startswith("ugi.")]
    budgets = [int(found.replace("_", "")) for text in texts for found in re.findall(r"budget.*\b(\d0_?000)\b", text)]
    assert len(budgets) == 1
    assert budgets[0] * 3 <= SEARCH_MS * 2


@pytest.mark.parametrize("name", sorted(write.LANGUAGES))
def test_a_kit_has_its_files_with_the_name_put_in(name: str, tmp_path: Path) -> None:
    """What is started without being built may be run, and no placeholder is left. An empty folder is used."""
    language = write.LANGUAGES[name]
    folder = tmp_path / "grey-fox"
    folder.mkdir()
    commands = write.write_kit(folder, language)
    assert {path.name for path in folder.iterdir()} == {*language.files, "README.md"}
    assert not [path for path in tmp_path.iterdir() if path != folder]
    for path in folder.iterdir():
        assert not re.search("@[A-Z]+@", path.read_text(encoding="utf-8")), path.name
    assert "grey-fox" in (folder / language.files[0]).read_text(encoding="utf-8")
    program = folder / language.program.format(name="grey-fox")
    assert bool(language.build) or program.stat().st_mode & stat.S_IXUSR
    assert all(len(f"  {command}") <= 80 for command in commands)


def test_a_bug_in_the_search_ends_the_engine_and_is_told(tmp_path: Path) -> None:
    """Its author sees the traceback; a move that never comes would tell nothing."""
    folder = tmp_path / "fox"
    write.write_kit(folder, write.LANGUAGES["python"])
    text = (folder / "engine.py").read_text(encoding="utf-8")
    changed = text.replace("        moves = position.moves()\n        #", "        int('a bug')\n        #")
    assert changed != text
    (folder / "engine.py").write_text(changed, encoding="utf-8")
    command = [folder / "engine.py"]
    with running(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as engine:
        assert engine.stdin is not None and engine.stderr is not None
        engine.stdin.write(b"go nodes 10\n")
        engine.stdin.flush()
        assert b"a bug" in engine.stderr.read()
        assert engine.wait(DEADLINE_S) == 1
