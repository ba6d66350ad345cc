"""Engines that speak almost our protocol: each word is translated by a table, and nothing else is changed."""

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.app import program
from engines.adapters.uci import BadTable, Words, read_table

PAGE = (Path(__file__).parents[3] / "docs" / "authors" / "UCI.md").read_text(encoding="utf-8")
OWN = """
[words]
quit = "bye"
[variants]
scottish = "tablut"
[pieces]
a = "b"
d = "w"
[moves]
between = "-"
upper = true
"""


@pytest.fixture
def words(tmp_path: Path) -> Words:
    (tmp_path / "own.toml").write_text(OWN)
    return read_table(str(tmp_path / "own.toml"))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("ugi", "uci"),
        ("uginewgame", "ucinewgame"),
        ("quit", "bye"),
        ("isready", "isready"),
        ("xyzzy 1 2", "xyzzy 1 2"),
        ("query p1turn", ""),
        ("gameover draw repetition", ""),
        ("", ""),
        ("go p1time 1000 p2time 900 p1inc 10 p2inc 20", "go wtime 1000 btime 900 winc 10 binc 20"),
        ("go movetime 5", "go movetime 5"),
        ("setoption name UGI_Variant value scottish", "setoption name UCI_Variant value tablut"),
        ("setoption name Clear Hash", "setoption name Clear Hash"),
        ("setoption name Style value very  solid", "setoption name Style value very solid"),
        ("position startpos", "position startpos"),
        ("position startpos moves d1d3 a10b10", "position startpos moves D1-D3 A10-B10"),
        ("position fen a2/1d1/2k p2 7 moves a1a2", "position fen b2/1w1/2k b - - 0 7 moves A1-A2"),
        ("position fen a2/1d1/2k p1", "position fen b2/1w1/2k w - - 0 1"),
        ("position fen x", "position fen x"),
    ],
)
def test_what_the_engine_is_told(words: Words, ours: str, theirs: str) -> None:
    """Commands, limits, options, sides, boards and moves; what has no word there is not told."""
    assert words.theirs(ours) == theirs


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("uciok", "ugiok"),
        ("readyok", "readyok"),
        ("id name Fish 1", "id name Fish 1"),
        ("option name UCI_Variant type combo default tablut var tablut var hnefatafl",
         "option name UGI_Variant type combo default scottish var scottish var hnefatafl"),
        ("option name Hash type spin default 1 min 1 max 9", "option name Hash type spin default 1 min 1 max 9"),
        ("bestmove D1-D3", "bestmove d1d3"),
        ("bestmove Kd4-d5xd6+ ponder A1-A2", "bestmove d4d5 ponder a1a2"),
        ("bestmove (none)", "bestmove 0000"),
        ("info depth 3 score mate 2 pv D1-D3 A1-A2", "info depth 3 score mate 3 pv d1d3 a1a2"),
        ("info score mate -2 nodes 7", "info score mate -4 nodes 7"),
        ("info score cp 12 currmove D1-D3 depth 1", "info score cp 12 currmove d1d3 depth 1"),
        ("info string bestmove D1-D3  twice", "info string bestmove D1-D3  twice"),
        ("Fish 1.0 by a friend", "Fish 1.0 by a friend"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_the_engine_says(words: Words, theirs: str, ours: str) -> None:
    """Mate counts moves in UCI and plies here; remarks are left as they are."""
    assert words.ours(theirs) == ours


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[words", "is no TOML"),
        ("[wrods]", "there is no [wrods]; a table has [words], [variants]"),
        ("moves = 3", "there is no [moves]"),
        ("[moves]\nbetwen = '-'", "[moves] has no key 'betwen', only between, upper, none"),
        ("[moves]\nupper = 'yes'", "upper of [moves] is true or false, not 'yes'"),
        ("[words]\nquit = 1", "quit of [words] is a text in quotes, not 1"),
        ("[score]\nmate = 'both'", 'mate of [score] is "moves" or "plies"'),
        ("[position]\nfen = '{bord}'", "may have {board}, {side} and {turn}"),
    ],
)
def test_a_bad_table_is_refused_with_its_key(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence that names the file."""
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadTable) as refused:
        read_table(str(path))
    assert sentence in str(refused.value) and str(path) in str(refused.value)


@pytest.mark.long
def test_the_example_of_the_page_passes_the_smoke_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Engine and table, 40 lines at most, as they stand there; without the adapter the check names it."""
    files = dict(re.findall(r"^```\w+\n# (fish\.\w+)[^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    assert set(files) == {"fish.py", "fish.toml"}
    assert sum(text.count("\n") + 1 for text in files.values()) <= 40
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    asked = ["check", f"{sys.executable} fish.py", "--variant", "scottish"]
    ended = CliRunner().invoke(program(), [*asked, "--level", "smoke", "--adapter", "fish.toml"])
    assert ended.exit_code == 0, ended.output
    assert "17 checks: 16 pass, 1 skipped; grade: clean" in ended.stdout
    ended = CliRunner().invoke(program(), [*asked, "--only", "A3", "--slow", "0.2"])
    assert (
        ended.exit_code == 1
        and "Begin with A3 (3.1): " in ended.stdout
        and "did you mean `--adapter uci`?" in ended.stdout
    )


def test_an_adapted_engine_is_registered_with_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`arena engines add --adapter` writes a command that any run can start; its files are those of the engine."""
    (tmp_path / "it.sh").write_text(
        "while read x; do case $x in uci) echo uciok ;; isready) echo readyok ;; esac; done"
    )
    (tmp_path / "own.toml").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    asked = ["engines", "add", "it", "sh it.sh", "--engines", "engines.toml", "--adapter"]
    ended = CliRunner().invoke(program(), [*asked, "own.toml"])
    assert ended.exit_code == 0, ended.output
    entry = (tmp_path / "engines.toml").read_text()
    assert "engines.adapters.uci" in entry and f"--table={tmp_path / 'own.toml'}" in entry
    ended = CliRunner().invoke(program(), [*asked, "usi", "--replace"])
    assert ended.exit_code == 2 and "--adapter usi: there is no such adapter and no such file" in ended.output


def test_an_adapter_whose_engine_ends_says_so(tmp_path: Path) -> None:
    """The engine's end is the adapter's end, with a sentence on stderr."""
    ended = CliRunner().invoke(program(), ["check", "true", "--adapter", "uci", "--only", "A3", "--slow", "0.3"])
    assert ended.exit_code == 1 and "has ended or has closed its output" in ended.output
