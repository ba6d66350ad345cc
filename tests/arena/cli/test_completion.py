"""What a shell is offered after TAB, asked as bash, zsh and fish ask."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arena.cli.app import program
from arena.cli.documents import documents
from arena.config.load import load_registry
from arena.games.variants import names


def offered(line: str, monkeypatch: pytest.MonkeyPatch, shell: str = "bash") -> list[str]:
    """The lines that a shell gets for a line whose last word is being typed."""
    monkeypatch.setenv("_ARENA_COMPLETE", f"complete_{shell}")
    if shell == "bash":
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    else:
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    answer = CliRunner().invoke(program(), prog_name="arena").output
    return [word for word in answer.splitlines() if word]


WORDS = {
    "arena stan": "standings",
    "arena engines rem": "remove",
    "arena match alph": "alphabeta",
    "arena match greedy --variant brandub-": "brandub-nielsen",
    "arena standings demo": "demo.db",
    "arena match greedy random --movet": "--movetime",
    "arena docs quick": "quickstart",
}


def test_each_kind_of_word_is_completed_by_each_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands, engines, variants, databases, options and documents; a file of another kind is not offered."""
    monkeypatch.chdir(tmp_path)
    for name in ("demo.db", "demo.txt"):
        (tmp_path / name).touch()
    for line, word in WORDS.items():
        assert [answer.split()[-1] for answer in offered(line, monkeypatch)] == [word]
    for shell in ("zsh", "fish"):
        (answer,) = offered("arena standings demo", monkeypatch, shell)
        assert "demo.db" in answer


def test_the_words_are_those_that_the_commands_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All registered engines, the user's own too; all variants; all documents. A broken registry hides no others."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own = tmp_path / "callanish-arena" / "engines.toml"
    own.parent.mkdir()
    own.write_text('[[engines]]\nname = "mine"\ncommand = ["true"]\n')
    assert offered("arena check ", monkeypatch) == list(load_registry().names)
    assert "mine" in load_registry().names
    own.write_text("[[engines]\n")
    assert "greedy" in offered("arena check ", monkeypatch)
    assert offered("arena perft ", monkeypatch) == list(names())
    assert set(offered("arena docs ", monkeypatch)) >= {*documents()}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_after_the_installation(tmp_path: Path) -> None:
    """`arena --install-completion` in bash, then what bash does when TAB is pressed."""
    script = """
        arena --install-completion && source ~/.bashrc
        COMP_WORDS=(arena match alph) COMP_CWORD=2
        _arena_completion arena && echo "${COMPREPLY[@]}"
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    more: dict[str, Any] = {"env": {"PATH": path, "HOME": str(tmp_path)}, "cwd": tmp_path, "timeout": 60}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, **more)
    assert done.stdout.splitlines()[-1] == "alphabeta", done.stdout + done.stderr
