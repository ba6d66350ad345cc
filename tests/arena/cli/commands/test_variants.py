"""variants, position, perft and verify, as a user sees them."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.games.variants import names
from tests.arena.cli.conftest import Arena
from tests.command_line import program

CYCLE = "d1c1 d3c3 c1d1 c3d3"
GOOD = {"variant": "scottish", "moves": ["d1c1", "d3b3", "c1d1", "d4d3", "d1c1", "d3g3"], "winner": "p2"}


def test_all_variants_are_listed(arena: Arena) -> None:
    """The table has each variant once, with its board and who begins."""
    listed = arena("variants", "--lang", "ja")
    assert listed.exit_code == 0
    lines = [line for line in listed.stdout.splitlines()[1:] if line[:1].isascii() and line[0] != " "]
    assert [line.split()[0] for line in lines] == [*names()]


def test_variants_are_listed_and_told_as_json_too(arena: Arena) -> None:
    """The list has what the table has, and a variant its rules as well."""
    listed = {each["name"]: each for each in json.loads(arena("variants", "--json").stdout)}
    assert listed["scottish"].items() >= {"board": "7x7", "first": "attackers"}.items()
    one = json.loads(arena("variants", "scottish", "--json").stdout)
    assert one.items() >= listed["scottish"].items() and one["sections"][0]["sentences"]


def test_a_variant_is_told_with_its_board(arena: Arena) -> None:
    """Rules in sentences and the start board."""
    told = arena("variants", "brandub").stdout
    assert "4  ● ● ○ ♔ ○ ● ●" in told
    assert "reaches a corner" in told


def test_special_rules_are_drawn_before_and_after(arena: Arena) -> None:
    """`arena variants copenhagen` shows a shieldwall, an encirclement and a fort; brandub has none of them."""
    told = arena("variants", "copenhagen", "--ascii").stdout
    for caption in ("A shieldwall, before and after", "An encirclement, before and after", "A fort, before and after"):
        assert caption in told
    assert "1  +=a=x x=a=. +" in told and "x taken by the shieldwall" in told
    assert "before and after" not in arena("variants", "brandub").stdout
    assert "盾の壁" in arena("variants", "copenhagen", "--lang", "ja").stdout


def test_rule_options_change_the_rules_told(arena: Arena) -> None:
    """In the name or as an option."""
    for words in (("scottish:king_armed=yes",), ("scottish", "--rules", "king_armed=yes")):
        assert "The king is armed" in arena("variants", *words).stdout


def test_japanese_needs_an_encoding_that_has_it() -> None:
    """A terminal without Japanese gets a sentence, not a traceback; boards fall back to ASCII."""
    terminal = CliRunner(charset="ascii")
    refused = terminal.invoke(program(), ["variants", "--lang", "ja"])
    assert (refused.exit_code, refused.stderr[:17]) == (2, "arena: --lang ja:")
    drawn = terminal.invoke(program(), ["position", "scottish"])
    assert drawn.exit_code == 0
    assert "4  a a d k d a a" in drawn.stdout


def test_a_position_is_drawn_with_its_facts(arena: Arena) -> None:
    """Board, side to move, number of legal moves, the moves."""
    shown = arena("position", "scottish", "--moves", "d1c1").stdout
    assert "1  · ·[●|·]· · ·" in shown
    assert "to move      p2 (defenders), turn 1" in shown
    assert "legal moves  23" in shown
    assert "c4c3" in shown.split()


def test_a_position_as_json(arena: Arena) -> None:
    """Exactly these keys; the variant's canonical name; the position after the moves."""
    answer = json.loads(arena("position", "callanish", "--moves", "e5 c4", "--json").stdout)
    assert list(answer) == ["variant", "fen", "to_move", "legal", "winner", "reason"]
    assert answer["variant"] == "callanish-9"
    assert answer["fen"] == "9/9/9/9/4w4/2b6/9/9/9 p1 2"
    assert (answer["to_move"], answer["winner"], answer["reason"]) == ("p1", None, None)
    assert len(answer["legal"]) == 28 and answer["legal"] == sorted(answer["legal"])


def test_repetition_counts_the_moves_given(arena: Arena) -> None:
    """The third occurrence ends the game though the board has moves."""
    answer = json.loads(arena("position", "scottish", "--moves", f"{CYCLE} {CYCLE}", "--json").stdout)
    assert (answer["winner"], answer["reason"], answer["legal"]) == ("draw", "repetition", [])
    assert "draw by repetition" in arena("position", "scottish", "--moves", f"{CYCLE} {CYCLE}").stdout


def test_an_illegal_move_is_named_with_its_ply(arena: Arena) -> None:
    """Plies count from 1; exit code 2."""
    for moves, named in (
        ("d1c1 d3c3 d6d6", "ply 3: 'd6d6'"),
        (f"{CYCLE} {CYCLE} d1c1", "ply 9: 'd1c1' cannot be played: the game was over before it, draw by repetition"),
    ):
        ended = arena("position", "scottish", "--moves", moves)
        assert ended.exit_code == 2 and named in ended.stderr


