"""What an engine hears of its options, wherever they are given."""

import shlex
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Arena

ENGINE = """#!/bin/sh
while read -r line; do
  case "$line" in
    ugi*) echo "id name Fox"
      echo "option name Clear Hash type button"
      echo "option name Hash (MB) type spin default 1 min 1 max 99"
      echo "option name Größe/=, type string default x"
      echo "option name UGI_Resign type check default false"
      echo ugiok;;
    setoption*) printf '%s\\n' "$line" >> {heard};;
    isready*) echo readyok;;
    go*) echo "bestmove resign";;
    quit*) exit 0;;
  esac
done
"""
CUP = """
[tournament]
variants = ["callanish-5"]
nodes = 1
{each}
[[engines]]
name = "fox"
{fox}
[[engines]]
name = "owl"
{owl}
"""
MATCH = ("match", "./fox", "./owl", "--games", "1", "--nodes", "1", "--variant", "callanish-5", "--contain", "none")


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick_workers: None) -> Path:
    """The file to which two engines write the options that they get."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "heard"
    for name in ("fox", "owl"):
        (tmp_path / name).write_text(ENGINE.replace("{heard}", shlex.quote(str(file))))
        (tmp_path / name).chmod(0o755)
    return file


def said(heard: Path, name: str) -> set[str]:
    """The commands that set an option, each once: an engine is started more than once."""
    lines = heard.read_text().splitlines() if heard.exists() else []
    heard.unlink(missing_ok=True)
    return {line for line in lines if line.startswith(f"setoption name {name}")}


def played(arena: Arena, where: str, option: str, value: str) -> int:
    """Play with an option that is given there; the exit code."""
    quoted = f'"{option}" = {value}'
    files = {"file": ("", f"options = {{ {quoted} }}\n"), "each": (f"[each.options]\n{quoted}\n", "")}
    each, fox = files.get(where, ("", ""))
    command = {name: f'command = ["./{name}"]\n' for name in ("fox", "owl")}
    Path("cup.toml").write_text(CUP.format(each=each, fox=command["fox"] + fox, owl=command["owl"]))
    bare = value.strip('"')
    cup = ("tournament", "cup.toml", "--contain", "none", "--no-smoke", "--concurrency", "1", "--db", "none")
    words: dict[str, tuple[str, ...]] = {
        "file": cup,
        "each": cup,
        "set": (*cup, "--set", f"engines.1.options.{option}={value}"),
        "colon": ("match", f"./fox:{option}={bare}", *MATCH[2:]),
        "option": (*MATCH, "--option", f"{option}={bare}"),
        "check": ("check", f"./fox:{option}={bare}", "--only", "E1", "--contain", "none"),
    }
    return arena(*words[where]).exit_code


@pytest.mark.parametrize(
    "where",
    ["file", *(pytest.param(name, marks=pytest.mark.long) for name in ("option", "check", "each", "set", "colon"))],
)
def test_a_button_is_pressed_by_true_or_nothing_and_not_by_false(arena: Arena, heard: Path, where: str) -> None:
    """It never has a value; another word is refused before the engine hears it. All places know the same words."""
    pressed = {"setoption name Clear Hash"}
    values: dict[str, set[str]] = {'"true"': pressed, '""': pressed, '"false"': set()}
    for value in values if where == "file" else ['"true"']:
        played(arena, where, "Clear Hash", value)
        assert said(heard, "Clear Hash") == values[value], value
    assert played(arena, where, "Clear Hash", '"now"') == 2
    assert said(heard, "") == set()


def test_a_value_that_the_option_does_not_take_is_not_sent(arena: Arena, heard: Path) -> None:
    """The name may have parentheses."""
    assert played(arena, "option", "Hash (MB)", '"100"') == 2
    assert said(heard, "") == set()
    played(arena, "option", "Hash (MB)", '"99"')
    assert said(heard, "Hash") == {"setoption name Hash (MB) value 99"}


@pytest.mark.parametrize(
    "words", [(r"./fox:größe/\=\,=a\,b\\c (=) ö", *MATCH[2:]), (*MATCH[1:], "--option", r"Größe/\=,=a,b\c (=) ö")]
)
def test_names_and_values_may_have_any_sign(arena: Arena, heard: Path, words: tuple[str, ...]) -> None:
    """A backslash keeps a comma, a `=` or a backslash from ending a name or a value."""
    done = arena("match", *words)
    assert done.exit_code == 0, done.stderr
    assert said(heard, "") == {"setoption name Größe/=, value a,b\\c (=) ö"}


@pytest.mark.parametrize(
    "words",
    [
        ("match", "./fox:Hash (MB)=1,hash (mb)=2", *MATCH[2:]),
        (*MATCH, "--option", "Hash (MB)=1", "--option", "hash (mb)=2"),
        ("engines", "add", "mine", "./fox", "--option", "Hash (MB)=1", "--option", "Hash (MB)=2", "--contain", "none"),
        ("tournament", "cup.toml", "--set", "engines.1.options.A=1", "--set", "engines.1.options.a=2"),
        ("tournament", "cup.toml", "--set", "rounds=1", "--set", "rounds=2"),
        ("tournament", "twice.toml"),
    ],
)
def test_what_is_given_twice_in_one_place_is_refused(arena: Arena, heard: Path, words: tuple[str, ...]) -> None:
    """One of the two would be lost."""
    Path("cup.toml").write_text(CUP.format(each="", fox="", owl=""))
    Path("twice.toml").write_text(CUP.format(each="[each.options]\nHash = 1\nhash = 2\n", fox="", owl=""))
    done = arena(*words)
    assert done.exit_code == 2 and "twice: leave out one of the two" in done.stderr.replace("\n", " "), done.stderr
    assert not heard.exists()


def test_a_change_replaces_the_option_of_the_file_in_any_case_of_letters(arena: Arena, heard: Path) -> None:
    """The engine hears it once."""
    command = {name: f'command = ["./{name}"]\n' for name in ("fox", "owl")}
    fox = command["fox"] + 'options = { "Hash (MB)" = 1 }\n'
    Path("cup.toml").write_text(CUP.format(each="", fox=fox, owl=command["owl"]))
    words = ("--contain", "none", "--no-smoke", "--db", "none", "--set", "engines.1.options.hash (mb)=2")
    assert arena("tournament", "cup.toml", *words).exit_code == 0
    assert said(heard, "Hash") == {"setoption name Hash (MB) value 2"}
