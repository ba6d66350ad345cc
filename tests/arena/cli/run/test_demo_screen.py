"""The last screen of the demo."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.run.demo_screen import print_screen
from arena.cli.run.ending import Ending
from results.record import GameRecord, Winner
from results.store.store import Store
from tests.arena.cli.conftest import ESCAPE, add, record

FIELD = ("strong-500", "strong-100", "mcts-1s", "alphabeta-200", "greedy")


def games() -> Iterator[GameRecord]:
    """Each engine beats those after it twice, as p1 and as p2; then the last beats the first."""
    winners: tuple[Winner, Winner] = ("p1", "p2")
    pairs = [(one, two) for number, one in enumerate(FIELD) for two in FIELD[number + 1 :]]
    number = 0
    for one, two in pairs:
        for winner in winners:
            number += 1
            sides = (one, two) if winner == "p1" else (two, one)
            moves = ("d1c1", "d3b3", "c1d1", "d4d3", *("d1c1", "d3d4", "c1d1", "d4d3") * number, *ESCAPE[4:])
            yield replace(game(number, winner, moves), p1=sides[0], p2=sides[1])
    yield replace(game(number + 1, "p2"), p1=FIELD[0], p2=FIELD[4])


def game(number: int, winner: Winner, moves: tuple[str, ...] = ESCAPE) -> GameRecord:
    return record("aa11", number, winner, "king-escaped", moves)


@pytest.fixture
def ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ending]:
    """The end of such a run in demo.db."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    with Store.create_or_open("demo.db") as store:
        add(store, "aa11", list(games()))
        yield Ending("demo", store, "aa11", Path("demo.db"))


def screen(ending: Ending, capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_screen(ending)
    return capsys.readouterr().out.splitlines()


def test_the_screen_fits_a_terminal_of_24_lines_and_80_columns(
    ending: Ending, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a line for the prompt: all engines, a board, why it is shown, and three commands."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = screen(ending, capsys)
    assert lines.pop(0) == ""
    assert len(lines) <= 23 and max(map(len, lines)) <= 80
    assert [line.split()[1] for line in lines[1:6]] == [*FIELD]
    text = "\n".join(lines)
    assert "The greatest upset: game 21, scottish, by king-escaped at ply 6." in text
    assert "greedy (defenders, 5th) beat strong-500 (attackers, 1st)" in text
    assert lines[-4:] == [
        "Try next:",
        "  arena show demo.db 21",
        "  arena report demo.db",
        "  arena play greedy --variant callanish-7",
    ]


def test_a_demo_that_was_stopped_before_its_first_game_has_a_table_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No board, no command for games that do not exist."""
    with Store.create_or_open(tmp_path / "demo.db") as store:
        add(store, "aa11", [])
        lines = screen(Ending("demo", store, "aa11", tmp_path / "demo.db"), capsys)
    assert "alpha" in "\n".join(lines) and "Try next:" not in lines