def test_a_drawn_board(arena: Arena, tmp_path: Path) -> None:
    """A drawing is a position of `callanish`; what the rules advise against comes as a warning on stderr."""
    drawing = tmp_path / "board.txt"
    drawing.write_text("....\n.w*.\n..b.\n....\n")
    ended = arena("position", "callanish", "--board", drawing, "--json")
    answer = json.loads(ended.stdout)
    assert (answer["variant"], answer["fen"]) == ("callanish", "4/1w*1/2b1/4 p1 1")
    assert "at least 7; this board has 4 and 4" in ended.stderr


def test_a_drawn_board_keeps_its_knobs(arena: Arena, tmp_path: Path) -> None:
    """A TOML drawing names its variant with knobs; the bare variant on the command line does not undo them."""
    drawing = tmp_path / "board.toml"
    board = "\n".join(["", ".......", "...a...", ".......", "...k...", *["......."] * 3, ""])
    drawing.write_text(f'variant = "scottish:king_armed=yes"\nboard = """{board}"""\n')
    answer = json.loads(arena("position", "scottish", "--board", drawing, "--json").stdout)
    assert answer["variant"] == "scottish:king_armed=yes"
    for other in ("callanish-9", "callanish", "scottish:king_steps=2"):
        refused = arena("position", other, "--board", drawing)
        assert refused.exit_code == 2
        assert f"says that its variant is scottish:king_armed=yes, but {other} was given" in refused.stderr
    both = arena("position", "scottish", "--board", drawing, "--fen", "x")
    assert both.stderr == "arena: give --board or --fen, not both\n"


def test_perft_counts_and_divides(arena: Arena) -> None:
    """The bare count, as it was published, comes last; its parts after each first move add up to it. As JSON too."""
    for depth, count in (("0", "1"), ("1", "48"), ("2", "1152")):
        assert arena("perft", "scottish", depth).stdout == f"{count}\n"
        assert arena("perft", "scottish", depth, "--divide").stdout.splitlines()[-1] == count
    *parts, total = arena("perft", "brandub", "2", "--divide", "--moves", "d1c1 d3c3").stdout.splitlines()
    assert len(parts) > 40
    assert sum(int(part.split()[1]) for part in parts) == int(total)
    found = json.loads(arena("perft", "brandub", "2", "--divide", "--json").stdout)
    assert sum(found["divide"].values()) == found["count"] == int(arena("perft", "brandub", "2").stdout)


def test_verify_names_each_disagreement(arena: Arena) -> None:
    """Line and ply, a summary, exit code 1; `-` reads stdin."""
    wrong_move = {**GOOD, "moves": ["d1c1", "d3d3"], "winner": None}
    wrong_winner = {**GOOD, "winner": "p1"}
    text = "\n".join(json.dumps(each) for each in (GOOD, wrong_move, wrong_winner))
    ended = arena("verify", "-", text=text)
    assert ended.exit_code == 1
    first, second, summary = ended.stdout.splitlines()
    assert first.startswith("line 2, after ply 1: 'd3d3'")
    assert second.startswith("line 3: the record says winner p1")
    assert summary == "3 records checked, 2 of them with disagreements, 2 in all"
    told = arena("verify", "-", "--json", text=text)
    found = json.loads(told.stdout)
    assert (told.exit_code, found["records"], found["wrong"]) == (1, 3, 2)
    assert [(each["line"], each["ply"]) for each in found["disagreements"]] == [(2, 1), (3, None)]


def test_verify_without_stdin_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`arena verify - <&-`, which leaves Python without it."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ended:
        program()(["verify", "-"])
    assert (ended.value.code, capsys.readouterr().err) == (2, "arena: -: stdin is closed; name a file\n")


def test_pgn_is_verified_like_json_lines(arena: Arena, tmp_path: Path) -> None:
    """Games agree with the rules or not; a move that cannot be played is named by its line."""
    games = tmp_path / "g.pgn"
    head = '[White "a"]\n[Black "b"]\n[Result "0-1"]\n[Variant "callanish-5"]\n[Termination "time"]\n\n'
    games.write_text(f"{head}1. a1 b2 0-1\n\n{head}1. a1 a1 0-1\n")
    done = arena("verify", games)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[0].startswith("line 9: ")
    assert "2 records checked, 1 of them with disagreements, 1 in all" in done.stdout
    games.write_text(f"\ufeff{head}1. a1 b2 0-1\n")
    assert arena("verify", games).stdout == "1 record checked, all agree with the rules\n"


def test_the_rows_of_a_database_are_verified_too(arena: Arena, db: Path) -> None:
    """Columns that follow from others, by which games are counted, and how many games the run has."""
    assert arena("verify", db).stdout.endswith(" records checked, all agree with the rules\n")
    with closing(sqlite3.connect(db)) as changed, changed:
        changed.execute("UPDATE games SET flagged = 1, start_ply = 2 WHERE number = 1")
        changed.execute("UPDATE runs SET games = 2")
    done = arena("verify", db)
    assert done.exit_code == 1 and done.stdout.splitlines()[:3] == [
        "game 1: start_ply is 2, but 0 plies came before its position",
        "game 1: flagged is 1, and by the rest False",
        "game 3: run aa11 has 2 games, and this is one more",
    ]
    with closing(sqlite3.connect(db)) as changed, changed:
        changed.execute("UPDATE games SET id = 'bb22-9' WHERE number = 2")
    done = arena("verify", db)
    assert done.exit_code == 1 and "game 2: run is 'aa11', and by the rest 'bb22'\n" in done.stdout
    assert "game 2: its id is bb22-9, and its number 2\n" in done.stdout
