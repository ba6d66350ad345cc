"""Engines that speak almost our protocol: each word is translated by a table, and nothing else is changed."""

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.app import program
from arena.run import slots
from engines.adapters.uci import BadTable, Words, read_table
from tests.arena import workers

PAGE = (Path(__file__).parents[3] / "docs" / "authors" / "UCI.md").read_text(encoding="utf-8")
OWN = """
[words]
quit = "bye"
[variants]
scottish = "tablut"
[position]
p1 = "w"
p2 = "b"
fen = "{board} {side} - - 0 {turn}"
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


def test_what_the_engine_is_told(words: Words) -> None:
    """Commands, limits, options, sides, boards and moves; what has no word there is not told."""
    for ours, theirs in (
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
    ):
        assert words.theirs(ours) == [theirs] * bool(theirs)


def test_what_the_engine_says(words: Words) -> None:
    """Mate counts moves in UCI and plies here; remarks are left as they are."""
    for theirs, ours in (
        ("uciok", "ugiok"),
        ("readyok", "readyok"),
        ("id name Fish 1", "id name Fish 1"),
        ("option name Hash type spin default 1 min 1 max 9", "option name Hash type spin default 1 min 1 max 9"),
        ("bestmove D1-D3", "bestmove d1d3"),
        ("bestmove Kd4-d5xd6+ ponder A1-A2", "bestmove d4d5 ponder a1a2"),
        ("bestmove (none)", "bestmove 0000"),
        ("info depth 3 score mate 2 pv D1-D3 A1-A2", "info depth 3 score mate 3 pv d1d3 a1a2"),
        ("info score mate -2 nodes 7", "info score mate -4 nodes 7"),
        ("info score mate ² nodes 7", "info score mate ² nodes 7"),
        ("info score cp 12 currmove D1-D3 depth 1", ""),
        ("info string bestmove D1-D3 twice", "info string bestmove D1-D3 twice"),
        ("Fish 1.0 by a friend", "Fish 1.0 by a friend"),
        ("", ""),
    ):
        assert words.ours(theirs) == [ours] * bool(ours)


def test_what_an_engine_of_chess_says() -> None:
    """Promotions, ponder moves, and bounds that follow other words; what our infos do not have is not told."""
    for theirs, ours in (
        ("bestmove e7e8q", "bestmove e7e8q"),
        ("bestmove e7e8=Q+ ponder a2a1N", "bestmove e7e8q ponder a2a1n"),
        ("bestmove e1g1 ponder", "bestmove e1g1"),
        ("bestmove d1d3 draw", "bestmove d1d3"),
        ("bestmove e2e4 junk", "bestmove e2e4"),
        ("bestmove e2e4junk", "bestmove e2e4junk"),
        ("bestmove 0000", "bestmove 0000"),
        ("bestmove", "bestmove "),
        (
            "info depth 9 seldepth 12 multipv 1 score cp 31 wdl 90 900 10 lowerbound nodes 7 tbhits 0 time 2 pv e7e8q",
            "info depth 9 seldepth 12 multipv 1 score cp 31 lowerbound nodes 7 time 2 pv e7e8q",
        ),
        ("info score cp -4 upperbound depth 3", "info score cp -4 upperbound depth 3"),
        ("info depth 9 score mate -3 lowerbound string mate 2", "info depth 9 score mate -6 lowerbound string mate 2"),
        ("info depth 30 currmove e2e4 currmovenumber 4", ""),
        ("info time 1 nodes 446 nps 0 cpuload 166", "info time 1 nodes 446 nps 0"),
        ("info refutation d1h5 g6h5", ""),
    ):
        assert read_table(None).ours(theirs) == [ours] * bool(ours)


def test_chess960_is_a_variant_of_engines_that_know_it() -> None:
    """UCI has a check for it, and we have the option for the variant."""
    for announced, option, chess, chess960 in (
        ([], [], None, None),
        (
            ["option name UCI_Chess960 type check default false"],
            ["option name UGI_Variant type combo default chess var chess var chess960"],
            ["setoption name UCI_Chess960 value false"],
            ["setoption name UCI_Chess960 value true"],
        ),
        (
            [
                "option name UCI_Variant type combo default chess var chess var ataxx",
                "option name UCI_Chess960 type check default false",
            ],
            ["option name UGI_Variant type combo default chess var chess var ataxx var chess960"],
            ["setoption name UCI_Chess960 value false", "setoption name UCI_Variant value chess"],
            ["setoption name UCI_Chess960 value true", "setoption name UCI_Variant value chess"],
        ),
        (
            ["option name UCI_Variant type combo default chess var chess"],
            ["option name UGI_Variant type combo default chess var chess"],
            ["setoption name UCI_Variant value chess"],
            None,
        ),
    ):
        words = read_table(None)
        for line in announced:
            words.ours(line)
        assert words.ours("uciok") == [*option, "ugiok"]
        for name, told in (("chess", chess), ("chess960", chess960)):
            if told is not None:
                assert words.theirs(f"setoption name UGI_Variant value {name}") == told


def test_an_option_without_a_text_is_empty_in_both_directions() -> None:
    """Stockfish leaves `<empty>` out, and would take it for the name of a file."""
    words = read_table(None)
    assert words.ours("option name Log type string default") == ["option name Log type string default <empty>"]
    assert words.theirs("setoption name Log value <empty>") == ["setoption name Log"]
    assert words.ours("option name Book type string default <empty>")[0].endswith("<empty>")
    assert words.theirs("setoption name Book value <empty>") == ["setoption name Book value <empty>"]


def test_a_bad_table_is_refused_with_its_key(tmp_path: Path) -> None:
    """One sentence that names the file."""
    for text, sentence in (
        ("[words", "is no TOML"),
        ("[wrods]", "there is no [wrods]; a table has [words], [variants]"),
        ("moves = 3", "there is no [moves]"),
        ("[moves]\nbetwen = '-'", "[moves] has no key 'betwen', only between, upper, none"),
        ("[moves]\nupper = 'yes'", "upper of [moves] is true or false, not 'yes'"),
        ("[words]\nquit = 1", "quit of [words] is a text in quotes, not 1"),
        ("[score]\nmate = 'both'", 'mate of [score] is "moves" or "plies"'),
        ("[position]\nfen = '{bord}'", "may have {board}, {side} and {turn}"),
    ):
        path = tmp_path / "bad.toml"
        path.write_text(text)
        with pytest.raises(BadTable) as refused:
            read_table(str(path))
        assert sentence in str(refused.value) and str(path) in str(refused.value)


def write_example(folder: Path) -> None:
    """The engine and the table of the page, 40 lines at most."""
    files = dict(re.findall(r"^```\w+\n# (fish\.\w+)[^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    assert set(files) == {"fish.py", "fish.toml"}
    assert sum(text.count("\n") + 1 for text in files.values()) <= 40
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("command", ["match", pytest.param("tournament", marks=pytest.mark.long)])
def test_a_run_speaks_to_all_engines_of_others_by_one_adapter(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--adapter` is for the engine of the page, and leaves one of the arena as it is."""
    monkeypatch.setattr(slots, "started", workers.started)  # the test is about no worker
    write_example(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text(
        f'[tournament]\nvariants = ["scottish"]\nrounds = 1\nopenings = 0\nnodes = 1\n[[engines]]\nname = "fish"\n'
        f'command = ["{sys.executable}", "fish.py"]\n[[engines]]\nname = "random"\n'
    )
    asked = {
        "match": ["match", "{python} fish.py", "random", "--variant", "scottish", "--nodes", "1"],
        "tournament": ["tournament", "cup.toml", "--no-smoke"],
    }
    given = [*asked[command], "--adapter", "fish.toml", "--db", "it.db", "--contain", "none", "--pgn", "-"]
    ended = CliRunner().invoke(program(), given)
    assert ended.exit_code == 0, ended.output
    assert ended.stdout.count("[Event ") == 2 and "crash" not in ended.stdout and "illegal" not in ended.stdout


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
