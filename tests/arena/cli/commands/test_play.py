"""`arena play`, with what a person would type coming through a pipe."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.view.terminal_display import TerminalDisplay
from tests.arena.cli.conftest import Arena
from tests.arena.cli.terminal import DEADLINE_S, in_terminal


def scripted(*typed: str) -> Callable[[TerminalDisplay, str, int | None], str | None]:
    """Types these lines, each at a prompt; nothing at all for `...`, until the time that the prompt waits is over."""
    lines = iter(typed)

    def ask(display: TerminalDisplay, prompt: str, wait_ns: int | None) -> str | None:
        line = next(lines, None)
        if line == "...":
            assert wait_ns is not None
            raise TimeoutError
        return line

    return ask


def test_a_person_plays_takes_back_asks_for_hints_and_resigns(
    arena: Arena, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start of a move lists moves, a wrong word changes nothing, undo brings the board back.

    The engine that gives hints runs beside the opponent, who answers after the hint.
    """
    typed = ("a4", "z9", "undo", "hint", "a4a3", "hint", "undo", "", "resign")
    monkeypatch.setattr(TerminalDisplay, "ask", scripted(*typed))
    words = ("--hint-engine", "random", "--variant", "scottish", "--movetime", "50", "--ascii")
    done = arena("play", "greedy", *words)
    assert done.exit_code == 0, done.stderr
    before, _, after = done.stdout.partition("greedy plays")
    assert all(said in before for said in ("a4a3", "z9", "no move of yours to take back"))
    assert before.count("random would play") == after.count("random would play") == 1
    assert "2 plies taken back" in after and after.rstrip().endswith("greedy wins: you resigned")


def test_lines_are_read_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a pipe, whole or in parts; nothing is lost when the time is over, and the end of the input is told."""
    read, write = os.pipe()
    with open(read) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        display = TerminalDisplay()
        os.write(write, b"a4\nund")
        assert display.ask("> ", None) == "a4"
        with pytest.raises(TimeoutError):
            display.ask("> ", 0)
        os.write(write, b"o\n\n")
        assert (display.ask("> ", None), display.ask("> ", 0)) == ("undo", "")
        os.close(write)
        assert display.ask("> ", None) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nobody is named to play"),
        (["random", "greedy"], "arena match random greedy"),
        (["human", "random", "--side", "p1"], "--side"),
        (["human", "--side", "p2"], "--side: two people play"),
        (["a", "b", "c"], "a game has two"),
        (["human", "--movetime", "5"], "--hint-engine"),
        (["random", "--resume", "saved.jsonl", "--variant", "brandub"], "--variant: the game in saved.jsonl says"),
        (["random", "--resume", "two.jsonl"], "several games"),
        (["random", "--resume", "over.jsonl"], "the game is over, p2 by king-escaped"),
        (["random", "--resume", "empty.jsonl"], "holds no game"),
        (["random", "--resume", "text.jsonl"], "text.jsonl:1"),
        (["random", "--resume", "flag.jsonl"], "give a new clock with --tc"),
        (["--resume", "engines.jsonl"], "the game is one of alpha and beta"),
        (["random", "--save", "saved.jsonl"], "--save 'saved.jsonl'"),
        (["random", "--tc", "movetime=5"], "not a clock"),
        (["random", "--port", "0"], "--web"),
        (["random", "greedy", "--web", "--port", "0"], "arena match random greedy"),
        (["random", "--web", "--port", "0", "--save", "no/folder.jsonl"], "--save"),
        (["random", "--web", "--port", "0", "--host", "no.such.host.invalid"], "no.such.host.invalid"),
    ],
)
def test_players_and_files_that_do_not_fit_are_told(
    arena: Arena, quick: None, tmp_path: Path, words: list[str], said: str
) -> None:
    """A sentence with the option or the file, exit code 2, and nothing is written."""
    saved = {"variant": "scottish", "moves": ["d1c1"], "p1": "human", "p2": "random", "winner": None}
    flagged = [{"move": "d1c1", "wall_us": 1, "left_ms": 0}, {"move": "d3b3", "wall_us": 1, "left_ms": 0}]
    escape = "d1c1 d3b3 c1d1 d4d3 d1c1 d3g3".split()
    files: dict[str, list[object]] = {
        "saved": [saved],
        "two": [saved, saved],
        "over": [{**saved, "moves": escape, "winner": "p2"}],
        "empty": [],
        "text": ["hello"],
        "engines": [{**saved, "p1": "alpha", "p2": "beta"}],
        "flag": [{**saved, "moves": ["d1c1", "d3b3"], "ply_data": flagged, "tc": "1+0"}],
    }
    for name, games in files.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(game) + "\n" for game in games))
    done = arena("play", *words, text="")
    assert (done.exit_code, said in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr
    assert len(list(tmp_path.iterdir())) == len(files)


def test_a_saved_game_is_imported_and_shown(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people play to the end, and other commands read what was kept."""
    monkeypatch.setattr(TerminalDisplay, "ask", scripted(*"d1c1 d3b3 c1d1 d4d3 d1c1 d3g3".split()))
    played = arena("play", "human", "human", "--variant", "scottish", "--save", "game.pgn")
    assert played.exit_code == 0, played.stderr
    assert "p2 (defenders) wins: the king escaped" in played.stdout
    assert "1 game imported" in arena("import", "game.pgn", "--into", "games.db").stdout
    assert "human-p2 won by king-escaped" in arena("show", "games.db", "1").stdout
    monkeypatch.setattr(TerminalDisplay, "ask", scripted(*"d1c1 quit".split()))
    arena("play", "human", "--variant", "scottish", "--save", "game.jsonl")
    assert arena("verify", "game.jsonl").exit_code == 0
    monkeypatch.setattr(TerminalDisplay, "ask", scripted(*"d3b3 resign".split()))
    resumed = arena("play", "--resume", "game.jsonl")
    assert "p1 (attackers) resigns: p2 (defenders) wins" in resumed.stdout
    assert json.loads(Path("game.jsonl").read_text())["moves"] == ["d1c1", "d3b3"]


@pytest.mark.long
def test_two_people_at_a_terminal_can_save_their_game_when_it_has_ended(tmp_path: Path) -> None:
    """They type as at any prompt, and are asked before the game is lost."""
    path = tmp_path / "game.jsonl"
    with in_terminal("play", "human", "human", "--variant", "scottish", "--ascii") as (terminal, _):
        terminal.until("1. attackers: ")
        terminal.type(b"d1c1\n")
        terminal.until("1. defenders: ")
        terminal.type(b"resign\n")
        assert "p2 (defenders) resigns: p1 (attackers) wins" in terminal.until("Enter leaves: ")
        terminal.type(f"save {path}\n".encode())
        terminal.until("the game is saved: arena import")
        assert terminal.process.wait(DEADLINE_S) == 0
    assert json.loads(path.read_text())["winner"] == "p1"
