"""variants, position, perft and verify, as a user sees them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from arena.games.variants import names

Arena = Callable[..., Result]

CYCLE = "d1c1 d3c3 c1d1 c3d3"
GOOD = {"variant": "scottish", "moves": ["d1c1", "d3b3", "c1d1", "d4d3", "d1c1", "d3g3"], "winner": "p2"}


def test_all_variants_are_listed(arena: Arena) -> None:
    """The table has each variant once, with its board and who begins."""
    for lang in ("en", "ja"):
        listed = arena("variants", "--lang", lang)
        assert listed.exit_code == 0
        assert [
            line.split()[0] for line in listed.stdout.splitlines()[1:] if line[:1].isascii() and line[0] != " "
        ] == [*names()]


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


def test_a_variant_is_told_in_japanese(arena: Arena) -> None:
    """The same in Japanese, with signs that are two columns wide everywhere."""
    told = arena("variants", "brandub", "--lang", "ja").stdout
    assert "4  攻 攻 守 王 守 攻 攻" in told
    assert "守備側の勝ちです" in told


@pytest.mark.parametrize("arguments", [["scottish:king_armed=yes"], ["scottish", "--rules", "king_armed=yes"]])
def test_knobs_change_the_rules_told(arena: Arena, arguments: list[str]) -> None:
    """In the name or as an option."""
    assert "The king is armed" in arena("variants", *arguments).stdout
    assert "The king is unarmed" in arena("variants", "scottish").stdout


def test_an_unknown_variant_is_refused_with_what_is_near(arena: Arena) -> None:
    """One sentence on stderr, exit code 2."""
    ended = arena("variants", "brandubh")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("arena: ") and "'brandubh'" in ended.stderr


def test_japanese_needs_an_encoding_that_has_it() -> None:
    """A terminal without Japanese gets a sentence, not a traceback; boards fall back to ASCII."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "arena.main", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    refused = run("variants", "--lang", "ja")
    assert (refused.returncode, refused.stderr[:17]) == (2, "arena: --lang ja:")
    drawn = run("position", "scottish")
    assert drawn.returncode == 0
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


def test_a_finished_position_has_no_legal_moves(arena: Arena) -> None:
    """The king on the edge: winner and reason are said, nothing can be played."""
    moves = " ".join(GOOD["moves"])
    answer = json.loads(arena("position", "scottish", "--moves", moves, "--json").stdout)
    assert (answer["winner"], answer["reason"], answer["legal"]) == ("p2", "king-escaped", [])
    assert "p2 (defenders) won by king-escaped" in arena("position", "scottish", "--moves", moves).stdout


def test_repetition_counts_the_moves_given(arena: Arena) -> None:
    """The third occurrence ends the game though the board has moves."""
    answer = json.loads(arena("position", "scottish", "--moves", f"{CYCLE} {CYCLE}", "--json").stdout)
    assert (answer["winner"], answer["reason"], answer["legal"]) == ("draw", "repetition", [])
    assert "draw by repetition" in arena("position", "scottish", "--moves", f"{CYCLE} {CYCLE}").stdout


@pytest.mark.parametrize(
    ("moves", "named"),
    [
        ("d1c1 d3c3 d6d6", "ply 3: 'd6d6'"),
        ("nonsense", "ply 1: 'nonsense'"),
        (f"{CYCLE} {CYCLE} d1c1", "ply 9: 'd1c1' cannot be played: the game was over before it, draw by repetition"),
    ],
)
def test_an_illegal_move_is_named_with_its_ply(arena: Arena, moves: str, named: str) -> None:
    """Plies count from 1; exit code 2."""
    ended = arena("position", "scottish", "--moves", moves)
    assert ended.exit_code == 2
    assert named in ended.stderr


def test_a_drawn_board(arena: Arena, tmp_path: Path) -> None:
    """A drawing is a position of `callanish`; what the rules advise against comes as a warning on stderr."""
    drawing = tmp_path / "board.txt"
    drawing.write_text("....\n.w*.\n..b.\n....\n")
    ended = arena("position", "callanish", "--board", drawing, "--json")
    answer = json.loads(ended.stdout)
    assert (answer["variant"], answer["fen"]) == ("callanish", "4/1w*1/2b1/4 p1 1")
    assert "arena: warning: the board has 4 files" in ended.stderr


