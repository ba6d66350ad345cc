"""One game of people in a thread of its own: commands go in, and how it stands comes out.

What a turn, a hint or an undo is belongs to the session. This module decides in which order commands are taken, and
ends a game that was left. It knows no browser and no network.
"""

import queue
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import NamedTuple

from arena.games import board_svg
from arena.games.game_boards import board_of_game
from arena.games.rules import IllegalMove
from arena.human.game import UNFINISHED, End
from arena.human.sentences import Sentences
from arena.human.session import AGREED, BrokenEngine, HumanGameSession
from protocol.faults import EngineFault
from results.safe_text import harmless

StartSession = Callable[[Callable[[str], None]], AbstractContextManager[HumanGameSession]]
"""Gives the session of a game, and is given what takes notes for the user."""
LEFT_S = 1800.0
"""A game without a command for so many seconds was left. It ends, and is kept."""
_MOST_WAITING = 8
"""So many commands may wait for the engine's move."""


class Phase(StrEnum):
    """Whom a game waits for. BROKEN: for another engine or an undo. LEFT: it is kept and can be taken up again."""

    STARTING = "starting"
    PERSON = "person"
    ENGINE = "engine"
    BROKEN = "broken"
    OVER = "over"
    LEFT = "left"
    FAILED = "failed"


class PlayCommand(NamedTuple):
    """What a person does: `move`, `undo`, `hint`, `resign`, `draw`, `engine` or `close`."""

    word: str
    move: str = ""
    ply: int = 0
    """The number of moves that the person saw. A command for another position is dropped."""


