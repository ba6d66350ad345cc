"""A game in a thread of its own, with scripted engines: faults, hints, and what the arena cannot do."""

import contextlib
import queue
from collections.abc import Iterator

import pytest

from arena.cli import errors
from arena.games.variants import resolve
from arena.human.game import HumanGame
from arena.human.game_file import GameFile
from arena.human.hosted_game import HostedGame
from arena.human.session import HumanGameSession, Phase, PlayCommand
from arena.timing.time_control import parse
from tests.arena.human.test_terminal import BEGUN, CRASH, GAME_ID, Scripted

DEADLINE_S = 20.0


class Hosted:
    """One game of a person, who has the attackers of scottish, against a scripted engine."""

    def __init__(self, *engines: Scripted, limit: str) -> None:
        self.states: queue.SimpleQueue[tuple[Phase, dict[str, object]]] = queue.SimpleQueue()
        first, self._others = engines[0], list(engines[1:])
        game = HumanGame(*resolve("scottish"), (None, first), parse(limit))
        file = GameFile(GAME_ID, BEGUN, None)
        self.session = HumanGameSession(
            game, ("human", "robot"), file, lambda name: self._others.pop(0).named("robot"), first.named("robot")
        )
        self.game = HostedGame(lambda note: contextlib.nullcontext(self.session), errors.explained, self._changed, 60)
        self.game.start()

    def _changed(self) -> None:
        self.states.put((self.game.phase, self.game.state))

    def until(self, phase: Phase, said: str = "") -> dict[str, object]:
        """The state as soon as it is in this phase and says this."""
        while True:
            now, state = self.states.get(timeout=DEADLINE_S)
            if now is phase and said in str(state["said"]):
                return state

    def do(self, word: str, move: str = "") -> None:
        self.game.give(PlayCommand(word, move), len(self.session.game.game.moves))


@contextlib.contextmanager
def hosted(*engines: Scripted, limit: str = "nodes=5") -> Iterator[Hosted]:
    """A game that is ended with the block."""
    game = Hosted(*engines, limit=limit)
    game.until(Phase.PERSON)
    try:
        yield game
    finally:
        game.game.leave()
        game.game.join(DEADLINE_S)
        assert not game.game.is_running


def test_an_engine_that_broke_is_started_again() -> None:
    """Its fault is told, and the new one answers the same move."""
    with hosted(Scripted(CRASH), Scripted("d3b3")) as game:
        game.do("move", "d1c1")
        game.until(Phase.BROKEN, "robot loses: crash (the process is gone); exit status 3")
        game.do("engine")
        state = game.until(Phase.PERSON, "robot plays d3b3")
        assert state["moves"] == ("d1c1", "d3b3")


def test_a_fault_can_be_undone() -> None:
    """The board is as it was before the move."""
    with hosted(Scripted(CRASH)) as game:
        game.do("move", "d1c1")
        game.until(Phase.BROKEN)
        game.do("undo")
        assert game.until(Phase.PERSON, "1 ply taken back")["moves"] == ()


def test_a_hint_is_marked_until_the_next_command() -> None:
    """One that fails is told."""
    with hosted(Scripted("d1c1", CRASH)) as game:
        game.do("hint")
        assert game.until(Phase.PERSON, "robot would play d1c1")["hint"] == "d1c1"
        game.do("move", "a1a9")
        assert game.until(Phase.PERSON, "no legal move")["hint"] == ""
        game.do("hint")
        game.until(Phase.PERSON, "robot has no hint: crash")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_of_ours_ends_the_game_with_a_sentence() -> None:
    """It is not told as something that the person did, and its traceback goes where those of a server go."""
    with hosted(Scripted()) as game:  # an engine without an answer: the script has ended
        game.do("move", "d1c1")
        state = game.until(Phase.FAILED, "an error of the arena ended the game; its moves are kept")
        assert state["moves"] == ("d1c1",) and state["legal"] == ()


def test_the_clock_of_a_person_is_that_of_the_session() -> None:
    """A page shows what is left at the moment of the state; the loss on time is one of the session."""
    with hosted(Scripted("d3b3"), limit="0.2+0") as game:
        state = game.until(Phase.OVER, "your time is up: robot wins")
        assert state["left"] == [0, 200]
