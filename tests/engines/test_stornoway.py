"""stornoway: its rules in C are those in Python, its search finds the fastest wins, and it does without its library."""

import json
from pathlib import Path
from random import Random

import pytest

from arena.games import variants
from arena.games.callanish.rules import CallanishPosition
from arena.games.perft import perft
from engines.native.build import library
from engines.native.kernel import ALL, USEFUL, Kernel, Limits
from engines.stornoway import StornowayPlayer
from protocol.engine import Limits as GoLimits
from protocol.engine import Root
from tests.engines.shared import IN_C, Heard

WINS = json.loads(Path(__file__).with_name("callanish_wins.json").read_text())
"""Positions, and the fewest plies in which the side to move wins, found by brute force."""
BOARDS = ["callanish-5", "callanish-7", "callanish-7:supply=6", "callanish-9", "callanish-corners", "callanish-13"]
DRAWN = ["3/3/3 p1 1", "7/2*1*2/7/3*3/7/7 p1 1", "12/12/12/12/12 p1 1", "5*3/4*4/2*6 p1 1"]
PLAYER = StornowayPlayer()

pytestmark = IN_C


def kernel_of(position: CallanishPosition, megabytes: int = 1) -> Kernel:
    board = PLAYER.board(position)
    assert board is not None
    return Kernel(library("stornoway"), *board, megabytes)


def start_of(name: str) -> CallanishPosition:
    position = variants.resolve("callanish", "", name)[1] if " " in name else variants.resolve(name)[1]
    assert isinstance(position, CallanishPosition)
    return position


def test_rules_in_c_are_those_in_python() -> None:
    """In random games, turns, outcomes and positions are the same in C; useful turns do not lose at once."""
    for name in BOARDS + DRAWN:
        chance, start = Random(name), start_of(name)
        kernel = kernel_of(start)
        for _ in range(2):
            position = start
            while position.outcome is None:
                words = PLAYER.words(position)
                numbers = {PLAYER.move(position, number): number for number in kernel.moves(words, ALL)}
                turns = position.legal_moves()
                assert sorted(numbers) == [turn.text for turn in turns]
                assert kernel.outcome(words) == 0
                if position.turn % 4 == 0:
                    after = [(turn.text, position.play(turn).outcome) for turn in turns]
                    opponent = "p2" if position.side == "p1" else "p1"
                    keeps = {text for text, outcome in after if outcome is None or outcome.winner != opponent}
                    assert {PLAYER.move(position, number) for number in kernel.moves(words, USEFUL)} == keeps
                turn = chance.choice(turns)
                position, played = position.play(turn), kernel.play(words, numbers[turn.text])
                assert played == list(PLAYER.words(position))
            assert kernel.outcome(PLAYER.words(position)) == (1 if position.outcome.winner == position.side else 2)


def test_perft_is_the_same() -> None:
    """Move sequences are as many in C as in Python."""
    for name, depth in (("callanish-5", 3), ("callanish-7", 2), ("callanish-corners", 2)):
        position = start_of(name)
        assert kernel_of(position).perft(PLAYER.words(position), depth) == perft(position, depth)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2))])
def test_fastest_wins_are_found(part: int) -> None:
    """Every win that brute force has proven is found, and none slower than it is."""
    assert len(WINS) >= 40
    for name, plies, fen in WINS[part::3]:
        position = variants.resolve(name, "", fen)[1]
        assert isinstance(position, CallanishPosition)
        kernel, words = kernel_of(position, 8), PLAYER.words(position)
        report = kernel.think(words, [], Limits(nodes=100_000))
        if 30_000 - report.score != plies:
            report = kernel.think(words, [], Limits(nodes=1_000_000))
        assert 30_000 - report.score == plies, (name, fen, report)


def test_a_clock_that_is_nearly_empty_gets_an_answer() -> None:
    """With a millisecond left the move comes at once."""
    player = StornowayPlayer()
    search = Heard(GoLimits(time_ms=1, inc_ms=0))
    move = player.search(Root("callanish-13", "", None, ("g7", "f7")), search)
    assert variants.resolve("callanish-13")[1].find("g7") and len(move) == 6 + move.count("10") + move.count("11")
    assert search.told[-1]["depth"] == 1


def test_large_boards_are_searched_in_python() -> None:
    """Above 13x13 the Python search plays, and an info line says so once."""
    player = StornowayPlayer()
    search = Heard(GoLimits(nodes=300))
    root = Root("callanish-15", "", None, ())
    assert player.search(root, search) and player.search(root, search)
    said = [told["string"] for told in search.told if "string" in told]
    assert said == ["Stornoway searches in Python as alphabeta does: the board is larger than 13x13"]


def test_a_missing_library_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the library the Python search plays, and an info line says how to make it."""
    monkeypatch.setattr("engines.native.player._library", lambda name: tmp_path / f"{name}.so")
    player = StornowayPlayer()
    search = Heard(GoLimits(nodes=300))
    assert player.search(Root("callanish-5", "", None, ()), search)
    assert "`arena engines build` compiles it" in str(search.told[0]["string"])
