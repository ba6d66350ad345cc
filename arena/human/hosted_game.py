"""One game of people in a thread of its own, the table of a browser: commands go in, and how it stands comes out.

It ends a game that was left.
"""

import queue
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from arena.games import board_svg
from arena.games.game_boards import board_of_game
from arena.human.game import UNFINISHED
from arena.human.session import HumanGameSession, Phase, PlayCommand
from results.safe_text import harmless

StartSession = Callable[[Callable[[str], None]], AbstractContextManager[HumanGameSession]]
"""Gives the session of a game, and is given what takes notes for the user."""
LEFT_S = 1800.0
"""A game without a command for so many seconds was left. It ends, and is kept."""
_MOST_WAITING = 8
"""The most commands that may wait for the engine's move."""


class HostedGame:
    """One game. `start` starts its thread, `give` hands a command over, and `state` is how it stands."""

    def __init__(
        self,
        begin: StartSession,
        explain: Callable[[Exception], str | None],
        on_change: Callable[[], None],
        left_s: float = LEFT_S,
    ) -> None:
        """`explain` is the sentence for an error that users can do something about, None for a bug of ours.

        `on_change` is called in the game's thread whenever `state` has changed.
        """
        self._begin, self.explain, self._on_change, self._left_s = begin, explain, on_change, left_s
        self.phase = Phase.STARTING
        self.state: dict[str, object] = {"phase": self.phase, "said": []}
        """All that a page shows, as JSON has it: the board as SVG, the legal moves, what was said."""
        self.shown_ns = time.monotonic_ns()
        """When `state` was made: the times in it are of that moment."""
        self._commands: queue.SimpleQueue[tuple[PlayCommand, int]] = queue.SimpleQueue()
        """Each with the number of moves that the person saw."""
        self._said: list[str] = []
        self._acted = time.monotonic()
        """When the last command came."""
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self.start, self.join = self._thread.start, self._thread.join

    @property
    def is_running(self) -> bool:
        """Whether it has engines, or is about to."""
        return self._thread.is_alive()

    def give(self, command: PlayCommand, ply: int) -> bool:
        """Hand over a command of a person who saw this number of moves. False where too many wait."""
        if self._commands.qsize() >= _MOST_WAITING:
            return False
        self._commands.put((command, ply))
        return True

    def leave(self) -> None:
        """End the game, which is kept."""
        self._commands.put((PlayCommand("leave"), 0))

    # What follows runs in the game's thread.

    def _run(self) -> None:
        phase = Phase.LEFT
        try:
            with self._begin(self.tell) as self._session:
                self._session.play(self)
                if self._session.end is UNFINISHED:
                    self.tell("the game was left, and is kept")
                else:
                    phase = Phase.OVER
                    self.tell(self._session.sentences.ending(self._session.end))
                self._publish(phase)
        except Exception as error:
            phase, sentence = Phase.FAILED, self.explain(error)
            self.tell(sentence or "an error of the arena ended the game; its moves are kept")
            if sentence is None:
                raise
        finally:
            self._set(phase, {**self.state, "phase": phase, "legal": (), "thinks": False, "said": self._said})

    def take(self, phase: Phase, left_ns: int | None) -> PlayCommand:
        """The next command for this position."""
        until = None if left_ns is None else time.monotonic() + left_ns / 1e9
        self._publish(phase)
        while True:
            left = self._acted + self._left_s
            first = left if until is None else min(left, until)
            try:
                command, ply = self._commands.get(timeout=max(0.0, first - time.monotonic()))
            except queue.Empty:
                raise (TimeoutError if first is until else EOFError) from None
            if command.word == "leave":
                raise EOFError
            self._acted = time.monotonic()
            if ply == len(self._session.game.game.moves):
                self._said = []
                return command

    def agrees(self, side: int) -> bool:
        return True  # one page is both people's, and asks once more

    def tell(self, sentence: str) -> None:
        self._said += [harmless(sentence)] if sentence else []

    def tell_owner(self, line: str) -> None:
        pass  # a page may be a stranger's

    def show(self, phase: Phase) -> None:
        if phase is Phase.ENGINE:  # the others are shown with what is said in them
            self._publish(phase)

    def _publish(self, phase: Phase) -> None:
        session = self._session
        game, board = session.game, board_of_game(session.game.game)
        left = [session.left_ns(side) for side in (0, 1)]
        state = {
            "phase": phase,
            "names": [harmless(name) for name in session.names],
            "board": board_svg.inline(board),
            "game": board.kind.name,
            "rows": board.rows,
            "last": board.last,
            "moves": tuple(game.game.moves),
            "legal": tuple(game.legal_words()) if phase is Phase.PERSON else (),
            "turn": game.turn,
            "left": [None if ns is None else max(0, ns // 1_000_000) for ns in left],
            "thinks": left[0] is not None and phase in (Phase.PERSON, Phase.ENGINE),
            "hint": session.hinted,
            "draw": session.may_agree,
            "said": tuple(self._said),
            "sides": (session.sentences.side(0), session.sentences.side(1)),
            "rules": session.sentences.rules(),
        }
        self._set(phase, state)

    def _set(self, phase: Phase, state: dict[str, object]) -> None:
        self.phase, self.state, self.shown_ns = phase, state, time.monotonic_ns()
        self._on_change()
