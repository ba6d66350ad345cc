"""Why a move is illegal, in a sentence."""

from dataclasses import replace

import pytest

from arena.cli.run.ending import ending_line
from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.illegal import why_illegal
from arena.games.variants import resolve
from results.record import Termination
from results.tables.endings import ending_text
from tests.results.made import GAME


@pytest.mark.parametrize(
    ("variant", "moves", "word", "why"),
    [
        ("callanish-5", (), "a9", "there is no square a9 on this board (SPEC A.3)"),
        ("callanish-5", ("a1", "e5"), "c3b1d1", "c3 has nothing (SPEC A.4)"),
        ("callanish-5", ("a1", "e5"), "e5c4d3", "e5 has a covered or foreign stone (b) (SPEC A.4)"),
        ("callanish-5", ("a1", "e5"), "a1b3b2", "b2 is no knight's move from a1 (SPEC A.4)"),
        ("callanish-5", ("a1", "c2"), "a1c2c2", "the two targets differ, and here c2 stands twice (SPEC A.4)"),
        ("callanish-5", ("a1",), "0000", "0000 is no move, and there is a legal one"),
        ("callanish-5", ("a1",), "resign", "only an engine that announces UGI_Resign may resign"),
        ("brandub", (), "d4d5", "d4 has no piece of the side to move (SPEC A.9)"),
        ("brandub", (), "d1e2", "pieces move along a rank or file (SPEC A.9)"),
        ("brandub", (), "d1d3", "pieces move over empty squares only (SPEC A.9)"),
        (
            *("tablut-ashton", ("e4f4", "f1g1"), "f4f1"),
            "f1 is in a camp, and only a piece that stands in that camp may go there (SPEC A.17)",
        ),
    ],
)
def test_an_illegal_move_has_its_reason(variant: str, moves: tuple[str, ...], word: str, why: str) -> None:
    """The sentence names the square, and the clause of SPEC.md that says so."""
    game = Game(*resolve(variant))
    for move in moves:
        game.play(move)
    assert word not in legal_words(game)
    assert why_illegal(game, word).endswith(why)


@pytest.mark.parametrize(
    ("options", "fen", "word", "why"),
    [
        ("centre_pass=king", "7/7/7/1k5/7/3a3/7 p1 1", "d2d6", "centre_pass=king (SPEC A.11)"),
        ("centre_pass=nobody", "7/7/7/1k5/7/3a3/7 p2 1", "b4f4", "centre_pass=nobody (SPEC A.11)"),
        ("centre_stop=nobody", "7/7/7/1k5/7/3a3/7 p2 1", "b4d4", "centre_stop=nobody (SPEC A.11)"),
    ],
)
def test_who_may_not_pass_over_the_centre_is_told(options: str, fen: str, word: str, why: str) -> None:
    """By the rule option that forbids it."""
    game = Game(*resolve("scottish", options, fen))
    assert word not in legal_words(game) and why_illegal(game, word) == why


def test_a_lost_game_is_told_with_the_reason() -> None:
    """The record keeps the move and the position; the reason is added where the game is told."""
    game = Game(*resolve("callanish-5"))
    lost = replace(
        GAME,
        variant="callanish-5",
        fen=game.start.fen(),
        opening=(),
        plies=(),
        winner="p2",
        termination=Termination.ILLEGAL_MOVE,
        detail=f"a9 at ply 1 is not legal in {game.start.fen()}",
    )
    told = ending_line(lost)
    assert told.endswith("illegal-move: a9 at ply 1: there is no square a9 on this board (SPEC A.3)")
    assert ending_line(replace(lost, termination=Termination.TIME)) == ending_text(
        replace(lost, termination=Termination.TIME)
    )
    assert ending_line(replace(lost, fen="nonsense")) == ending_text(replace(lost, fen="nonsense"))
