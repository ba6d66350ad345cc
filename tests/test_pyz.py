"""The checker as one file: it runs where there is Python and nothing else, and says what `arena check` says."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import build_pyz
from arena.cli import checker

VERSION = tomllib.loads((build_pyz.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
ENGINE = """
while read -r word rest; do case $word in
ugi) echo id name Toy; printf 'id author \\033[2J\\n'; echo ugiok ;;
isready) echo readyok ;;
go) echo bestmove none ;;
quit) exit ;;
esac; done
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pyz") / "check.pyz"
    build_pyz.build(path)
    return path


def run(archive: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the archive in a Python without any installed package, from another folder."""
    (folder / "toy").write_text(ENGINE)
    command = [sys.executable, "-I", "-S", str(archive), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.long
def test_an_empty_python_checks_an_engine(archive: Path, tmp_path: Path) -> None:
    """With quotes of the specification, a certificate, and nothing of the engine that steers the terminal."""
    done = run(archive, tmp_path, "sh toy", "--only", "A3,A5,A11,B7", "--variant", "scottish", "--certificate", "made")
    assert done.returncode == 1, done.stderr
    assert "A3  F  3.1   pass" in done.stdout and "SPEC.md 2.3" in done.stdout
    assert "\x1b" not in done.stdout
    values = json.loads((tmp_path / "made" / "certificate.json").read_text(encoding="utf-8"))
    assert values["says"]["name"] == "Toy" and values["suite"]["version"] == VERSION
    assert (tmp_path / "made" / "replay" / "B7.sh").is_file()


def test_the_archive_says_which_edition_it_is(archive: Path, tmp_path: Path) -> None:
    """Versions and digests of the specification and of the list of checks."""
    told = run(archive, tmp_path, "--version").stdout
    assert told.startswith(f"callanish-arena {VERSION}, specification ")
    assert "of the list of checks" in told


@pytest.mark.long
def test_equal_sources_make_equal_archives(archive: Path, tmp_path: Path) -> None:
    """So that a digest of the file says which checker it is."""
    build_pyz.build(tmp_path / "again.pyz")
    assert (tmp_path / "again.pyz").read_bytes() == archive.read_bytes()


@pytest.mark.parametrize(
    ("module", "refused"),
    [("arena.cli.option_groups", "typer"), ("arena.planning.introductions", "not of the checker")],
)
def test_an_import_that_the_checker_must_not_have_ends_the_build(
    monkeypatch: pytest.MonkeyPatch, module: str, refused: str
) -> None:
    """What an empty Python lacks, such as typer, and the rooms that plan and play games."""
    monkeypatch.setattr(build_pyz, "ENTRY", module)
    with pytest.raises(build_pyz.ForeignImport, match=refused):
        build_pyz.sources()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--level", "smoke"), 2, "name the engine to check"),
        (("true", "--only", "Z9"), 2, "'Z9'"),
        (("true", "--slow", "0"), 2, "--slow 0"),
        (("true", "--fuzz", "0"), 2, "--fuzz 0"),
        (("true", "--concurrency", "0"), 2, "--concurrency 0"),
        (("true", "--only", "J3"), 2, "J3"),
        (("true", "--env", "A"), 2, "--env 'A'"),
        (("true", "--variant", "chess", "--contain", "none"), 2, "'chess'"),
        (("no-such-engine",), 3, "there is no such program"),
        (("x 'y",), 2, "'y"),
    ],
)
def test_bad_input_ends_with_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    """2 for what cannot be asked, 3 for an engine that cannot be started, as `arena check` has it."""
    assert checker.main(arguments, "0") == code
    assert sentence in capsys.readouterr().err


def test_random_positions_alone_can_be_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """--fuzz runs F10 and nothing else; the report and the command that repeats it have the seed and the time."""
    (tmp_path / "toy").write_text(ENGINE)
    asked = [f"sh {tmp_path / 'toy'}", "--variant", "scottish", "--contain", "none", "--fuzz", "0.2", "--seed", "7"]
    assert checker.main([*asked, "--json"], "0") == 1
    values = json.loads(capsys.readouterr().out)
    (fuzzed,) = values["checks"]
    assert (fuzzed["id"], fuzzed["clause"]) == ("F10", "5.4")
    assert "--only F10 --variant scottish --seed 7 --fuzz 0.2" in fuzzed["evidence"]["repeat"]
    assert (values["settings"]["seed"], values["settings"]["fuzz_s"]) == (7, 0.2)


def test_the_list_is_that_of_the_suite(capsys: pytest.CaptureFixture[str]) -> None:
    """The same lines as those of `arena check --list`."""
    assert checker.main(["--list", "--only", "A1,J3"], "0") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["A1", "J3"]


def test_the_commands_of_the_page_about_build_servers_are_understood() -> None:
    """Each line of docs/authors/KIT.md that starts the checker, in the job for GitHub and in the script for others."""
    page = (Path(__file__).parent.parent / "docs" / "authors" / "KIT.md").read_text(encoding="utf-8")
    commands = re.findall(r"^(?: *run: | *)python3 callanish-check\.pyz (.*?)(?: \|\|.*)?$", page, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert checker.parser("0").parse_args(shlex.split(command)).engine == "./mine"
