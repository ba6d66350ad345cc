"""Boards of running games."""

from dataclasses import replace

import pytest

from arena.games.game import Game
from arena.live.boards import RunningBoards
from tests.arena.live.made import GAME, MOVES


def test_a_board_shows_the_position_and_the_last_move() -> None:
    """Of the opening, where no engine has moved yet."""
    board = RunningBoards().board(GAME)
    assert board is not None and board.rows[0] == "..www.." and board.last == ("d5", "c7", "e7")
    begun = RunningBoards().board(replace(GAME, moves=()))
    assert begun is not None and begun.last == ("d2",)


def test_only_new_moves_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game costs no more than a short one. A game that is told anew is played anew."""
    played: list[str] = []
    play = Game.play

    def counted(game: Game, word: str) -> None:
        played.append(word)
        play(game, word)

    monkeypatch.setattr(Game, "play", counted)
    boards = RunningBoards()
    for count in (1, 1, 3, 3):
        assert boards.board(replace(GAME, moves=MOVES[:count])) is not None
    assert played == ["b6", "d2", *MOVES]
    assert boards.board(replace(GAME, moves=MOVES[:2])) is not None
    assert played[5:] == ["b6", "d2", *MOVES[:2]]


def test_what_cannot_be_played_has_no_board() -> None:
    """It may come from anybody's file."""
    moves = (None, ("a1a1a1",), MOVES * 9, ("a1",) * 100_000)
    fens = ("", "9" * 5_000, "7/7/7/7/7/7/7 p1 " + "9" * 5_000, "\x00")
    games = [*(replace(GAME, moves=each) for each in moves), *(replace(GAME, fen=each) for each in fens)]
    games += [replace(GAME, variant=each) for each in ("\x1b[2J", "scottish:king_steps=" + "9" * 5_000)]
    for game in (*games, replace(GAME, opening=("",))):
        boards = RunningBoards()
        assert boards.board(game) is None and boards.board(game) is None, game
