"""A session of a game with people, driven without a terminal."""

from pathlib import Path

import pytest

from arena.games.rules import IllegalMove
from arena.games.variants import resolve
from arena.human.game import UNFINISHED, EngineMove, HumanGame
from arena.human.game_file import GameFile
from arena.human.session import BrokenEngine, Hint, HumanGameSession
from arena.timing.time_control import parse
from arena.whole_file import CannotWrite
from results.record import Termination
from tests.arena.human.test_terminal import BEGUN, CRASH, GAME_ID, Scripted


def session(engine: Scripted, path: Path | None = None) -> HumanGameSession:
    """A person plays the attackers of scottish against this engine."""
    game = HumanGame(*resolve("scottish"), (None, engine), parse("nodes=5"))
    return HumanGameSession(
        game, ("human", "robot"), GameFile(GAME_ID, BEGUN, path), engine.named, engine.named("robot")
    )


def test_a_turn_of_the_engine_is_a_move_or_the_end_that_its_fault_gives_the_game() -> None:
    """After a fault there is no opponent, and another engine plays on."""
    played = session(Scripted("d3b3", CRASH, "d4d3"))
    played.game.play("d1c1", 0)
    answer = played.engine_turn()
    assert isinstance(answer, EngineMove) and answer.word == "d3b3"
    played.game.play("c1d1", 0)
    broken = played.engine_turn()
    assert isinstance(broken, BrokenEngine)
    assert (broken.end.winner, broken.end.termination) == ("p1", Termination.CRASH)
    assert played.opponent is None
    assert played.change_engine("second").name == played.names[1] == "second"
    assert isinstance(played.engine_turn(), EngineMove)


def test_a_hint_plays_nothing() -> None:
    """The engine that plays gives it, where no other one was named."""
    played = session(Scripted("d1c1"))
    hint = played.hint()
    assert isinstance(hint, Hint) and (hint.engine.name, hint.move.word) == ("robot", "d1c1")
    assert played.game.game.moves == []


def test_a_file_that_is_there_is_not_taken(tmp_path: Path) -> None:
    """The game goes on without a file, and says that leaving would lose it."""
    there = tmp_path / "there.txt"
    there.write_text("precious")
    played = session(Scripted())
    played.game.play("d1c1", 0)
    with pytest.raises(CannotWrite):
        played.name_file(there)
    assert not played.is_kept and played.file.path is None
    played.name_file(tmp_path / "game.jsonl")
    played.save(UNFINISHED)
    assert played.is_kept and played.is_saved and there.read_text() == "precious"


def test_the_clock_of_a_persons_turn_runs_in_the_session() -> None:
    """From the start of the turn, over an illegal move, to the move; nothing runs before it and after it."""
    now = [0]
    game = HumanGame(*resolve("scottish"), (None, None), parse("10+1"))
    file = GameFile(GAME_ID, BEGUN)
    played = HumanGameSession(game, ("human-p1", "human-p2"), file, Scripted().named, None, now_ns=lambda: now[0])
    now[0] += 10**9
    assert played.left_ns(0) == 10 * 10**9
    played.start_turn()
    now[0] += 2 * 10**9
    with pytest.raises(IllegalMove):
        played.play("d1e2")
    assert (played.left_ns(0), played.left_ns(1)) == (8 * 10**9, 10 * 10**9)
    now[0] += 10**9
    played.play("d1c1")
    now[0] += 10**9
    assert (played.left_ns(0), played.left_ns(1)) == (8 * 10**9, 10 * 10**9)
    assert played.undo() == 1 and played.left_ns(0) == 10 * 10**9
