"""A game with people: its moves, its clocks, and moves taken back."""

from pathlib import Path

from arena.games import variants
from arena.human.game import HumanGame
from arena.timing.time_control import parse
from tests.arena.human.test_terminal import Scripted


def casual(*words: str, tc: str = "10+1", person: int = 0) -> tuple[HumanGame, Scripted]:
    """A game of callanish-7 against an engine that takes a second for each of these moves."""
    rules, start = variants.resolve("callanish-7")
    engine = Scripted(*words)
    engines = (None, engine) if person == 0 else (engine, None)
    return HumanGame(rules, start, engines, parse(tc)), engine


def test_moves_taken_back_give_back_their_time() -> None:
    """Both clocks stand where they stood, the increments gone too."""
    game, engine = casual("c3")
    game.play("c4", 3 * 10**9)
    game.reply()
    assert engine.position == b"position startpos moves c4"
    assert engine.went == b"go p1time 8000 p2time 10000 p1inc 1000 p2inc 1000\n"
    assert (game.left_ns(0), game.left_ns(1)) == (8 * 10**9, 10 * 10**9)
    game.play(game.legal_words()[0], 4 * 10**9)
    assert game.undo() == 1
    assert (game.left_ns(0), game.turn) == (8 * 10**9, 0)
    assert game.undo() == 2
    assert game.undo() == 0
    assert (game.left_ns(0), game.left_ns(1), game.game.moves) == (10 * 10**9, 10 * 10**9, [])


def test_the_second_player_takes_back_his_own_move_only(tmp_path: Path) -> None:
    """The engine's first move stays: there is nothing of the person's before it."""
    game, _ = casual("c4", "c4a3a5", person=1, tc="nodes=5")
    game.reply()
    assert game.undo() == 0
    game.play("d4", 0)
    game.reply()
    assert game.undo() == 2
    assert game.game.moves == ["c4"]
    assert game.left_ns(0) is None