def test_a_drawn_board_keeps_its_knobs(arena: Arena, tmp_path: Path) -> None:
    """A TOML drawing names its variant with knobs; the bare variant on the command line does not undo them."""
    drawing = tmp_path / "board.toml"
    drawing.write_text(
        'variant = "scottish:king_armed=yes"\nboard = """\n.......\n...a...\n.......\n...k...\n'
        + ".......\n" * 3
        + '"""\n'
    )
    answer = json.loads(arena("position", "scottish", "--board", drawing, "--json").stdout)
    assert answer["variant"] == "scottish:king_armed=yes"
    for other in ("callanish-9", "callanish", "scottish:king_steps=2"):
        refused = arena("position", other, "--board", drawing)
        assert refused.exit_code == 2
        assert f"says that its variant is scottish:king_armed=yes, but {other} was asked for" in refused.stderr
    assert arena("position", "scottish", "--board", drawing, "--fen", "x").stderr == (
        "arena: give --board or --fen, not both\n"
    )


def test_a_bad_position_string_is_refused(arena: Arena) -> None:
    """Exit code 2 and a sentence that names what is wrong."""
    ended = arena("position", "scottish", "--fen", "7/7/7/7/7/7/7 p1")
    assert (ended.exit_code, ended.stderr) == (2, "arena: the board has no king; it needs exactly one k\n")


@pytest.mark.parametrize(("depth", "count"), [("0", "1"), ("1", "48"), ("2", "1152")])
def test_perft_prints_the_bare_count_last(arena: Arena, depth: str, count: str) -> None:
    """Numbers of the published counts."""
    assert arena("perft", "scottish", depth).stdout == f"{count}\n"
    assert arena("perft", "scottish", depth, "--divide").stdout.splitlines()[-1] == count


def test_perft_divides_by_first_move(arena: Arena) -> None:
    """The counts after each first move add up to the last line."""
    *parts, total = arena("perft", "brandub", "2", "--divide", "--moves", "d1c1 d3c3").stdout.splitlines()
    assert len(parts) > 40
    assert sum(int(part.split()[1]) for part in parts) == int(total)


def test_perft_refuses_a_negative_depth(arena: Arena) -> None:
    """Taken for a depth, not for an option."""
    ended = arena("perft", "scottish", "-1")
    assert ended.exit_code == 2
    assert "DEPTH" in ended.stderr


def test_verify_agrees(arena: Arena, tmp_path: Path) -> None:
    """Good records: a summary and exit code 0; blank lines do not count."""
    file = tmp_path / "games.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n\n{json.dumps(GOOD)}\n")
    ended = arena("verify", file)
    assert (ended.exit_code, ended.stdout) == (0, "2 records checked, all agree with the rules\n")


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


def test_verify_without_records(arena: Arena, tmp_path: Path) -> None:
    """A missing and an empty file are bad input."""
    missing, empty = tmp_path / "none.jsonl", tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert arena("verify", missing).stderr == f"arena: {missing}: No such file or directory\n"
    ended = arena("verify", empty)
    assert ended.exit_code == 2
    assert "holds no records" in ended.stderr


def test_a_drawing_without_a_variant_is_of_the_one_asked_for(arena: Arena, tmp_path: Path) -> None:
    """The letters a, d and k are known without a TOML file; knobs hold before the board is judged."""
    drawing = tmp_path / "board.txt"
    drawing.write_text(".......\n...a...\n.......\nk......\n" + ".......\n" * 3)
    armed = arena("position", "scottish:escape=corner", "--board", drawing, "--json")
    assert json.loads(armed.stdout)["fen"] == "7/3a3/7/k6/7/7/7 p1 1"
    again = arena("position", "scottish", "--rules", "escape=corner", "--board", drawing, "--json")
    assert json.loads(again.stdout)["variant"] == "scottish:escape=corner"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "/dev/zero"], "arena: /dev/zero, line 1: is longer than 64 MiB"),
        (["verify", "/proc/self/mem"], "arena: /proc/self/mem: Input/output error"),
        (
            ["position", "callanish", "--board", "/dev/zero"],
            "arena: /dev/zero: cannot be read (it is a device or a pipe",
        ),
    ],
)
def test_files_without_an_end_are_refused(arena: Arena, arguments: list[str], said: str) -> None:
    """Devices are not read for ever, and a read that fails names its file."""
    ended = arena(*arguments)
    assert ended.exit_code == 2
    assert ended.stderr.startswith(said) and ended.stderr.count("\n") == 1


def test_verify_without_stdin_says_so() -> None:
    """`arena verify - <&-`."""
    command = ["sh", "-c", '"$@" <&-', "sh", sys.executable, "-m", "arena.main", "verify", "-"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (2, "arena: -: stdin is closed; name a file\n")


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
