"""Stepping through a game: what keys do and what the screen shows, without a terminal."""

# ruff: noqa: RUF001 - the sign of special squares looks like a letter.

import random
from dataclasses import replace

import pytest

from arena.cli.view.game_stepper import GameStepper, SteppedGame
from arena.games.board_drawing import ASCII, UNICODE, Glyphs
from arena.games.game import Game
from arena.games.game_boards import boards_of_game
from arena.games.line import replay
from arena.games.variants import resolve
from results.plies import Ply
from results.record import GameRecord, Termination
from tests.arena.cli.conftest import ESCAPE, record


def stepper(game: GameRecord, glyphs: Glyphs = UNICODE) -> GameStepper:
    """At the end of a game."""
    played, positions = replay(game.variant, game.fen, game.moves)
    return GameStepper(SteppedGame(game, played, boards_of_game(played, positions)), glyphs)


def escape() -> GameStepper:
    """A game of six plies, two of them its opening, with its end shown."""
    stepped = stepper(record("run", 1, "p2", "king-escaped"))
    stepped.press("end")
    return stepped


def at_random(variant: str, plies: int) -> GameRecord:
    """A game that goes on."""
    game, chance = Game(*resolve(variant)), random.Random(5)
    while game.outcome is None and len(game.moves) < plies:
        game.advance(chance.choice(game.position.moves()))
    return replace(
        record("run", 1, None, Termination.UNFINISHED),
        variant=variant,
        fen=game.start.fen(),
        opening=(),
        plies=tuple(Ply(word, 1000, None, None) for word in game.moves),
    )


def screen(stepped: GameStepper, width: int = 80, height: int = 24) -> str:
    return "\n".join(line.plain.rstrip() for line in stepped.lines(width, height))


def test_a_game_is_opened_after_its_opening() -> None:
    """From there the right arrow shows the first move of an engine. What an engine expected is below its move."""
    stepped = stepper(record("run", 1, "p2", "king-escaped"))
    assert stepped.ply == 2
    stepped.press("right")
    assert "ply 3 of 6: c1d1 by alpha\nwall 12.3 ms, cpu 6.7 ms\nline c1d1 a1a2\n" in screen(stepped)


def test_the_screen_has_the_board_the_moves_and_what_the_last_one_cost() -> None:
    """At the end of a game with the mark of the escape and the result."""
    assert screen(escape()) == (
        "game 1: alpha - beta, scottish, 5+0.05\n"
        "0-1, beta won by king-escaped\n"
        "\n"
        "7  · · · ● · · ·      1. d1c1 d3b3\n"
        "6  · · · ● · · ·      2. c1d1 d4d3\n"
        "5  · · · ○ · · ·      3. d1c1 d3g3\n"
        "4  ● ● ○ × ○ ● ●\n"
        "3  · ○ ·[·]· ·=♔=\n"
        "2  · · · ● · · ·\n"
        "1  · · ● · · · ·\n"
        "   a b c d e f g\n"
        "ply 6 of 6: d3g3 by beta\n"
        "wall 12.3 ms, cpu 6.7 ms\n"
        "line d3g3 a1a2\n"
        "   alpha (attackers)  4.987 s  score cp 31  depth 7\n"
        "   beta (defenders)   4.987 s  score cp 31  depth 7\n"
        "● attacker   ○ defender   ♔ king   × square with rules of its own\n"
        "[ ] last move   = = where the king escaped\n"
        "left/right 1, up/down 10 plies, Home, End, number Enter, q quit"
    )


TYPED = {
    "left": 5,
    "left left right": 5,
    "right": 6,
    "home": 0,
    "home left": 0,
    "home end": 6,
    "up": 0,
    "up pgdn": 6,
    "3 enter": 3,
    "2 backspace 4 enter": 4,
    "9 9 enter": 6,
    "1 esc": 6,
    "1 left enter": 5,
    "F1 x ² resize": 6,
}


def test_keys_go_through_the_game_and_stay_in_it() -> None:
    """Arrows, ten at once, both ends, a number with Enter; other keys do nothing."""
    for typed, ply in TYPED.items():
        stepped = escape()
        assert all(stepped.press(key) for key in typed.split())
        assert stepped.ply == ply, typed


def test_these_keys_leave() -> None:
    """Esc leaves only where nothing was typed."""
    assert not any(escape().press(key) for key in ("q", "esc", "eof"))


def test_the_start_has_full_clocks_and_the_opening_no_cost() -> None:
    """Before the first ply nobody has moved, and the side to move is told."""
    stepped = escape()
    stepped.press("home")
    shown = screen(stepped)
    assert "the start, before ply 1 of 6" in shown
    assert ">  alpha (attackers)  5.000 s" in shown
    stepped.press("right")
    assert "ply 1 of 6: d1c1 by alpha (opening)" in screen(stepped)
    assert ">  beta (defenders)" in screen(stepped)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (40, 20), (40, 12), (20, 5), (7, 2)])
@pytest.mark.parametrize("variant", ["callanish-9", "tawlbwrdd"])
def test_no_screen_is_larger_than_the_terminal(variant: str, size: tuple[int, int]) -> None:
    """The most important lines stay. A board of 9x9 is whole on 24 lines."""
    width, height = size
    stepped = stepper(at_random(variant, 30))
    stepped.press("end")
    lines = stepped.lines(width, height)
    assert len(lines) <= height and max(line.cell_len for line in lines) <= width
    shown = "\n".join(line.plain for line in lines)
    if height >= 20:
        assert f"ply {stepped.ply} of {stepped.ply}" in shown
    if size == (80, 24) and variant == "callanish-9":
        assert "   a b c d e f g" in shown and "Black" in shown and "\n9  " in shown


def test_names_of_strangers_steer_no_terminal_and_ascii_stays_ascii() -> None:
    """A name with an escape sequence is written out, a long one is cut."""
    game = replace(record("run", 1, "p2", "king-escaped"), p1="\x1b[2Jevil" + "x" * 200)
    shown = screen(stepper(game, ASCII))
    assert "\x1b" not in shown
    assert set(shown) - {"…"} <= {chr(code) for code in range(128)}
    assert ESCAPE[-1] in shown