class _Left(Exception):
    """The game was left, or its server ends."""


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
        self._begin, self._explain, self._on_change, self._left_s = begin, explain, on_change, left_s
        self.phase = Phase.STARTING
        self.state: dict[str, object] = {"phase": self.phase, "said": []}
        """All that a page shows, as JSON has it: the board as SVG, the legal moves, what was said."""
        self.shown_ns = time.monotonic_ns()
        """When `state` was made: the times in it are of that moment."""
        self._commands: queue.SimpleQueue[PlayCommand] = queue.SimpleQueue()
        self._forget()
        self._acted = time.monotonic()
        """When the last command came."""
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self.start, self.join = self._thread.start, self._thread.join

    @property
    def is_running(self) -> bool:
        """Does it have engines, or is it about to?"""
        return self._thread.is_alive()

    def give(self, command: PlayCommand) -> bool:
        """Hand over a command. False where too many wait."""
        if self._commands.qsize() >= _MOST_WAITING and command.word != "close":
            return False
        self._commands.put(command)
        return True

    # What follows runs in the game's thread.

    def _run(self) -> None:
        phase = Phase.LEFT
        try:
            with self._begin(self._say) as self._session:
                self._game = self._session.game
                self._sentences = Sentences(self._session)
                phase = self._play()
        except Exception as error:
            phase, sentence = Phase.FAILED, self._explain(error)
            self._say(sentence or "an error of the arena ended the game; its moves are kept")
            if sentence is None:
                raise
        finally:
            self._set(phase, {**self.state, "phase": phase, "legal": (), "thinks": False, "said": self._said})

    def _play(self) -> Phase:
        """Play until the game is over or left."""
        end = self._session.ended
        is_new = end is None
        try:
            while end is None and self._game.outcome is None:
                if self._game.turn in self._game.people:
                    end = self._take_commands(Phase.PERSON, self._session.resign)
                elif self._session.opponent is None:
                    end = self._take_commands(Phase.BROKEN, lambda: UNFINISHED)
                else:
                    end = self._engines_turn()
                if end is None:
                    self._save(self._session.save, UNFINISHED)
                    self._say(self._sentences.check())
        except _Left:
            end = UNFINISHED
        end = end or self._game.end()
        if is_new:
            self._save(self._session.save_at_end, end)
        if end is UNFINISHED:
            self._say("the game was left, and is kept")
            return Phase.LEFT
        self._say(self._sentences.ending(end))
        self._show(Phase.OVER)
        return Phase.OVER

    def _engines_turn(self) -> End | None:
        side = self._game.turn
        self._show(Phase.ENGINE)
        move = self._session.engine_turn()
        if isinstance(move, BrokenEngine):
            self._say(self._sentences.fault(move, "loses"))
            return self._take_commands(Phase.BROKEN, lambda: move.end)
        if move.word == "resign":
            return self._session.resign()
        self._say(self._sentences.engine_move(side, move))
        return None

    def _take_commands(self, phase: Phase, give_up: Callable[[], End]) -> End | None:
        """Take commands until the position or the engine has changed. The end, where a person gives up or loses."""
        is_person = phase is Phase.PERSON
        if is_person:
            self._session.start_turn()
        while True:
            self._show(phase)
            command = self._next(self._session.left_ns(self._game.turn) if is_person else None)
            if command is None:
                return self._session.out_of_time()
            match command.word:
                case "resign":
                    return give_up()
                case "draw" if is_person and self._session.may_agree:
                    return AGREED
                case "hint" if is_person:
                    self._give_hint()
                case "undo" if self._undo():
                    return None
                case "move" if is_person and self._move(command.move):
                    return None
                case "engine" if not is_person and self._start_engine():
                    return None

    def _next(self, rest_ns: int | None) -> PlayCommand | None:
        """The next command for this position; None where a clock with so much left ran out before it came."""
        until = None if rest_ns is None else time.monotonic() + rest_ns / 1e9
        while True:
            left = self._acted + self._left_s
            first = left if until is None else min(left, until)
            try:
                command = self._commands.get(timeout=max(0.0, first - time.monotonic()))
            except queue.Empty:
                if first is not until:
                    raise _Left from None
                return None
            if command.word == "close":
                raise _Left
            self._acted = time.monotonic()
            if command.ply == len(self._game.game.moves):
                self._forget()
                return command

    def _move(self, typed: str) -> bool:
        """Play a move; False after a sentence about why it is none."""
        word = "".join(typed.lower().split())
        try:
            self._session.play(word)
        except IllegalMove:
            self._say(self._sentences.illegal(typed, word))
            return False
        return True

    def _undo(self) -> bool:
        """Take back a person's last move; False after a sentence where there is none."""
        plies = self._session.undo()
        self._say(self._sentences.taken_back(plies))
        return plies > 0

    def _give_hint(self) -> None:
        try:
            hint = self._session.hint()
        except Exception as error:
            self._refuse(self._session.hint_engine or "", error)
            return
        if isinstance(hint, BrokenEngine):
            self._say(self._sentences.fault(hint, "has no hint"))
        else:
            self._hint = "" if hint is None or hint.move.word == "resign" else hint.move.word
            self._say(self._sentences.hint(hint))

    def _start_engine(self) -> bool:
        """Start the engine again that broke; False after a sentence about why it cannot play."""
        name = self._session.engine_argument
        try:
            engine = self._session.change_engine(name)
        except Exception as error:
            self._refuse(name, error)
            return False
        self._say(f"{engine.name} plays on")
        return True

    def _refuse(self, name: str, error: Exception) -> None:
        """Say why an engine cannot play."""
        if isinstance(error, EngineFault):
            self._say(self._sentences.refusal(name, error))
        else:
            self._say(self._reason(error))

    def _save(self, save: Callable[[End], None], end: End) -> None:
        try:
            save(end)
        except Exception as error:
            self._say(f"the game cannot be saved: {self._reason(error)}")

    def _reason(self, error: Exception) -> str:
        """The sentence for an error. Raises one that is a bug of ours."""
        sentence = self._explain(error)
        if sentence is None:
            raise error
        return sentence

    # What is shown

    def _say(self, sentence: str) -> None:
        self._said += [harmless(sentence)] if sentence else []

    def _forget(self) -> None:
        """A command begins: what was said before it goes."""
        self._said: list[str] = []
        self._hint = ""

    def _show(self, phase: Phase) -> None:
        game, session, board = self._game.game, self._session, board_of_game(self._game.game)
        left = [session.left_ns(side) for side in (0, 1)]
        state = {
            "phase": phase,
            "names": [harmless(name) for name in session.names],
            "board": board_svg.inline(board),
            "game": board.kind.name,
            "rows": board.rows,
            "last": board.last,
            "moves": tuple(game.moves),
            "legal": tuple(self._game.legal_words()) if phase is Phase.PERSON else (),
            "turn": self._game.turn,
            "left": [None if ns is None else max(0, ns // 1_000_000) for ns in left],
            "thinks": left[0] is not None and phase in (Phase.PERSON, Phase.ENGINE),
            "hint": self._hint,
            "draw": session.may_agree,
            "said": tuple(self._said),
            "sides": (self._sentences.side(0), self._sentences.side(1)),
            "rules": self._sentences.rules(),
        }
        self._set(phase, state)

    def _set(self, phase: Phase, state: dict[str, object]) -> None:
        self.phase, self.state, self.shown_ns = phase, state, time.monotonic_ns()
        self._on_change()
